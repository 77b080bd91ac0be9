#pragma once

#include <vector>

#include "generators/base/choice.h"
#include "generators/sare/syntax.h"
#include "harness/sched/syntax.h"
#include "harness/transform/policy.h"
#include "harness/transform/transformation.h"

// Random correct SCHED programs for all sizes, to test what validates programs: a small staged SARE, written as loops
// and put through legal transformations.
namespace haruspex::transform {

struct RandomProgram {
    sare::Sare sare;
    sched::Program program;               // well-typed; every write has the prophecy of what it writes
    std::vector<Transformation> applied;  // in this order
};

// Total, and the same for the same choices. The program computes the SARE's outputs for all parameters that the
// assumptions allow, in arrays of the tensors' names; of a function with updates, a cell of an output holds at last
// what its last stage wrote, or an earlier stage where that wrote nothing. Arrays may hold more cells than are
// requested. Cells beyond what is needed may be computed from cells that were never written.
RandomProgram random_program(Choices& choices, const Policy& policy = {});

}  // namespace haruspex::transform
