#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "reports/measure/problem.h"

namespace haruspex::measure {

// Returns the features of a problem: those of triage::features, and
//   recurrence:none  recurrence:inline reduction  recurrence:pointwise update  recurrence:accumulation
//   recurrence:along the axis     an update whose target moves with its recurrence variable, as in a scan
//   transformation:fusion …       a transformation that produced the program
std::set<std::string> features(const Problem& problem);

// Returns the counts "statements", "loops" and "depth" of the program, and "tensors" of the specification.
std::map<std::string, std::uint64_t> size(const Problem& problem);

}  // namespace haruspex::measure
