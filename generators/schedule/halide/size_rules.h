#pragma once

#include <vector>

#include "generators/sare/algorithm.h"
#include "generators/schedule/halide/directive.h"
#include "generators/schedule/halide/vocabulary.h"
#include "generators/schedule/rules.h"

// The sizes for which Halide documents that a schedule works: the demands of ShiftInwards, RoundUp, bound,
// align_bounds, fold_storage, … on the extents.
namespace haruspex::schedule::halide {

// All size rules of a schedule, in the order of its directives, which must name existing things only (ENSURE). Rules
// that the schedule itself breaks (rules.h) are not included. After an rfactor that breaks a rule there are no size
// rules.
std::vector<SizeRule> size_rules(const sare::Algorithm& algorithm, const Schedule& schedule, Vocabulary vocabulary);

}  // namespace haruspex::schedule::halide
