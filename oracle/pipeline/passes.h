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

// By which pass a program goes wrong.
namespace haruspex::pipeline {

// A malformed program tells of our translation, nothing of the pass.
bool is_wrong(const verdict::LoweredOutcome& outcome);

// A program after a pass, and what it shows.
struct PassResult {
    std::string pass;
    verdict::LoweredOutcome outcome;
    std::string program;  // its text; empty when it has no translation
};

struct Seen {
    verdict::LoweredOutcome outcome;
    std::uint64_t steps = 0;  // that it took to see it
};

using Look = std::function<Seen(const compiler::Lowered&)>;

// Looks once at programs that have one text: many passes change nothing.
Look once_for_each_text(Look look);

// Looks at all of them.
std::vector<PassResult> look_at_all(const std::vector<compiler::Lowered>& programs, const Look& look);

// Of the programs after each pass in order, the last of them wrong, those that had to be looked at to know by which it
// goes wrong: backwards from the last one to one that is right, while `most_steps` last; then of what is left always
// the middle one. By halves a pass is found that makes a wrong program of a right one, but what is wrong already, and
// made good by a pass that was not looked at, may be taken for the fault. What stands before a program that is too
// large to be interpreted is not looked at: as a rule it is larger still.
std::vector<PassResult> look_for_wrong_pass(const std::vector<compiler::Lowered>& programs, const Look& look,
                                            std::uint64_t most_steps);

// The interval in which the program goes wrong, from the last pass that is known to be right (verdict::source when
// there is none) to the first that is known to be wrong; passes that are out of reach and programs without translation
// lie in between. What stands before a program that is too large to be interpreted does not count. Nothing when the
// last one is right or unknown.
std::optional<verdict::PassInterval> first_wrong_pass(const std::vector<PassResult>& passes);

// The program after each pass that can be observed, the final program last; those before the compiler failed, if it
// did. No code is generated.
compiler::Observation observe_passes(const cases::Case& c, compiler::ForkServer& server);

// The passes that can be observed, in order, verdict::final_program at their end and verdict::code_generation after it.
// Every program goes through the same ones. Empty when the compiler shows none.
std::vector<std::string> all_passes(compiler::ForkServer& server);

// Where a compiler failed: from the last pass that ended (verdict::source when none did) to the next one that can be
// observed. `ended` is what it showed before. Nothing when that is not known.
std::optional<verdict::PassInterval> failing_pass(const std::vector<compiler::Lowered>& ended,
                                                  const std::vector<std::string>& all);

}  // namespace haruspex::pipeline
