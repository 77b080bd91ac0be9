#pragma once

#include <expected>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "generators/sare/syntax.h"
#include "generators/sare/typing.h"

// The checks of single expressions: scope, ranks, types, depth.
namespace haruspex::sare {

// The properties of a tensor that an access to it must match.
struct Signature {
    std::vector<value::Type> types;
    std::size_t rank = 0;
};
using Signatures = std::map<std::string, Signature>;

using Scope = std::vector<std::string>;
using Sound = std::expected<void, std::string>;  // an error is a message

Sound check_index(const Index& index, const Scope& scope);
Sound check_condition(const Condition& condition, const Scope& scope);
// Returns the expression's type.
Typed check_expr(const Expr& expr, const Scope& scope, const Signatures& tensors);
Sound check_access(const Access& access, const Signatures& tensors);

// Messages.
// The names in quotes with commas between them, or "nothing".
std::string list(const std::vector<std::string>& names);
std::string unknown_variable(const std::string& name, const Scope& scope);
std::string already_in_scope(const std::string& variable);
std::string already_used(const std::string& name);
std::string requested_twice(const std::string& tensor);
// Says that the tensor has this rank, but `found` things were given. `one` and `several` name the things: "index" and
// "indices".
std::string wrong_rank(const std::string& tensor, std::size_t rank, std::string_view one, std::string_view several,
                       std::size_t found);

}  // namespace haruspex::sare
