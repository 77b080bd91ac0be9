#include "reports/measure/trials.h"

#include <algorithm>

#include "generators/base/assignments.h"
#include "generators/base/overload.h"
#include "generators/sare/build.h"
#include "oracle/judge/lowered.h"
#include "oracle/pipeline/parameter_binding.h"
#include "oracle/pipeline/reference.h"
#include "oracle/validator/counterexamples/replay.h"

namespace haruspex::measure {
namespace {

// In addition to the problem's own sizes.
constexpr int other_sizes = 4;

// Whether the state shows that the program is wrong on its case.
bool is_wrong(verdict::LoweredState state, bool is_compared) {
    switch (state) {
        case verdict::LoweredState::troubled: return true;
        case verdict::LoweredState::differs:
        case verdict::LoweredState::overflows: return is_compared;
        case verdict::LoweredState::unknown:
        case verdict::LoweredState::too_large:
        case verdict::LoweredState::equal:
        case verdict::LoweredState::refuses:
        case verdict::LoweredState::malformed: return false;
    }
    return false;
}

void note(Problem& problem, const Sizes& sizes, const Trial& trial, bool is_own) {
    if (trial.shown != Shown::wrong) { return; }
    problem.is_wrong_at_own |= is_own;
    if (!problem.is_wrong) { problem.shown = "at " + text_of(sizes) + ": " + trial.message; }
    problem.is_wrong = true;
}

bool label(Problem& problem, const Written& written, Choices& choices) {
    const Trial own = try_at(written, problem.own, 0);
    if (own.shown == Shown::nothing) { return false; }
    note(problem, problem.own, own, true);
    if (!problem.is_wrong_at_own) { note(problem, problem.own, try_at(written, problem.own, 1), true); }
    for (std::uint64_t k = 0; k < other_sizes && !problem.is_wrong; ++k) {
        const auto sizes = draw_sizes(written.sare.parameters, {written.sare.assumptions}, 11, choices);
        if (sizes) { note(problem, *sizes, try_at(written, *sizes, k + 2), false); }
    }
    return true;
}

bool label(Problem& problem, const Lowered& lowered, Choices& choices) {
    const Trial own = try_at(lowered, problem.own, lowered.plain.regions);
    if (own.shown == Shown::nothing) { return false; }
    note(problem, problem.own, own, true);
    if (problem.is_wrong) { return true; }
    std::vector<sare::Condition> conditions = lowered.rules;
    conditions.push_back(lowered.c.sare.assumptions);
    std::int64_t most = 8;
    for (const auto& [parameter, size] : problem.own) { most = std::max(most, 2 * size); }
    Asked asked;
    for (int k = 0; k < other_sizes; ++k) {
        if (auto sizes = draw_sizes(lowered.c.sare.parameters, conditions, most, choices)) {
            asked.sizes.push_back(std::move(*sizes));
        }
    }
    const auto compilation = lowered.source->compile(lowered.compiled, asked);
    if (!compilation) { return true; }
    for (std::size_t k = 0; k < asked.sizes.size() && !problem.is_wrong; ++k) {
        if (!compilation->regions[k]) { continue; }
        note(problem, asked.sizes[k], try_at(lowered, asked.sizes[k], *compilation->regions[k]), false);
    }
    return true;
}

}  // namespace

Trial try_at(const Written& written, const Sizes& sizes, std::uint64_t inputs) {
    const validator::Inputs drawn{validator::Inputs::Style::small, inputs, {}};
    const validator::Trial trial = validator::replay(written.sare, written.program, sizes, drawn, most_steps);
    if (!trial.ran) { return {Shown::nothing, trial.message}; }
    return {trial.is_wrong ? Shown::wrong : Shown::right, to_string(trial)};
}

Trial try_at(const Lowered& lowered, const Sizes& sizes, const Regions& regions) {
    cases::Case there = lowered.c;
    there.sizes = sizes;
    const auto reference = pipeline::evaluate_reference(there);
    const bool is_defined = reference && std::ranges::all_of(*reference, [](const interp::OutputValues& output) {
                                return std::ranges::all_of(output.cells, &value::Value::is_defined);
                            });
    if (!is_defined) { return {Shown::nothing, "the specification is not defined"}; }
    const auto parameters = pipeline::bind_parameters(lowered.plain.program, there, regions);
    if (!parameters) { return {Shown::nothing, parameters.error().message}; }
    interp::Options limits;
    limits.ignores_sign_of_zero = !there.strict_float;
    limits.most_steps = most_steps;
    const auto execution = interp::run(lowered.plain.program, *parameters, pipeline::input_values(there), limits);
    if (!execution) { return {Shown::nothing, execution.error().message}; }
    const verdict::LoweredOutcome outcome = judge::judge_lowered(there, *reference, *execution);
    const bool is_compared = there.comparison == cases::Comparison::exact;
    if (is_wrong(outcome.state, is_compared)) { return {Shown::wrong, to_string(outcome)}; }
    const bool is_right = outcome.state == verdict::LoweredState::equal && is_compared;
    return {is_right ? Shown::right : Shown::nothing, to_string(outcome)};
}

std::optional<Sizes> draw_sizes(const std::vector<std::string>& parameters,
                                const std::vector<sare::Condition>& conditions, std::int64_t most, Choices& choices) {
    constexpr int most_attempts = 40;
    for (int attempt = 0; attempt < most_attempts; ++attempt) {
        Sizes sizes;
        for (const std::string& parameter : parameters) { sizes[parameter] = choices.integer(0, most); }
        const bool is_allowed = std::ranges::all_of(
            conditions, [&](const sare::Condition& condition) { return sare::try_evaluate(condition, sizes) == true; });
        if (is_allowed) { return sizes; }
    }
    return std::nullopt;
}

bool label(Problem& problem, Choices& choices) {
    return std::visit([&](const auto& subject) { return label(problem, subject, choices); }, problem.subject);
}

std::string text_of(const Sizes& sizes) { return sizes.empty() ? "no sizes" : assignments(sizes); }

}  // namespace haruspex::measure
