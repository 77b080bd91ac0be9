#pragma once

#include <set>

#include "generators/sare/floats.h"
#include "harness/sched/syntax.h"

namespace haruspex::validator {

// Whether a program computes these components of its outputs apart from floats: nothing that flows into what they hold
// is a float or computed from one, and no loop, branch, index or other thing that decides what the program does is.
// What floats are, exact real numbers or IEEE's, makes no difference to them then. Over-approximated: arrays and
// value-lets of one name count as one, and so do all cells of an array. A program of which nothing is asked is apart
// unless floats decide what it does.
bool are_apart_from_floats(const sched::Program& program, const std::set<sare::Component>& components);

// Whether prophecies and what is computed are of floats together: a write that is prophesied without floats computes
// its value without any, and one that is prophesied with floats is to an array that floats flow into. Otherwise a proof
// in real numbers and one of integers could be joined by a cell that holds this to the one and that to the other.
// `of_floats`: the components that sare::components_of_floats names.
bool are_foretold_alike(const sched::Program& program, const std::set<sare::Component>& of_floats);

}  // namespace haruspex::validator
