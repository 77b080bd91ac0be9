#pragma once

#include "generators/base/choice.h"
#include "generators/sare/algorithm.h"
#include "harness/transform/policy.h"

// Draws small algorithms for parametric sizes.
namespace haruspex::transform {

// Total and well-formed. The assumptions give the parameters' lower bounds; every box of cells that is needed is affine
// in the parameters (ranges.h). With small inputs (input_value), values of i32 and i64 do not overflow as long as no
// size exceeds 16.
sare::Algorithm draw_algorithm(Choices& choices, const Policy& policy);

// Returns a small value for an input's cell: from -3 to 3, or from 0 if unsigned.
value::Value input_value(value::Type type, std::uint64_t hash);

}  // namespace haruspex::transform
