#include "oracle/pipeline/localise.h"

#include "oracle/pipeline/lowered_run.h"

namespace haruspex::pipeline {
namespace {

const compiler::FreeVariable* free_variable(const compiler::Lowered& program) {
    return std::get_if<compiler::FreeVariable>(&program.program);
}

// A program with a translation has no free variables.
Examined look_for_free_variable(const compiler::Lowered& program) {
    verdict::LoweredOutcome seen;
    seen.state = program.text() != nullptr ? verdict::LoweredState::equal : verdict::LoweredState::unknown;
    if (free_variable(program) != nullptr) { seen.state = verdict::LoweredState::troubled; }
    if (program.text() == nullptr) { seen.detail = why_untranslated(program); }
    return {seen};
}

}  // namespace

Localised localise_wrong_program(const cases::Case& c, const std::vector<interp::OutputValues>& reference,
                                 const std::vector<compiler::InputRegion>& regions, const verdict::LoweredOutcome& last,
                                 compiler::ForkServer& server, std::uint64_t most_steps, bool every_pass) {
    const std::vector<compiler::Lowered> programs = observe_passes(c, server).lowered;
    if (programs.empty()) { return {}; }
    const ExaminePass look = once_for_each_text([&](const compiler::Lowered& lowered) -> Examined {
        if (lowered == programs.back()) { return {last}; }
        return interpret(lowered, c, reference, regions, most_steps);
    });
    Localised found;
    found.passes = find_wrong_pass(programs, look, most_steps);
    found.pass = first_wrong_pass(found.passes);
    if (every_pass) { found.passes = examine_all(programs, look); }
    return found;
}

bool has_failed_to_compile(const compiler::Observation& observation) {
    const bool has_failed =
        observation.outcome == compiler::Outcome::crashed || observation.outcome == compiler::Outcome::internal_error;
    return (has_failed && observation.phase == compiler::Phase::compile) ||
           compiler::is_refused_in_code_generation(observation);
}

std::optional<verdict::PassInterval> locate_failure(const cases::Case& c, const compiler::Observation& failed,
                                                    compiler::ForkServer& server) {
    const bool is_lowered = !failed.lowered.empty();
    if (is_lowered && !failed.names_free_variable) {
        return verdict::PassInterval{std::string(verdict::final_program), std::string(verdict::code_generation)};
    }
    const std::vector<compiler::Lowered> programs = observe_passes(c, server).lowered;
    if (!is_lowered) { return failing_pass(programs, passes_of(c, server)); }
    return first_wrong_pass(find_wrong_pass(programs, look_for_free_variable, 0));
}

std::vector<PassResult> trace_passes(const cases::Case& c, const std::vector<interp::OutputValues>& reference,
                                     const std::vector<compiler::InputRegion>& regions, compiler::ForkServer& server,
                                     std::uint64_t most_steps) {
    return examine_all(observe_passes(c, server).lowered, [&](const compiler::Lowered& lowered) {
        return interpret(lowered, c, reference, regions, most_steps);
    });
}

}  // namespace haruspex::pipeline
