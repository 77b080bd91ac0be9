#pragma once

#include <optional>
#include <string>

#include "generators/sare/syntax.h"
#include "harness/sched/syntax.h"
#include "harness/sched/traverse.h"

// Indices and conditions of programs as those of SAREs, which isl reads, and back.
namespace haruspex::transform {

// The same index with what is linear in it collected: equal linear indices become equal trees.
sare::Index simplified(const sare::Index& index);
// The number, if the index is one after simplification.
std::optional<std::int64_t> constant_of(const sare::Index& index);
// The coefficient of a variable that occurs in the index's linear part only, 0 when it does not occur.
std::optional<std::int64_t> coefficient(const sare::Index& index, const std::string& variable);

sched::Expr to_code(const sare::Index& index);
sched::Expr to_code(const sare::Condition& condition);
// Nothing when the expression has no image: products of variables, divisors that are no positive constant, values.
std::optional<sare::Index> to_index(const sched::Expr& expr);
std::optional<sare::Condition> to_condition(const sched::Expr& expr);

// The expression with each index in it simplified.
sched::Expr tidied(sched::Expr expr);
void tidy(sched::Stmt& stmt);

// Replaces free variables throughout the statements, then tidies. No binder in them has one of these names.
void substitute(sched::Block& block, const sched::Substitution& replacements);

}  // namespace haruspex::transform
