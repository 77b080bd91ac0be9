#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "generators/value/bounds.h"
#include "generators/value/operators.h"

// Interval analysis: the values that an expression can take when its inputs range over intervals, and whether every
// operation on the way is exact and defined. One abstract domain serves integers and floats: a float is a dyadic number
// n * 2^-scale, exact while |n| < 2^24 (f32) or 2^53 (f64) and |scale| <= 30. The bound on the scale keeps all numbers
// far away from denormals and infinities, and any two ranges can be written with one scale. A range does not
// distinguish -0.0 from 0.0.
namespace haruspex::value {

Range range_of(const Value& value);  // a defined, finite value
// Returns the smallest range that contains both, with the larger of the two scales. Both must have the same type and
// scales at most 60 apart (ENSURE).
Range join(const Range& a, const Range& b);
// False for Undef, Uninit, NaN, infinities and values of another type.
bool contains(const Range& range, const Value& value);
// Returns the largest h such that values h times as large would still be defined and exact: they do not overflow i32 or
// i64, and the significand of a float is representable. INT64_MAX for types that wrap.
std::int64_t headroom(const Range& range);
std::string to_string(const Range& range);

// Return a range that contains every result of the operation, as small as is easily found. nullopt if some operands may
// give Undef (i32 or i64 overflow, shift too far, conversion out of range) or an inexact float. If a type that wraps
// may overflow, the result is the type's full range. For div and mod of floats the divisor must be a single power of
// two, of either sign; otherwise nullopt.
std::optional<Range> apply(UnaryOp op, const Range& a);
std::optional<Range> apply(BinaryOp op, const Range& a, const Range& b);
std::optional<Range> select(const Range& condition, const Range& if_true, const Range& if_false);
std::optional<Range> cast(Type to, const Range& a);

}  // namespace haruspex::value
