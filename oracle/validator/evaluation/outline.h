#pragma once

#include <isl/cpp.h>

#include <optional>

#include "oracle/validator/evaluation/expression.h"
#include "oracle/validator/terms/term.h"

namespace haruspex::validator {

// Returns ⟦e⟧_h in the form in which e is written, in the environments scope.known(): a term with a choice for each
// read that may find several expressions. A heap::Value of e falls into all combinations of these expressions (5.2,
// lifting), but most equations can be shown one read at a time. Value-lets are written out, and their reads find the
// heap in which the let stands. nullopt if a read may find memory that was not written or has no prophecy, or if the
// term gets too long.
std::optional<Term> outline(const sched::Expr& expr, const Expressions& expressions, const heap::Templates& templates,
                            const Scope& scope, const heap::Memory& memory);

}  // namespace haruspex::validator
