#pragma once

#include "harness/sched/syntax.h"

namespace haruspex::sched {

// Returns the same program, in which every declaration that hides another name is renamed. So an expression means the
// same wherever its names are in scope.
Program without_hiding(Program program);

}  // namespace haruspex::sched
