#pragma once

#include "harness/sched/syntax.h"

namespace haruspex::conversion {

// A loop over a product of sizes whose variable is divided by one of them, as fusing two loops leaves it, becomes two:
//
//   for v in [0, a*b) { … v / a … v % a … }     →     assert 0 <= a;
//                                                      for q in [0, b) { for r in [0, a) { … q … r … } }
//
// Whatever else is done with v is done with q*a + r, so both run the same iterations in the same order. No name in the
// program hides another, and its indices may be products of parameters.
void unfuse(sched::Program& program);

}  // namespace haruspex::conversion
