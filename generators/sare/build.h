#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "generators/sare/syntax.h"

// Short ways to build and evaluate indices and conditions. They fold constants, also if only one operand is a
// constant (x + 0, 0 * x, true and c), and simplify nothing else.
namespace haruspex::sare {

Index constant(std::int64_t value);
Index variable(std::string name);
std::vector<Index> as_indices(const std::vector<std::string>& names);
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

// Substitutes indices for variables, all at once. A reduction's bound variables are not replaced, and are renamed where
// they would capture a variable of a substituted index.
using Substitution = std::map<std::string, Index>;
Index substitute(const Index& index, const Substitution& by);
Condition substitute(const Condition& condition, const Substitution& by);
Expr substitute(const Expr& expr, const Substitution& by);

// Evaluates. Every variable needs a value in `environment`, and all intermediate values must fit 64 bits (ENSURE).
using Environment = std::map<std::string, std::int64_t>;
std::int64_t evaluate(const Index& index, const Environment& environment);
bool evaluate(const Condition& condition, const Environment& environment);
// The same for indices of unknown origin: nullopt if an intermediate value exceeds 64 bits.
std::optional<std::int64_t> try_evaluate(const Index& index, const Environment& environment);
std::optional<bool> try_evaluate(const Condition& condition, const Environment& environment);

// Returns the type of a well-typed expression (ENSURE). An access has the type `types.at(tensor)[component]`.
using TensorTypes = std::map<std::string, std::vector<value::Type>>;
value::Type type_of(const Expr& expr, const TensorTypes& types);
TensorTypes tensor_types(const Sare& sare);

}  // namespace haruspex::sare
