#pragma once

#include <cstdint>
#include <vector>

namespace haruspex::minimize {

// Returns the numbers to try in place of `v`, the boldest first: `least`, its neighbour, the number half way from
// `least` to `v`, and the two numbers next to `v`. Empty if `v` is `least` or lies between 0 and `least`.
std::vector<std::int64_t> smaller(std::int64_t v, std::int64_t least);

// The limit of magnitude(), so that sums of magnitudes stay far below 2^63.
inline constexpr std::int64_t largest_magnitude = std::int64_t{1} << 20;
// Returns the absolute value, or largest_magnitude if that is smaller.
std::int64_t magnitude(std::int64_t v);

}  // namespace haruspex::minimize
