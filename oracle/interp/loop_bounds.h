#pragma once

#include <string>
#include <vector>

#include "generators/base/result.h"
#include "generators/sare/syntax.h"
#include "oracle/interp/indices.h"
#include "oracle/interp/linear.h"

// Loops over a reduction's bounded set: for each variable an interval that contains all its values in the set, in terms
// of the variables outside it. The set is a union of polyhedra once its minima, maxima, selects and divisions are
// resolved; inner variables are eliminated by Fourier-Motzkin. The intervals may be too wide, so the innermost loop
// tests the condition itself.
namespace haruspex::interp {

// ceil(row / divisor) as a lower, floor(row / divisor) as an upper bound; divisor > 0.
struct Bound {
    Linear row;
    std::int64_t divisor = 1;
    bool operator==(const Bound&) const = default;
};

// One polyhedron: from the largest lower to the smallest upper bound; neither is empty.
struct Interval {
    std::vector<Bound> lower, upper;
    bool operator==(const Interval&) const = default;
};

// The hull of its members; if there are none, the loop does not run.
using LoopBounds = std::vector<Interval>;

// Returns one entry per variable, outermost first. `scope` resolves every name in the domain; `slots` are those of the
// variables, in their order. An Error names a variable without a bound, or says that the domain has too many parts.
[[nodiscard]] Result<std::vector<LoopBounds>> loop_bounds(const sare::Condition& domain,
                                                          const std::vector<std::string>& variables,
                                                          const std::vector<std::uint32_t>& slots, const Scope& scope);

}  // namespace haruspex::interp
