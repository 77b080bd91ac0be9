#pragma once

#include <set>

#include "harness/sched/syntax.h"

namespace haruspex::validator {

// Returns the writes of a well-typed program whose value may be Undef, whatever they prophesy. Either the value reads an
// array that may hold Undef, or one of its operations may leave its type, for example by overflow, as far as the types
// and ranges of the operands tell. The values of all other writes are defined or Uninit.
std::set<const sched::Write*> writes_that_may_be_undef(const sched::Program& program);

}  // namespace haruspex::validator
