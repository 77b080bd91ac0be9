#pragma once

#include "generators/case/case.h"
#include "harness/compiler/fork_server.h"
#include "oracle/pipeline/judged.h"

// One case, from the generator's hand to its judgement.
namespace haruspex::pipeline {

// Evaluates the reference, compiles and runs the case in a forked child, interprets what was lowered, and judges; then
// the validator's part, if it is asked for. One of the two columns has to be asked for (ENSURE). The compiler judges
// what it accepts: the rules that the schedule breaks are the verdict's warnings, and only where nobody checks one of
// them is nothing found (judge::outside_context).
Judged judge_case(const cases::Case& c, compiler::ForkServer& server, const compiler::Identity& identity,
                  const Options& options = {});

}  // namespace haruspex::pipeline
