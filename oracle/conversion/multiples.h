#pragma once

#include "harness/sched/syntax.h"

namespace haruspex::conversion {

// Replaces quotients and remainders whose dividend is a multiple of the divisor, or one less, by their value for each
// sign of the divisor:
//
//   q*d / d        →  select(d = 0, 0, q)                            q*d % d        →  0
//   (q*d - 1) / d  →  select(0 < d, q - 1, select(d < 0, q + 1, 0))
//   (q*d - 1) % d  →  select(0 < d, d - 1, select(d < 0, -d - 1, 0))
//
// for any d that is not constant, if the dividend equals q*d or q*d - 1 as a polynomial. No name in the program hides
// another.
void divide_multiples(sched::Program& program);

}  // namespace haruspex::conversion
