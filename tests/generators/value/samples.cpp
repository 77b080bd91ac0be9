#include "tests/generators/value/samples.h"

#include <cmath>
#include <limits>

namespace haruspex::value {
namespace {

std::vector<Value> every_value(Type type) {
    std::vector<Value> values;
    for (std::uint64_t pattern = 0; pattern < (std::uint64_t{1} << static_cast<unsigned>(bits(type))); ++pattern) {
        values.push_back(Value::from_bits(type, pattern));
    }
    return values;
}

// Whether a - b * floor(a / b) never rounds, so that it is the same in wider arithmetic and when fused.
template <typename Float>
bool mod_is_exact(Float a, Float b) {
    const Float quotient = a / b;
    const Float product = b * std::floor(quotient);
    const Float rest = a - product;
    return std::fma(quotient, b, -a) == 0 && std::fma(b, std::floor(quotient), -product) == 0 && a - rest == product &&
           rest + product == a;
}

std::vector<Value> integer_corners(Type type) {
    std::vector<Value> values;
    const auto add = [&](std::uint64_t pattern) {
        const Value v = Value::from_bits(type, pattern);
        for (const Value& old : values) {
            if (old == v) { return; }
        }
        values.push_back(v);
    };
    for (const std::uint64_t small : {0, 1, 2, 3, 5, 7, 10}) {
        add(small);
        add(~small + 1);
    }
    // Shift amounts around the width, and the powers of two where products and signs overflow.
    const auto width = static_cast<unsigned>(bits(type));
    for (const unsigned exponent : {3U, width / 2 - 1, width / 2, width - 2, width - 1}) {
        const std::uint64_t power = std::uint64_t{1} << exponent;
        add(power - 1);
        add(power);
        add(power + 1);
        add(~power + 1);
    }
    for (const std::uint64_t amount : {width - 1, width, width + 1}) {
        add(amount);
        add(~amount + 1);
    }
    // Just above the midpoint of two neighbouring f32 values: rounding through f64 gives a tie.
    if (width == 64) { add((std::uint64_t{1} << 60U) + (std::uint64_t{1} << 36U) + 1); }
    return values;
}

template <typename Float>
std::vector<Value> float_corners(Value (*make)(Float)) {
    using Limits = std::numeric_limits<Float>;
    std::vector<Value> values;
    for (const Float magnitude : {Float{0},
                                  Float{1},
                                  Float{2},
                                  Float{3},
                                  Float{0.5},
                                  Float{0.75},
                                  Float{1.5},
                                  Float{2.5},
                                  Float{10},
                                  Float{0.1},
                                  Float{127},
                                  Float{128},
                                  Float{127.9},
                                  Float{255},
                                  Float{255.5},
                                  Float{256},
                                  Float{32767},
                                  Float{65535},
                                  Float{65536},
                                  Float{0x1p31},
                                  Float{0x1p32},
                                  Float{0x1p63},
                                  Float{0x1p64},
                                  Float{0x1p24},
                                  Float{0x1p24 + 2},
                                  Limits::min(),
                                  Limits::denorm_min(),
                                  Limits::max(),
                                  Limits::infinity(),
                                  std::nextafter(Float{1}, Float{2}),
                                  std::nextafter(Float{0x1p31}, Float{0}),
                                  std::nextafter(Float{0x1p63}, Float{0})}) {
        values.push_back(make(magnitude));
        values.push_back(make(-magnitude));
    }
    values.push_back(make(Limits::quiet_NaN()));
    return values;
}

}  // namespace

std::vector<Value> corner_values(Type type) {
    if (bits(type) <= 8) { return every_value(type); }
    if (type == Type::f32) { return float_corners<float>(Value::f32); }
    if (type == Type::f64) { return float_corners<double>(Value::f64); }
    return integer_corners(type);
}

Value random_value(Type type, Choices& choices) {
    const auto pattern = static_cast<std::uint64_t>(
        choices.integer(std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()));
    if (is_float(type)) { return Value::from_bits(type, pattern); }
    // An arithmetic shift of a full-width pattern gives small and large numbers of both signs.
    const auto drop = static_cast<unsigned>(choices.integer(0, bits(type) - 1) + 64 - bits(type));
    return Value::from_bits(type, static_cast<std::uint64_t>(static_cast<std::int64_t>(pattern) >> drop));
}

OperandPairs operand_pairs(Type type, std::size_t random_pairs, std::uint64_t seed) {
    OperandPairs pairs;
    const auto corners = corner_values(type);
    for (const Value& a : corners) {
        for (const Value& b : corners) {
            pairs.a.push_back(a);
            pairs.b.push_back(b);
        }
    }
    if (bits(type) <= 8) { return pairs; }
    Choices choices(random_source(seed));
    for (std::size_t i = 0; i < random_pairs; ++i) {
        // Corner and random values are equally frequent on the left.
        pairs.a.push_back(choices.boolean(500) ? random_value(type, choices) : choices.one_of(corners));
        pairs.b.push_back(random_value(type, choices));
    }
    return pairs;
}

bool is_finite(const Value& v) { return !is_float(v.type()) || std::isfinite(v.as_double()); }

bool promised_without_strict_float(BinaryOp op, const Value& a, const Value& b, const Value& result) {
    if (!is_finite(a) || !is_finite(b) || !is_finite(result)) { return false; }
    if (op != BinaryOp::mod || !is_float(a.type())) { return true; }
    return a.type() == Type::f32 ? mod_is_exact(static_cast<float>(a.as_double()), static_cast<float>(b.as_double()))
                                 : mod_is_exact(a.as_double(), b.as_double());
}

}  // namespace haruspex::value
