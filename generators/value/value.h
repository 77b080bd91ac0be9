#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "generators/value/type.h"

// Concrete values.
//
//   value ::= a bit pattern of its type   defined
//           | Undef                       undefined behaviour: spreads through every operator
//           | Uninit                      unwritten memory: arbitrary bits, harmless while nothing depends on them
//
// The thesis has one ⊥ for both kinds of "no value". With an eager select over the garbage of a rounded-up loop
// this would refute correct code, so the two are never mixed here.
namespace haruspex::value {

enum class State : std::uint8_t { defined, undef, uninit };

class Value {
public:
    // `bits` holds the value's two's complement or IEEE bit pattern in its low bits(type) bits; the rest is ignored.
    static Value from_bits(Type type, std::uint64_t bits);
    static Value boolean(bool b) { return from_bits(Type::boolean, b ? 1 : 0); }
    // An integer or float type; wraps to the type's width (floats: rounded to nearest).
    static Value integer(Type type, std::int64_t v);
    static Value f32(float v);
    static Value f64(double v);
    static Value undef(Type type) { return Value(type, State::undef, 0); }
    static Value uninit(Type type) { return Value(type, State::uninit, 0); }

    Type type() const { return type_; }
    State state() const { return state_; }
    bool is_defined() const { return state_ == State::defined; }
    bool is_undef() const { return state_ == State::undef; }
    bool is_uninit() const { return state_ == State::uninit; }

    // The accessors below need a defined value of a fitting type (ENSURE).
    std::uint64_t bit_pattern() const;
    bool as_bool() const;
    std::int64_t as_signed() const;     // signed integer types, sign-extended
    std::uint64_t as_unsigned() const;  // unsigned integer types
    double as_double() const;           // f32 (exactly) and f64
    bool is_nan() const;                // false for every type but a float

    // Same state, type and bits: distinguishes -0.0 from 0.0 and the NaNs from each other.
    bool operator==(const Value&) const = default;

private:
    Value(Type type, State state, std::uint64_t bits) : bits_(bits), type_(type), state_(state) {}

    std::uint64_t bits_;
    Type type_;
    State state_;
};

// Whether a specification's and an implementation's value, both defined, count as equal: the same bits, except that any
// NaN equals any NaN (payloads depend on operand order, which none of our languages fixes).
bool same_result(const Value& a, const Value& b);
// The same, but -0.0 equals 0.0: equality of floats without strict_float, where a compiler may drop the sign of a
// zero (LLVM's flag "no signed zeros").
bool same_number(const Value& a, const Value& b);

// The literal of the text forms, e.g. "-5i32", "true", "0.1f32", "-0.0f64", "nan_f32", "inf_f64", "-inf_f32",
// "undef_i32", "uninit_u8". Floats print as the shortest decimal that reads back to the same bits (NaN: one form).
std::string to_string(const Value& value);
// Parses the whole of `text` as a literal of a defined value; nullopt if it is not a literal or is out of its type's
// range. Decimals are rounded to nearest.
std::optional<Value> parse_literal(std::string_view text);

}  // namespace haruspex::value
