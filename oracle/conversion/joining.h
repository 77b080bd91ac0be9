#pragma once

#include "harness/sched/syntax.h"

namespace haruspex::conversion {

// Turns forks whose effects have only one order into sequences:
//
//   semaphore s = 0;  fork { A; release n of s; } and { B; acquire m of s; C; }     →     A; B; C;
//
// if m <= n, no other code uses s, A and B use no semaphores, and neither A nor B writes an array that the other
// touches: then C runs after A, and the interleaving of A and B does not matter. Several semaphores are treated alike.
// No name in the program hides another; in the result a name of B or C may hide one of A.
void join_forks(sched::Program& program);

}  // namespace haruspex::conversion
