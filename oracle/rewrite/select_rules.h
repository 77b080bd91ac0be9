#pragma once

#include "oracle/rewrite/algebra.h"

// Rules that make a select simpler, and rules about operations on a select of two literals. A select is Undef if one of
// its three operands is. Otherwise it is Uninit if the chosen arm is, or if the condition is and the arms differ.
namespace haruspex::rewrite {

// match:  select(p, x, y), for a literal p, if the arm that is not chosen is never Undef
// result: the chosen arm
template <Algebra A>
Rewritten<A> select_by_literal(A& algebra, const TermOf<A>& p, const TermOf<A>& x, const TermOf<A>& y) {
    const auto literal = defined_literal(algebra, p);
    if (!literal) { return std::nullopt; }
    const TermOf<A>& other = literal->as_bool() ? y : x;
    return algebra.is_never_undef(other) ? Rewritten<A>(literal->as_bool() ? x : y) : std::nullopt;
}

// match:  select(p, x, x), if p is never Undef
// result: x, also if p is Uninit
template <Algebra A>
Rewritten<A> select_of_equals(A& algebra, const TermOf<A>& p, const TermOf<A>& x, const TermOf<A>& y) {
    return x == y && algebra.is_never_undef(p) ? Rewritten<A>(x) : std::nullopt;
}

// match:  select(p, true, false), select(p, false, true)
// result: p, !p
template <Algebra A>
Rewritten<A> select_of_truths(A& algebra, const TermOf<A>& p, const TermOf<A>& x, const TermOf<A>& y) {
    const auto yes = defined_literal(algebra, x), no = defined_literal(algebra, y);
    if (!yes || !no || yes->type() != Type::boolean || *yes == *no) { return std::nullopt; }
    return yes->as_bool() ? p : algebra.apply(UnaryOp::logical_not, p);
}

// match:  select(!p, x, y)
// result: select(p, y, x)
template <Algebra A>
Rewritten<A> select_by_negation(A& algebra, const TermOf<A>& p, const TermOf<A>& x, const TermOf<A>& y) {
    const auto negation = algebra.as_unary(p);
    if (!negation || negation->op != UnaryOp::logical_not) { return std::nullopt; }
    return algebra.select(negation->a, y, x);
}

// match:  select(a != b, x, y)
// result: select(a == b, y, x)
template <Algebra A>
Rewritten<A> select_by_inequality(A& algebra, const TermOf<A>& p, const TermOf<A>& x, const TermOf<A>& y) {
    const auto comparison = algebra.as_binary(p);
    if (!comparison || comparison->op != BinaryOp::ne) { return std::nullopt; }
    return algebra.select(algebra.apply(BinaryOp::eq, comparison->a, comparison->b), y, x);
}

// match:  select(a <= b, x, y), of integers: with a NaN neither comparison is true
// result: select(b < a, y, x)
template <Algebra A>
Rewritten<A> select_by_order(A& algebra, const TermOf<A>& p, const TermOf<A>& x, const TermOf<A>& y) {
    const auto comparison = algebra.as_binary(p);
    if (!comparison || comparison->op != BinaryOp::le) { return std::nullopt; }
    if (value::is_float(algebra.type(comparison->a))) { return std::nullopt; }
    return algebra.select(algebra.apply(BinaryOp::lt, comparison->b, comparison->a), y, x);
}

// Returns select(p, f(n), f(m)) for a term select(p, n, m) whose arms are literals. Only if `f` returns two defined
// values that differ: if they were equal, the result would not be Uninit for an Uninit p.
template <Algebra A, typename Operation>
Rewritten<A> within_select(A& algebra, const TermOf<A>& t, Operation f) {
    const auto select = algebra.as_select(t);
    if (!select) { return std::nullopt; }
    const Value* yes = algebra.literal_of(select->if_true);
    const Value* no = algebra.literal_of(select->if_false);
    if (yes == nullptr || no == nullptr) { return std::nullopt; }
    const std::optional<Value> a = f(*yes), b = f(*no);
    if (!a || !b || !a->is_defined() || !b->is_defined() || *a == *b) { return std::nullopt; }
    const TermOf<A> if_false = algebra.literal(*b), if_true = algebra.literal(*a);
    return algebra.select(select->condition, if_true, if_false);
}

// match:  op select(p, n, m), of literals with defined and different results
// result: select(p, op n, op m)
template <Algebra A>
Rewritten<A> unary_of_choice(A& algebra, UnaryOp op, const TermOf<A>& a) {
    return within_select(algebra, a, [&](const Value& v) { return std::optional(value::apply(op, v)); });
}

// match:  select(p, n, m) op k, k op select(p, n, m), of literals with defined, different and exact results
// result: select(p, n op k, m op k), select(p, k op n, k op m)
template <Algebra A>
Rewritten<A> binary_of_choice(A& algebra, BinaryOp op, const TermOf<A>& a, const TermOf<A>& b) {
    if (const Value* y = algebra.literal_of(b)) {
        const Value k = *y;
        if (auto choice = within_select(algebra, a, [&](const Value& v) { return value::apply_exactly(op, v, k); })) {
            return choice;
        }
    }
    const Value* x = algebra.literal_of(a);
    if (x == nullptr) { return std::nullopt; }
    const Value k = *x;
    return within_select(algebra, b, [&](const Value& v) { return value::apply_exactly(op, k, v); });
}

// match:  cast<to>(select(p, n, m)), of literals with defined, different and exact results
// result: select(p, cast<to>(n), cast<to>(m))
template <Algebra A>
Rewritten<A> cast_of_choice(A& algebra, Type to, const TermOf<A>& a) {
    return within_select(algebra, a, [&](const Value& v) { return value::cast_exactly(to, v); });
}

}  // namespace haruspex::rewrite
