#pragma once

#include <cstdint>
#include <vector>

#include "generators/case/case.h"
#include "harness/compiler/compiler.h"
#include "oracle/interp/sare_interpreter.h"
#include "oracle/pipeline/passes.h"

// Runs lowered programs in the interpreter, on the inputs of their case.
namespace haruspex::pipeline {

// Whether the compiler or its code was stopped at a limit of time, or waited without end.
bool is_stopped(const compiler::Observation& observation);

// Runs the program and compares it with the reference, which is defined. `regions` come from the native run, or from
// lowering alone.
Examined interpret(const compiler::Lowered& lowered, const cases::Case& c,
                   const std::vector<interp::OutputValues>& reference,
                   const std::vector<compiler::InputRegion>& regions, std::uint64_t most_steps);

// The same for the last program of an observation, which must have one. Does not run the program if it is long and the
// compiler was stopped while it generated code for it.
Examined interpret_last(const compiler::Observation& observation, const cases::Case& c,
                        const std::vector<interp::OutputValues>& reference, std::uint64_t most_steps);

}  // namespace haruspex::pipeline
