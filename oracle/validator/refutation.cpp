#include "oracle/validator/refutation.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "oracle/validator/counterexamples/replay.h"
#include "oracle/validator/flow/real_numbers.h"

namespace haruspex::validator {
namespace {

// Whether sums may be regrouped, so that a difference may come of rounding.
bool may_be_regrouped(const sare::Sare& sare, const sched::Program& program, const Options& options) {
    return options.ladder.floats == Floats::abstract && add_floats(sare, program);
}

Runner plain_runner(const sare::Sare& sare, const sched::Program& program, const Options& options) {
    if (options.original) { return options.original; }
    return [&](const Sizes& sizes, const Inputs& inputs) {
        return replay(sare, program, sizes, inputs, options.most_steps, options.ladder.floats == Floats::real,
                      AtHead::is_wrong, may_be_regrouped(sare, program, options));
    };
}

Runner runner(const sare::Sare& sare, const sched::Program& program, const Options& options, bool sums_fit) {
    Runner run = plain_runner(sare, program, options);
    if (!sums_fit) { return run; }
    return [run](const Sizes& sizes, const Inputs& inputs) {
        Trial trial = run(sizes, inputs);
        const bool are_small = inputs.style == Inputs::Style::small && inputs.given.empty();
        if (trial.is_undef && !are_small) { trial.is_wrong = trial.is_undef = false; }
        return trial;
    };
}

// The inputs on which a difference counts: where floats are real numbers, those with which nothing is rounded.
std::vector<Inputs::Style> styles(const sare::Sare& sare, const sched::Program& program, const Options& options) {
    using Style = Inputs::Style;
    if (options.ladder.floats == Floats::real) { return {Style::small}; }
    if (may_be_regrouped(sare, program, options)) { return {Style::small, Style::special}; }
    return {Style::small, Style::extreme, Style::wide};
}

// Whether it is rounded neither by itself nor in sums with others like it.
bool is_short(const value::Value& v) {
    if (!value::is_float(v.type()) || !v.is_defined() || !std::isfinite(v.as_double())) { return true; }
    constexpr double most = 1024;
    const double quarters = 4 * v.as_double();
    return std::abs(quarters) <= most && quarters == std::trunc(quarters);
}

}  // namespace

Refuter::Refuter(const sare::Sare& sare, const sched::Program& program, const Options& options, bool sums_fit,
                 Budgets& budgets)
    : options_(options),
      budgets_(budgets),
      needs_short_inputs_(may_be_regrouped(sare, program, options)),
      search_(sare, program, options.sizes, runner(sare, program, options, sums_fit), styles(sare, program, options)) {}

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
            const auto hint = uses_models && !probed_ && is_usable(model) ? model : std::nullopt;
            const auto effort = failure.is_exhausted ? Search::Effort::brief : Search::Effort::thorough;
            auto searched = budgets_.for_search([&] { return search_.in(environments, hint, effort); });
            if (!searched) { return probed_in(failures); }
            if (*searched) { return Refutation{failure.judgement, std::move(**searched)}; }
        }
    }
    return probed_in(failures);
}

bool Refuter::is_usable(const std::optional<smt::Model>& model) const {
    return !needs_short_inputs_ || !model ||
           std::ranges::all_of(model->cells, [](const smt::CellValue& cell) { return is_short(cell.value); });
}

std::optional<Refutation> Refuter::probed_in(const std::vector<Failure>& failures) const {
    if (!probed_ || failures.empty()) { return std::nullopt; }
    return Refutation{failures.front().judgement, *probed_};
}

}  // namespace haruspex::validator
