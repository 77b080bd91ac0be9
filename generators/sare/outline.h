#pragma once

#include "generators/sare/algorithm.h"
#include "generators/sare/syntax.h"

// Turns inline reductions into functions of their own. For `sum over { [i, j] : D } of (e)`, the function
//
//   h(v) = neutral
//   update h(v) = h(v) + e over j in [min, min + extent), i in [min, min + extent) where F
//
// is put before the function with the reduction, which then reads h(v) instead. v are the variables that the reduction
// captures, in alphabetical order; recurrence variables of an update and variables of enclosing reductions are among
// them. The intervals are the box of D (reduction_box.h); F are the conjuncts of D that the box does not imply. The
// reduction's last variable runs innermost.
//
// Reduction number k in the values of A's pure definition becomes the function A_sum<k>. Reduction number k in the
// values of A's update number n becomes A_u<n>_sum<k>. For the other operators, prod, min, max, `and` or `or` is in the
// place of sum. "_" is appended until the name is new. k and n count from 0, and a reduction counts before those inside
// it.
//
// Values are unchanged to the bit: a reduction is a fold from the neutral element in lexicographic order, and the steps
// of the update have this order and the same operands on the same sides. Where F is false, a step keeps the value. For
// the same reason undefined values stay undefined, for example an overflow of a partial sum.
//
// A reduction stays inline if its domain has no box, if it reads the function in which it stands (the two functions
// would define each other), or if its function would have more than max_rank variables, those of the update included.
namespace haruspex::sare {

Algorithm outlined(const Algorithm& algorithm);

// The reason why a reduction has stayed inline, for people. It leaves out max_rank.
inline constexpr const char* why_inline =
    "a reduction without bounds over the parameters, or over the function that its update defines";

// The same for a SARE that is a staged algorithm (staging.h): each function h above becomes the tensors h.0, h.1 and h.
// Any other SARE is returned unchanged.
Sare outlined(const Sare& sare);

}  // namespace haruspex::sare
