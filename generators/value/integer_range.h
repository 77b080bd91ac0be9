#pragma once

#include <algorithm>
#include <initializer_list>
#include <optional>

#include "generators/value/bounds.h"
#include "generators/value/operators.h"

// The interval analysis of integers: computes exact bounds first, then applies the effect of the type (range.h).
namespace haruspex::value {

struct Interval {
    Int128 low;
    Int128 high;
};

inline Interval hull(Interval a, Interval b) { return {std::min(a.low, b.low), std::max(a.high, b.high)}; }

inline Interval hull(std::initializer_list<Int128> values) { return {std::min(values), std::max(values)}; }

inline Range as_range(Type type, Interval i, int scale = 0) { return {type, i.low, i.high, scale}; }

inline bool has_zero(const Range& r) { return r.low <= 0 && r.high >= 0; }

inline bool is_within(Interval inner, const Range& outer) { return outer.low <= inner.low && inner.high <= outer.high; }

inline Int128 magnitude(Int128 n) { return n < 0 ? -n : n; }

inline Int128 largest_magnitude(const Range& r) { return std::max(magnitude(r.low), magnitude(r.high)); }

inline Int128 floor_div(Int128 a, Int128 positive) { return a / positive - (a % positive < 0 ? 1 : 0); }

// Returns the range of an exact result in the type: the exact range if it fits; otherwise the full range for types that
// wrap, and nullopt for those whose overflow is Undef.
std::optional<Range> fit(Type type, Interval exact);

std::optional<Range> integer_product(Type type, const Range& a, const Range& b);
std::optional<Range> integer_quotient(Type type, const Range& a, const Range& b);
Range integer_remainder(Type type, const Range& a, const Range& b);
// `op` is bit_and, bit_or or bit_xor.
Range bitwise(BinaryOp op, Type type, const Range& a, const Range& b);
// Shifts `a` by `left_by` bits to the left; a negative amount shifts to the right. nullopt if the magnitude of an
// amount may reach the width of the type, or if an i32 or i64 may overflow.
std::optional<Range> integer_shift(Type type, const Range& a, Interval left_by);

}  // namespace haruspex::value
