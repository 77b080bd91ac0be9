#pragma once

#include <optional>
#include <string>
#include <vector>

#include "generators/case/case.h"
#include "oracle/interp/sare_interpreter.h"
#include "oracle/interp/sched_interpreter.h"
#include "oracle/verdict/verdict.h"

// Compares what the interpreted lowered program did with the SARE, and combines the outcome with the native verdict
// (judge.h). Each row of the table is an outcome of the lowered program, each column a verdict on the native run:
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
// What counts is the first trouble of the run that is not harmless (verdict/trouble.h). "Refuses to run": it is a
// failed assertion. "Troubled": it is any other trouble, or there is none but an output depends on unwritten memory;
// other values of the outputs then do not matter. "Overflows": an output is Undef where the specification is defined,
// and nothing else is wrong. "Malformed": our translation did not produce a SCHED program.
//
// A native verdict of any other class stays as it is; the lowered outcome is only recorded in it. Exception: the
// compiler is not blamed if the compiler or its code reached a limit of time or memory, and the lowered program is too
// large: it has too long a text, too many steps or too large arrays to be examined, or takes too long to compile. The
// verdict is then too_large. (A deadlock does not count as reaching a limit.) In all other cases a program that is too
// large counts as unknown.
//
// Without a native run the last column applies, and each of its verdicts says so in its message. It covers the lowered
// program only: `agrees` says nothing about code generation. A finding is unconfirmed: what looks like the compiler's
// fault may be that of our translation or interpreter, which only an agreeing native run could reveal. A program that
// refuses to run is outside_context if there is a documented reason for it (an excuse, judge.h), otherwise
// over_rejection. If the results of the case are not to be compared, the column "native not compared" applies instead,
// except to refusals.
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

// Combines the native verdict (judge.h) with the lowered outcome.
verdict::Verdict combine(verdict::Verdict native, const LoweredOutcome& lowered);

// The verdict if no native code was run. `excuses` as for judge(); they count only if the program refuses to run.
verdict::Verdict without_native(const cases::Case& c, const LoweredOutcome& lowered,
                                const std::vector<std::string>& excuses);

}  // namespace haruspex::judge
