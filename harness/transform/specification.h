#pragma once

#include "generators/base/choice.h"
#include "generators/sare/algorithm.h"
#include "harness/transform/policy.h"

// Draws small algorithms for sizes that are parameters.
namespace haruspex::transform {

// Total and well-formed. Parameters are at least as large as the assumptions say; every box of cells that is needed is
// affine in them (ranges.h). Where inputs are small (input_value), values of i32 and i64 do not overflow as long as no
// size exceeds 16.
sare::Algorithm draw_algorithm(Choices& choices, const Policy& policy);

// A small value for an input's cell: from -3 to 3, unsigned from 0.
value::Value input_value(value::Type type, std::uint64_t hash);

}  // namespace haruspex::transform
