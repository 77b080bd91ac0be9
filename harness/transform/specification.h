#pragma once

#include "generators/base/choice.h"
#include "generators/sare/algorithm.h"
#include "harness/transform/policy.h"

// Draws small algorithms for parametric sizes.
namespace haruspex::transform {

// Draws a well-formed algorithm from any choice sequence. Its assumptions give lower bounds of the parameters, and
// every box of needed cells is affine in the parameters (ranges.h). With the small inputs of input_value, values of i32
// and i64 do not overflow as long as no size exceeds 16.
sare::Algorithm draw_algorithm(Choices& choices, const Policy& policy);

// Returns a small value for an input's cell: from -3 to 3, or from 0 to 3 if the type is unsigned.
value::Value input_value(value::Type type, std::uint64_t hash);

}  // namespace haruspex::transform
