#pragma once

#include "harness/sched/syntax.h"

// A loop's bounds: the tree has its extent, the text the index at which it ends. The two functions are inverse to each
// other, so that a loop is read back as it was.
namespace haruspex::sched {

// min + extent, written as people would.
Expr upper_bound(const Expr& min, const Expr& extent);
Expr extent_between(const Expr& min, Expr upper);

}  // namespace haruspex::sched
