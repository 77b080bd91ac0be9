#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

// Scalar types of the tensor languages. The type alone decides what an operator means, so the profile of a compiler's
// arithmetic is the list of its types (generators/schedule/language.h):
//
//   u8 … u64    unsigned; wrap
//   i8, i16     signed; wrap
//   i32, i64    signed; their overflow is Undef, as in C, and of LLVM's operations with nsw
//   w32, w64    signed; wrap, as MLIR's arith.addi does without flags
//
// Signed integers are two's complement.
namespace haruspex::value {

// Holds the exact sum, difference and quotient of any two 64-bit integers. An alias, because ISO C++ does not have the
// type and -Wpedantic warns at each mention.
__extension__ using Int128 = __int128;

enum class Type : std::uint8_t { boolean, u8, u16, u32, u64, i8, i16, i32, i64, f32, f64, w32, w64 };

inline constexpr std::array<Type, 13> all_types{Type::boolean, Type::u8,  Type::u16, Type::u32, Type::u64,
                                                Type::i8,      Type::i16, Type::i32, Type::i64, Type::f32,
                                                Type::f64,     Type::w32, Type::w64};

// "bool", "u8", …, "w64": the spelling of the text forms.
std::string_view name(Type type);
// "bool, u8, u16": for messages.
std::string names(std::span<const Type> types);
std::optional<Type> parse_type(std::string_view text);

constexpr bool is_float(Type t) { return t == Type::f32 || t == Type::f64; }
constexpr bool is_signed_integer(Type t) { return (t >= Type::i8 && t <= Type::i64) || t >= Type::w32; }
constexpr bool is_unsigned_integer(Type t) { return t >= Type::u8 && t <= Type::u64; }
constexpr bool is_integer(Type t) { return is_signed_integer(t) || is_unsigned_integer(t); }
// Whether a result that does not fit the type is Undef, or is reduced modulo 2^bits. Neither for bool and floats.
constexpr bool overflow_is_undefined(Type t) { return t == Type::i32 || t == Type::i64; }
constexpr bool wraps(Type t) { return is_integer(t) && !overflow_is_undefined(t); }
// Width in bits; 1 for bool.
int bits(Type type);
// Size of a stored element in bytes; 1 for bool.
int bytes(Type type);
// The unsigned (signed) integer type of the same width; `type` is an integer. u32 becomes i32, and u64 i64.
Type to_unsigned(Type type);
Type to_signed(Type type);
// The first signed integer type of this width among the types.
std::optional<Type> signed_integer(std::span<const Type> among, int bits);

}  // namespace haruspex::value
