#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

// Scalar types of the tensor languages.
namespace haruspex::value {

// Holds the exact sums, differences and quotients of any two 64-bit integers. Named once, because ISO C++ does not have
// the type and -Wpedantic warns at each mention.
__extension__ using Int128 = __int128;

enum class Type : std::uint8_t { boolean, u8, u16, u32, u64, i8, i16, i32, i64, f32, f64 };

inline constexpr std::array<Type, 11> all_types{Type::boolean, Type::u8,  Type::u16, Type::u32, Type::u64, Type::i8,
                                                Type::i16,     Type::i32, Type::i64, Type::f32, Type::f64};

// "bool", "u8", …, "f64": the spelling of the text forms.
std::string_view name(Type type);
std::optional<Type> parse_type(std::string_view text);

constexpr bool is_float(Type t) { return t == Type::f32 || t == Type::f64; }
constexpr bool is_signed_integer(Type t) { return t >= Type::i8 && t <= Type::i64; }
constexpr bool is_unsigned_integer(Type t) { return t >= Type::u8 && t <= Type::u64; }
constexpr bool is_integer(Type t) { return is_signed_integer(t) || is_unsigned_integer(t); }
// Width in bits; 1 for bool.
int bits(Type type);
// Size of a stored element in bytes; 1 for bool.
int bytes(Type type);
// The unsigned (signed) integer type of the same width; `type` is an integer.
Type to_unsigned(Type type);
Type to_signed(Type type);

}  // namespace haruspex::value
