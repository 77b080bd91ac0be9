#pragma once

#include "generators/case/case.h"
#include "harness/compiler/fork_server.h"
#include "oracle/pipeline/judged.h"
#include "oracle/validator/validator.h"

// What a refutation is worth.
namespace haruspex::pipeline {

// The verdict beside what the validator says of the case's sizes; where that alone refutes the program, with the passes
// by which it goes wrong.
void add_validation(const cases::Case& c, const validator::Verdict& validated, compiler::ForkServer& server,
                    const Options& options, Judged& judged);

// What is seen of the lowered program at the sizes of a counterexample, which are those of `elsewhere`: on the case's
// own inputs or, says the validator of given sizes, on others; where it does not say, on some others of their kind, and
// then on the counterexample's. These may contradict what that validator says.
Judged judge_counterexample(const cases::Case& elsewhere, const validator::Verdict& refuted,
                            compiler::ForkServer& server, const compiler::Identity& identity, const Options& options);

}  // namespace haruspex::pipeline
