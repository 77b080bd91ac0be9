#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "generators/case/case.h"
#include "harness/compiler/fork_server.h"
#include "oracle/interp/sare_interpreter.h"
#include "oracle/pipeline/passes.h"

// In which pass a compiler goes wrong, or fails.
namespace haruspex::pipeline {

struct Localised {
    std::optional<verdict::PassInterval> pass;
    std::vector<PassResult> passes;  // by which it is known
};

// Where the final program goes wrong, of which `last` was seen. The program after every pass is looked at when that is
// asked for, otherwise those that are needed, as far as `most_steps` of the interpreter go.
Localised localise_wrong_program(const cases::Case& c, const std::vector<interp::OutputValues>& reference,
                                 const std::vector<compiler::InputRegion>& regions, const verdict::LoweredOutcome& last,
                                 compiler::ForkServer& server, std::uint64_t most_steps, bool every_pass);

// Whether the compiler failed to compile what it accepted, so that there is something to locate. What hangs would hang
// for as long again.
bool has_failed_to_compile(const compiler::Observation& observation);
// Where it failed, or made the program of which it cannot generate code.
std::optional<verdict::PassInterval> locate_failure(const cases::Case& c, const compiler::Observation& failed,
                                                    compiler::ForkServer& server);

// All passes that can be observed, in order, the final program last. `regions` are those of the native run, or of
// the lowering alone.
std::vector<PassResult> trace_passes(const cases::Case& c, const std::vector<interp::OutputValues>& reference,
                                     const std::vector<compiler::InputRegion>& regions, compiler::ForkServer& server,
                                     std::uint64_t most_steps);

}  // namespace haruspex::pipeline
