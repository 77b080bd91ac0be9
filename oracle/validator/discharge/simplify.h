#pragma once

#include <isl/cpp.h>

#include "oracle/validator/specification/specification.h"
#include "oracle/validator/terms/term.h"

namespace haruspex::validator {

// Simplifies a term in these environments. A truth that holds in all of them, or in none, becomes a literal. A subterm
// that a literal makes irrelevant is removed if it is never Undef: an arm that is not chosen, or the other operand of
// "and" and "or", of a product with zero, or of the minimum with the least number of the type.
Term simplified(const Term& t, const isl::set& environments, const Specification& specification);

}  // namespace haruspex::validator
