#pragma once

#include "generators/base/choice.h"
#include "harness/sched/syntax.h"

namespace haruspex::measure {

// The program with operands of its values in other places: a + b as b + a, (a + b) + c as a + (b + c), and so on, at
// the operators and types at which that gives the same value for every operand. It may stay as it is.
sched::Program reassociate(sched::Program program, Choices& choices);

}  // namespace haruspex::measure
