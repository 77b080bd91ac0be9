#pragma once

#include "generators/case/case.h"
#include "harness/compiler/fork_server.h"
#include "oracle/pipeline/judged.h"

// Takes one case from the generator to its verdict.
namespace haruspex::pipeline {

// Compiles and runs the case in a forked child, evaluates the reference, interprets the lowered program, judges, and
// finds the wrong pass. Then runs the validator if requested. At least one of Options::native and Options::lowered must
// be set (ENSURE). A broken rule becomes a warning of the verdict, since the compiler decides which schedules it
// accepts. Only a broken rule that neither the compiler nor the program checks suppresses findings
// (judge::outside_context).
Judged judge_case(const cases::Case& c, compiler::ForkServer& server, const compiler::Identity& identity,
                  const Options& options = {});

}  // namespace haruspex::pipeline
