#pragma once

#include "generators/case/case.h"
#include "harness/compiler/fork_server.h"
#include "oracle/pipeline/judged.h"
#include "oracle/validator/validator.h"

// What a refutation by the validator changes in a verdict.
namespace haruspex::pipeline {

// Adds the validator's verdict for the case's sizes to `judged`. If the validator refutes the program and no wrong pass
// is known, also finds that pass (Options::localise).
void add_validation(const cases::Case& c, const validator::Verdict& validated, compiler::ForkServer& server,
                    const Options& options, Judged& judged);

// Judges the lowered program of `elsewhere`, the case at the sizes of a counterexample. Tries the case's own inputs,
// then asks the validator for given sizes. If that proves the program, a run on the counterexample's inputs may
// contradict the proof. If it decides nothing, tries other inputs of the same kind, then the counterexample's.
Judged judge_counterexample(const cases::Case& elsewhere, const validator::Verdict& refuted,
                            compiler::ForkServer& server, const compiler::Identity& identity, const Options& options);

}  // namespace haruspex::pipeline
