#pragma once

#include "harness/sched/syntax.h"

// The end of a loop in the syntax tree and in the text: the tree has the loop's extent, the text has the index `upper`
// at which the loop ends. extent_between(min, upper_bound(min, extent)) is `extent`, so that printed loops read back
// the same.
namespace haruspex::sched {

// Returns the index min + extent, simplified as people would write it.
Expr upper_bound(const Expr& min, const Expr& extent);
Expr extent_between(const Expr& min, Expr upper);

}  // namespace haruspex::sched
