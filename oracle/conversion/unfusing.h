#pragma once

#include "harness/sched/syntax.h"

namespace haruspex::conversion {

// Splits a loop over a product into two if its variable is divided by a factor that is not constant, as fusing two
// loops leaves it. A constant factor counts if the quotient is divided again by one that is not constant:
//
//   for v in [0, a*b) { … v / a … v % a … }     →     assert 0 <= a;
//                                                      for q in [0, b) { for r in [0, a) { … q … r … } }
//
// A test for v = 0 becomes one for q and r. Every other use of v becomes q*a + r, so both run the same iterations in
// the same order. No name in the program hides another, and its indices may be products of parameters.
void unfuse(sched::Program& program);

}  // namespace haruspex::conversion
