#pragma once

#include <optional>

#include "oracle/refinement/values.h"

namespace haruspex::refinement {

// What compilers write in several ways, in one: shifts and masks by literals as products, quotients and remainders,
// quotients of floats by powers of two as products, differences as sums, what is done with two equal operands, limits
// within limits, a bool that memory holds as a byte, casts of sums, comparisons turned round. Each rule is an equation
// that holds for all operands, Undef and Uninit among them; nothing is returned where none applies. A literal comes
// second where the operator is commutative.
std::optional<Term> canonical_unary(Values& values, value::UnaryOp op, Term a);
std::optional<Term> canonical_binary(Values& values, value::BinaryOp op, Term a, Term b);
std::optional<Term> canonical_cast(Values& values, value::Type to, Term a);
std::optional<Term> canonical_select(Values& values, Term condition, Term if_true, Term if_false);

}  // namespace haruspex::refinement
