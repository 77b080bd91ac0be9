#pragma once

#include <isl/cpp.h>

#include "oracle/validator/specification.h"
#include "oracle/validator/term.h"

namespace haruspex::validator {

// The term with each truth that holds in all of these environments, or in none, as a literal, and without what a
// literal decides, where that is never Undef: an arm that is not chosen, an operand of "and" and "or", of a product
// with zero, of the minimum with the least number of the type.
Term decided(const Term& t, const isl::set& environments, const Specification& specification);

}  // namespace haruspex::validator
