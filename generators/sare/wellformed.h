#pragma once

#include "generators/base/result.h"
#include "generators/sare/algorithm.h"
#include "generators/sare/fault.h"
#include "generators/sare/syntax.h"

// Well-formedness: names resolve and are distinct, ranks and types fit, indices are over variables in scope, the
// domains of a tensor's equations are disjoint, every cell that is read or requested is defined, reductions are
// bounded, staged tensors do not depend on each other in a cycle, staging records match the tensors they name, and some
// parameters satisfy the assumptions. isl checks domains, under the assumptions.
//
// An access reads cells for every point in the domains of its equation and of the reductions around it. A select around
// the access makes no difference, because all languages here evaluate both alternatives of a select; split the
// equation's domain instead.
//
// Well-foundedness of recurrences within general tensors is not checked: a SARE need not be well-founded (thesis 2.2).
//
// Pure definitions and staged tensors are total by construction. If a SARE has no other tensors, isl is needed only for
// assumptions and reductions of unusual form.
namespace haruspex::sare {

[[nodiscard]] Result<void> check(const Sare& sare);
[[nodiscard]] Result<void> check(const Algorithm& algorithm);

// Returns the first fault of a SARE as the error, or a value if the SARE has none.
Checked find_fault(const Sare& sare);

}  // namespace haruspex::sare
