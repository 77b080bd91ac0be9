#pragma once

#include <optional>

#include "generators/value/operators.h"
#include "oracle/validator/terms/term.h"

// Canonical forms of expressions that compilers write in several ways, by the rules of oracle/rewrite that canonical.cpp
// lists. Each rule is an equation that holds for all operands, including Undef and Uninit. nullopt: no rule applies.
namespace haruspex::validator {

std::optional<Term> canonical_unary(value::UnaryOp op, const Term& a);
std::optional<Term> canonical_binary(value::BinaryOp op, const Term& a, const Term& b);
std::optional<Term> canonical_cast(value::Type to, const Term& a);
std::optional<Term> canonical_select(const Term& condition, const Term& if_true, const Term& if_false);

}  // namespace haruspex::validator
