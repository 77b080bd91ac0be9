#pragma once

#include <map>
#include <set>
#include <string>

#include "harness/sched/syntax.h"

namespace haruspex::validator {

// Returns, for each write, the names of the arrays on whose contents its equation may depend: the arrays that its value
// and its condition read, directly or through lets, and the array that it writes, to which it may add. Arrays of one
// name are not distinguished.
std::map<const sched::Write*, std::set<std::string>> write_dependences(const sched::Program& program);

}  // namespace haruspex::validator
