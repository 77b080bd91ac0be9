#include "reports/campaign/examine.h"

#include <fmt/ranges.h>

#include <chrono>
#include <expected>
#include <string>

#include "generators/base/ensure.h"
#include "generators/case/json.h"
#include "harness/compiler/compiler.h"
#include "oracle/pipeline/judge_case.h"
#include "oracle/pipeline/overshoot.h"
#include "oracle/pipeline/prophecies.h"
#include "oracle/pipeline/reference.h"
#include "oracle/pipeline/validation.h"
#include "oracle/pipeline/whole_tensors.h"
#include "reports/campaign/proofs.h"
#include "reports/campaign/second_solver.h"
#include "reports/render/view.h"
#include "reports/triage/features.h"
#include "reports/triage/signature.h"

namespace haruspex::campaign {
namespace {

double seconds(std::chrono::nanoseconds time) { return std::chrono::duration<double>(time).count(); }

std::map<std::string, double> seconds_by_stage(const pipeline::StageTimes& times) {
    const auto& inside = times.compiler;
    return {{"reference", seconds(times.reference)},
            {"build", seconds(inside.build)},
            {"compile", seconds(inside.compile)},
            {"bounds", seconds(inside.bounds)},
            {"translate", seconds(inside.translate)},
            {"run", seconds(inside.run)},
            {"interpret", seconds(times.interpret)},
            {"localise", seconds(times.localise)},
            // Forking, limits, sending the observation back, and all work of a child that was killed.
            {"containment",
             seconds(times.child - inside.build - inside.compile - inside.translate - inside.bounds - inside.run)},
            {"validate", seconds(times.validate)},
            {"judge", seconds(times.judge)}};
}

// Returns the outcome for the lowered program: "agrees", "unsupported", "not run", "wrong", "nothing".
std::string summary_of_lowered(const verdict::Verdict& verdict) {
    if (!verdict.lowered) { return "nothing"; }
    switch (verdict.lowered->state) {
        case verdict::LoweredState::equal: return "agrees";
        case verdict::LoweredState::unknown:
        case verdict::LoweredState::too_large: return is_not_run(*verdict.lowered) ? "not run" : "unsupported";
        case verdict::LoweredState::differs:
        case verdict::LoweredState::troubled:
        case verdict::LoweredState::overflows:
        case verdict::LoweredState::refuses:
        case verdict::LoweredState::malformed: return "wrong";
    }
    raise_internal_error(__FILE__, __LINE__, "no such state");
}

using Prophesied = std::expected<pipeline::LoweredProgram, pipeline::NoProgram>;

// Records whether prophecies could be transplanted and, for a case that is right otherwise, whether their values are.
void add_prophecies(const cases::Case& c, const Prophesied& prophesied, std::uint64_t most_steps,
                    store::Record& record) {
    record.prophecies = prophesied ? "transplanted" : to_string(prophesied.error());
    // The kind of failure, without details.
    record.features.insert("prophecies:" + (prophesied ? record.prophecies : prophesied.error().what.kind));
    const bool is_right = record.verdict.cls == verdict::Class::agrees && verdict::is_right(record.verdict.lowered);
    if (!prophesied || !is_right) { return; }
    const auto check = pipeline::check_prophecies(c, *prophesied, most_steps);
    const std::string values = !check ? "not run" : check->wrong > 0 ? "wrong" : "right";
    record.features.insert("prophecy values:" + values);
    if (check && check->wrong > 0) { record.prophecies = "wrong: " + check->first_wrong; }
}

// Records whether the lowered program stores beyond the extents of a tensor.
void add_stores(const cases::Case& c, const Prophesied& prophesied, std::uint64_t most_steps, store::Record& record) {
    const auto seen = prophesied ? pipeline::measure_overshoot(c, *prophesied, most_steps)
                                 : Result<pipeline::Overshoot>(fail("nothing to run"));
    record.features.insert(!seen ? stores_unknown : seen->beyond > 0 ? stores_beyond : stores_within);
}

// Records whether the rules of whole tensors compute what the reference does, with padding as well. If not, the fault is
// ours.
void add_whole_tensors(const cases::Case& c, store::Record& record) {
    constexpr std::int64_t vector_length = 4;
    constexpr std::uint64_t most_steps = 1'000'000;
    const auto seen = pipeline::evaluate_whole_tensors(c, pipeline::evaluate_reference(c), vector_length, most_steps);
    record.features.insert(std::string("whole tensors:") + (!seen           ? "not evaluated"
                                                            : seen->agree() ? "agree"
                                                                            : "differ"));
    if (!seen || seen->agree()) { return; }
    const interp::TensorDifference& cell = seen->from_reference ? *seen->from_reference : *seen->from_exact;
    record.verdict.cls = verdict::Class::harness_failure;
    record.verdict.message =
        fmt::format("whole tensors are evaluated otherwise {}: {}({}) is {}, expected {}",
                    seen->from_reference ? "than the equations" : "with padding", cell.variable,
                    fmt::join(cell.indices, ", "), value::to_string(cell.padded), value::to_string(cell.exact));
    record.group = triage::group_name(triage::signature(c, record.verdict));
    record.case_json = cases::to_json(c);
}

}  // namespace

store::Record examine(std::uint64_t index, const cases::Case& c, compiler::ForkServer& server,
                      const compiler::Identity& identity, const pipeline::Options& options) {
    const pipeline::Judged judged = pipeline::judge_case(c, server, identity, options);
    store::Record record;
    record.index = index;
    record.verdict = judged.verdict;
    const cases::Case found = judged.found_at ? cases::at_sizes(c, *judged.found_at) : c;
    record.features = triage::features(c);
    record.features.insert("lowered:" + summary_of_lowered(record.verdict));
    if (const auto& own_sizes = record.verdict.own_sizes) {
        record.features.insert("validator:" + summary(*own_sizes));
    }
    if (const auto& all_sizes = record.verdict.all_sizes) {
        record.features.insert("all sizes:" + summary(*all_sizes));
    }
    if (const auto& indices = record.verdict.indices) { record.features.insert("indices:" + to_string(*indices)); }
    if (options.validate) {
        if (const auto row = row_of(record.verdict, pipeline::unbounded_parameters(c, identity))) {
            record.features.insert(std::string(row_feature) + to_string(*row));
        }
    }
    if (record.verdict.cls == verdict::Class::rejected) {
        record.reason = triage::normalise_message(record.verdict.message);
    }
    record.directives = c.schedule.directives.size();
    record.seconds = seconds_by_stage(judged.times);
    record.target = c.target;
    add_cross_checks(judged.cross_checks, record);
    if (store::is_kept(record.verdict.cls)) {
        record.group = triage::group_name(triage::signature(found, record.verdict));
        record.case_json = cases::to_json(found);
        record.seeded = !judged.found_at;
        const render::View& view = render::view(found.compiler);
        if (auto program = view.program(found, record.verdict, server.compiler().build_flags())) {
            record.attachments[std::string(view.program_file())] = std::move(program->text);
        }
    }
    return record;
}

store::Record examine(std::uint64_t index, const Options& options, const CaseFile* file, compiler::ForkServer& server,
                      const compiler::Identity& identity) {
    const auto begin = std::chrono::steady_clock::now();
    const auto slow_before = server.slow_time();
    const cases::Case c = case_at(index, options, file, identity);
    const auto drawn = std::chrono::steady_clock::now();
    pipeline::Options judging;
    judging.native = options.native;
    judging.validate = options.validate;
    judging.solvers = options.solvers;
    judging.other_sizes = options.other_sizes;
    store::Record record = examine(index, c, server, identity, judging);
    const bool pads = options.policy.programs == random::ProgramKind::tensor && file == nullptr;
    if (options.prophecies || pads) {
        const auto judged = std::chrono::steady_clock::now();
        const Prophesied prophesied = pipeline::lower_with_prophecies(c, server);
        if (options.prophecies) { add_prophecies(c, prophesied, judging.most_steps, record); }
        if (pads) {
            add_stores(c, prophesied, judging.most_steps, record);
            add_whole_tensors(c, record);
        }
        record.seconds["prophecies"] = seconds(std::chrono::steady_clock::now() - judged);
    }
    record.seeded &= file == nullptr;
    record.seconds["draw"] = seconds(drawn - begin);
    if (const auto slow = server.slow_time() - slow_before; slow.count() > 0) {
        record.seconds[std::string(store::slow_stage)] = seconds(slow);
    }
    return record;
}

}  // namespace haruspex::campaign
