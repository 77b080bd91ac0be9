#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "generators/case/case.h"
#include "harness/compiler/fork_server.h"
#include "oracle/verdict/lowered.h"
#include "oracle/verdict/pass_interval.h"

// Finds the pass that makes a program wrong.
namespace haruspex::pipeline {

// Whether the outcome shows a fault of the compiler. A malformed program is our translation's fault, not the pass's.
bool is_wrong(const verdict::LoweredOutcome& outcome);

// A program after a pass, and its outcome.
struct PassResult {
    std::string pass;
    verdict::LoweredOutcome outcome;
    std::string program;  // its text; empty when it has no translation
};

// The outcome of a program, and the steps that it took to obtain it.
struct Examined {
    verdict::LoweredOutcome outcome;
    std::uint64_t steps = 0;
};

using ExaminePass = std::function<Examined(const compiler::Lowered&)>;

// Wraps `look` so that it runs once for each text of a program: many passes change nothing.
ExaminePass once_for_each_text(ExaminePass look);

// Examines all programs.
std::vector<PassResult> examine_all(const std::vector<compiler::Lowered>& programs, const ExaminePass& look);

// Localises the first wrong pass and returns the programs it examined. `programs` holds the program after each pass, in
// order; the last one is wrong. Scans backwards for a right program until `most_steps` are spent, then bisects what is
// left. If an unexamined pass repaired an earlier error, the pass found need not be the first wrong one. Programs
// before one that is too large to interpret are not examined: as a rule they are larger still.
std::vector<PassResult> find_wrong_pass(const std::vector<compiler::Lowered>& programs, const ExaminePass& look,
                                        std::uint64_t most_steps);

// The interval in which the program goes wrong: from the last pass known to be right (verdict::source if none) to the
// first one after it known to be wrong. Passes that cannot be observed, and programs without a translation, lie in
// between. Programs before one that is too large to interpret do not count. nullopt unless the last program is wrong.
std::optional<verdict::PassInterval> first_wrong_pass(const std::vector<PassResult>& passes);

// Lowers the case and returns the program after each observable pass, the final program last; if the compiler failed,
// only the programs before the failure. No code is generated.
compiler::Observation observe_passes(const cases::Case& c, compiler::ForkServer& server);

// A program with one cell for the compiler, without a schedule: one that it compiles if it compiles any.
cases::Case smallest_case(const compiler::Compiler& compiler);

// The observable passes of a case, in order, followed by verdict::final_program and verdict::code_generation. Empty if
// the compiler shows none.
std::vector<std::string> passes_of(const cases::Case& c, compiler::ForkServer& server);
// The same for all cases of a compiler; nullopt if each case has an order of passes of its own.
std::optional<std::vector<std::string>> common_passes(compiler::ForkServer& server);

// The interval in which a compiler failed: from the last pass that ended (verdict::source if none) to the next
// observable one. `ended` holds the programs that it showed before it failed, `all` the passes_of the case. nullopt if
// there is no next one.
std::optional<verdict::PassInterval> failing_pass(const std::vector<compiler::Lowered>& ended,
                                                  const std::vector<std::string>& all);

}  // namespace haruspex::pipeline
