#pragma once

#include <string>
#include <vector>

#include "generators/sare/algorithm.h"
#include "generators/schedule/directive.h"
#include "generators/schedule/halide/vocabulary.h"

// The sizes for which Halide documents that a schedule works: the demands of ShiftInwards, RoundUp, bound,
// align_bounds, fold_storage, … on the extents. Within these sizes a run-time error is a finding (over-rejection);
// outside them it is documented behaviour.
namespace haruspex::schedule::halide {

struct SizeRule {
    sare::Condition condition;  // over the parameters
    std::size_t directive;      // index in the schedule
    std::string reason;         // "RoundUp on an output: extent of x is a multiple of 8"
    // Whether the schedule may also work for other sizes: the tensor is computed in a loop and the rule covers all its
    // required cells instead of those of one iteration; or the rule covers more than the required cells; or its
    // condition is sufficient but not necessary.
    bool may_be_too_strict = false;
    bool operator==(const SizeRule&) const = default;
};

// All size rules of a schedule, in the order of its directives, which must name existing things only (ENSURE). Rules
// that the schedule itself breaks (rules.h) are not included. After an rfactor that breaks a rule there are no size
// rules.
std::vector<SizeRule> size_rules(const sare::Algorithm& algorithm, const Schedule& schedule, Vocabulary vocabulary);

}  // namespace haruspex::schedule::halide
