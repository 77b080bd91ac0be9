#pragma once

#include <optional>
#include <string_view>

#include "generators/sare/precedence.h"
#include "harness/sched/operators.h"
#include "harness/sched/syntax.h"

// The precedence of operators in SCHED, from the loosest: let … in, or, and, not, then the operators of values in C++'s
// order. An operator of indices binds like the operator of values with the same meaning. All binary operators group to
// the left.
namespace haruspex::sched {

inline constexpr int let_precedence = 0;
inline constexpr int or_precedence = 1;
inline constexpr int and_precedence = 2;
inline constexpr int not_precedence = 3;
inline constexpr int prefix_precedence = not_precedence + sare::prefix_precedence;
inline constexpr int primary_precedence = not_precedence + sare::primary_precedence;

constexpr int precedence(value::BinaryOp op) { return not_precedence + sare::precedence(op); }

// Returns the relation with the operator's spelling; nullopt for eq, since "=" and "==" differ.
constexpr std::optional<Relation> relation_operator(value::BinaryOp op) {
    return op == value::BinaryOp::eq ? std::nullopt : relation(op);
}

inline std::string_view spelling(IndexOp op) { return value::spelling(counterpart(op)); }
inline std::string_view spelling(Relation relation) {
    return relation == Relation::eq ? "=" : value::spelling(counterpart(relation));
}
// Returns "+=", "min=", …
inline std::string_view accumulating(value::ReductionOp op) {
    switch (op) {
        case value::ReductionOp::sum: return "+=";
        case value::ReductionOp::prod: return "*=";
        case value::ReductionOp::min: return "min=";
        case value::ReductionOp::max: return "max=";
        case value::ReductionOp::logical_and: return "and=";
        case value::ReductionOp::logical_or: return "or=";
    }
    return "+=";
}

}  // namespace haruspex::sched
