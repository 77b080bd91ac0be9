#pragma once

#include "generators/sare/algorithm.h"
#include "generators/sare/syntax.h"

// Inline reductions as functions of their own. For `sum over { [i, j] : D } of (e)`,
//
//   h(v) = neutral
//   update h(v) = h(v) + e over j in [min, min + extent), i in [min, min + extent) where D
//
// stands before the function, which reads h(v) in place of the reduction. v are the variables that the reduction
// captures, including recurrence variables of an update and variables of enclosing reductions, in alphabetical order.
// The box is that of reduction_box.h; its remaining conjuncts are the filter. The reduction's last variable runs
// innermost. The k-th reduction in the values of A's pure definition, or of its n-th update, is named
//
//   A_sumk   or   A_un_sumk        prod, min, max, and, or likewise; with _ appended while the name is taken
//
// Both counts begin with 0, and a reduction counts before those inside it.
//
// Values are unchanged to the bit. A reduction is a fold from the neutral element in lexicographic order, which is the
// order of the update's steps, with the same operands on the same sides; a step whose filter does not hold copies. For
// the same reason undefined values stay undefined, for example an overflow of a partial sum.
//
// A reduction stays inline if its domain has no box, if an update reduces over cells of the function that it updates
// (the two would define each other), or if its function would exceed max_rank.
namespace haruspex::sare {

Algorithm outlined(const Algorithm& algorithm);

// The reason why a reduction has stayed inline.
inline constexpr const char* stays_inline =
    "a reduction without bounds over the parameters, or over the function that its update defines";

// The same for the image of an algorithm: each function h above becomes the tensors h.0, h.1 and h. Any other SARE is
// returned unchanged.
Sare outlined(const Sare& sare);

}  // namespace haruspex::sare
