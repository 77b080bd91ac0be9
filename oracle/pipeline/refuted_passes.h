#pragma once

#include <vector>

#include "generators/case/case.h"
#include "harness/compiler/fork_server.h"
#include "oracle/pipeline/passes.h"
#include "oracle/validator/replay.h"

namespace haruspex::pipeline {

// Where what the validator alone refutes goes wrong: the passes that can be observed, in order, from the last one whose
// program is validated at the case's sizes to the final program. A program is wrong that is wrong on the inputs of the
// counterexample, or refuted on others; of one that is neither validated nor refuted nothing is known.
std::vector<PassResult> trace_refuted_passes(const cases::Case& c, const validator::Inputs& counterexample,
                                             compiler::ForkServer& server);

}  // namespace haruspex::pipeline
