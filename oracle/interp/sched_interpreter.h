#pragma once

#include "generators/base/result.h"
#include "generators/base/sizes.h"
#include "harness/sched/syntax.h"
#include "oracle/interp/sched_execution.h"

// The concrete interpreter of SCHED: the update semantics of thesis Fig. 4.3–4.5 (differential memories and
// accumulations as in 7.3.6), with the additions for lowered code (sched/syntax.h). It shares no evaluation code with
// the SARE interpreter except generators/value.
namespace haruspex::interp {

// Runs the program, which is well-typed (sched/typing.h, extended rules), with a value for each of its parameters
// (ENSURE). Trouble is noted, and the run continues where it can: a bad read gives Uninit, a bad write is dropped, a
// conflicting write is done, an array with impossible bounds has no cells. The run ends if a branch, an assignment's
// condition, an assertion, or a bound of a loop or an allocation depends on Undef, if an assertion fails, in a
// deadlock, and if a semaphore's number of units is invalid.
//
// Control that depends on Uninit may go either way. Both sides of a branch are run, and all possible iterations of a
// loop. Their writes to outer arrays leave Uninit (an Undef stays Undef), which is harmless while the result does not
// depend on it. But the run ends if the possible iterations are unknown or more than 2^16, or if the branch or loop
// contains a fork, an acquire or a release. It also ends if an assertion or an allocation depends on Uninit.
//
// The run is cut short if the limit on steps is reached, or if the arrays have more than 2^26 cells, including padding,
// gaps of strided arrays, and arrays whose block has ended but that are not allocated anew. The troubles noted so far
// are then returned without outputs (Execution::cut_short). If there are none but negative extents, the result is an
// Error instead. Also an Error if lanes of value-lets need more than 2^26 values.
//
// Indices are mathematical integers. An index that leaves 64 bits, or depends on Uninit or Undef, is not trouble by
// itself (lowered code computes unused lets); an access, bound, branch or assertion that depends on it is.
//
// An input's cell is requested when it is first read, so that unread cells cost nothing. If the strides may let several
// coordinates share a cell, the values at all coordinates are requested before the run, with dimension 0 fastest; a
// shared cell keeps the last value.
//
// Accesses of a par loop's iterations to one cell conflict as in U-PARLOOP: a read and a write always; two writes if
// the iterations leave different values there; accumulations, which both read and write (RED-U-OPASSIGN), always.
// Iterations that update a cell in atomic blocks of the loop's body, and do not access it elsewhere, do not conflict
// with each other. Local arrays allocated within the iteration do not count.
//
// Branches of forks take turns at points where one waits for units, releases some, begins or ends. The code between
// these points is not interleaved: races are found by the happens-before order (sched/syntax.h), whichever branch ran
// first. Returns the execution of the first interleaving, unless a later one has more troubles; then that of the
// earliest such interleaving.
//
// Two lanes of an assignment must not leave different values in one cell, and must not accumulate in one cell at all.
//
// An Uninit cell of an output is not trouble here: the judge knows whether it was requested.
[[nodiscard]] Result<Execution> run(const sched::Program& program, const Sizes& parameters, const TensorValues& inputs,
                                    const Options& options = {});

}  // namespace haruspex::interp
