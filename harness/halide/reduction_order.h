#pragma once

#include "harness/halide/version.h"

// Decides whether a schedule keeps the order in which an update runs through its recurrence variables, as far as the
// order matters (in Halide it does not for variables without data hazards between their iterations). If Halide may
// re-associate, the intermediate results of an update are not those of the specification's stage.
namespace haruspex::halide {

// Whether update number `update` keeps the order, in all its specialisations. Errs on the side of false.
bool keeps_order(const Halide::Internal::Function& function, int update);

}  // namespace haruspex::halide
