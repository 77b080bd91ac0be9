#pragma once

#include <isl/cpp.h>

#include <functional>

#include "oracle/validator/terms/term.h"

namespace haruspex::validator {

// Whether the term is the same as the cells accepted by `is_it` wherever it is defined in these environments: it is one
// of them, or is made of them and of operands that make no difference, as max(c, c), c * 1, select(p, c, c), c + t % 1
// and min(c, max(c, t)) are. Errs on the side of false.
bool is_copy(const Term& t, const isl::set& environments, const std::function<bool(const term::Cell&)>& is_it);

}  // namespace haruspex::validator
