#include "oracle/validator/canonical.h"

#include <bit>

#include "generators/value/range.h"
#include "generators/value/type.h"

namespace haruspex::validator {
namespace {

using value::BinaryOp;
using value::Type;
using value::UnaryOp;
using value::Value;

// The value of a defined integer literal.
std::optional<Value> integer(const Term& t) {
    const auto* literal = as<term::Literal>(t);
    if (literal == nullptr || !literal->value.is_defined() || !value::is_integer(t->type)) { return std::nullopt; }
    return literal->value;
}

bool is(const Term& t, std::int64_t number) {
    const auto literal = integer(t);
    return literal && *literal == Value::integer(t->type, number);
}

bool is_neutral(BinaryOp op, const Term& n) {
    const auto* literal = as<term::Literal>(n);
    const auto neutral = literal == nullptr ? std::nullopt : neutral_element(op, n->type);
    return neutral && literal->value == *neutral;
}

// 2^exponent, if that is a positive number of the type.
std::optional<Term> power_of_two(Type type, std::uint64_t exponent) {
    const int most = value::bits(type) - (value::is_signed_integer(type) ? 2 : 1);
    if (exponent > static_cast<std::uint64_t>(most)) { return std::nullopt; }
    return make_literal(Value::from_bits(type, std::uint64_t{1} << exponent));
}

// a mod 2^n for a masked by 2^n - 1.
std::optional<Term> unmasked(const Term& a, const Term& mask) {
    const auto literal = integer(mask);
    if (!literal || !std::has_single_bit(literal->bit_pattern() + 1)) { return std::nullopt; }
    const auto modulus = power_of_two(a->type, static_cast<std::uint64_t>(std::countr_one(literal->bit_pattern())));
    if (!modulus) { return std::nullopt; }
    return make_binary(BinaryOp::mod, a, *modulus);
}

// The bool that a byte holds, whether or not the byte's other bits are masked away.
std::optional<Term> held_bool(const Term& byte) {
    const auto* remainder = as<term::Binary>(byte);
    if (remainder != nullptr && remainder->op == BinaryOp::mod && is(remainder->b, 2)) {
        return held_bool(remainder->a);
    }
    const auto* cast = as<term::Cast>(byte);
    if (cast == nullptr || cast->a->type != Type::boolean || !value::is_integer(byte->type)) { return std::nullopt; }
    return cast->a;
}

// Whether `outer`, an integer type, has all values of `inner`, an integer type or bool.
bool contains(Type outer, Type inner) {
    if (inner == Type::boolean) { return true; }
    if (value::is_signed_integer(inner)) {
        return value::is_signed_integer(outer) && value::bits(outer) >= value::bits(inner);
    }
    return value::bits(outer) > value::bits(inner) || outer == inner;
}

// Writes limits by literals l <= h as max(min(x, h), l), with at most one of each kind.
std::optional<Term> limited(BinaryOp op, const Term& a, const Term& b) {
    const auto limit = integer(b);
    if (!limit) { return integer(a) ? std::optional(make_binary(op, b, a)) : std::nullopt; }
    const auto* inner = as<term::Binary>(a);
    const auto before = inner != nullptr ? integer(inner->b) : std::nullopt;
    if (!before) { return std::nullopt; }
    if (inner->op == op) { return make_binary(op, inner->a, make_literal(value::apply(op, *before, *limit))); }
    const bool is_inside_out =
        op == BinaryOp::min && inner->op == BinaryOp::max && value::apply(BinaryOp::le, *before, *limit).as_bool();
    if (!is_inside_out) { return std::nullopt; }
    return make_binary(BinaryOp::max, make_binary(BinaryOp::min, inner->a, b), inner->b);
}

// Applies an operation to both arms of a select of two literals, if the results are defined and differ.
template <typename Operation>
std::optional<Term> within_choice(const Term& t, Operation operation) {
    const auto* choice = as<term::Select>(t);
    const auto* yes = choice == nullptr ? nullptr : as<term::Literal>(choice->if_true);
    const auto* no = choice == nullptr ? nullptr : as<term::Literal>(choice->if_false);
    if (yes == nullptr || no == nullptr) { return std::nullopt; }
    const std::optional<Value> a = operation(yes->value), b = operation(no->value);
    if (!a || !b || !a->is_defined() || !b->is_defined() || *a == *b) { return std::nullopt; }
    return make_select(choice->condition, make_literal(*a), make_literal(*b));
}

}  // namespace

bool is_idempotent(BinaryOp op) {
    switch (op) {
        case BinaryOp::min:
        case BinaryOp::max:
        case BinaryOp::logical_and:
        case BinaryOp::logical_or:
        case BinaryOp::bit_and:
        case BinaryOp::bit_or: return true;
        default: return false;
    }
}

std::optional<Value> neutral_element(BinaryOp op, Type type) {
    if (value::is_float(type)) { return std::nullopt; }
    if (type == Type::boolean) {
        const bool is_or = op == BinaryOp::logical_or, is_and = op == BinaryOp::logical_and;
        return is_or || is_and ? std::optional(Value::boolean(is_and)) : std::nullopt;
    }
    const value::Range all = value::full_range(type);
    switch (op) {
        case BinaryOp::add:
        case BinaryOp::sub:
        case BinaryOp::bit_or:
        case BinaryOp::bit_xor: return Value::integer(type, 0);
        case BinaryOp::mul:
        case BinaryOp::div: return Value::integer(type, 1);
        case BinaryOp::min: return Value::integer(type, all.high);
        case BinaryOp::max: return Value::integer(type, all.low);
        default: return std::nullopt;
    }
}

std::optional<Value> absorbing_element(BinaryOp op, Type type) {
    if (value::is_float(type)) { return std::nullopt; }
    if (type == Type::boolean) {
        const bool is_or = op == BinaryOp::logical_or, is_and = op == BinaryOp::logical_and;
        return is_or || is_and ? std::optional(Value::boolean(is_or)) : std::nullopt;
    }
    const value::Range all = value::full_range(type);
    switch (op) {
        case BinaryOp::min: return Value::integer(type, all.low);
        case BinaryOp::max: return Value::integer(type, all.high);
        case BinaryOp::mul:
        case BinaryOp::bit_and: return Value::integer(type, 0);
        default: return std::nullopt;
    }
}

std::optional<Term> canonical_unary(UnaryOp op, const Term& a) {
    if (auto choice = within_choice(a, [&](const Value& v) { return std::optional(value::apply(op, v)); })) {
        return choice;
    }
    if (op != UnaryOp::logical_not) { return std::nullopt; }
    if (const auto* inner = as<term::Unary>(a)) { return inner->a; }
    const auto* comparison = as<term::Binary>(a);
    if (comparison == nullptr) { return std::nullopt; }
    switch (comparison->op) {
        case BinaryOp::eq: return make_binary(BinaryOp::ne, comparison->a, comparison->b);
        case BinaryOp::ne: return make_binary(BinaryOp::eq, comparison->a, comparison->b);
        case BinaryOp::lt:
        case BinaryOp::le:
            // For a NaN neither comparison holds.
            if (value::is_float(comparison->a->type)) { return std::nullopt; }
            return make_binary(comparison->op == BinaryOp::lt ? BinaryOp::le : BinaryOp::lt, comparison->b,
                               comparison->a);
        default: return std::nullopt;
    }
}

std::optional<Term> canonical_binary(BinaryOp op, const Term& a, const Term& b) {
    if (const auto* y = as<term::Literal>(b)) {
        if (auto choice = within_choice(a, [&](const Value& v) { return value::apply_exactly(op, v, y->value); })) {
            return choice;
        }
    }
    if (const auto* x = as<term::Literal>(a)) {
        if (auto choice = within_choice(b, [&](const Value& v) { return value::apply_exactly(op, x->value, v); })) {
            return choice;
        }
    }
    // Not for floats: the minimum or maximum of a NaN is Undef.
    if (a == b && is_idempotent(op) && !value::is_float(a->type)) { return a; }
    if (is_neutral(op, b)) { return a; }
    if (value::is_commutative(op, a->type) && is_neutral(op, a)) { return b; }
    const auto literal = integer(b);
    switch (op) {
        case BinaryOp::gt: return make_binary(BinaryOp::lt, b, a);
        case BinaryOp::ge: return make_binary(BinaryOp::le, b, a);
        case BinaryOp::shift_left:
        case BinaryOp::shift_right:
            if (literal) {
                const auto power = power_of_two(a->type, literal->bit_pattern());
                if (power) {
                    return make_binary(op == BinaryOp::shift_left ? BinaryOp::mul : BinaryOp::div, a, *power);
                }
            }
            return std::nullopt;
        case BinaryOp::min:
        case BinaryOp::max: return limited(op, a, b);
        case BinaryOp::bit_and:
            if (auto remainder = unmasked(a, b)) { return remainder; }
            return unmasked(b, a);
        case BinaryOp::ne:
        case BinaryOp::eq:
            if (is(b, 0)) {
                if (const auto held = held_bool(a)) {
                    return op == BinaryOp::ne ? *held : make_unary(UnaryOp::logical_not, *held);
                }
            }
            return std::nullopt;
        default: return std::nullopt;
    }
}

std::optional<Term> canonical_cast(Type to, const Term& a) {
    if (to == a->type) { return a; }
    if (auto choice = within_choice(a, [&](const Value& v) { return value::cast_exactly(to, v); })) { return choice; }
    if (to == Type::boolean && value::is_integer(a->type)) {
        return make_binary(BinaryOp::ne, a, make_literal(Value::integer(a->type, 0)));
    }
    const auto* inner = as<term::Cast>(a);
    if (inner == nullptr) { return std::nullopt; }
    const Type from = inner->a->type, via = a->type;
    if (from == Type::f32 && via == Type::f64) { return make_cast(to, inner->a); }
    if (!value::is_integer(via) || value::is_float(from)) { return std::nullopt; }
    if (contains(via, from)) { return make_cast(to, inner->a); }
    // Fewer bits of a number modulo 2^n.
    const bool wraps = value::wraps(to) && value::is_total_cast(from, via);
    if (wraps && value::bits(to) <= value::bits(via)) { return make_cast(to, inner->a); }
    return std::nullopt;
}

std::optional<Term> canonical_select(const Term& condition, const Term& if_true, const Term& if_false) {
    const auto* yes = as<term::Literal>(if_true);
    const auto* no = as<term::Literal>(if_false);
    const bool are_truths = yes != nullptr && no != nullptr && if_true->type == Type::boolean &&
                            yes->value.is_defined() && no->value.is_defined() && yes->value != no->value;
    if (are_truths) { return yes->value.as_bool() ? condition : make_unary(UnaryOp::logical_not, condition); }
    const auto* negation = as<term::Unary>(condition);
    if (negation != nullptr && negation->op == UnaryOp::logical_not) {
        return make_select(negation->a, if_false, if_true);
    }
    const auto* comparison = as<term::Binary>(condition);
    if (comparison != nullptr && comparison->op == BinaryOp::ne) {
        return make_select(make_binary(BinaryOp::eq, comparison->a, comparison->b), if_false, if_true);
    }
    return std::nullopt;
}

}  // namespace haruspex::validator
