#pragma once

#include <set>

#include "generators/sare/floats.h"
#include "harness/sched/syntax.h"

namespace haruspex::validator {

// Whether a program computes these components of its outputs apart from floats: nothing that flows into what they hold
// is a float or computed from one, and no loop, branch, index or other thing that decides what the program does is.
// What floats are, exact real numbers or IEEE's, makes no difference to them then. Over-approximated: arrays and
// value-lets of one name count as one, and so do all cells of an array. A program of which nothing is asked is apart.
bool are_apart_from_floats(const sched::Program& program, const std::set<sare::Component>& components);

}  // namespace haruspex::validator
