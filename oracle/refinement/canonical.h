#pragma once

#include <optional>

#include "oracle/refinement/values.h"

namespace haruspex::refinement {

// Rewrites operations that compilers write in several ways into one form: shifts and masks by literals as products,
// quotients and remainders; quotients of floats by powers of two as products; differences as sums; operations on two
// equal operands; nested limits; a bool that memory holds as a byte; casts of sums; reversed comparisons. Each rule is
// an equation that holds for all operands, Undef and Uninit included. nullopt if no rule applies. A literal is the
// second operand of a commutative operator.
std::optional<Term> canonical_unary(Values& values, value::UnaryOp op, Term a);
std::optional<Term> canonical_binary(Values& values, value::BinaryOp op, Term a, Term b);
std::optional<Term> canonical_cast(Values& values, value::Type to, Term a);
std::optional<Term> canonical_select(Values& values, Term condition, Term if_true, Term if_false);

}  // namespace haruspex::refinement
