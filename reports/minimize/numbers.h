#pragma once

#include <cstdint>
#include <vector>

namespace haruspex::minimize {

// Returns numbers to try in place of `v`, the boldest first: `least` and its neighbour, the number half way to `least`,
// and the next two. Empty if `v` is already `least`, or lies between 0 and `least`.
std::vector<std::int64_t> smaller(std::int64_t v, std::int64_t least);

// Larger numbers count as this one, so that sums stay far below 2^63.
inline constexpr std::int64_t largest_magnitude = std::int64_t{1} << 20;
std::int64_t magnitude(std::int64_t v);

}  // namespace haruspex::minimize
