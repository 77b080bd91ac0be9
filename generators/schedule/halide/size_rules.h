#pragma once

#include <string>
#include <vector>

#include "generators/sare/algorithm.h"
#include "generators/schedule/directive.h"
#include "generators/schedule/halide/vocabulary.h"

// The sizes for which Halide documents that a schedule works: the table of what ShiftInwards, RoundUp, bound,
// align_bounds, fold_storage, … demand of the extents. Inside these sizes a run-time error is a finding
// (over-rejection); outside it is documented behaviour.
namespace haruspex::schedule::halide {

struct SizeRule {
    sare::Condition condition;  // over the parameters
    std::size_t directive;      // index in the schedule
    std::string reason;         // "RoundUp on an output: extent of x is a multiple of 8"
    // The schedule may work for other sizes too: the tensor is computed in a loop, and the rule is about all that is
    // required of it, not about what one iteration requires; or the rule is about more than is required, or about what
    // is enough.
    bool may_be_too_strict = false;
    bool operator==(const SizeRule&) const = default;
};

// All rules of a schedule, in the order of its directives, which name nothing that does not exist (ENSURE). Those that
// it breaks itself (rules.h) are not among them, and behind an rfactor that breaks one there are none.
std::vector<SizeRule> size_rules(const sare::Algorithm& algorithm, const Schedule& schedule, Vocabulary vocabulary);

}  // namespace haruspex::schedule::halide
