#pragma once

#include <optional>

#include "harness/sched/syntax.h"

// Pairs an operator on indices with the operator on values that has the same meaning.
namespace haruspex::sched {

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
constexpr std::optional<Relation> relation(value::BinaryOp op) {
    for (const Relation relation :
         {Relation::lt, Relation::le, Relation::eq, Relation::ne, Relation::gt, Relation::ge}) {
        if (counterpart(relation) == op) { return relation; }
    }
    return std::nullopt;
}

}  // namespace haruspex::sched
