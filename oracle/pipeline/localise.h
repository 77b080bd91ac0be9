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
    std::vector<PassResult> passes;  // the examined ones, which determine `pass`; or all of them, on request
};

// Finds the pass that makes the final program wrong; `last` is the outcome of that program. With `every_pass` it
// examines the program after every pass, otherwise only those that the search needs. `most_steps` limits each run, and
// the backward scan of the search (find_wrong_pass).
Localised localise_wrong_program(const cases::Case& c, const std::vector<interp::OutputValues>& reference,
                                 const std::vector<compiler::InputRegion>& regions, const verdict::LoweredOutcome& last,
                                 compiler::ForkServer& server, std::uint64_t most_steps, bool every_pass);

// Whether the compiler crashed or reported an error on a case that it had accepted, so that the failure can be located.
// Excludes hangs: to locate one, the compiler would have to hang once more.
bool has_failed_to_compile(const compiler::Observation& observation);
// The interval in which the compiler failed. If it refused code for a free variable of the final program: the interval
// in which the variable lost its definition.
std::optional<verdict::PassInterval> locate_failure(const cases::Case& c, const compiler::Observation& failed,
                                                    compiler::ForkServer& server);

// The outcome after every observable pass, in order, ending with the final program. `regions` come from the native run,
// or from lowering alone.
std::vector<PassResult> trace_passes(const cases::Case& c, const std::vector<interp::OutputValues>& reference,
                                     const std::vector<compiler::InputRegion>& regions, compiler::ForkServer& server,
                                     std::uint64_t most_steps);

}  // namespace haruspex::pipeline
