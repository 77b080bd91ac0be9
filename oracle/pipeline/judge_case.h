#pragma once

#include "generators/case/case.h"
#include "harness/compiler/fork_server.h"
#include "oracle/pipeline/judged.h"

// One case, from generation to judgement.
namespace haruspex::pipeline {

// Compiles and runs the case in a forked child, evaluates the reference, interprets the lowered program, judges, and
// finds the wrong pass. Then runs the validator if requested. At least one of the native and lowered columns must be requested (ENSURE). The
// compiler decides which schedules it accepts: broken rules become warnings of the verdict. Only a broken rule that
// nothing checks suppresses findings (judge::outside_context).
Judged judge_case(const cases::Case& c, compiler::ForkServer& server, const compiler::Identity& identity,
                  const Options& options = {});

}  // namespace haruspex::pipeline
