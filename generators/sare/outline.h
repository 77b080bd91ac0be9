#pragma once

#include "generators/sare/algorithm.h"
#include "generators/sare/syntax.h"

// Inline reductions as functions of their own, as Halide has them: for `sum over { [i, j] : D } of (e)`,
//
//   h(v) = neutral
//   update h(v) = h(v) + e over j in [min, min + extent), i in [min, min + extent) where D
//
// stands before the function, which reads h(v) in place of the reduction. v are the variables that the reduction
// captures, recurrence variables of an update and variables of reductions around it included, in alphabetical order;
// the box is that of reduction_box.h, whose remaining conjuncts are the filter; the reduction's last variable runs
// innermost. The k-th reduction in the values of A's pure definition, or of its n-th update, each counted from 0 and
// before those within it, is
//
//   A_sumk   or   A_un_sumk        prod, min, max, and, or likewise; with _ behind it while the name is taken
//
// Nothing changes its value, not by a bit: a reduction is a fold from the neutral element in lexicographic order, which
// is that of the update's steps, with the same operands on the same sides; and where the filter does not hold a step
// copies. What is not defined stays so for the same reason, an overflow of a partial sum for example.
//
// A reduction stays where it is when its domain has no box, when an update reduces over cells of the function that it
// updates (the two would define each other), and when it would need a rank beyond max_rank.
namespace haruspex::sare {

Algorithm outlined(const Algorithm& algorithm);

// Why a reduction has stayed.
inline constexpr const char* stays_inline =
    "a reduction without bounds over the parameters, or over the function that its update defines";

// The same for the image of an algorithm, each reduction h of the above being the tensors h.0, h.1 and h. Another SARE
// is returned as it is.
Sare outlined(const Sare& sare);

}  // namespace haruspex::sare
