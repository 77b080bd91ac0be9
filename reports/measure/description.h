#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "reports/measure/problem.h"

namespace haruspex::measure {

// What occurs in a problem, by triage::features; and
//   recurrence:none  recurrence:inline reduction  recurrence:pointwise update  recurrence:accumulation
//   recurrence:along the axis     an update whose target moves with its recurrence variable, as in a scan
//   transformation:fusion …       of a program that was transformed by us
std::set<std::string> features(const Problem& problem);

// "statements", "loops", "depth" of the program as it is put to the methods, "tensors" of the specification.
std::map<std::string, std::uint64_t> size(const Problem& problem);

}  // namespace haruspex::measure
