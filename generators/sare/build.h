#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "generators/sare/syntax.h"

// Short ways to build indices, conditions and expressions. They fold constants in indices and conditions, and simplify
// nothing else.
namespace haruspex::sare {

Index constant(std::int64_t value);
Index variable(std::string name);
Index operator+(const Index& a, const Index& b);
Index operator-(const Index& a, const Index& b);
Index operator*(std::int64_t factor, const Index& a);
Index floor_div(const Index& a, std::int64_t divisor);
Index floor_mod(const Index& a, std::int64_t divisor);
Index min(const Index& a, const Index& b);
Index max(const Index& a, const Index& b);
Index select(const Condition& condition, const Index& if_true, const Index& if_false);

Condition truth(bool value);
Condition compare(Relation relation, const Index& a, const Index& b);
Condition operator&&(const Condition& a, const Condition& b);
Condition operator||(const Condition& a, const Condition& b);
Condition operator!(const Condition& a);

// Simultaneous substitution of indices for variables (capture-avoiding: a reduction's bound variables shadow).
using Substitution = std::map<std::string, Index>;
Index substitute(const Index& index, const Substitution& by);
Condition substitute(const Condition& condition, const Substitution& by);
Expr substitute(const Expr& expr, const Substitution& by);

// Evaluates; every variable needs a value in `environment` (ENSURE).
using Environment = std::map<std::string, std::int64_t>;
std::int64_t evaluate(const Index& index, const Environment& environment);
bool evaluate(const Condition& condition, const Environment& environment);
// The same for indices of unknown origin: nullopt if an intermediate value exceeds 64 bits (above: ENSURE).
std::optional<std::int64_t> try_evaluate(const Index& index, const Environment& environment);
std::optional<bool> try_evaluate(const Condition& condition, const Environment& environment);

// The type of an expression whose accesses have the types `types.at(tensor)[component]`; the expression is well-typed
// (ENSURE).
using TensorTypes = std::map<std::string, std::vector<value::Type>>;
value::Type type_of(const Expr& expr, const TensorTypes& types);
TensorTypes tensor_types(const Sare& sare);

}  // namespace haruspex::sare
