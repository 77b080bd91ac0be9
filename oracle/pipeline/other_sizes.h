#pragma once

#include <cstddef>
#include <vector>

#include "generators/case/case.h"
#include "generators/schedule/rules.h"
#include "oracle/pipeline/sizes.h"

namespace haruspex::pipeline {

// Draws at most `count` distinct sizes, other than the case's, that its SARE and the rules allow and that are small
// enough to be interpreted. Deterministic: one case always gives the same sizes. Returns fewer if 20 draws for each do
// not suffice, and none for a SARE that was not made from an algorithm (sare::unstage).
std::vector<Sizes> other_sizes(const cases::Case& c, const std::vector<schedule::SizeRule>& rules, std::size_t count);

}  // namespace haruspex::pipeline
