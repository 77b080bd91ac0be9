#pragma once

#include <isl/cpp.h>

#include <map>

#include "harness/sched/syntax.h"

// Garbage writes (thesis 9.9): writes of values that depend on memory that was not written. Such a write leaves Uninit:
// arbitrary bits. If its value may also be Undef, for example by overflow, it leaves Unknown, like a write without a
// prophecy. Uninit would be too weak there: an arm of a select that is not chosen does no harm if it is Uninit, but
// makes the select Undef if it is Undef.
namespace haruspex::validator {

// The environments in which a write is garbage, over the parameters in scope there.
struct GarbageWrite {
    isl::set environments;
    bool may_be_undef = false;
};
using Garbage = std::map<const sched::Write*, GarbageWrite>;

}  // namespace haruspex::validator
