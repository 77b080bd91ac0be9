#include "oracle/validator/terms/copy.h"

#include <optional>

#include "generators/value/type.h"
#include "oracle/rewrite/properties.h"

namespace haruspex::validator {
namespace {

using value::BinaryOp;

// The op' with  a op (a op' b) = a. Floats have none, because zeros have signs.
std::optional<BinaryOp> absorbed(BinaryOp op, value::Type type) {
    if (value::is_float(type)) { return std::nullopt; }
    switch (op) {
        case BinaryOp::min: return BinaryOp::max;
        case BinaryOp::max: return BinaryOp::min;
        case BinaryOp::logical_and: return BinaryOp::logical_or;
        case BinaryOp::logical_or: return BinaryOp::logical_and;
        case BinaryOp::bit_and: return BinaryOp::bit_or;
        case BinaryOp::bit_or: return BinaryOp::bit_and;
        default: return std::nullopt;
    }
}

bool is_literal(const Term& t, const std::optional<value::Value>& value) {
    const auto* literal = as<term::Literal>(t);
    return literal != nullptr && value && literal->value == *value;
}

std::optional<value::Value> zero(value::Type type) {
    return value::is_integer(type) ? std::optional(value::Value::integer(type, 0)) : std::nullopt;
}

// Whether the term is zero where it is defined, whatever its operands are.
bool is_zero(const Term& t) {
    if (!value::is_integer(t->type)) { return false; }
    const auto* binary = as<term::Binary>(t);
    if (binary == nullptr) { return is_literal(t, zero(t->type)); }
    if (binary->op == BinaryOp::mul) { return is_zero(binary->a) || is_zero(binary->b); }
    const auto is = [&](std::int64_t n) { return is_literal(binary->b, value::Value::integer(t->type, n)); };
    return binary->op == BinaryOp::mod && (is(1) || (value::is_signed_integer(t->type) && is(-1)));
}

}  // namespace

bool is_copy(const Term& t, const isl::set& environments, const std::function<bool(const term::Cell&)>& is_it) {
    const auto is = [&](const Term& part) { return is_copy(part, environments, is_it); };
    if (const auto* cell = as<term::Cell>(t)) { return is_it(*cell); }
    if (const auto* select = as<term::Select>(t)) {
        const auto* truth = as<term::Truth>(select->condition);
        const bool always = truth != nullptr && environments.is_subset(truth->condition);
        const bool never = truth != nullptr && environments.is_disjoint(truth->condition);
        return (never || is(select->if_true)) && (always || is(select->if_false));
    }
    const auto* binary = as<term::Binary>(t);
    if (binary == nullptr) { return false; }
    const auto [op, a, b] = *binary;
    const value::Type type = a->type;
    const auto neutral = rewrite::neutral_element(op, type);
    const auto makes_no_difference = [&](const Term& other) {
        if (is_literal(other, neutral) || (neutral == zero(type) && is_zero(other))) { return true; }
        const auto* inner = as<term::Binary>(other);
        return inner != nullptr && absorbed(op, type) == inner->op && (is(inner->a) || is(inner->b));
    };
    if (is(a)) { return makes_no_difference(b) || (rewrite::is_idempotent(op) && is(b)); }
    return value::is_commutative(op, type) && is(b) && makes_no_difference(a);
}

}  // namespace haruspex::validator
