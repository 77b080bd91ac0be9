#pragma once

#include "generators/sare/syntax.h"
#include "harness/sched/syntax.h"
#include "oracle/equivalence/equivalence.h"

namespace haruspex::measure {

// Runs the equivalence checker on a lowered program, and returns the best verdict over the ways to convert the program
// (oracle/conversion), each under its premises. One budget covers all ways. Prophecies are ignored.
equivalence::Verdict check_lowered(const sare::Sare& sare, const sched::Program& program,
                                   const equivalence::Options& options);

}  // namespace haruspex::measure
