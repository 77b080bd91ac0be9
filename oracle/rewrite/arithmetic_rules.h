#pragma once

#include "oracle/rewrite/algebra.h"
#include "oracle/rewrite/properties.h"

// Rules about sums, products, quotients, remainders and bits.
namespace haruspex::rewrite {

// match:  x << n, x >> n, for a literal n such that 2^n is a number of the type
// result: x * 2^n, x / 2^n
//
// Quotients round down, as the shift of a negative number does; << overflows where the product does.
template <Algebra A>
Rewritten<A> shift_by_literal(A& algebra, BinaryOp op, const TermOf<A>& x, const TermOf<A>& n) {
    if (op != BinaryOp::shift_left && op != BinaryOp::shift_right) { return std::nullopt; }
    const auto literal = integer_literal(algebra, n);
    const auto power = literal ? power_of_two(literal->type(), literal->bit_pattern()) : std::nullopt;
    if (!power) { return std::nullopt; }
    return algebra.apply(op == BinaryOp::shift_left ? BinaryOp::mul : BinaryOp::div, x, algebra.literal(*power));
}

// match:  x & m, m & x, for a literal m = 2^n - 1 such that 2^n is a number of the type
// result: x % 2^n
template <Algebra A>
Rewritten<A> mask_by_literal(A& algebra, BinaryOp op, const TermOf<A>& a, const TermOf<A>& b) {
    if (op != BinaryOp::bit_and) { return std::nullopt; }
    const auto masked = [&](const TermOf<A>& x, const TermOf<A>& mask) -> Rewritten<A> {
        const auto literal = integer_literal(algebra, mask);
        const auto modulus = literal ? modulus_of_mask(*literal) : std::nullopt;
        if (!modulus) { return std::nullopt; }
        return algebra.apply(BinaryOp::mod, x, algebra.literal(*modulus));
    };
    if (auto remainder = masked(a, b)) { return remainder; }
    return masked(b, a);
}

// match:  x op x, op idempotent, no floats: the minimum or maximum of a NaN is Undef
// result: x
template <Algebra A>
Rewritten<A> same_operands(A& algebra, BinaryOp op, const TermOf<A>& a, const TermOf<A>& b) {
    return a == b && is_idempotent(op) && !value::is_float(algebra.type(a)) ? Rewritten<A>(a) : std::nullopt;
}

// match:  x op n, or n op x if op is commutative; n a literal, op's neutral element
// result: x
//
// This also holds if x is Uninit: true && x and false || x are then Uninit, too.
template <Algebra A>
Rewritten<A> neutral_operand(A& algebra, BinaryOp op, const TermOf<A>& a, const TermOf<A>& b) {
    const auto is_neutral = [&](const TermOf<A>& t) {
        const Value* literal = algebra.literal_of(t);
        const auto neutral = literal == nullptr ? std::nullopt : neutral_element(op, literal->type());
        return neutral && *literal == *neutral;
    };
    if (is_neutral(b)) { return a; }
    return value::is_commutative(op, algebra.type(a)) && is_neutral(a) ? Rewritten<A>(b) : std::nullopt;
}

// match:  x op n, n op x; n a literal, op's absorbing element; x always defined
// result: n
//
// If x may be Undef or Uninit, it must not be dropped.
template <Algebra A>
Rewritten<A> absorbing_operand(A& algebra, BinaryOp op, const TermOf<A>& a, const TermOf<A>& b) {
    const auto absorbs = [&](const TermOf<A>& n, const TermOf<A>& x) {
        const Value* literal = algebra.literal_of(n);
        const auto absorbing = literal == nullptr ? std::nullopt : absorbing_element(op, literal->type());
        return absorbing && *literal == *absorbing && algebra.is_always_defined(x);
    };
    if (absorbs(a, b)) { return a; }
    return absorbs(b, a) ? Rewritten<A>(b) : std::nullopt;
}

// match:  -x
// result: 0 - x
template <Algebra A>
Rewritten<A> negative_as_difference(A& algebra, UnaryOp op, const TermOf<A>& x) {
    if (op != UnaryOp::negate) { return std::nullopt; }
    return algebra.apply(BinaryOp::sub, number(algebra, algebra.type(x), 0), x);
}

// match:  abs(x), for an integer x >= 0
// result: x, cast to the unsigned type
template <Algebra A>
Rewritten<A> absolute_of_nonnegative(A& algebra, UnaryOp op, const TermOf<A>& x) {
    const auto range = op == UnaryOp::absolute ? algebra.range(x) : std::nullopt;
    if (!range || range->low < 0) { return std::nullopt; }
    return algebra.cast(*value::result_type(op, algebra.type(x)), x);
}

// match:  x + x
// result: x * 2
template <Algebra A>
Rewritten<A> sum_of_equals(A& algebra, BinaryOp op, const TermOf<A>& a, const TermOf<A>& b) {
    if (op != BinaryOp::add || !(a == b)) { return std::nullopt; }
    return algebra.apply(BinaryOp::mul, a, number(algebra, algebra.type(a), 2));
}

// match:  x - x, for an integer x that is always defined
// result: 0
template <Algebra A>
Rewritten<A> difference_of_equals(A& algebra, BinaryOp op, const TermOf<A>& a, const TermOf<A>& b) {
    if (op != BinaryOp::sub || !(a == b) || value::is_float(algebra.type(a))) { return std::nullopt; }
    const TermOf<A> zero = number(algebra, algebra.type(a), 0);
    return algebra.is_always_defined(a) ? Rewritten<A>(zero) : std::nullopt;
}

// match:  x - n, for a literal n other than x and zero, if -n is a number of the type
// result: x + -n
//
// If n were 0.0, -n would be computed as 0 - 0.0, which is 0.0; but for x = -0.0, x + 0.0 is not x - 0.0.
template <Algebra A>
Rewritten<A> difference_as_sum(A& algebra, BinaryOp op, const TermOf<A>& x, const TermOf<A>& n) {
    const auto literal = op == BinaryOp::sub && !(x == n) ? defined_literal(algebra, n) : std::nullopt;
    if (!literal) { return std::nullopt; }
    const Value zero = Value::integer(literal->type(), 0);
    if (value::same_number(*literal, zero)) { return std::nullopt; }
    const Value negative = value::apply(BinaryOp::sub, zero, *literal);
    if (!negative.is_defined()) { return std::nullopt; }
    return algebra.apply(BinaryOp::add, x, algebra.literal(negative));
}

// match:  x / x, for an integer x
// result: select(x == 0, 0, 1)
template <Algebra A>
Rewritten<A> quotient_of_equals(A& algebra, BinaryOp op, const TermOf<A>& a, const TermOf<A>& b) {
    const Type type = algebra.type(a);
    if (op != BinaryOp::div || !(a == b) || value::is_float(type)) { return std::nullopt; }
    const TermOf<A> zero = number(algebra, type, 0), one = number(algebra, type, 1);
    return algebra.select(algebra.apply(BinaryOp::eq, a, zero), zero, one);
}

// match:  x / n, for a literal float n that is a power of two of either sign, near 1
// result: x * (1/n)
template <Algebra A>
Rewritten<A> quotient_by_power(A& algebra, BinaryOp op, const TermOf<A>& x, const TermOf<A>& n) {
    const auto literal = op == BinaryOp::div ? defined_literal(algebra, n) : std::nullopt;
    if (!literal || !value::is_float(literal->type())) { return std::nullopt; }
    const auto reciprocal = exact_reciprocal(*literal);
    if (!reciprocal) { return std::nullopt; }
    return algebra.apply(BinaryOp::mul, x, algebra.literal(*reciprocal));
}

// match:  x * 1, of floats
// result: x
//
// Makes the literal 1 for every product of floats, even if the rule does not match. Operands are ordered by the time at
// which their terms were made, so making the literal later would change the text of queries.
template <Algebra A>
Rewritten<A> float_times_one(A& algebra, BinaryOp op, const TermOf<A>& x, const TermOf<A>& n) {
    if (op != BinaryOp::mul || !value::is_float(algebra.type(x))) { return std::nullopt; }
    return n == number(algebra, algebra.type(x), 1) ? Rewritten<A>(x) : std::nullopt;
}

// match:  (x / n) * n, for a literal integer n > 0
// result: x - x % n
// Quotients round down, so the difference is the product; one overflows where the other does.
template <Algebra A>
Rewritten<A> multiple_of_quotient(A& algebra, BinaryOp op, const TermOf<A>& quotient, const TermOf<A>& n) {
    const auto division = algebra.as_binary(quotient);
    if (op != BinaryOp::mul || !division || division->op != BinaryOp::div || !(division->b == n)) {
        return std::nullopt;
    }
    const auto literal = integer_literal(algebra, n);
    if (!literal || number_of(*literal) <= 0) { return std::nullopt; }
    return algebra.apply(BinaryOp::sub, division->a, algebra.apply(BinaryOp::mod, division->a, n));
}

// match:  a * (x * n), (x * n) * a, for a literal integer n and an a that is not a literal, if no product in either
//         form overflows
// result: (a * x) * n
template <Algebra A>
Rewritten<A> regrouped_product(A& algebra, BinaryOp op, const TermOf<A>& a, const TermOf<A>& b) {
    if (op != BinaryOp::mul) { return std::nullopt; }
    using Range = std::optional<value::Range>;
    // nullopt if it may overflow: then the range is the whole type's, or there is none.
    const auto product = [](const Range& x, const Range& y) {
        const Range range = x && y ? value::apply(BinaryOp::mul, *x, *y) : std::nullopt;
        return range && *range != value::full_range(range->type) ? range : std::nullopt;
    };
    const auto regrouped = [&](const TermOf<A>& other, const TermOf<A>& multiple) -> Rewritten<A> {
        const auto inner = algebra.as_binary(multiple);
        if (!inner || inner->op != BinaryOp::mul || !integer_literal(algebra, inner->b)) { return std::nullopt; }
        if (integer_literal(algebra, other) || !algebra.is_exact(multiple)) { return std::nullopt; }
        const Range old = product(algebra.range(other), algebra.range(multiple));
        const Range made = product(product(algebra.range(other), algebra.range(inner->a)), algebra.range(inner->b));
        if (!old || !made) { return std::nullopt; }
        return algebra.apply(BinaryOp::mul, algebra.apply(BinaryOp::mul, other, inner->a), inner->b);
    };
    if (auto result = regrouped(a, b)) { return result; }
    return regrouped(b, a);
}

}  // namespace haruspex::rewrite
