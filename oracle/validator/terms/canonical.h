#pragma once

#include <optional>

#include "generators/value/operators.h"
#include "oracle/validator/terms/term.h"

// Canonical forms of expressions that compilers write in several ways: shifts and masks by literals as products,
// quotients and remainders; a bool that memory holds as a byte; chains of casts; reversed comparisons. Each rule is an
// equation that holds for all operands, including Undef and Uninit. nullopt: no rule applies.
namespace haruspex::validator {

// Whether  x op x = x  for all x for which x op x is defined (a minimum or maximum of a NaN is Undef). (Also for zeros
// of opposite sign: the second stays.)
bool is_idempotent(value::BinaryOp op);

// The n with  x op n = x  for all x of the type; for a commutative operator also  n op x = x. Floats have none.
std::optional<value::Value> neutral_element(value::BinaryOp op, value::Type type);

// The n with  x op n = n op x = n  for all defined x of the type. Floats have none.
std::optional<value::Value> absorbing_element(value::BinaryOp op, value::Type type);

std::optional<Term> canonical_unary(value::UnaryOp op, const Term& a);
std::optional<Term> canonical_binary(value::BinaryOp op, const Term& a, const Term& b);
std::optional<Term> canonical_cast(value::Type to, const Term& a);
std::optional<Term> canonical_select(const Term& condition, const Term& if_true, const Term& if_false);

}  // namespace haruspex::validator
