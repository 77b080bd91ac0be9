#pragma once

#include <isl/cpp.h>

#include <functional>

#include "oracle/validator/terms/term.h"

namespace haruspex::validator {

// Whether the term, wherever it is defined in these environments, equals the cell c that `is_it` recognises: it is c,
// or is made of c and of operands that make no difference, such as max(c, c), c * 1, select(p, c, c), c + t % 1 and
// min(c, max(c, t)). Errs on the side of false.
bool is_copy(const Term& t, const isl::set& environments, const std::function<bool(const term::Cell&)>& is_it);

}  // namespace haruspex::validator
