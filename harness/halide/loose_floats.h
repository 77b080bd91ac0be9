#pragma once

#include "harness/halide/version.h"

namespace haruspex::halide {

// Whether an operation on floats stands outside every strict_float: code generation computes it as if there were no
// NaN, no infinity and only one zero, and possibly in another order. Copies and conversions are not operations.
bool has_loose_floats(const Halide::Internal::Stmt& statement);

}  // namespace haruspex::halide
