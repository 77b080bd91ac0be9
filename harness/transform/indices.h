#pragma once

#include <optional>
#include <string>

#include "generators/sare/syntax.h"
#include "harness/sched/syntax.h"
#include "harness/sched/traverse.h"

// Converts indices and conditions of programs to those of SAREs, which isl reads, and back.
namespace haruspex::transform {

// Returns the same index with its linear parts collected: equal linear indices become equal trees.
sare::Index simplified(const sare::Index& index);
// Returns the number if the index is one after simplification.
std::optional<std::int64_t> constant_of(const sare::Index& index);
// Returns the coefficient of a variable; 0 if it does not occur, nullopt if it occurs outside the index's linear part.
std::optional<std::int64_t> coefficient(const sare::Index& index, const std::string& variable);

sched::Expr to_code(const sare::Index& index);
sched::Expr to_code(const sare::Condition& condition);
// nullopt: the expression has no counterpart (products of variables, divisors that are not positive constants, values).
std::optional<sare::Index> to_index(const sched::Expr& expr);
std::optional<sare::Condition> to_condition(const sched::Expr& expr);

// Simplifies each index in the expression.
sched::Expr tidied(sched::Expr expr);
void tidy(sched::Stmt& stmt);

// Replaces free variables throughout the statements, then tidies. No binder in the statements may have one of these
// names.
void substitute(sched::Block& block, const sched::Substitution& replacements);

}  // namespace haruspex::transform
