#pragma once

#include <optional>
#include <string>
#include <vector>

#include "generators/case/case.h"
#include "oracle/interp/sare_interpreter.h"
#include "oracle/interp/sched_interpreter.h"
#include "oracle/verdict/verdict.h"

// The column of the lowered program: what it did when it was interpreted, against the SARE, and what this and the
// native column (judge.h) together mean:
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
// "Troubled": a race, an access out of bounds, to freed memory or to the wrong side, lanes in conflict, a deadlock of
// branches or a dependence on their order, or one on memory that was not written; then its values mean nothing.
// "Overflows": an output is Undef where the specification is defined, and nothing else is wrong. "Malformed": what the
// translation wrote is no program of SCHED. A verdict of another class keeps it, and what was seen beside it; but that
// code came to a limit of time or memory, or its compiler did, is no fault of the compiler when the lowered program is
// larger than we look at (its text, its steps or its arrays), or than is compiled in seconds: it is too_large, unless
// the code deadlocks. Otherwise what is too large is unknown.
//
// Without a native run the last column stands alone, and each of its verdicts says so in its message. It speaks of the
// lowered program only: `agrees` knows nothing of code generation; a finding is not confirmed, and what looks like the
// compiler's fault may be that of our translation or interpreter, which only a native run that agrees would tell. A
// program that refuses to run does so outside the context when a size rule is broken. A case that is not compared is
// treated as one that ran, but for refusals.
namespace haruspex::judge {

using verdict::LoweredOutcome;
using verdict::LoweredState;

// One that was not run, and why.
LoweredOutcome unknown_lowered(verdict::NotRun reason, std::string detail);
LoweredOutcome too_large_lowered(verdict::NotRun reason, std::string detail);

// Where the reference is Undef nothing is claimed.
LoweredOutcome judge_lowered(const cases::Case& c, const std::vector<interp::OutputValues>& reference,
                             const interp::Execution& execution);

// The verdict of the native column, with this beside it.
verdict::Verdict combine(verdict::Verdict native, const LoweredOutcome& lowered);

// The verdict when no native code was run. `excuses` as for judge(); they count only when the program refuses.
verdict::Verdict without_native(const cases::Case& c, const LoweredOutcome& lowered,
                                const std::vector<std::string>& excuses);

}  // namespace haruspex::judge
