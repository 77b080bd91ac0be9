#pragma once

#include "generators/base/result.h"
#include "generators/sare/algorithm.h"
#include "generators/sare/syntax.h"

// Well-formedness: names resolve and are distinct, ranks and types fit, indices are over variables in scope, the
// domains of a tensor's equations are disjoint, every cell that is read or requested is defined (by isl, under the
// assumptions), reductions are bounded, staged tensors do not depend on each other in a cycle, staging records are
// those of the tensors they name, and some parameters satisfy the assumptions.
//
// An access counts as a read wherever its equation holds and the reductions around it have a point: a select or a guard
// around it does not narrow where it is read, because all languages here evaluate both alternatives of a select. Split
// the equation's domain instead.
//
// That a recurrence within general tensors is well-founded is not checked: a SARE need not be (thesis 2.2).
//
// Pure definitions and staged tensors are total by construction, so that isl is asked about assumptions and
// reductions of unusual form only when a SARE has nothing else.
namespace haruspex::sare {

inline constexpr int max_rank = 16;
inline constexpr int max_depth = 256;  // of expressions, conditions and indices: they are walked by recursion

[[nodiscard]] Result<void> check(const Sare& sare);
[[nodiscard]] Result<void> check(const Algorithm& algorithm);

// What of the check of an algorithm needs no isl: all but bounded reductions and satisfiable assumptions.
[[nodiscard]] Result<void> check_structure(const Algorithm& algorithm);

}  // namespace haruspex::sare
