#pragma once

#include <optional>

#include "generators/value/operators.h"
#include "oracle/validator/term.h"

// What compilers write in several ways, in one: shifts and masks by literals as products, quotients and remainders, a
// bool that memory holds as a byte, chains of casts, comparisons turned round. Each rule is an equation that holds for
// all operands, Undef and Uninit among them; nothing is returned where none applies.
namespace haruspex::validator {

// Whether  x op x = x  for all x. (Of zeros with opposite sign as well: the second stays.)
bool is_idempotent(value::BinaryOp op);

// The n with  x op n = x  for all x of the type; of a commutative operator  n op x = x  as well. Floats have none.
std::optional<value::Value> neutral_element(value::BinaryOp op, value::Type type);

// The n with  x op n = n op x = n  for all defined x of the type. Floats have none.
std::optional<value::Value> absorbing_element(value::BinaryOp op, value::Type type);

std::optional<Term> canonical_unary(value::UnaryOp op, const Term& a);
std::optional<Term> canonical_binary(value::BinaryOp op, const Term& a, const Term& b);
std::optional<Term> canonical_cast(value::Type to, const Term& a);
std::optional<Term> canonical_select(const Term& condition, const Term& if_true, const Term& if_false);

}  // namespace haruspex::validator
