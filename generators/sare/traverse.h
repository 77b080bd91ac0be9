#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "generators/sare/syntax.h"

// Walks over syntax trees that several sources need.
namespace haruspex::sare {

// Return the variables and parameters that occur free. A reduction binds its variables in its domain and body.
std::set<std::string> free_variables(const Index& index);
std::set<std::string> free_variables(const Condition& condition);
std::set<std::string> free_variables(const Expr& expr);

// Visits every access in the expression, with the reductions around the access, outermost first.
using AccessVisitor = std::function<void(const Access&, const std::vector<const Reduce*>&)>;
void for_each_access(const Expr& expr, const AccessVisitor& visit);
// Visits every reduction in the expression, with the reductions around it, outermost first.
using ReduceVisitor = std::function<void(const Reduce&, const std::vector<const Reduce*>&)>;
void for_each_reduction(const Expr& expr, const ReduceVisitor& visit);

// Replaces each direct operand of the expression, left to right. Accesses, literals, embeddings and guards have none.
Expr map_operands(const Expr& expr, const std::function<Expr(const Expr&)>& replace);
// Replaces each access in the expression.
Expr map_accesses(const Expr& expr, const std::function<Access(const Access&)>& replace);

// Returns the operands of a tree of one operator, left to right: for a + (b * c + d) and add, these are a, b * c and d.
std::vector<const Expr*> operands_of(const Expr& expr, value::BinaryOp op);

// Returns the number of nodes on the longest path from the root: a literal has depth 1.
int depth(const Index& index);
int depth(const Condition& condition);
int depth(const Expr& expr);

}  // namespace haruspex::sare
