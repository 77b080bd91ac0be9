#pragma once

#include "generators/base/result.h"
#include "generators/sare/algorithm.h"
#include "generators/sare/syntax.h"

// Well-formedness: names resolve and are distinct, ranks and types fit, indices are over variables in scope, the
// domains of a tensor's equations are disjoint, every cell that is read or requested is defined (by isl, under the
// assumptions), reductions are bounded, staged tensors do not depend on each other in a cycle.
namespace haruspex::sare {

[[nodiscard]] Result<void> check(const Sare& sare);
[[nodiscard]] Result<void> check(const Algorithm& algorithm);

}  // namespace haruspex::sare
