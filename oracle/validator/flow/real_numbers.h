#pragma once

#include "generators/sare/syntax.h"
#include "harness/sched/syntax.h"

namespace haruspex::validator {

// Whether floats may be taken for exact real numbers in a proof that the program implements the specification. They may
// if
//
//   as long as inputs are numbers and nothing overflows, both computations use numbers only: divisors are nonzero
//   literals, there is no NaN, and a value that may be infinite (such as the initial value of a minimum) is only
//   copied, compared, or an operand of minima and maxima; outputs that are specified without floats are computed apart
//   from floats (float_flow.h): they must not be right merely up to rounding; floats do not control execution: an
//   assertion must not hold merely up to rounding; no cell connects a claim about real numbers with one about integers
//   alone (use_floats_as_prophesied in float_flow.h).
bool are_real_numbers(const sare::Sare& sare, const sched::Program& program);

// Whether a proof may be about floats whose sums are regrouped. It may if nothing of that could be seen but in outputs
// that are specified with floats: by the rules above, but for the one about numbers.
bool may_regroup_sums(const sare::Sare& sare, const sched::Program& program);

// Whether specification or program adds floats up, or subtracts them.
bool add_floats(const sare::Sare& sare, const sched::Program& program);

}  // namespace haruspex::validator
