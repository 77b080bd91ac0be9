#pragma once

#include <cstdint>
#include <vector>

namespace haruspex::minimize {

// Numbers to try in the place of `v`, the boldest first: `least` and the one beside it, what lies half way to it, and
// the next two; none when v is that already.
std::vector<std::int64_t> smaller(std::int64_t v, std::int64_t least);

}  // namespace haruspex::minimize
