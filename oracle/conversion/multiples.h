#pragma once

#include "harness/sched/syntax.h"

namespace haruspex::conversion {

// Simplifies quotients and remainders whose dividend is a multiple of the divisor, or one less, to their value for each
// sign of the divisor: as polynomials,
//
//   q*d / d        →  select(d = 0, 0, q)                            q*d % d        →  0
//   (q*d - 1) / d  →  select(0 < d, q - 1, select(d < 0, q + 1, 0))
//   (q*d - 1) % d  →  select(0 < d, d - 1, select(d < 0, -d - 1, 0))
//
// for any non-constant d. No name in the program hides another.
void divide_multiples(sched::Program& program);

}  // namespace haruspex::conversion
