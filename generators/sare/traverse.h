#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "generators/sare/syntax.h"

// Walks over syntax trees that more than one source needs.
namespace haruspex::sare {

// Variables and parameters that occur free; a reduction binds its variables in its domain and body.
std::set<std::string> free_variables(const Index& index);
std::set<std::string> free_variables(const Condition& condition);
std::set<std::string> free_variables(const Expr& expr);

// Every access of the expression, with the conditions of the reductions around it, outermost first.
using AccessVisitor = std::function<void(const Access&, const std::vector<const Reduce*>&)>;
void for_each_access(const Expr& expr, const AccessVisitor& visit);
// Every reduction of the expression, with the reductions around it, outermost first.
using ReduceVisitor = std::function<void(const Reduce&, const std::vector<const Reduce*>&)>;
void for_each_reduction(const Expr& expr, const ReduceVisitor& visit);

// The expression with each of its direct operands replaced, left to right; an access and a literal have none.
Expr map_operands(const Expr& expr, const std::function<Expr(const Expr&)>& replace);
// The expression with each access replaced.
Expr map_accesses(const Expr& expr, const std::function<Access(const Access&)>& replace);

// The operands of a tree of one operator, left to right: a, b * c and d of a + (b * c + d).
std::vector<const Expr*> operands_of(const Expr& expr, value::BinaryOp op);

// The number of nodes on the longest path from the root: a literal has depth 1.
int depth(const Index& index);
int depth(const Condition& condition);
int depth(const Expr& expr);

}  // namespace haruspex::sare
