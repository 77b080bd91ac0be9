#pragma once

#include <cstdint>
#include <optional>

#include "generators/value/operators.h"

// Algebraic properties of operators, and the literals that rules compute from literals.
namespace haruspex::rewrite {

// Whether x op x = x for all x for which x op x is defined (a minimum or maximum of a NaN is Undef). Zeros of opposite
// sign count as the same x, although the minimum or maximum of two such zeros is the second of them.
bool is_idempotent(value::BinaryOp op);

// The n with  x op n = x  for all x of the type; for a commutative operator also  n op x = x. Floats have none.
std::optional<value::Value> neutral_element(value::BinaryOp op, value::Type type);

// The n with  x op n = n op x = n  for all defined x of the type. Floats have none.
std::optional<value::Value> absorbing_element(value::BinaryOp op, value::Type type);

// 2^exponent, if it is a positive number of the integer type.
std::optional<value::Value> power_of_two(value::Type type, std::uint64_t exponent);

// 2^n for a mask 2^n - 1, a defined integer: the m with  x & mask = x % m. nullopt for other masks, and if 2^n is not a
// positive number of the type.
std::optional<value::Value> modulus_of_mask(const value::Value& mask);

// 1/x for a defined float x that is plus or minus a power of two: then y * (1/x) rounds to the same value as y / x.
// nullopt for other numbers, and for exponents near the limits of floats.
std::optional<value::Value> exact_reciprocal(const value::Value& x);

// Convert a defined value of an integer type to a mathematical integer, and back. nullopt if the type does not have the
// number.
value::Int128 number_of(const value::Value& integer);
std::optional<value::Value> integer(value::Type type, value::Int128 number);

}  // namespace haruspex::rewrite
