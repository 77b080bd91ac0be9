#pragma once

#include <isl/cpp.h>

#include "oracle/validator/specification/specification.h"
#include "oracle/validator/terms/term.h"

namespace haruspex::validator {

// Simplifies a term in these environments. A condition on the environment (term::Truth) becomes `true` if it holds in
// all of them, and `false` if it holds in none. A subterm is then removed if a literal makes it irrelevant and it is
// never Undef: the arm of a select that is not chosen, or the operand beside an absorbing element, as in `false and x`,
// 0 * x, or the minimum of x and the least number of its type. If x may be Uninit, only "and" and "or" drop it.
Term simplified(const Term& t, const isl::set& environments, const Specification& specification);

}  // namespace haruspex::validator
