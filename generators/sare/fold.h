#pragma once

#include "generators/sare/algorithm.h"
#include "generators/sare/syntax.h"

// A reduction that is the whole definition of a function, and the function that computes it by an update:
//
//   f(x) = sum over { [k] : 0 <= k < n } of (e)
//   f(x) = 0i32,  update f(x) = f(x) + e over k in [0, n)
//
// Both have the same values to the bit, for the reasons that outline.h gives.
namespace haruspex::sare {

// Puts the second form in the place of the first, for every function whose reduction ranges over a box (reduction_box.h)
// and whose update has at most max_rank variables.
Algorithm folded(const Algorithm& algorithm);
// Puts the first form in the place of the second.
Algorithm unfolded(const Algorithm& algorithm);

// The same for a SARE that is a staged algorithm (staging.h). Any other SARE is returned unchanged.
Sare folded(const Sare& sare);
Sare unfolded(const Sare& sare);

}  // namespace haruspex::sare
