#pragma once

#include <optional>
#include <string>
#include <vector>

#include "generators/case/case.h"
#include "oracle/interp/sare_interpreter.h"
#include "oracle/interp/sched_interpreter.h"
#include "oracle/verdict/verdict.h"

// The lowered column: compares what the interpreted lowered program did with the SARE. Together with the native column
// (judge.h):
//
//   lowered           native agrees        native differs        native not compared  native not run
//   unknown           agrees               wrong_result          not_compared         not_compared
//   equal             agrees               wrong_code            not_compared         agrees
//   differs           translation_fault    wrong_lowering        not_compared         wrong_lowering
//   troubled          latent_bug           wrong_lowering        latent_bug           latent_bug
//   overflows         introduced_overflow  introduced_overflow   not_compared         introduced_overflow
//   refuses to run    translation_fault    translation_fault     translation_fault    over_rejection, outside_context
//   malformed         translation_fault    translation_fault     translation_fault    translation_fault
//
// "Troubled": the first trouble that is not harmless (verdict/trouble.h) is not a failed assertion, or an output depends on
// unwritten memory; the values then mean nothing. "Refuses to run": that trouble is a failed assertion.
// "Overflows": an output is Undef where the specification is defined, and nothing else is wrong. "Malformed": our
// translation did not produce a SCHED program.
//
// A native verdict of any other class stays as it is, and gets the lowered outcome besides. Exception: if the code or
// its compiler reached a limit of time or memory, and the lowered program is larger than we examine (its text, its
// steps or its arrays) or than can be compiled in seconds, the compiler is not blamed. The verdict is then too_large,
// unless it is a deadlock. In all other cases a program that is too large counts as unknown.
//
// Without a native run the last column applies, and each of its verdicts says so in its message. It covers the lowered
// program only: `agrees` says nothing about code generation. A finding is unconfirmed: what looks like the compiler's
// fault may be that of our translation or interpreter, which only an agreeing native run could reveal. A program that
// refuses to run is outside_context if there is an excuse. A case that is not compared is judged by the column before
// it, except for refusals.
namespace haruspex::judge {

using verdict::LoweredOutcome;
using verdict::LoweredState;

// The outcome of a program that was not run, with the reason.
LoweredOutcome unknown_lowered(verdict::NotRun reason, std::string detail);
LoweredOutcome too_large_lowered(verdict::NotRun reason, std::string detail);

// Compares an execution of the lowered program with the reference. Where that is Undef, any value that is written is
// right.
LoweredOutcome judge_lowered(const cases::Case& c, const std::vector<interp::OutputValues>& reference,
                             const interp::Execution& execution);

// Combines the verdict of the native column with the lowered outcome.
verdict::Verdict combine(verdict::Verdict native, const LoweredOutcome& lowered);

// The verdict if no native code was run. `excuses` as for judge(); they count only if the program refuses to run.
verdict::Verdict without_native(const cases::Case& c, const LoweredOutcome& lowered,
                                const std::vector<std::string>& excuses);

}  // namespace haruspex::judge
