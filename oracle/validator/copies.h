#pragma once

#include <isl/cpp.h>

#include <functional>

#include "oracle/validator/term.h"

namespace haruspex::validator {

// Whether, in all of these environments in which the term is defined, it is the same as the cells of which `is_it`
// holds: one of them, or made of them and of what makes no difference, as max(c, c), c * 1, select(p, c, c), c + t % 1
// and min(c, max(c, t)) are. Errs on the side of false.
bool copies(const Term& t, const isl::set& environments, const std::function<bool(const term::Cell&)>& is_it);

}  // namespace haruspex::validator
