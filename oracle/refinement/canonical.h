#pragma once

#include <optional>

#include "oracle/refinement/values.h"

namespace haruspex::refinement {

// Rewrites operations by the rules of oracle/rewrite that canonical.cpp lists: what ranges decide, and one form for what
// compilers write in several ways. Each rule is an equation that holds for all operands, Undef and Uninit included.
// nullopt if no rule applies. A literal is the second operand of a commutative operator.
std::optional<Term> canonical_unary(Values& values, value::UnaryOp op, Term a);
std::optional<Term> canonical_binary(Values& values, value::BinaryOp op, Term a, Term b);
std::optional<Term> canonical_select(Values& values, Term condition, Term if_true, Term if_false);
// A cast of a cast.
std::optional<Term> canonical_cast(Values& values, value::Type to, Term a);
// A cast of another operator's result, which may become an operation on casts.
std::optional<Term> canonical_cast_of_result(Values& values, value::Type to, Term a);

}  // namespace haruspex::refinement
