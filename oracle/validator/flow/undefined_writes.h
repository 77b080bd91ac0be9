#pragma once

#include <set>

#include "harness/sched/syntax.h"

namespace haruspex::validator {

// Returns the writes of a well-typed program whose value may be Undef, whatever they prophesy: an operation on the way
// may, by the types and ranges of its operands, overflow or otherwise leave its type, or a read may find Undef. The
// values of all other writes are defined or Uninit.
std::set<const sched::Write*> writes_that_may_be_undef(const sched::Program& program);

}  // namespace haruspex::validator
