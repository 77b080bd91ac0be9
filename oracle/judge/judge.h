#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/compiler/compiler.h"
#include "oracle/interp/sare_interpreter.h"
#include "oracle/verdict/verdict.h"

// Gives the native verdict: compares the results of the compiled code with those of the SARE. lowered.h does the same
// for the interpreted lowered program, and combines the two.
//
// The first line that applies decides:
//
//    1  our machinery failed, or the observation contradicts itself or the case: harness_failure
//    2  the compiler died, hung, ran out of memory or reported a bug of its own: compiler_*, even if the case is bad
//    3  the compiler refused the case: rejected. If it refused only to generate code, after lowering the case, and
//       line 4 does not apply: compiler_internal_error
//    4  the reference failed, or a requested cell is Undef, so that any program is right: bad_case
//    5  the compiled code asks for larger inputs than the harness fills, or for larger buffers than is documented
//       for the target: too_large
//    6  an assertion of the compiled code failed: over_rejection, or outside_context if there is an excuse
//    7  the compiled code died, hung or ran out of memory: program_*
//    8  the compiled code wrote where there is no cell: stray_write
//    9  the two runs differ: nondeterminism, even if one of them is right. Signs of zero count under strict_float only
//   10  the result cannot be exact: not_compared
//   11  a cell differs from the reference: wrong_result
//   12  otherwise: agrees
//
// Line 9 is skipped for a case to which line 10 applies, if its schedule leaves the order of an update free
// (schedule/language.h): the two runs may then round differently. A broken rule excuses only a run-time error (line 6):
// the rule is checked when the program runs, so a program that passes the check has to be right. A rule that nothing
// checks excuses everything (outside_context, below).
namespace haruspex::judge {

// Returns the native verdict. `reference` may be an Error (the SARE is undefined or too expensive: bad_case). `excuses`
// are documented reasons for the compiled code to refuse the case: size rules that the case's sizes do not meet, broken
// rules of its schedule that are checked at run time, and others (pipeline/documented_rules.h). It is empty if the
// documentation says that the case works. A message is one line, the same on every machine.
verdict::Verdict judge(const cases::Case& c, const Result<std::vector<interp::OutputValues>>& reference,
                       const compiler::Observation& observation, const std::vector<std::string>& excuses);

// Returns the verdict on a case whose schedule breaks a rule that nothing checks; `asks` is the rule's demand
// (schedule/rules.h). The program may do something else than the case says, so every finding becomes outside_context,
// and so does every fault of our own that is inferred from a disagreement between validator, interpreter and compiled
// code.
verdict::Verdict outside_context(verdict::Verdict verdict, const std::string& asks);

// The verdict by lines 1 to 4, which need no run; nullopt if none of them applies.
std::optional<verdict::Verdict> judge_compilation(const cases::Case& c,
                                                  const Result<std::vector<interp::OutputValues>>& reference,
                                                  const compiler::Observation& observation);

}  // namespace haruspex::judge
