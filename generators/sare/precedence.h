#pragma once

#include <optional>
#include <string_view>

#include "generators/value/operators.h"

// The spelling and precedence of operators in value expressions. They bind in the order of C++, and all binary
// operators group to the left.
namespace haruspex::sare {

inline constexpr int lowest_precedence = 1;
inline constexpr int prefix_precedence = 11;
inline constexpr int primary_precedence = 12;

constexpr int precedence(value::BinaryOp op) {
    using enum value::BinaryOp;
    switch (op) {
        case logical_or: return 1;
        case logical_and: return 2;
        case bit_or: return 3;
        case bit_xor: return 4;
        case bit_and: return 5;
        case eq:
        case ne: return 6;
        case lt:
        case le:
        case gt:
        case ge: return 7;
        case shift_left:
        case shift_right: return 8;
        case add:
        case sub: return 9;
        case mul:
        case div:
        case mod: return 10;
        case min:
        case max: return primary_precedence;  // written as calls
    }
    return primary_precedence;
}

constexpr bool is_call(value::BinaryOp op) { return op == value::BinaryOp::min || op == value::BinaryOp::max; }

// Returns the infix operator of this spelling.
inline std::optional<value::BinaryOp> infix_operator(std::string_view text) {
    for (const value::BinaryOp op : value::all_binary_ops) {
        if (!is_call(op) && value::spelling(op) == text) { return op; }
    }
    return std::nullopt;
}

// Returns the prefix operator of this spelling.
inline std::optional<value::UnaryOp> prefix_operator(std::string_view text) {
    for (const value::UnaryOp op : {value::UnaryOp::negate, value::UnaryOp::logical_not, value::UnaryOp::bit_not}) {
        if (value::spelling(op) == text) { return op; }
    }
    return std::nullopt;
}

inline std::optional<value::ReductionOp> reduction_operator(std::string_view text) {
    for (const value::ReductionOp op : value::all_reduction_ops) {
        if (value::spelling(op) == text) { return op; }
    }
    return std::nullopt;
}

}  // namespace haruspex::sare
