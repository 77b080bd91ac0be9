#pragma once

#include <vector>

#include "generators/case/case.h"
#include "harness/compiler/fork_server.h"
#include "oracle/pipeline/passes.h"
#include "oracle/validator/counterexamples/replay.h"

namespace haruspex::pipeline {

// Localises an error that only the validator finds. Returns the observable passes, in order, from the last one whose
// program is validated at the case's sizes to the final program; all of them if none is validated. A program is wrong
// if it is wrong on the counterexample's inputs or refuted on others; if it is neither validated nor refuted, it is
// unknown.
std::vector<PassResult> trace_refuted_passes(const cases::Case& c, const validator::Inputs& counterexample,
                                             compiler::ForkServer& server);

}  // namespace haruspex::pipeline
