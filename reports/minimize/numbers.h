#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "generators/value/type.h"

namespace haruspex::minimize {

// The types of numbers, the plainest first: i32 needs no thought, and floats bring rounding and special values. A bug
// that shows with several types ends in the plainest of them, so that cases of one bug end in the same type.
inline constexpr std::array by_plainness{value::Type::i32, value::Type::u8, value::Type::u16, value::Type::u32,
                                         value::Type::u64, value::Type::i8, value::Type::i16, value::Type::i64,
                                         value::Type::f32, value::Type::f64};

// Returns numbers to try in place of `v`, the boldest first: `least` and its neighbour, the number half way to `least`,
// and the next two. Empty if `v` is already `least`, or lies between 0 and `least`.
std::vector<std::int64_t> smaller(std::int64_t v, std::int64_t least);

// Larger numbers count as this one, so that sums stay far below 2^63.
inline constexpr std::int64_t largest_magnitude = std::int64_t{1} << 20;
std::int64_t magnitude(std::int64_t v);

}  // namespace haruspex::minimize
