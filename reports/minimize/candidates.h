#pragma once

#include <cstddef>
#include <vector>

#include "reports/minimize/pass.h"

namespace haruspex::minimize {

struct Candidate {
    std::size_t number = 0;  // the place among all proposals of the pass, from 0
    cases::Case c;
};

// Returns each distinct proposal of a pass that is a structurally well-formed case with an admitted schedule, strictly
// smaller than `c`. The schedule may break rules that the schedule of `c` breaks: a person may have written it so. The
// SARE of `c` must have been made from an algorithm (sare::unstage; ENSURE).
std::vector<Candidate> candidates(const cases::Case& c, const Pass& pass, const schedule::Language& language);

}  // namespace haruspex::minimize
