#pragma once

#include "harness/halide/version.h"

// Decides whether a schedule keeps the order in which an update runs through its recurrence variables, as far as this
// order matters. In Halide it does not matter for variables without data hazards between their iterations. If the order
// is not kept, the intermediate results of the update are not those of the specification's stage.
namespace haruspex::halide {

// Whether update number `update` keeps the order in all its specializations. May return false although the order is
// kept.
bool keeps_order(const Halide::Internal::Function& function, int update);

// Whether update number `update` runs step by step, or some steps at once, in whatever order, and computes the same in
// every order: its operators are associative and commutative, and in no order is an overflow undefined. Neither rounding
// counts nor that a sum of signed integers may overflow.
bool reduces_in_any_order(const Halide::Internal::Function& function, int update);

}  // namespace haruspex::halide
