#pragma once

#include <array>
#include <set>
#include <string>
#include <string_view>

#include "generators/sare/algorithm.h"
#include "generators/schedule/halide/directive.h"
#include "generators/schedule/halide/vocabulary.h"

// The forms of a schedule: how its directives are joined with each other and with the algorithm.
//
//   form:bounded-internal          bound or bound_extent of a tensor that is not an output
//   form:compute_with-update       one of two stages that are computed together is an update
//   form:late-rfactor              the factored update has had directives other than the split of the preserved loop
//   form:many-directives           eight directives or more on the loops of one stage
//   form:split-of-fused            a loop that fuse made is split
//   form:split-of-unrolled  form:split-of-vectorized
//                                  a loop is split after it was marked
//   form:stored-neighbours         one stage reads two tensors or more that are stored, each at cells whose indices
//                                  differ by a constant
//   form:stored-reversed           as above, and one of the two is read with a negative factor at such cells
//   form:vectorized-both           one stage has a vectorized loop over recurrence variables and one over pure variables
//   form:vectorized-both-affine    as above; an index of an operand has variables of both sorts
//   form:vectorized-both-recurrence
//                                  as above; an operand has recurrence variables alone
// A split is also that of tile, and of vectorize, unroll and parallel with a factor.
namespace haruspex::schedule::halide {

inline constexpr std::array<std::string_view, 12> form_names{
    "form:bounded-internal",    "form:compute_with-update",    "form:late-rfactor",
    "form:many-directives",     "form:split-of-fused",         "form:split-of-unrolled",
    "form:split-of-vectorized", "form:stored-neighbours",      "form:stored-reversed",
    "form:vectorized-both",     "form:vectorized-both-affine", "form:vectorized-both-recurrence"};

// Returns the forms of the schedule up to the first directive that names something that does not exist.
std::set<std::string> forms(const sare::Algorithm& algorithm, const Schedule& schedule, Vocabulary vocabulary);

}  // namespace haruspex::schedule::halide
