#pragma once

#include <isl/cpp.h>

#include <optional>

#include "oracle/validator/expression.h"
#include "oracle/validator/term.h"

namespace haruspex::validator {

// ⟦e⟧_h as it is written, in the environments that are known of: a term with a choice for each read that may find
// several expressions. Its value falls into all combinations of theirs (5.2, lifting), and most equations between them
// are shown one read at a time. Value-lets are written out, each with what it reads where it stands. Nothing when a
// read may find memory that was not written.
std::optional<Term> outline(const sched::Expr& expr, const Expressions& expressions, const heap::Templates& templates,
                            const Scope& scope, const heap::Memory& memory);

}  // namespace haruspex::validator
