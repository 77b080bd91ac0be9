#pragma once

#include <isl/cpp.h>

#include <map>

#include "harness/sched/syntax.h"

// Garbage writes (thesis 9.9): writes of values that depend on memory that was not written. Such a write leaves Uninit:
// arbitrary bits. If its value may also be Undef, for example by overflow, it leaves Unknown, like a write without a
// prophecy. Uninit would be too weak there: in the arm of a select that is not chosen, Uninit does no harm, but Undef
// makes the whole select Undef.
namespace haruspex::validator {

// The environments in which a write is garbage, over the parameters in scope there.
struct GarbageWrite {
    isl::set environments;
    bool may_be_undef = false;
};
using Garbage = std::map<const sched::Write*, GarbageWrite>;

}  // namespace haruspex::validator
