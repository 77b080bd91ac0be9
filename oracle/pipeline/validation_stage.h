#pragma once

#include "generators/case/case.h"
#include "harness/compiler/fork_server.h"
#include "oracle/pipeline/judge_runs.h"

// The validator's part in a verdict.
namespace haruspex::pipeline {

// Puts the lowered program to the validator at the case's own sizes and, unless it is refuted there, for all; what is
// proved for all is run at others (Options::other_sizes). `columns` are what runs showed, as far as `judged` holds it.
void judge_with_validator(const cases::Case& c, const Columns& columns, compiler::ForkServer& server,
                          const compiler::Identity& identity, const Options& options, Judged& judged);

}  // namespace haruspex::pipeline
