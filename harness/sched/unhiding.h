#pragma once

#include "harness/sched/syntax.h"

namespace haruspex::sched {

// Returns the same program with every name that hides another one renamed, so that an expression means the same
// wherever its names are in scope.
Program without_hiding(Program program);

}  // namespace haruspex::sched
