#pragma once

#include <cmath>

#include "oracle/rewrite/algebra.h"
#include "oracle/rewrite/properties.h"

// Rules about minima and maxima with literals. They bring limits l <= h of an operand x into the form max(min(x, h),
// l), with at most one minimum and one maximum, and move them inside sums and products with literals. "limit" is min or
// max; h is a literal.
namespace haruspex::rewrite {

inline bool is_limit(BinaryOp op) { return op == BinaryOp::min || op == BinaryOp::max; }

// match:  limit(h, x), for a literal integer h and an x that is not a literal
// result: limit(x, h)
template <Algebra A>
Rewritten<A> literal_limit_last(A& algebra, BinaryOp op, const TermOf<A>& a, const TermOf<A>& b) {
    if (!is_limit(op) || integer_literal(algebra, b) || !integer_literal(algebra, a)) { return std::nullopt; }
    return algebra.apply(op, b, a);
}

// match:  limit(limit(x, n), h), of integers, both minima or both maxima
// result: limit(x, limit(n, h))
template <Algebra A>
Rewritten<A> limit_of_limit(A& algebra, BinaryOp op, const TermOf<A>& a, const TermOf<A>& b) {
    const auto inner = algebra.as_binary(a);
    if (!is_limit(op) || !inner || inner->op != op) { return std::nullopt; }
    const auto limit = integer_literal(algebra, b), before = integer_literal(algebra, inner->b);
    if (!limit || !before) { return std::nullopt; }
    return algebra.apply(op, inner->a, algebra.literal(value::apply(op, *before, *limit)));
}

// match:  min(max(x, l), h), of integers, for l <= h
// result: max(min(x, h), l)
template <Algebra A>
Rewritten<A> lower_limit_last(A& algebra, BinaryOp op, const TermOf<A>& a, const TermOf<A>& b) {
    const auto inner = algebra.as_binary(a);
    if (op != BinaryOp::min || !inner || inner->op != BinaryOp::max) { return std::nullopt; }
    const auto high = integer_literal(algebra, b), low = integer_literal(algebra, inner->b);
    if (!high || !low || number_of(*low) > number_of(*high)) { return std::nullopt; }
    return algebra.apply(BinaryOp::max, algebra.apply(BinaryOp::min, inner->a, b), inner->b);
}

// match:  limit(x + n, h), of integers, if no sum overflows and h - n is a number of the type
// result: limit(x, h - n) + n
template <Algebra A>
Rewritten<A> limit_of_sum(A& algebra, BinaryOp op, const TermOf<A>& sum, const TermOf<A>& h) {
    const auto inner = algebra.as_binary(sum);
    if (!is_limit(op) || !inner || inner->op != BinaryOp::add || !algebra.is_exact(sum)) { return std::nullopt; }
    const auto limit = integer_literal(algebra, h), added = integer_literal(algebra, inner->b);
    if (!limit || !added) { return std::nullopt; }
    const auto nearer = integer(limit->type(), number_of(*limit) - number_of(*added));
    if (!nearer) { return std::nullopt; }
    return algebra.apply(BinaryOp::add, algebra.apply(op, inner->a, algebra.literal(*nearer)), inner->b);
}

// match:  limit(x * n, h), of integers, if no product overflows and n divides h
// result: limit(x, h / n) * n; the other limit if n is negative
template <Algebra A>
Rewritten<A> limit_of_product(A& algebra, BinaryOp op, const TermOf<A>& product, const TermOf<A>& h) {
    const auto inner = algebra.as_binary(product);
    if (!is_limit(op) || !inner || inner->op != BinaryOp::mul || !algebra.is_exact(product)) { return std::nullopt; }
    const auto limit = integer_literal(algebra, h), by = integer_literal(algebra, inner->b);
    if (!limit || !by) { return std::nullopt; }
    const value::Int128 factor = number_of(*by), nearest = number_of(*limit);
    if (factor == 0 || nearest % factor != 0) { return std::nullopt; }
    const auto nearer = integer(limit->type(), nearest / factor);
    if (!nearer) { return std::nullopt; }
    const BinaryOp turned = op == BinaryOp::min ? BinaryOp::max : BinaryOp::min;
    const TermOf<A> rest = algebra.apply(factor > 0 ? op : turned, inner->a, algebra.literal(*nearer));
    return algebra.apply(BinaryOp::mul, rest, inner->b);
}

// match:  limit(cast(x), cast(y)), limit(cast(x), h), from an integer type to floats, for an h that is a number of the
//         integer type
// result: cast(limit(x, y)): conversion keeps the order, and integers have no NaN and one zero
template <Algebra A>
Rewritten<A> limit_of_converted(A& algebra, BinaryOp op, const TermOf<A>& a, const TermOf<A>& b) {
    const auto converted = algebra.as_cast(a);
    const Type to = algebra.type(a);
    if (!is_limit(op) || !value::is_float(to) || !converted) { return std::nullopt; }
    const Type integers = algebra.type(converted->a);
    if (!value::is_integer(integers)) { return std::nullopt; }
    if (const auto other = algebra.as_cast(b)) {
        if (algebra.type(other->a) != integers) { return std::nullopt; }
        return algebra.cast(to, algebra.apply(op, converted->a, other->a));
    }
    constexpr double most = 1 << 24;
    const auto limit = defined_literal(algebra, b);
    if (!limit || !(std::abs(limit->as_double()) <= most)) { return std::nullopt; }
    const Value whole = value::cast(integers, *limit);
    if (!whole.is_defined() || value::cast(to, whole) != *limit) { return std::nullopt; }
    return algebra.cast(to, algebra.apply(op, converted->a, algebra.literal(whole)));
}

// match:  limit(x * n, h), of floats, for a literal n that is a power of two above 1, and an h near neither zero nor
//         infinity
// result: limit(x, h / n) * n
// Products by n are exact or infinite, and h / n is exact.
template <Algebra A>
Rewritten<A> limit_of_float_product(A& algebra, BinaryOp op, const TermOf<A>& product, const TermOf<A>& h) {
    const auto inner = algebra.as_binary(product);
    if (!is_limit(op) || !inner || inner->op != BinaryOp::mul) { return std::nullopt; }
    const auto limit = defined_literal(algebra, h), factor = defined_literal(algebra, inner->b);
    if (!limit || !factor || !value::is_float(limit->type())) { return std::nullopt; }
    // No sum of exponents is near the limits of floats.
    constexpr double most_factor = 1024, most_limit = 1e9, least_limit = 1e-9;
    int exponent = 0;
    const double by = factor->as_double(), size = std::abs(limit->as_double());
    const bool is_power = by > 1 && by <= most_factor && std::frexp(by, &exponent) == 0.5;
    if (!is_power || !(size <= most_limit && size >= least_limit)) { return std::nullopt; }
    const TermOf<A> nearer = algebra.literal(value::apply(BinaryOp::div, *limit, *factor));
    return algebra.apply(BinaryOp::mul, algebra.apply(op, inner->a, nearer), inner->b);
}

}  // namespace haruspex::rewrite
