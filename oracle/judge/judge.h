#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/compiler/compiler.h"
#include "oracle/interp/sare_interpreter.h"
#include "oracle/verdict/verdict.h"

// The native column: what plain compiled code did, against the SARE. The other column, and both together:
// lowered.h.
//
// The first line that applies decides:
//
//    1  our machinery failed, or the observation contradicts itself or the case: harness_failure
//    2  the compiler died, hung, ran out of memory or reported a bug of its own: compiler_*, whatever the case is worth
//    3  the compiler refused the case: rejected, or compiler_internal_error if it had lowered it and line 4 does not
//       apply
//    4  the reference failed, or a requested cell is Undef, so that the program may do anything: bad_case
//    5  the compiled code asks for larger inputs than the harness fills, or for larger buffers than Halide documents
//       for the target: too_large
//    6  an assertion of the compiled code failed: over_rejection, or outside_context when a size rule is broken
//    7  the compiled code died, hung or ran out of memory: program_*
//    8  the compiled code wrote where no cell is: stray_write
//    9  the two runs differ: nondeterminism, even if one of them is right. Signs of zero count under strict_float only
//   10  the result cannot be exact: not_compared
//   11  a cell differs from the reference: wrong_result
//   12  otherwise: agrees
//
// Line 9 does not accuse atomic updates of a case that is not compared: the order in which they round is free.
// From line 5 on, what breaks a rule excuses a run-time error only: Halide checks its rules when the program runs, so
// whatever passes the check has to be right. A schedule that breaks a rule that nobody checks excuses everything
// (outside_context below).
namespace haruspex::judge {

// `reference` may be an Error (the SARE is undefined or too expensive: bad_case). `excuses` say why the
// compiled code may refuse the case, as the compiler documents it: size rules that the case's sizes do not meet, rules
// that its schedule breaks and that are checked at run time, and what else there is; empty inside the context. Messages
// are one line, the same on every machine.
verdict::Verdict judge(const cases::Case& c, const Result<std::vector<interp::OutputValues>>& reference,
                       const compiler::Observation& observation, const std::vector<std::string>& excuses);

// The verdict on a case whose schedule breaks a rule that nobody checks (schedule/halide/rules.h), which asks `asks`:
// its program may do something else than the case says. What would be a finding is outside the context, and so is what
// would be our own fault since the validator, the interpreter and the compiled code disagree.
verdict::Verdict outside_context(verdict::Verdict verdict, const std::string& asks);

// Lines 1 to 4, which need no run; nothing when none of them applies.
std::optional<verdict::Verdict> judge_compilation(const cases::Case& c,
                                                  const Result<std::vector<interp::OutputValues>>& reference,
                                                  const compiler::Observation& observation);

}  // namespace haruspex::judge
