#pragma once

#include "harness/sched/syntax.h"

namespace haruspex::conversion {

// Undoes the fusing of two loops: splits a loop over a product if its variable is divided by a factor that is not
// constant, or by a constant one and the quotient again by one that is not constant:
//
//   for v in [0, a*b) { … v / a … v % a … }     →     assert 0 <= a;
//                                                      for q in [0, b) { for r in [0, a) { … q … r … } }
//
// A test for v = 0 becomes one for q and r. Every other use of v becomes q*a + r, so the two loops run the same
// iterations in the same order. No name in the program hides another; its indices may be products of parameters.
void unfuse(sched::Program& program);

}  // namespace haruspex::conversion
