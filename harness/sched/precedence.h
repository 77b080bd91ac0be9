#pragma once

#include <optional>
#include <string_view>

#include "generators/sare/precedence.h"
#include "harness/sched/syntax.h"

// How operators bind in SCHED: let … in, or, and, not, then the operators of values in C++'s order. An operator of
// indices binds like the operator of values with the same meaning. All binary ones group to the left.
namespace haruspex::sched {

inline constexpr int let_precedence = 0;
inline constexpr int or_precedence = 1;
inline constexpr int and_precedence = 2;
inline constexpr int not_precedence = 3;
inline constexpr int prefix_precedence = not_precedence + sare::prefix_precedence;
inline constexpr int primary_precedence = not_precedence + sare::primary_precedence;

constexpr int precedence(value::BinaryOp op) { return not_precedence + sare::precedence(op); }

// The operator of values with the same meaning.
constexpr value::BinaryOp counterpart(IndexOp op) {
    switch (op) {
        case IndexOp::add: return value::BinaryOp::add;
        case IndexOp::sub: return value::BinaryOp::sub;
        case IndexOp::mul: return value::BinaryOp::mul;
        case IndexOp::div: return value::BinaryOp::div;
        case IndexOp::mod: return value::BinaryOp::mod;
        case IndexOp::min: return value::BinaryOp::min;
        case IndexOp::max: return value::BinaryOp::max;
    }
    return value::BinaryOp::add;
}
constexpr value::BinaryOp counterpart(Relation relation) {
    switch (relation) {
        case Relation::lt: return value::BinaryOp::lt;
        case Relation::le: return value::BinaryOp::le;
        case Relation::eq: return value::BinaryOp::eq;
        case Relation::ne: return value::BinaryOp::ne;
        case Relation::gt: return value::BinaryOp::gt;
        case Relation::ge: return value::BinaryOp::ge;
    }
    return value::BinaryOp::eq;
}

constexpr std::optional<IndexOp> index_operator(value::BinaryOp op) {
    for (const IndexOp index :
         {IndexOp::add, IndexOp::sub, IndexOp::mul, IndexOp::div, IndexOp::mod, IndexOp::min, IndexOp::max}) {
        if (counterpart(index) == op) { return index; }
    }
    return std::nullopt;
}
// Not of eq: that has a spelling of its own.
constexpr std::optional<Relation> relation_operator(value::BinaryOp op) {
    for (const Relation relation : {Relation::lt, Relation::le, Relation::ne, Relation::gt, Relation::ge}) {
        if (counterpart(relation) == op) { return relation; }
    }
    return std::nullopt;
}

inline std::string_view spelling(IndexOp op) { return value::spelling(counterpart(op)); }
inline std::string_view spelling(Relation relation) {
    return relation == Relation::eq ? "=" : value::spelling(counterpart(relation));
}
// "+=", "min=", …
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
