#include "generators/value/value.h"

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>

#include "generators/base/ensure.h"
#include "generators/base/numbers.h"

namespace haruspex::value {
namespace {

std::uint64_t low_mask(int width) { return ~std::uint64_t{0} >> static_cast<unsigned>(64 - width); }

template <typename Float>
std::string shortest_decimal(Float v) {
    std::array<char, 64> buffer{};
    const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), v);
    ENSURE(error == std::errc{}, "the shortest form of a float fits the buffer");
    std::string text(buffer.data(), end);
    // "1" would read like an integer.
    if (text.find_first_of(".e") == std::string::npos) { text += ".0"; }
    return text;
}

template <typename Float>
std::string float_literal(Float v, Type type) {
    const std::string suffix(name(type));
    if (std::isnan(v)) { return "nan_" + suffix; }
    if (std::isinf(v)) { return (v < 0 ? "-inf_" : "inf_") + suffix; }
    return shortest_decimal(v) + suffix;
}

template <typename Float>
std::optional<Float> parse_float(std::string_view text) {
    // from_chars also accepts "inf" and "nan(payload)", which are not literals.
    if (text.find_first_not_of("0123456789.e+-") != std::string_view::npos) { return std::nullopt; }
    return parse_number<Float>(text);
}

std::optional<Value> parse_signed(Type type, std::string_view digits) {
    const auto v = parse_number<std::int64_t>(digits);
    if (!v) { return std::nullopt; }
    const Value wrapped = Value::integer(type, *v);
    if (wrapped.as_signed() != *v) { return std::nullopt; }
    return wrapped;
}

std::optional<Value> parse_unsigned(Type type, std::string_view digits) {
    const auto v = parse_number<std::uint64_t>(digits);
    if (!v || (*v & ~low_mask(bits(type))) != 0) { return std::nullopt; }
    return Value::from_bits(type, *v);
}

std::optional<Value> parse_special_float(std::string_view text) {
    for (const Type type : {Type::f32, Type::f64}) {
        if (!text.ends_with(name(type))) { continue; }
        const std::string_view stem = text.substr(0, text.size() - name(type).size());
        const auto make = [type](double v) {
            return type == Type::f32 ? Value::f32(static_cast<float>(v)) : Value::f64(v);
        };
        if (stem == "nan_") { return make(std::numeric_limits<double>::quiet_NaN()); }
        if (stem == "inf_") { return make(std::numeric_limits<double>::infinity()); }
        if (stem == "-inf_") { return make(-std::numeric_limits<double>::infinity()); }
    }
    return std::nullopt;
}

}  // namespace

Value Value::from_bits(Type type, std::uint64_t bits) {
    return Value(type, State::defined, bits & low_mask(value::bits(type)));
}

Value Value::integer(Type type, std::int64_t v) {
    switch (type) {
        case Type::f32: return f32(static_cast<float>(v));
        case Type::f64: return f64(static_cast<double>(v));
        default:
            ENSURE(is_integer(type), "an integer or float type is needed");
            return from_bits(type, static_cast<std::uint64_t>(v));
    }
}

Value Value::f32(float v) { return from_bits(Type::f32, std::bit_cast<std::uint32_t>(v)); }

Value Value::f64(double v) { return from_bits(Type::f64, std::bit_cast<std::uint64_t>(v)); }

std::uint64_t Value::bit_pattern() const {
    ENSURE(is_defined(), "only a defined value has a bit pattern");
    return bits_;
}

bool Value::as_bool() const {
    ENSURE(is_defined() && type_ == Type::boolean, "a defined bool is needed");
    return bits_ != 0;
}

std::int64_t Value::as_signed() const {
    ENSURE(is_defined() && is_signed_integer(type_), "a defined signed integer is needed");
    const auto unused = static_cast<unsigned>(64 - value::bits(type_));
    return static_cast<std::int64_t>(bits_ << unused) >> unused;
}

std::uint64_t Value::as_unsigned() const {
    ENSURE(is_defined() && is_unsigned_integer(type_), "a defined unsigned integer is needed");
    return bits_;
}

double Value::as_double() const {
    ENSURE(is_defined() && is_float(type_), "a defined float is needed");
    if (type_ == Type::f64) { return std::bit_cast<double>(bits_); }
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits_));
}

bool Value::is_nan() const { return is_defined() && is_float(type_) && std::isnan(as_double()); }

bool same_result(const Value& a, const Value& b) {
    ENSURE(a.is_defined() && b.is_defined() && a.type() == b.type(), "two defined values of one type are compared");
    return a == b || (a.is_nan() && b.is_nan());
}

bool same_number(const Value& a, const Value& b) {
    return same_result(a, b) || (is_float(a.type()) && a.as_double() == b.as_double());
}

std::string to_string(const Value& value) {
    const std::string suffix(name(value.type()));
    if (value.is_undef()) { return "undef_" + suffix; }
    if (value.is_uninit()) { return "uninit_" + suffix; }
    switch (value.type()) {
        case Type::boolean: return value.as_bool() ? "true" : "false";
        case Type::f32: return float_literal(static_cast<float>(value.as_double()), Type::f32);
        case Type::f64: return float_literal(value.as_double(), Type::f64);
        default: break;
    }
    if (is_signed_integer(value.type())) { return std::to_string(value.as_signed()) + suffix; }
    return std::to_string(value.as_unsigned()) + suffix;
}

std::optional<Value> parse_literal(std::string_view text) {
    if (text == "true") { return Value::boolean(true); }
    if (text == "false") { return Value::boolean(false); }
    if (auto special = parse_special_float(text)) { return special; }
    for (const Type type : all_types) {
        if (type == Type::boolean || !text.ends_with(name(type))) { continue; }
        const std::string_view digits = text.substr(0, text.size() - name(type).size());
        if (is_signed_integer(type)) { return parse_signed(type, digits); }
        if (is_unsigned_integer(type)) { return parse_unsigned(type, digits); }
        if (type == Type::f32) {
            const auto v = parse_float<float>(digits);
            return v ? std::optional(Value::f32(*v)) : std::nullopt;
        }
        const auto v = parse_float<double>(digits);
        return v ? std::optional(Value::f64(*v)) : std::nullopt;
    }
    return std::nullopt;
}

}  // namespace haruspex::value
