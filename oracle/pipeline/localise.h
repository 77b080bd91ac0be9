#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "generators/case/case.h"
#include "harness/compiler/fork_server.h"
#include "oracle/interp/sare_interpreter.h"
#include "oracle/pipeline/passes.h"

// Finds the pass in which a compiler goes wrong, or fails.
namespace haruspex::pipeline {

struct Localised {
    std::optional<verdict::PassInterval> pass;
    std::vector<PassResult> passes;  // that determine `pass`
};

// Finds the pass by which the final program goes wrong; `last` is its outcome. Examines the program after every pass if
// `every_pass`, otherwise only the programs that the search needs, within `most_steps` of the interpreter.
Localised localise_wrong_program(const cases::Case& c, const std::vector<interp::OutputValues>& reference,
                                 const std::vector<compiler::InputRegion>& regions, const verdict::LoweredOutcome& last,
                                 compiler::ForkServer& server, std::uint64_t most_steps, bool every_pass);

// Whether the compiler crashed or reported an error on a case that it had accepted, so that the failure can be located.
// Excludes hangs: they would hang again for as long.
bool has_failed_to_compile(const compiler::Observation& observation);
// The interval in which it failed, or which made the program that has no code.
std::optional<verdict::PassInterval> locate_failure(const cases::Case& c, const compiler::Observation& failed,
                                                    compiler::ForkServer& server);

// The outcome after every observable pass, in order, the final program last. `regions` come from the native run, or
// from lowering alone.
std::vector<PassResult> trace_passes(const cases::Case& c, const std::vector<interp::OutputValues>& reference,
                                     const std::vector<compiler::InputRegion>& regions, compiler::ForkServer& server,
                                     std::uint64_t most_steps);

}  // namespace haruspex::pipeline
