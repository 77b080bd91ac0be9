#pragma once

#include <set>

#include "harness/sched/syntax.h"

namespace haruspex::validator {

// The writes of a well-typed program whose value may be Undef, whatever is prophesied of it: something on the way may
// overflow or otherwise leave its type, by the types and ranges of what it is computed from, or it reads memory that
// may hold Undef. The values of all others are defined, or Uninit.
std::set<const sched::Write*> writes_that_may_be_undef(const sched::Program& program);

}  // namespace haruspex::validator
