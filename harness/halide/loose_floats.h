#pragma once

#include "harness/halide/version.h"

namespace haruspex::halide {

// Whether some operation on floats stands outside every strict_float. Code generation computes such an operation as if
// there were no NaN, no infinity and only one zero, and possibly in another order. Copies and conversions do not count.
bool has_loose_floats(const Halide::Internal::Stmt& statement);

}  // namespace haruspex::halide
