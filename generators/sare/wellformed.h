#pragma once

#include "generators/base/result.h"
#include "generators/sare/algorithm.h"
#include "generators/sare/fault.h"
#include "generators/sare/syntax.h"

// Well-formedness: names resolve and are distinct, ranks and types fit, indices are over variables in scope, the
// domains of a tensor's equations are disjoint, every cell that is read or requested is defined (by isl, under the
// assumptions), reductions are bounded, staged tensors do not depend on each other in a cycle, staging records match
// the tensors they name, and some parameters satisfy the assumptions.
//
// An access counts as a read wherever its equation holds and the enclosing reductions have a point. An enclosing select
// or guard does not narrow this, because all languages here evaluate both alternatives of a select; split the
// equation's domain instead.
//
// Well-foundedness of recurrences within general tensors is not checked: a SARE need not be well-founded (thesis 2.2).
//
// Pure definitions and staged tensors are total by construction. For a SARE with nothing else, isl checks only
// assumptions and reductions of unusual form.
namespace haruspex::sare {

[[nodiscard]] Result<void> check(const Sare& sare);
[[nodiscard]] Result<void> check(const Algorithm& algorithm);

// The first fault of a SARE.
Checked find_fault(const Sare& sare);

}  // namespace haruspex::sare
