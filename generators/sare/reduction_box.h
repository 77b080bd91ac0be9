#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "generators/sare/syntax.h"

// Encloses a reduction's domain in a box whose sides depend on parameters only.
namespace haruspex::sare {

struct ReductionBox {
    std::vector<Index> min, max;       // inclusive, over the parameters; one for each variable of the reduction
    std::vector<Condition> remaining;  // the conjuncts that the box does not imply
};

// Reads the bounds off the comparisons in the domain's conjunction. If a bound mentions another variable of the
// reduction, that variable's own bounds are put in its place. nullopt if a variable lacks a lower or an upper bound.
std::optional<ReductionBox> reduction_box(const Reduce& reduce, const std::set<std::string>& parameters);

// Returns the conjuncts of a condition, left to right.
std::vector<Condition> conjuncts(const Condition& condition);

}  // namespace haruspex::sare
