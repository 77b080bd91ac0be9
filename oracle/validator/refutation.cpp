#include "oracle/validator/refutation.h"

#include <utility>

#include "oracle/validator/counterexamples/replay.h"

namespace haruspex::validator {
namespace {

Runner runner(const sare::Sare& sare, const sched::Program& program, const Options& options) {
    if (options.original) { return options.original; }
    return [&](const Sizes& sizes, const Inputs& inputs) {
        return replay(sare, program, sizes, inputs, options.most_steps, options.ladder.floats == Floats::real);
    };
}

}  // namespace

Refuter::Refuter(const sare::Sare& sare, const sched::Program& program, const Options& options, Budgets& budgets)
    : options_(options),
      budgets_(budgets),
      search_(sare, program, options.sizes, runner(sare, program, options), options.ladder.floats == Floats::real) {}

std::optional<std::string> Refuter::without_value_in(const isl::set& context) {
    const auto searched = budgets_.for_obligation([&] { return search_.without_value_in(context); });
    return searched ? *searched : std::nullopt;
}

void Refuter::probe(const isl::set& context) {
    const auto searched = budgets_.for_obligation([&] { return search_.in(context, std::nullopt); });
    if (searched) { probed_ = *searched; }
}

std::optional<Refutation> Refuter::refute(std::vector<Failure>& failures, bool uses_models) {
    if (!failures.empty()) { options_.begin("counterexamples"); }
    for (Failure& failure : failures) {
        if (std::exchange(failure.is_searched, true)) { continue; }
        for (const auto& [environments, model] : failure.places) {
            // Models tend to have sizes that take long to run.
            const auto hint = uses_models && !probed_ ? model : std::nullopt;
            const auto effort = failure.is_exhausted ? Search::Effort::brief : Search::Effort::thorough;
            auto searched = budgets_.for_search([&] { return search_.in(environments, hint, effort); });
            if (!searched) { return probed_in(failures); }
            if (*searched) { return Refutation{failure.judgement, std::move(**searched)}; }
        }
    }
    return probed_in(failures);
}

std::optional<Refutation> Refuter::probed_in(const std::vector<Failure>& failures) const {
    if (!probed_ || failures.empty()) { return std::nullopt; }
    return Refutation{failures.front().judgement, *probed_};
}

}  // namespace haruspex::validator
