#pragma once

#include <isl/cpp.h>

#include <cstdint>

#include "oracle/validator/specification.h"
#include "oracle/validator/term.h"

namespace haruspex::validator {

// Whose term it is, of the two that are compared.
enum class Side : std::uint8_t { specification, implementation };

// The term with each truth that holds in all of these environments, or in none, as a literal, and without what a
// literal decides: an arm that is not chosen, an operand of "and" and "or".
//
// What is left out may be Undef. A specification's term is then asked more of than it says; of an implementation's
// only what is never Undef is left out. An equation of the results implies that of the terms.
Term decided(const Term& t, const isl::set& environments, Side side, const Specification& specification);

}  // namespace haruspex::validator
