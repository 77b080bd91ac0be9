#pragma once

#include "harness/sched/syntax.h"

namespace haruspex::conversion {

// Forks without freedom in the order of their effects become sequences:
//
//   semaphore s = 0;  fork { A; release n of s; } and { B; acquire m of s; C; }     →     A; B; C;
//
// where m <= n, nobody else uses s, A has no semaphores, and A and B write nothing that the other touches: then C runs
// when A is done, and it does not matter how A and B interleave. Several semaphores likewise.
// In the program no name hides another; in the result one of B or C may hide one of A.
void join_forks(sched::Program& program);

}  // namespace haruspex::conversion
