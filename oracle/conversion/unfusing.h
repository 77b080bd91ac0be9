#pragma once

#include "harness/sched/syntax.h"

namespace haruspex::conversion {

// Undoes the fusing of two loops. Splits a loop over a product of two sizes if the body divides its variable by one of
// them and that size is not a constant. If the size is a constant, the body must divide the quotient again by a size
// that is not.
//
//   for v in [0, a*b) { … v / a … v % a … }     →     assert 0 <= a;
//                                                      for q in [0, b) { for r in [0, a) { … q … r … } }
//
// A test for v = 0 becomes one for q and r. Every other use of v becomes q*a + r, so the two loops run the same
// iterations in the same order. No name in the program may hide another. Indices of the program may contain products of
// parameters.
void unfuse(sched::Program& program);

}  // namespace haruspex::conversion
