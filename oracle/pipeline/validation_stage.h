#pragma once

#include "generators/case/case.h"
#include "harness/compiler/fork_server.h"
#include "oracle/pipeline/judge_runs.h"

// The validator's part in a verdict.
namespace haruspex::pipeline {

// Runs the validator on the lowered program at the case's own sizes and, unless it is refuted there, for all sizes.
// A program that is proved for all sizes also runs at other sizes (Options::other_sizes). `columns` holds the results
// of the runs that `judged` summarises.
void judge_with_validator(const cases::Case& c, const Columns& columns, compiler::ForkServer& server,
                          const compiler::Identity& identity, const Options& options, Judged& judged);

}  // namespace haruspex::pipeline
