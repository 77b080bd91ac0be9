#pragma once

#include <cstddef>
#include <vector>

#include "reports/minimize/pass.h"

namespace haruspex::minimize {

struct Candidate {
    std::size_t number = 0;  // among all of the pass's proposals, in their order
    cases::Case c;
};

// What of a pass's proposals is a case: well-formed in structure, its schedule admitted, strictly smaller than the one
// that it stems from, and no other proposal's too. A schedule may break the rules that the schedule of that case
// breaks, which is what a person wrote. That case's SARE is the image of a Halide algorithm (ENSURE).
std::vector<Candidate> candidates(const cases::Case& c, const Pass& pass, schedule::halide::Vocabulary vocabulary);

}  // namespace haruspex::minimize
