#include "generators/sare/typing.h"

#include <fmt/core.h>

namespace haruspex::sare {

namespace {

using value::BinaryOp;
using value::Type;
using value::UnaryOp;

std::string_view operand_of(UnaryOp op) {
    switch (op) {
        case UnaryOp::negate:
        case UnaryOp::absolute: return "a signed integer or a float";
        case UnaryOp::logical_not: return "a bool";
        case UnaryOp::bit_not: return "an integer";
    }
    return "";
}

std::string_view operands_of(BinaryOp op) {
    switch (op) {
        case BinaryOp::logical_and:
        case BinaryOp::logical_or: return "two bools";
        case BinaryOp::bit_and:
        case BinaryOp::bit_or:
        case BinaryOp::bit_xor:
        case BinaryOp::shift_left:
        case BinaryOp::shift_right: return "two integers of the same type";
        default: return "two values of the same type, which must support the operator";
    }
}

}  // namespace

Typed type_unary(UnaryOp op, Type a) {
    if (const auto type = value::result_type(op, a)) { return *type; }
    return std::unexpected(
        fmt::format("operator {}: expected {}, found {}", value::spelling(op), operand_of(op), value::name(a)));
}

Typed type_binary(BinaryOp op, Type a, Type b) {
    if (const auto type = value::result_type(op, a, b)) { return *type; }
    return std::unexpected(fmt::format("operator {}: expected {}, found {} and {}", value::spelling(op),
                                       operands_of(op), value::name(a), value::name(b)));
}

Typed type_select(Type condition, Type if_true, Type if_false) {
    if (condition != Type::boolean) {
        return std::unexpected(
            fmt::format("select: expected a bool as the condition, found {}", value::name(condition)));
    }
    if (if_true != if_false) {
        return std::unexpected(fmt::format("select: expected two alternatives of the same type, found {} and {}",
                                           value::name(if_true), value::name(if_false)));
    }
    return if_true;
}

Typed type_reduce(value::ReductionOp op, Type body) {
    if (value::neutral(op, body) && value::result_type(value::binary_op(op), body, body) == body) { return body; }
    return std::unexpected(fmt::format("reduction {}: expected a body of a type that supports the operator, found {}",
                                       value::spelling(op), value::name(body)));
}

Typed type_embed(Type type) {
    if (type != Type::boolean) { return type; }
    return std::unexpected("an index cannot become a bool; expected a numeric type, or a condition in brackets");
}

Typed type_component(const std::string& tensor, const std::vector<Type>& types, int component) {
    if (component >= 0 && static_cast<std::size_t>(component) < types.size()) {
        return types[static_cast<std::size_t>(component)];
    }
    return std::unexpected(
        fmt::format("\"{}\" has no component {}; expected a number below {}", tensor, component, types.size()));
}

}  // namespace haruspex::sare
