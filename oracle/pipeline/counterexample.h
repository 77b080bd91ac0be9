#pragma once

#include "generators/case/case.h"
#include "harness/compiler/fork_server.h"
#include "oracle/pipeline/judged.h"
#include "oracle/validator/validator.h"

// The weight of a refutation.
namespace haruspex::pipeline {

// Adds the validator's verdict for the case's sizes to `judged`. If only the validator refutes the program, also finds
// the wrong pass.
void add_validation(const cases::Case& c, const validator::Verdict& validated, compiler::ForkServer& server,
                    const Options& options, Judged& judged);

// Judges the lowered program at the sizes of a counterexample, which are the sizes of `elsewhere`. Tries the case's own
// inputs, then asks the validator for given sizes. If that does not decide, tries other inputs of the same kind, then
// the counterexample's. The counterexample's inputs may contradict a proof for these sizes.
Judged judge_counterexample(const cases::Case& elsewhere, const validator::Verdict& refuted,
                            compiler::ForkServer& server, const compiler::Identity& identity, const Options& options);

}  // namespace haruspex::pipeline
