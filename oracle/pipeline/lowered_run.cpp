#include "oracle/pipeline/lowered_run.h"

#include <utility>

#include "generators/base/overload.h"
#include "harness/sched/text.h"
#include "oracle/interp/sched_interpreter.h"
#include "oracle/judge/lowered.h"
#include "oracle/pipeline/parameter_binding.h"

namespace haruspex::pipeline {
namespace {

using judge::too_large_lowered;
using judge::unknown_lowered;
using verdict::LoweredOutcome;
using verdict::LoweredState;
using verdict::NotRun;

LoweredOutcome untranslated(const compiler::Lowered& lowered) {
    const std::string why = why_untranslated(lowered);
    if (std::holds_alternative<compiler::LongText>(lowered.program)) {
        return too_large_lowered(NotRun::long_text, why);
    }
    const bool is_open = std::holds_alternative<compiler::FreeVariable>(lowered.program);
    return unknown_lowered(is_open ? NotRun::free_variable : NotRun::untranslated, why);
}

// Programs usually have a few thousand bytes. In 10,000 random cases, those whose code generation reached its limit had
// from 170,000 to more than a million.
bool takes_long_to_compile(const compiler::Observation& observation) {
    constexpr std::size_t long_program = 100'000;
    const std::string* text = observation.lowered.back().text();
    return is_stopped(observation) && observation.phase == compiler::Phase::compile && text != nullptr &&
           text->size() > long_program;
}

}  // namespace

bool is_stopped(const compiler::Observation& observation) {
    return observation.outcome == compiler::Outcome::timed_out || observation.outcome == compiler::Outcome::deadlocked;
}

Examined interpret(const compiler::Lowered& lowered, const cases::Case& c,
                   const std::vector<interp::OutputValues>& reference,
                   const std::vector<compiler::InputRegion>& regions, std::uint64_t most_steps) {
    const std::string* text = lowered.text();
    if (text == nullptr) { return {untranslated(lowered)}; }
    const auto program = sched::parse_program(*text, "lowered");
    if (!program) { return {{LoweredState::malformed, {}, {}, to_string(program.error()), {}}}; }
    const auto parameters = bind_parameters(*program, c, regions);
    if (!parameters) { return {unknown_lowered(NotRun::parameters, parameters.error().message)}; }
    interp::Options limits;
    limits.most_steps = most_steps;
    limits.ignores_sign_of_zero = !c.strict_float;
    const auto execution = interp::run(*program, *parameters, input_values(c), limits);
    if (!execution) { return {too_large_lowered(NotRun::steps, execution.error().message)}; }
    return {judge::judge_lowered(c, reference, *execution), execution->steps};
}

Examined interpret_last(const compiler::Observation& observation, const cases::Case& c,
                        const std::vector<interp::OutputValues>& reference, std::uint64_t most_steps) {
    if (takes_long_to_compile(observation)) {
        return {too_large_lowered(NotRun::slow_to_compile, "the program is long")};
    }
    const compiler::Lowered& lowered = observation.lowered.back();
    Examined seen = interpret(lowered, c, reference, observation.input_regions, most_steps);
    if (seen.outcome.state == LoweredState::unknown && lowered.text() != nullptr && observation.regions_unknown) {
        seen.outcome = unknown_lowered(NotRun::regions, observation.why_regions_unknown);
    }
    return seen;
}

}  // namespace haruspex::pipeline
