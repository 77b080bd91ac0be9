#include "oracle/rewrite/properties.h"

#include <bit>
#include <cmath>

#include "generators/value/range.h"

namespace haruspex::rewrite {

using value::BinaryOp;
using value::Type;
using value::Value;

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

std::optional<Value> power_of_two(Type type, std::uint64_t exponent) {
    const int most = value::bits(type) - (value::is_signed_integer(type) ? 2 : 1);
    if (exponent > static_cast<std::uint64_t>(most)) { return std::nullopt; }
    return Value::from_bits(type, std::uint64_t{1} << exponent);
}

std::optional<Value> modulus_of_mask(const Value& mask) {
    if (!std::has_single_bit(mask.bit_pattern() + 1)) { return std::nullopt; }
    return power_of_two(mask.type(), static_cast<std::uint64_t>(std::countr_one(mask.bit_pattern())));
}

std::optional<Value> exact_reciprocal(const Value& x) {
    constexpr int most_exponent = 30;
    int exponent = 0;
    const double fraction = std::frexp(x.as_double(), &exponent);
    if (std::abs(fraction) != 0.5 || std::abs(exponent) > most_exponent) { return std::nullopt; }
    return value::apply(BinaryOp::div, Value::integer(x.type(), 1), x);
}

value::Int128 number_of(const Value& integer) { return value::range_of(integer).low; }

std::optional<Value> integer(Type type, value::Int128 number) {
    const value::Range all = value::full_range(type);
    if (number < all.low || number > all.high) { return std::nullopt; }
    return Value::from_bits(type, static_cast<std::uint64_t>(number));
}

}  // namespace haruspex::rewrite
