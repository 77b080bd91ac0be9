#pragma once

#include <cstdint>
#include <optional>

#include "generators/value/operators.h"

// Algebraic properties of operators, and numbers that rules make of numbers.
namespace haruspex::rewrite {

// Whether  x op x = x  for all x for which x op x is defined (a minimum or maximum of a NaN is Undef). The two operands
// may also be zeros of opposite sign: the second one is the result.
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

// 1/x for a power of two of either sign, a defined float, whose reciprocal rounds a product as x rounds a quotient.
// nullopt for other numbers, and for exponents near the limits of floats.
std::optional<value::Value> exact_reciprocal(const value::Value& x);

// The number that a defined integer is, and the integer that is the number: nullopt if the type does not have it.
value::Int128 number_of(const value::Value& integer);
std::optional<value::Value> integer(value::Type type, value::Int128 number);

}  // namespace haruspex::rewrite
