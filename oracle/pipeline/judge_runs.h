#pragma once

#include <optional>

#include "generators/case/case.h"
#include "harness/compiler/fork_server.h"
#include "oracle/pipeline/judged.h"
#include "oracle/pipeline/reference.h"

// Verdicts from runs alone: the reference, the compiled code and the interpreted program, without the validator,
// whatever rules the documentation states for the schedule.
namespace haruspex::pipeline {

compiler::Request request_of(const Options& options);

// The columns that the judge combines.
struct Columns {
    compiler::Observation observation;
    Reference reference;
    std::optional<verdict::LoweredOutcome> lowered;  // none without a lowered program, or without a reference
};

// Evaluates the reference, interprets the lowered program, and judges.
Columns judge_observation(const cases::Case& c, compiler::Observation observation, const compiler::Identity& identity,
                          const Options& options, Judged& judged);

// Observes and judges the case, then finds the pass that is wrong or in which the compiler fails.
Columns judge_runs(const cases::Case& c, compiler::ForkServer& server, const compiler::Identity& identity,
                   const Options& options, Judged& judged);

}  // namespace haruspex::pipeline
