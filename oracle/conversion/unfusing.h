#pragma once

#include "harness/sched/syntax.h"

namespace haruspex::conversion {

// A loop over a product whose variable is divided by a factor that is no constant, as fusing two loops leaves it,
// becomes two; by a constant factor when the quotient is divided again by one that is none:
//
//   for v in [0, a*b) { … v / a … v % a … }     →     assert 0 <= a;
//                                                      for q in [0, b) { for r in [0, a) { … q … r … } }
//
// Whether v is 0 is whether q and r are. Whatever else is done with v is done with q*a + r, so both run the same
// iterations in the same order. No name in the program hides another, and its indices may be products of parameters.
void unfuse(sched::Program& program);

}  // namespace haruspex::conversion
