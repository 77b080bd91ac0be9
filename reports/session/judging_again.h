#pragma once

#include <optional>

#include "harness/compiler/fork_server.h"
#include "oracle/pipeline/judged.h"
#include "oracle/verdict/verdict.h"
#include "reports/triage/pass_order.h"

// How a finding is judged again, and how the smaller cases of one are.
namespace haruspex::session {

// Returns options for judging a finding again: with the validator only if the validator found it.
pipeline::Options judging_again(const verdict::Verdict& verdict);
// Returns the options with which `minimize` and `known add` judge smaller cases of a finding. If the original program
// is too long to interpret, smaller cases are interpreted for fewer steps, too: a case whose interpretation ends cannot
// have the same finding.
pipeline::Options judging_smaller(const verdict::Verdict& verdict);
// Returns the limits for a first look at smaller cases of a hang (minimize::Options::glance), which are tight, since a
// smaller case comes to its hang sooner. nullopt if the verdict is not a hang.
std::optional<compiler::Limits> limits_of_glance(const verdict::Verdict& verdict);
// Returns the order of the compiler's passes. Compiles a small program.
triage::PassOrder pass_order(compiler::ForkServer& server);

}  // namespace haruspex::session
