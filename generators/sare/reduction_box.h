#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "generators/sare/syntax.h"

// The rectangular hull of a reduction's domain: a box for the recurrence variables whose sides depend on parameters
// only.
namespace haruspex::sare {

struct ReductionBox {
    std::vector<Index> min, max;       // inclusive, over the parameters; one for each variable
    std::vector<Condition> remaining;  // the conjuncts that the box does not imply
};

// Reads the bounds off the comparisons in the domain's conjunction; bounds that mention other reduction variables are
// replaced by those variables' own bounds. nullopt if some variable lacks a bound on either side.
std::optional<ReductionBox> reduction_box(const Reduce& reduce, const std::set<std::string>& parameters);

// The conjuncts of a condition, left to right.
std::vector<Condition> conjuncts(const Condition& condition);

}  // namespace haruspex::sare
