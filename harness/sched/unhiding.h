#pragma once

#include "harness/sched/syntax.h"

namespace haruspex::sched {

// The same program in which no name is bound where it means something already: what hid a name has another one, so that
// an expression means the same wherever its names are in scope.
Program without_hiding(Program program);

}  // namespace haruspex::sched
