#pragma once

#include <optional>
#include <string>

#include "generators/sare/syntax.h"
#include "harness/sched/syntax.h"
#include "harness/sched/traverse.h"

// Converts indices and conditions of programs to those of SAREs, which isl can handle, and back.
namespace haruspex::transform {

// Returns the same index with the terms of its sums collected.
sare::Index simplified(const sare::Index& index);
// Returns the number that the index is after simplification; nullopt if it is not a number.
std::optional<std::int64_t> constant_of(const sare::Index& index);
// Returns the coefficient of a variable; 0 if it does not occur, nullopt if it occurs outside the index's linear part.
std::optional<std::int64_t> coefficient(const sare::Index& index, const std::string& variable);

sched::Expr to_code(const sare::Index& index);
sched::Expr to_code(const sare::Condition& condition);
// nullopt if the expression has no counterpart: a product of variables, a divisor that is not a positive constant, a
// value.
std::optional<sare::Index> to_index(const sched::Expr& expr);
std::optional<sare::Condition> to_condition(const sched::Expr& expr);

// Simplify each index.
sched::Expr tidied(sched::Expr expr);
void tidy(sched::Stmt& stmt);

// Replaces free variables throughout the statements, and then simplifies their indices. No binder in the statements may
// have the name of a replaced variable.
void substitute(sched::Block& block, const sched::Substitution& replacements);

}  // namespace haruspex::transform
