#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "generators/value/operators.h"

// Interval analysis: the values that an expression can take when its inputs range over intervals, and whether every
// operation on the way is exact and defined. One abstract domain serves integers and floats: a float is a dyadic number
// n * 2^-scale, exact while |n| < 2^24 (f32) or 2^53 (f64) and |scale| <= 30. The bound on the scale keeps far away
// from denormals and infinities and lets any two ranges be written on a common grid. A range does not distinguish -0.0
// from 0.0.
namespace haruspex::value {

struct Range {
    Type type = Type::i32;
    // All values are n * 2^-scale with low <= n <= high; scale is 0 for integers and bool.
    Int128 low = 0;
    Int128 high = 0;
    int scale = 0;

    bool operator==(const Range&) const = default;
};

// The range of all values of an integer type or bool.
Range full_range(Type type);
Range range_of(const Value& value);  // a defined, finite value
// The smallest range that contains both, on the finer grid; one type (ENSURE), scales at most 60 apart (ENSURE).
Range join(const Range& a, const Range& b);
// False for Undef, Uninit, NaN, infinities and other types.
bool contains(const Range& range, const Value& value);
// The distance of the range from the limits of its type: the largest h such that values h times as large in magnitude
// would still be defined and exact (overflow-free for i32 and i64, a representable significand for floats). Wrapping
// types are unlimited: INT64_MAX.
std::int64_t headroom(const Range& range);
std::string to_string(const Range& range);

// Transfer functions: a range that contains every result, as small as this form easily allows. nullopt if some pair of
// operands may give Undef (i32/i64 overflow, shift too far, conversion out of range) or an inexact float. For wrapping
// types an overflow gives the type's full range. Floats are divided, and reduced modulo, only by a single power of two
// of either sign.
std::optional<Range> apply(UnaryOp op, const Range& a);
std::optional<Range> apply(BinaryOp op, const Range& a, const Range& b);
std::optional<Range> select(const Range& condition, const Range& if_true, const Range& if_false);
std::optional<Range> cast(Type to, const Range& a);

}  // namespace haruspex::value
