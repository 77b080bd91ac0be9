#pragma once

#include "oracle/rewrite/algebra.h"

// Rules about comparisons and negations.
namespace haruspex::rewrite {

// match:  x > y, x >= y
// result: y < x, y <= x
template <Algebra A>
Rewritten<A> reversed_comparison(A& algebra, BinaryOp op, const TermOf<A>& a, const TermOf<A>& b) {
    if (op != BinaryOp::gt && op != BinaryOp::ge) { return std::nullopt; }
    return algebra.apply(op == BinaryOp::gt ? BinaryOp::lt : BinaryOp::le, b, a);
}

// match: byte != 0, byte == 0, where `byte` is a bool p cast to an integer type, possibly followed by one or more % 2
// result: p, !p
template <Algebra A>
Rewritten<A> held_bool(A& algebra, BinaryOp op, const TermOf<A>& a, const TermOf<A>& b) {
    if (op != BinaryOp::eq && op != BinaryOp::ne) { return std::nullopt; }
    if (!is_integer_literal(algebra, b, 0)) { return std::nullopt; }
    TermOf<A> byte = a;
    for (auto low_bit = algebra.as_binary(byte); low_bit; low_bit = algebra.as_binary(byte)) {
        if (low_bit->op != BinaryOp::mod || !is_integer_literal(algebra, low_bit->b, 2)) { return std::nullopt; }
        byte = TermOf<A>(low_bit->a);
    }
    const auto cast = algebra.as_cast(byte);
    if (!cast || algebra.type(cast->a) != Type::boolean) { return std::nullopt; }
    return op == BinaryOp::ne ? TermOf<A>(cast->a) : algebra.apply(UnaryOp::logical_not, cast->a);
}

// match:  !!p
// result: p
template <Algebra A>
Rewritten<A> double_negation(A& algebra, UnaryOp op, const TermOf<A>& a) {
    const auto inner = algebra.as_unary(a);
    const bool is_double = op == UnaryOp::logical_not && inner && inner->op == UnaryOp::logical_not;
    return is_double ? Rewritten<A>(inner->a) : std::nullopt;
}

// match:  !(x == y), !(x != y); of integers also !(x < y), !(x <= y): with a NaN neither comparison is true
// result: x != y, x == y, y <= x, y < x
template <Algebra A>
Rewritten<A> negated_comparison(A& algebra, UnaryOp op, const TermOf<A>& a) {
    const auto comparison = algebra.as_binary(a);
    if (op != UnaryOp::logical_not || !comparison) { return std::nullopt; }
    const auto& [order, x, y] = *comparison;
    if (order == BinaryOp::eq) { return algebra.apply(BinaryOp::ne, x, y); }
    if (order == BinaryOp::ne) { return algebra.apply(BinaryOp::eq, x, y); }
    if (value::is_float(algebra.type(x))) { return std::nullopt; }
    if (order == BinaryOp::lt) { return algebra.apply(BinaryOp::le, y, x); }
    return order == BinaryOp::le ? Rewritten<A>(algebra.apply(BinaryOp::lt, y, x)) : std::nullopt;
}

}  // namespace haruspex::rewrite
