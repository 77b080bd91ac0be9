#pragma once

#include "generators/base/choice.h"
#include "harness/sched/syntax.h"

namespace haruspex::measure {

// Reorders operands of the program's values at random: a + b as b + a, (a + b) + c as a + (b + c), and so on. Does this
// only for operators and types for which the value stays the same, whatever the operands are. May change nothing.
sched::Program reassociate(sched::Program program, Choices& choices);

}  // namespace haruspex::measure
