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
// The thesis has one ⊥ for both Undef and Uninit. A loop that is rounded up may read unwritten memory in an arm of an
// eager select that is not chosen; with one ⊥ such correct code would be refuted.
namespace haruspex::value {

enum class State : std::uint8_t { defined, undef, uninit };

class Value {
public:
    // The low bits(type) bits of `bits` are the two's complement or IEEE bit pattern; the other bits are ignored.
    static Value from_bits(Type type, std::uint64_t bits);
    static Value boolean(bool b) { return from_bits(Type::boolean, b ? 1 : 0); }
    // `type` is an integer or float type; `v` wraps to an integer type's width and is rounded to the nearest float.
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

    // The accessors below, except is_nan(), need a defined value, of one of the types named (ENSURE).
    std::uint64_t bit_pattern() const;
    bool as_bool() const;
    std::int64_t as_signed() const;     // signed integer types, sign-extended
    std::uint64_t as_unsigned() const;  // unsigned integer types
    double as_double() const;           // f32 (exactly) and f64
    bool is_nan() const;                // false for Undef, Uninit and types other than floats

    // Compares state, type and bits: distinguishes -0.0 from 0.0, and NaNs with different bits.
    bool operator==(const Value&) const = default;

private:
    Value(Type type, State state, std::uint64_t bits) : bits_(bits), type_(type), state_(state) {}

    std::uint64_t bits_;
    Type type_;
    State state_;
};

// Whether a specification's and an implementation's value, both defined, count as equal: they have the same bits, or
// both are NaN (the payload of a NaN depends on the order of operands, which none of our languages fixes).
bool same_result(const Value& a, const Value& b);
// As same_result, but -0.0 equals 0.0. Without strict_float a compiler may drop the sign of a zero (LLVM's flag "no
// signed zeros").
bool same_number(const Value& a, const Value& b);

// Returns the literal of the text forms, e.g. "-5i32", "true", "0.1f32", "-0.0f64", "nan_f32", "inf_f64", "-inf_f32",
// "undef_i32", "uninit_u8". A float is the shortest decimal that reads back to the same bits; all NaNs of a type print
// alike.
std::string to_string(const Value& value);
// Parses the whole text as a literal of a defined value. nullopt if the text is not such a literal or the number is out
// of its type's range. Decimals are rounded to the nearest float.
std::optional<Value> parse_literal(std::string_view text);

}  // namespace haruspex::value
