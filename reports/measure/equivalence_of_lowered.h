#pragma once

#include "generators/sare/syntax.h"
#include "harness/sched/syntax.h"
#include "oracle/equivalence/equivalence.h"

namespace haruspex::measure {

// The equivalence checker on a lowered program: the best verdict of the ways to bring it over the specification's
// parameters (oracle/conversion), where what the program asserts of them holds. One budget is for all ways. Prophecies
// are ignored.
equivalence::Verdict check_lowered(const sare::Sare& sare, const sched::Program& program,
                                   const equivalence::Options& options);

}  // namespace haruspex::measure
