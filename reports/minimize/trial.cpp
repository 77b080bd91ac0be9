#include "reports/minimize/trial.h"

#include <algorithm>

#include "generators/base/ensure.h"
#include "harness/compiler/in_order.h"
#include "reports/store/verdict_json.h"

namespace haruspex::minimize {
namespace {

// One under way and one queued behind it, so that a worker need not wait. More would be wasted when a trial ends.
constexpr std::size_t queue_length = 2;

std::optional<verdict::Verdict> decode(const compiler::Done& done) {
    if (done.failed) {
        verdict::Verdict verdict;
        verdict.cls = verdict::Class::harness_failure;
        verdict.message = done.text;
        return verdict;
    }
    if (done.text.empty()) { return std::nullopt; }
    auto verdict = store::parse_verdict(done.text, "a worker's answer");
    ENSURE(verdict.has_value(), "a worker answers with a verdict: " + done.text);
    return std::move(*verdict);
}

}  // namespace

Result<std::uint64_t> judge_in_order(const std::vector<cases::Case>& cases, const Requirements& requirements,
                                     const session::Judge& judge, int jobs, const OnVerdict& on_verdict) {
    compiler::WorkInOrder order;
    order.count = cases.size();
    order.work = [&](std::uint64_t index) {
        const cases::Case& c = cases[index];
        return meets(c, requirements) ? store::to_json(judge(c)) : std::string();
    };
    order.jobs = jobs;
    // A single worker is never ahead of the results that were delivered.
    order.queue = jobs == 1 ? 1 : queue_length;
    order.most_ahead = order.queue * static_cast<std::uint64_t>(jobs);
    order.on_done = [&](std::uint64_t index, const compiler::Done& done) { return on_verdict(index, decode(done)); };
    const auto surplus = compiler::work_in_order(order);
    if (!surplus) { return fail(surplus.error()); }
    const auto was_run = [](const compiler::Done& done) { return done.failed || !done.text.empty(); };
    return surplus->under_way + static_cast<std::uint64_t>(std::ranges::count_if(surplus->done, was_run));
}

}  // namespace haruspex::minimize
