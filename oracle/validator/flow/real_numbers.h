#pragma once

#include "generators/sare/syntax.h"
#include "harness/sched/syntax.h"

namespace haruspex::validator {

// Whether floats may be taken for exact real numbers in a proof that the program implements the specification.
//
// As long as inputs are numbers and nothing overflows, both computations use numbers only: quotients and remainders are
// by nonzero literals only, there is no NaN, and a value that may be infinite (as the initial value of a minimum) is
// only copied, compared, or an operand of minima and maxima. No output that is specified without floats is right merely
// up to rounding: the program computes it apart from floats, so it is the same whatever floats are. Nor does an
// assertion hold merely up to rounding: floats do not control execution. No cell joins a claim about real numbers to a
// claim about integers alone.
bool are_real_numbers(const sare::Sare& sare, const sched::Program& program);

}  // namespace haruspex::validator
