#pragma once

#include "oracle/rewrite/algebra.h"
#include "oracle/rewrite/properties.h"

// Rules about operations whose result follows from the ranges of their operands. An operand that is dropped has to be
// neither Undef nor Uninit.
namespace haruspex::rewrite {

// match:  x op n, if n is always op's neutral element, an integer
// result: x
template <Algebra A>
Rewritten<A> neutral_by_range(A& algebra, BinaryOp op, const TermOf<A>& a, const TermOf<A>& b) {
    const auto range = algebra.range(b);
    if (!range || range->low != range->high || !algebra.is_always_defined(b)) { return std::nullopt; }
    const auto neutral = neutral_element(op, range->type);
    return neutral && value::range_of(*neutral).low == range->low ? Rewritten<A>(a) : std::nullopt;
}

// match:  x % n, for integers 0 <= x < n, n always defined
// result: x
template <Algebra A>
Rewritten<A> remainder_of_smaller(A& algebra, BinaryOp op, const TermOf<A>& a, const TermOf<A>& b) {
    if (op != BinaryOp::mod) { return std::nullopt; }
    const auto x = algebra.range(a), n = algebra.range(b);
    const bool is_smaller = x && n && x->low >= 0 && x->high < n->low && algebra.is_always_defined(b);
    return is_smaller ? Rewritten<A>(a) : std::nullopt;
}

// match:  min(x, y), max(x, y), of integers, if one of them is always the result, and the other is always defined
// result: that one
template <Algebra A>
Rewritten<A> known_limit(A& algebra, BinaryOp op, const TermOf<A>& a, const TermOf<A>& b) {
    if (op != BinaryOp::min && op != BinaryOp::max) { return std::nullopt; }
    const auto x = algebra.range(a), y = algebra.range(b);
    if (!x || !y) { return std::nullopt; }
    const bool is_min = op == BinaryOp::min;
    if ((is_min ? x->high <= y->low : x->low >= y->high) && algebra.is_always_defined(b)) { return a; }
    if ((is_min ? y->high <= x->low : y->low >= x->high) && algebra.is_always_defined(a)) { return b; }
    return std::nullopt;
}

// match:  x == x, x <= x, x != x, x < x, if x is always defined and not a float: a NaN equals nothing
// result: true, true, false, false
template <Algebra A>
Rewritten<A> comparison_with_itself(A& algebra, BinaryOp op, const TermOf<A>& a, const TermOf<A>& b) {
    const bool is_true = op == BinaryOp::eq || op == BinaryOp::le, is_false = op == BinaryOp::ne || op == BinaryOp::lt;
    if (!(is_true || is_false) || !(a == b)) { return std::nullopt; }
    if (value::is_float(algebra.type(a)) || !algebra.is_always_defined(a)) { return std::nullopt; }
    return algebra.literal(Value::boolean(is_true));
}

// match:  x op y, of integers or bools that are always defined, if only one result is possible
// result: that one, a literal
template <Algebra A>
Rewritten<A> only_result(A& algebra, BinaryOp op, const TermOf<A>& a, const TermOf<A>& b) {
    if (!algebra.is_always_defined(a) || !algebra.is_always_defined(b)) { return std::nullopt; }
    const auto x = algebra.range(a), y = algebra.range(b);
    const auto result = x && y ? value::apply(op, *x, *y) : std::nullopt;
    if (!result || result->low != result->high) { return std::nullopt; }
    return algebra.literal(Value::from_bits(result->type, static_cast<std::uint64_t>(result->low)));
}

}  // namespace haruspex::rewrite
