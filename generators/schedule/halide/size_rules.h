#pragma once

#include <vector>

#include "generators/sare/algorithm.h"
#include "generators/schedule/halide/directive.h"
#include "generators/schedule/halide/vocabulary.h"
#include "generators/schedule/rules.h"

// The sizes for which Halide documents that a schedule works: the demands of ShiftInwards, RoundUp, bound,
// align_bounds, … on the extents.
namespace haruspex::schedule::halide {

// Returns all size rules of a schedule, in the order of its directives. The directives must name existing things only
// (ENSURE). Rules about the schedule itself (rules.h) are not among them. None if an rfactor breaks a rule.
std::vector<SizeRule> size_rules(const sare::Algorithm& algorithm, const Schedule& schedule, Vocabulary vocabulary);

}  // namespace haruspex::schedule::halide
