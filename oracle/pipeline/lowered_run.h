#pragma once

#include <cstdint>
#include <vector>

#include "generators/case/case.h"
#include "harness/compiler/compiler.h"
#include "oracle/interp/sare_interpreter.h"
#include "oracle/pipeline/passes.h"

// Lowered programs in the interpreter, on the inputs of their case.
namespace haruspex::pipeline {

// What the program does, against the reference, which is defined. `regions` are those of the native run, or of the
// lowering alone.
Seen interpret(const compiler::Lowered& lowered, const cases::Case& c,
               const std::vector<interp::OutputValues>& reference, const std::vector<compiler::InputRegion>& regions,
               std::uint64_t most_steps);

// The same of the last program of an observation, which has one. It is not run when generating code for it came to a
// limit of which nobody expects anything else.
Seen interpret_last(const compiler::Observation& observation, const cases::Case& c,
                    const std::vector<interp::OutputValues>& reference, std::uint64_t most_steps);

}  // namespace haruspex::pipeline
