#pragma once

#include <vector>

#include "generators/base/choice.h"
#include "generators/sare/syntax.h"
#include "harness/sched/syntax.h"
#include "harness/transform/policy.h"
#include "harness/transform/transformation.h"

// Random SCHED programs that are correct for all sizes, to test validation. A small staged SARE is written as loops and
// put through legal transformations.
namespace haruspex::transform {

struct RandomProgram {
    sare::Sare sare;
    // Well-typed. Every write has a prophecy of the value it writes; of a reduction that may be reordered, of the step
    // that it reduces.
    sched::Program program;
    std::vector<Transformation> applied;  // in order
};

// Draws a program from any choice sequence; the same choices give the same program. The program computes the SARE's
// outputs for all parameters that the assumptions allow, in arrays with the names of the tensors (array_name in
// naive.h). If a function has updates, a cell of an output finally holds the value of the last stage that wrote it.
// Arrays may hold more cells than are requested. Cells that are not needed may be computed from cells that were never
// written.
RandomProgram random_program(Choices& choices, const Policy& policy = {});

}  // namespace haruspex::transform
