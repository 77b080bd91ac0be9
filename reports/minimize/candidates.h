#pragma once

#include <cstddef>
#include <vector>

#include "reports/minimize/pass.h"

namespace haruspex::minimize {

struct Candidate {
    std::size_t number = 0;  // among all of the pass's proposals, in their order
    cases::Case c;
};

// Returns the proposals of a pass that are cases: structurally well-formed, with an admitted schedule, strictly smaller
// than `c`, and distinct. A schedule may break the rules that the schedule of `c` breaks, which a person wrote. The
// SARE of `c` must be the image of an algorithm (ENSURE).
std::vector<Candidate> candidates(const cases::Case& c, const Pass& pass, const schedule::Language& language);

}  // namespace haruspex::minimize
