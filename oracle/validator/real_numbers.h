#pragma once

#include "generators/sare/syntax.h"
#include "harness/sched/syntax.h"

namespace haruspex::validator {

// Whether floats may be taken for exact real numbers where a program is to be shown to implement a specification.
//
// As long as inputs are numbers and nothing overflows, all that either of the two computes with is a number: no
// quotient and no remainder but by a literal that is not zero, no NaN, and what may be infinite (as what minima begin
// with) is copied, compared, and an operand of minima and maxima alone. Of outputs that are meant without floats none
// is right up to rounding: the program computes them apart from floats, so that they are the same whatever floats are.
// Nor does an assertion hold up to rounding: floats decide nothing of what the program does.
// And no cell joins what is shown of real numbers to what is shown of integers alone.
bool are_real_numbers(const sare::Sare& sare, const sched::Program& program);

}  // namespace haruspex::validator
