#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "generators/sare/syntax.h"

// The rectangular hull of a reduction's domain: an RDom is a box whose sides depend on parameters only. Public, so that
// programs in C++ source get the same RDom as those that are built in memory; free of Halide.h.
namespace haruspex::halide {

struct ReductionBox {
    std::vector<sare::Index> min, max;       // inclusive, over the parameters; one for each variable
    std::vector<sare::Condition> remaining;  // the conjuncts that the box does not imply
};

// Reads the bounds off the comparisons of the domain's conjunction; bounds on other reduction variables are replaced by
// those variables' own bounds. Nothing when some variable has no such bound on either side.
std::optional<ReductionBox> reduction_box(const sare::Reduce& reduce, const std::set<std::string>& parameters);

// The conjuncts of a condition, left to right.
std::vector<sare::Condition> conjuncts(const sare::Condition& condition);

}  // namespace haruspex::halide
