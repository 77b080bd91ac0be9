#pragma once

#include <optional>

#include "harness/compiler/fork_server.h"
#include "oracle/pipeline/judged.h"
#include "oracle/verdict/verdict.h"
#include "reports/triage/pass_order.h"

// How a finding is judged again, and how the smaller cases of one are.
namespace haruspex::session {

// Options for judging a finding again: with the validator only if the validator found it.
pipeline::Options judging_again(const verdict::Verdict& verdict);
// Options for judging smaller cases of a finding. If the original program was too long to interpret, candidates are
// interpreted for fewer steps, too: one that terminates cannot have the same finding.
pipeline::Options judging_smaller(const verdict::Verdict& verdict);
// The limits for a first look at smaller cases of a hang (minimize::Options::glance): a smaller case reaches its hang
// sooner. nullopt if the verdict is not a hang.
std::optional<compiler::Limits> limits_of_glance(const verdict::Verdict& verdict);
// Returns the order of the compiler's passes. Compiles a small program.
triage::PassOrder pass_order(compiler::ForkServer& server);

}  // namespace haruspex::session
