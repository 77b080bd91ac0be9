#pragma once

#include <expected>
#include <map>
#include <string>
#include <vector>

#include "generators/sare/syntax.h"
#include "generators/sare/typing.h"

// The checks of single expressions: scope, ranks, types, depth.
namespace haruspex::sare {

// The properties of a tensor that an access must match.
struct Signature {
    std::vector<value::Type> types;
    std::size_t rank = 0;
};
using Signatures = std::map<std::string, Signature>;

using Scope = std::vector<std::string>;
using Sound = std::expected<void, std::string>;  // or an error message

Sound check_index(const Index& index, const Scope& scope);
Sound check_condition(const Condition& condition, const Scope& scope);
// The expression's type.
Typed check_expr(const Expr& expr, const Scope& scope, const Signatures& tensors);
Sound check_access(const Access& access, const Signatures& tensors);

// "W, H, x", or "nothing": for messages that list the expected names.
std::string list(const std::vector<std::string>& names);

}  // namespace haruspex::sare
