#pragma once

#include <map>
#include <set>
#include <string>

#include "harness/sched/syntax.h"

namespace haruspex::validator {

// For each write, the names of the arrays on whose contents its equation may depend: the arrays that its value and its
// condition read, directly or in the lets that they name, and its own, to which it may add. Arrays of one name are not
// told apart.
std::map<const sched::Write*, std::set<std::string>> write_dependences(const sched::Program& program);

}  // namespace haruspex::validator
