#pragma once

#include "generators/base/result.h"
#include "generators/base/sizes.h"
#include "harness/sched/syntax.h"
#include "oracle/interp/sched_execution.h"

// The concrete interpreter of SCHED: the update semantics of thesis Fig. 4.3–4.5 (differential memories and
// accumulations as in 7.3.6), with what lowered code adds (syntax.h). It shares no evaluation code with the SARE
// interpreter beyond generators/value.
namespace haruspex::interp {

// Runs the program, which is well-typed (typing.h, extended rules), with a value for each of its parameters (ENSURE).
// Errors are noted, and the run continues where it can: a bad read gives Uninit, a bad write is dropped, a conflicting
// one is done, an array with impossible bounds has no cells. A branch, an assignment's condition, or a bound of a loop
// or an allocation that depends on Undef ends the run, and so does an assertion that fails.
//
// Control that depends on Uninit may go either way. Both sides of a branch are run, and all possible iterations of a
// loop (up to 2^16). Their writes to outer arrays leave Uninit (an Undef stays Undef): harmless while the result does
// not depend on it. The run ends at an allocation's bound that depends on Uninit, at a loop without such a limit, and
// where branches of a fork wait inside.
//
// The run is cut short if the limit of steps is reached, if the arrays have more than 2^26 cells, or if lanes of
// value-lets need more than 2^26 values. Cells include gaps of strided arrays and padding, and arrays whose block has
// ended until they are allocated anew. An Error if there was no trouble before, negative extents aside: earlier errors
// remain errors, but nothing is known to be right.
//
// Indices are mathematical integers. An index that leaves 64 bits, or depends on Uninit or Undef, is not trouble by
// itself (lowered code computes unused lets): the access, bound, branch or assertion that depends on it is.
//
// An input's cell is requested when it is first read, so that unread cells cost nothing. If strides may let coordinates
// share a cell, all of them are requested before the run, and the last in order (dimension 0 fastest) decides.
//
// Accesses of a par loop's iterations to one cell conflict as in U-PARLOOP: a read and a write always; two writes if
// the iterations leave different values there; accumulations, which both read and write (RED-U-OPASSIGN), always.
// Iterations that update a cell in atomic blocks of the loop's body, and do not access it elsewhere, do not conflict
// with each other. Local arrays allocated within the iteration do not count.
//
// Branches of forks take turns where one waits for units, releases some, begins or ends. The code between these points
// is not interleaved: races are found by the happens-before order (syntax.h), whichever branch ran first. The execution
// is that of the first interleaving, or of the first one that has more trouble.
//
// Two lanes of an assignment must not leave different values in one cell, and must not accumulate in one cell at all.
//
// An Uninit cell of an output is not trouble here: the judge knows whether it was requested.
[[nodiscard]] Result<Execution> run(const sched::Program& program, const Sizes& parameters, const TensorValues& inputs,
                                    const Options& options = {});

}  // namespace haruspex::interp
