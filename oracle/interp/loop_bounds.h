#pragma once

#include <string>
#include <vector>

#include "generators/base/result.h"
#include "generators/sare/syntax.h"
#include "oracle/interp/indices.h"
#include "oracle/interp/linear.h"

// Bounds of the loops over the domain of a reduction: for each variable an interval that contains all its values in the
// domain, in terms of the variables of the loops around it. The domain is a union of polyhedra once its minima, maxima,
// selects and divisions are resolved; inner variables are eliminated by Fourier-Motzkin. The intervals may be too wide,
// so the innermost loop tests the condition itself.
namespace haruspex::interp {

// ceil(row / divisor) if it is a lower bound, floor(row / divisor) if it is an upper one; divisor > 0.
struct Bound {
    Linear row;
    std::int64_t divisor = 1;
    bool operator==(const Bound&) const = default;
};

// The interval of one polyhedron: from the largest lower bound to the smallest upper bound. Neither list is empty.
struct Interval {
    std::vector<Bound> lower, upper;
    bool operator==(const Interval&) const = default;
};

// The loop runs over the hull of these intervals; it does not run if there are none.
using LoopBounds = std::vector<Interval>;

// Returns one entry per variable, outermost first. `scope` resolves every name in the domain; `slots` are those of the
// variables, in their order. An Error names a variable without a bound, or says that the domain has too many parts.
[[nodiscard]] Result<std::vector<LoopBounds>> loop_bounds(const sare::Condition& domain,
                                                          const std::vector<std::string>& variables,
                                                          const std::vector<std::uint32_t>& slots, const Scope& scope);

}  // namespace haruspex::interp
