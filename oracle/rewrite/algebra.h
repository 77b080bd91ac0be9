#pragma once

#include <concepts>
#include <cstdint>
#include <optional>

#include "generators/value/operators.h"
#include "generators/value/range.h"

// What a rewrite rule may ask of terms, and how it makes them. A rule is a function template over an algebra; it is
// given the operation that is about to be made, as an operator and its operands, and returns the term to make in its
// place: nullopt if it does not match.
//
// Each rule is an equation that holds for all operands, Undef and Uninit included. Operators but for `select`, && and
// || are strict: Undef in an operand gives Undef, otherwise Uninit in one gives Uninit. So if both sides of an equation
// have the same operands and only strict operators, it is enough to compare the sides for defined operands: they must
// be Undef for the same ones, and equal otherwise. The other rules say why they hold.
namespace haruspex::rewrite {

using value::BinaryOp;
using value::Type;
using value::UnaryOp;
using value::Value;

template <typename A>
using TermOf = typename A::Term;

template <typename A>
using Rewritten = std::optional<TermOf<A>>;

template <typename A>
concept Algebra = requires(A& algebra, const A& terms, const TermOf<A>& t, UnaryOp unary, BinaryOp binary, Type type,
                           const Value& v) {
    { t == t } -> std::convertible_to<bool>;  // true: both are the same computation

    // The term's root; empty if it is a node of another kind. The pointer to a literal's value is valid until the next
    // term is made. The others return optionals, or pointers that are valid as long as the term.
    { terms.type(t) } -> std::same_as<Type>;
    { terms.literal_of(t) } -> std::same_as<const Value*>;
    { terms.as_unary(t)->op } -> std::convertible_to<UnaryOp>;
    { terms.as_unary(t)->a } -> std::convertible_to<TermOf<A>>;
    { terms.as_binary(t)->op } -> std::convertible_to<BinaryOp>;
    { terms.as_binary(t)->a } -> std::convertible_to<TermOf<A>>;
    { terms.as_binary(t)->b } -> std::convertible_to<TermOf<A>>;
    { terms.as_cast(t)->a } -> std::convertible_to<TermOf<A>>;
    { terms.as_select(t)->condition } -> std::convertible_to<TermOf<A>>;
    { terms.as_select(t)->if_true } -> std::convertible_to<TermOf<A>>;
    { terms.as_select(t)->if_false } -> std::convertible_to<TermOf<A>>;

    // Facts. An algebra that does not know returns the type's full range, and false.
    { terms.range(t) } -> std::same_as<std::optional<value::Range>>;  // where it is defined; floats have none
    { terms.is_exact(t) } -> std::same_as<bool>;           // the operator at its root neither wraps nor gives Undef
    { terms.is_never_undef(t) } -> std::same_as<bool>;     // it may be Uninit
    { terms.is_always_defined(t) } -> std::same_as<bool>;  // neither Undef nor Uninit

    // Make terms. What they make is rewritten in turn.
    { algebra.literal(v) } -> std::same_as<TermOf<A>>;
    { algebra.apply(unary, t) } -> std::same_as<TermOf<A>>;
    { algebra.apply(binary, t, t) } -> std::same_as<TermOf<A>>;
    { algebra.cast(type, t) } -> std::same_as<TermOf<A>>;
    { algebra.select(t, t, t) } -> std::same_as<TermOf<A>>;
};

template <Algebra A>
std::optional<Value> defined_literal(const A& terms, const TermOf<A>& t) {
    const Value* literal = terms.literal_of(t);
    return literal != nullptr && literal->is_defined() ? std::optional(*literal) : std::nullopt;
}

template <Algebra A>
std::optional<Value> integer_literal(const A& terms, const TermOf<A>& t) {
    const auto literal = defined_literal(terms, t);
    return literal && value::is_integer(literal->type()) ? literal : std::nullopt;
}

template <Algebra A>
bool is_integer_literal(const A& terms, const TermOf<A>& t, std::int64_t number) {
    const auto literal = integer_literal(terms, t);
    return literal && *literal == Value::integer(literal->type(), number);
}

template <Algebra A>
TermOf<A> number(A& algebra, Type type, std::int64_t n) {
    return algebra.literal(Value::integer(type, n));
}

// Whether all numbers of the range are numbers of the type, an integer or bool.
inline bool is_within(const value::Range& range, Type type) {
    const value::Range all = value::full_range(type);
    return all.low <= range.low && range.high <= all.high;
}

// Whether an integer or a bool is known to be a number of the integer type wherever it is defined.
template <Algebra A>
bool fits(const A& terms, const TermOf<A>& t, Type integers) {
    const auto held = terms.range(t);
    return held && is_within(*held, integers);
}

}  // namespace haruspex::rewrite
