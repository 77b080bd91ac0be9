#include "generators/sare/typing.h"

namespace haruspex::sare {

namespace {

using value::BinaryOp;
using value::Type;
using value::UnaryOp;

std::string text(std::string_view s) { return std::string(s); }

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
        case BinaryOp::shift_right: return "two integers of one type";
        default: return "two values of one type that has this operator";
    }
}

}  // namespace

Typed type_unary(UnaryOp op, Type a) {
    if (const auto type = value::result_type(op, a)) { return *type; }
    return std::unexpected("operator " + text(value::spelling(op)) + ": expected " + text(operand_of(op)) + ", found " +
                           text(value::name(a)));
}

Typed type_binary(BinaryOp op, Type a, Type b) {
    if (const auto type = value::result_type(op, a, b)) { return *type; }
    return std::unexpected("operator " + text(value::spelling(op)) + ": expected " + text(operands_of(op)) +
                           ", found " + text(value::name(a)) + " and " + text(value::name(b)));
}

Typed type_select(Type condition, Type if_true, Type if_false) {
    if (condition != Type::boolean) {
        return std::unexpected("select: expected a bool as the condition, found " + text(value::name(condition)));
    }
    if (if_true != if_false) {
        return std::unexpected("select: expected two alternatives of one type, found " + text(value::name(if_true)) +
                               " and " + text(value::name(if_false)));
    }
    return if_true;
}

Typed type_reduce(value::ReductionOp op, Type body) {
    if (value::neutral(op, body) && value::result_type(value::binary_op(op), body, body) == body) { return body; }
    return std::unexpected("reduction " + text(value::spelling(op)) +
                           ": expected a body of a type that has this operator, found " + text(value::name(body)));
}

Typed type_embed(Type type) {
    if (type != Type::boolean) { return type; }
    return std::unexpected("an index has no bool value: expected a numeric type, or a condition in brackets");
}

Typed type_component(const std::string& tensor, const std::vector<Type>& types, int component) {
    if (component >= 0 && static_cast<std::size_t>(component) < types.size()) {
        return types[static_cast<std::size_t>(component)];
    }
    return std::unexpected(tensor + " has no component " + std::to_string(component) + ": expected one below " +
                           std::to_string(types.size()));
}

}  // namespace haruspex::sare
