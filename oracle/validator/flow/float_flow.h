#pragma once

#include <set>

#include "generators/sare/floats.h"
#include "harness/sched/syntax.h"

namespace haruspex::validator {

// Whether a program computes these components of its outputs apart from floats: no float, and nothing computed from
// one, flows into their values, nor into a loop, branch, index or anything else that controls execution. Their values
// then do not depend on whether floats are exact real numbers or IEEE's. The flow of floats is over-approximated:
// arrays and value-lets of one name count as one, and so do all cells of an array. If no component is given, only
// floats that control execution make the result false.
bool are_independent_of_floats(const sched::Program& program, const std::set<sare::Component>& components);

// Whether prophecies and computations use floats alike: a write that is prophesied without floats computes its value
// without any, and a write that is prophesied with floats is to an array that floats flow into. Otherwise a cell could
// connect a proof about real numbers with one about integers, and have different values in the two. `of_floats`: the
// components that sare::components_of_floats returns.
bool use_floats_as_prophesied(const sched::Program& program, const std::set<sare::Component>& of_floats);

}  // namespace haruspex::validator
