#pragma once

#include "harness/halide/version.h"

// Whether a schedule keeps the order in which an update runs through its recurrence variables, as far as that order has
// a meaning (Halide: variables without data hazards between their iterations have none). Where Halide may re-associate,
// what an update has stored between two steps is not what the specification's stage has there.
namespace haruspex::halide {

// Of update number `update`, in all its specialisations. Errs on the side of false.
bool keeps_order(const Halide::Internal::Function& function, int update);

}  // namespace haruspex::halide
