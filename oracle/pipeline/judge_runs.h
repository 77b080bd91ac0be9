#pragma once

#include <optional>

#include "generators/case/case.h"
#include "harness/compiler/fork_server.h"
#include "oracle/pipeline/judged.h"
#include "oracle/pipeline/reference.h"

// Verdicts from runs alone: of the reference, the compiled code and the interpreted lowered program. The validator has
// no part in them, and documented rules only excuse a refusal at run time.
namespace haruspex::pipeline {

compiler::Request request_of(const Options& options);

// What was observed and computed for one case, side by side; the judge combines it.
struct Columns {
    compiler::Observation observation;
    Reference reference;
    std::optional<verdict::LoweredOutcome> lowered;  // nullopt without a lowered program or a defined reference
};

// Judges an observation: evaluates the reference, interprets the lowered program, and combines the results.
Columns judge_observation(const cases::Case& c, compiler::Observation observation, const compiler::Identity& identity,
                          const Options& options, Judged& judged);

// Observes and judges the case, then finds the pass that is wrong or in which the compiler fails.
Columns judge_runs(const cases::Case& c, compiler::ForkServer& server, const compiler::Identity& identity,
                   const Options& options, Judged& judged);

}  // namespace haruspex::pipeline
