#pragma once

#include "harness/halide/program_builder.h"

// Schedule directives as calls of Halide's scheduling functions.
namespace haruspex::halide {

// Applies the directives in order. Throws NotExpressible for one that names no function or stage of the program or a
// tail strategy this version lacks; what Halide refuses it throws itself (Halide::CompileError).
void apply_schedule(Program& program, const schedule::Schedule& schedule);

}  // namespace haruspex::halide
