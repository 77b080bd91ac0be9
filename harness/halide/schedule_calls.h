#pragma once

#include "generators/schedule/halide/directive.h"
#include "harness/halide/program.h"

// Translates schedule directives to calls of Halide's scheduling functions.
namespace haruspex::halide {

// Applies the directives in order. Throws NotExpressible if a directive names a function or stage that the program does
// not have, or a tail strategy that this version does not have. If Halide refuses a directive, Halide throws
// (Halide::CompileError).
void apply_schedule(Program& program, const schedule::halide::Schedule& schedule);

}  // namespace haruspex::halide
