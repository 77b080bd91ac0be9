#pragma once

#include <set>

#include "harness/sched/syntax.h"

namespace haruspex::validator {

// The writes of a well-typed program whose value may be Undef, whatever they prophesy: by the types and ranges of its
// operands, an operation on the way may overflow or otherwise leave its type, or the value reads memory that may hold
// Undef. The values of all other writes are defined, or Uninit.
std::set<const sched::Write*> writes_that_may_be_undef(const sched::Program& program);

}  // namespace haruspex::validator
