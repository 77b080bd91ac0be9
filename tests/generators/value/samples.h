#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "generators/base/choice.h"
#include "generators/value/operators.h"

// Values for the tests of this folder.
namespace haruspex::value {

// Zero, one, the ends of the type and their neighbours, powers of two and their neighbours; for floats also NaN, both
// zeros, both infinities, denormals, and the ends of the integer types.
std::vector<Value> corner_values(Type type);
// Draws integers of every magnitude and sign alike, and floats of every exponent.
Value random_value(Type type, Choices& choices);

// The operands by position: all pairs of corner values, then random pairs. For 8-bit types and bool: all pairs.
struct OperandPairs {
    std::vector<Value> a;
    std::vector<Value> b;
};
OperandPairs operand_pairs(Type type, std::size_t random_pairs, std::uint64_t seed);

// Whether Halide also promises this result without strict_float, up to the sign of a zero (value::same_number). Its
// arithmetic then assumes finite numbers and may fuse a multiplication with an addition, so float mod must be exact at
// every step. True for all other types.
bool promised_without_strict_float(BinaryOp op, const Value& a, const Value& b, const Value& result);
bool is_finite(const Value& v);  // true for every type except floats

}  // namespace haruspex::value
