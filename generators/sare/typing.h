#pragma once

#include <expected>
#include <string>
#include <vector>

#include "generators/value/operators.h"

// The typing rules of value expressions, one function for each kind of node. Each returns the type of the node; an
// error states the expected type, without a location.
namespace haruspex::sare {

using Typed = std::expected<value::Type, std::string>;

Typed type_unary(value::UnaryOp op, value::Type a);
Typed type_binary(value::BinaryOp op, value::Type a, value::Type b);
Typed type_select(value::Type condition, value::Type if_true, value::Type if_false);
Typed type_reduce(value::ReductionOp op, value::Type body);
// The value of an index may be converted to any type but bool; a bool is made by a guard.
Typed type_embed(value::Type type);
// The component of a tensor whose components have these types.
Typed type_component(const std::string& tensor, const std::vector<value::Type>& types, int component);

}  // namespace haruspex::sare
