#pragma once

#include "oracle/rewrite/algebra.h"

// Rules about casts.
namespace haruspex::rewrite {

// match:  cast<type of x>(x), not of a float
// result: x
template <Algebra A>
Rewritten<A> cast_to_own_type(A& algebra, Type to, const TermOf<A>& x) {
    return to == algebra.type(x) && !value::is_float(to) ? Rewritten<A>(x) : std::nullopt;
}

// match:  cast<type of x>(x), of a float
// result: x
template <Algebra A>
Rewritten<A> float_cast_to_own_type(A& algebra, Type to, const TermOf<A>& x) {
    return to == algebra.type(x) && value::is_float(to) ? Rewritten<A>(x) : std::nullopt;
}

// match:  cast<to>(cast<via>(x)), where x is an integer or a bool, and the integer type `via` has all its values
// result: cast<to>(x)
template <Algebra A>
Rewritten<A> cast_through_wider(A& algebra, Type to, const TermOf<A>& a) {
    const auto inner = algebra.as_cast(a);
    const Type via = algebra.type(a);
    if (!inner || !value::is_integer(via)) { return std::nullopt; }
    return fits(algebra, inner->a, via) ? Rewritten<A>(algebra.cast(to, inner->a)) : std::nullopt;
}

// match:  cast<to>(cast<via>(x)), of integers, where both casts wrap and `to` is no wider than `via`
// result: cast<to>(x): the lowest bits of the lowest bits
template <Algebra A>
Rewritten<A> cast_of_low_bits(A& algebra, Type to, const TermOf<A>& a) {
    const auto inner = algebra.as_cast(a);
    const Type via = algebra.type(a);
    if (!inner || !value::wraps(via) || !value::wraps(to) || value::bits(to) > value::bits(via)) {
        return std::nullopt;
    }
    return value::is_integer(algebra.type(inner->a)) ? Rewritten<A>(algebra.cast(to, inner->a)) : std::nullopt;
}

// match:  cast<to>(cast<f64>(x)), of an f32 x
// result: cast<to>(x)
template <Algebra A>
Rewritten<A> cast_through_f64(A& algebra, Type to, const TermOf<A>& a) {
    const auto inner = algebra.as_cast(a);
    const bool matches = inner && algebra.type(a) == Type::f64 && algebra.type(inner->a) == Type::f32;
    return matches ? Rewritten<A>(algebra.cast(to, inner->a)) : std::nullopt;
}

// match:  cast<to>(cast<via>(x)), where the float type `via` has all values of the integer x, and `to` is a float type,
//         or an integer type that has them, too (out of its range, a float would become Undef but an integer would
//         wrap)
// result: cast<to>(x)
template <Algebra A>
Rewritten<A> cast_through_float(A& algebra, Type to, const TermOf<A>& a) {
    const auto inner = algebra.as_cast(a);
    const Type via = algebra.type(a);
    if (!inner || !value::is_float(via) || !value::is_integer(algebra.type(inner->a))) { return std::nullopt; }
    const value::Int128 most = value::Int128{1} << (via == Type::f32 ? 24 : 53);
    const auto held = algebra.range(inner->a);
    if (!held || held->low < -most || held->high > most) { return std::nullopt; }
    if (!value::is_float(to) && !fits(algebra, inner->a, to)) { return std::nullopt; }
    return algebra.cast(to, inner->a);
}

// match:  cast<bool>(x), of an integer
// result: x != 0
template <Algebra A>
Rewritten<A> integer_as_bool(A& algebra, Type to, const TermOf<A>& x) {
    const Type from = algebra.type(x);
    if (to != Type::boolean || !value::is_integer(from)) { return std::nullopt; }
    return algebra.apply(BinaryOp::ne, x, number(algebra, from, 0));
}

// match:  cast<bool>(x), of a float
// result: x != 0, which is true for a NaN
template <Algebra A>
Rewritten<A> float_as_bool(A& algebra, Type to, const TermOf<A>& x) {
    const Type from = algebra.type(x);
    if (to != Type::boolean || !value::is_float(from)) { return std::nullopt; }
    return algebra.apply(BinaryOp::ne, x, number(algebra, from, 0));
}

// match:  cast<to>(x op y), of integers; op a minimum or maximum, or +, - or * that do not overflow; x, y and the
//         result are numbers of the type `to`
// result: cast<to>(x) op cast<to>(y)
template <Algebra A>
Rewritten<A> cast_of_operation(A& algebra, Type to, const TermOf<A>& a) {
    const auto inner = algebra.as_binary(a);
    if (!inner || !value::is_integer(to)) { return std::nullopt; }
    const auto& [op, x, y] = *inner;
    const bool is_order = op == BinaryOp::min || op == BinaryOp::max;
    const bool is_number = op == BinaryOp::add || op == BinaryOp::sub || op == BinaryOp::mul;
    if (!is_order && !(is_number && algebra.is_exact(a))) { return std::nullopt; }
    if (!fits(algebra, a, to) || !fits(algebra, x, to) || !fits(algebra, y, to)) { return std::nullopt; }
    const TermOf<A> right = algebra.cast(to, y), left = algebra.cast(to, x);
    return algebra.apply(op, left, right);
}

}  // namespace haruspex::rewrite
