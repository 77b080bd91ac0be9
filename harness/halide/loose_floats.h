#pragma once

#include "harness/halide/version.h"

namespace haruspex::halide {

// Whether an operation on floats stands outside of every strict_float: code generation computes it as if there were no
// NaN, no infinity and one zero, and in another order. Copies are no operations, nor are conversions.
bool has_loose_floats(const Halide::Internal::Stmt& statement);

}  // namespace haruspex::halide
