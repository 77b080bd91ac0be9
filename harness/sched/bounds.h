#pragma once

#include "harness/sched/syntax.h"

// A loop's bounds: the tree has the extent, the text the index at which the loop ends. The two functions are inverse to
// each other, so that a loop is read back as it was.
namespace haruspex::sched {

// Returns min + extent, simplified as people would write it.
Expr upper_bound(const Expr& min, const Expr& extent);
Expr extent_between(const Expr& min, Expr upper);

}  // namespace haruspex::sched
