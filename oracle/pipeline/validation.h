#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "generators/base/sizes.h"
#include "generators/case/case.h"
#include "oracle/pipeline/prophecies.h"
#include "oracle/unrolled/unrolled.h"

// Applies the validator to lowered programs.
namespace haruspex::pipeline {

// Returns the verdict for the case's own sizes and all inputs, with the minima, extents and strides that
// bind_parameters gives its buffers. Unsupported if the program's interface does not fit the case's SARE, in which
// every inline reduction has become a tensor (generators/sare/outline.h).
validator::Verdict validate_at_sizes(const cases::Case& c, const LoweredProgram& lowered,
                                     const unrolled::Options& options = {});
// The same. If the verdict is undecided although no budget was exhausted, lowers the case again with prophecies and
// validates that program, since prophecies make a proof easier.
validator::Verdict validate_at_sizes(const cases::Case& c, const LoweredProgram& lowered, compiler::ForkServer& server,
                                     const unrolled::Options& options = {});

// Runs a lowered program once, at the case's sizes on these inputs, and compares it with its SARE. An Error says why it
// cannot run.
[[nodiscard]] Result<validator::Trial> replay_at_sizes(const cases::Case& c, const LoweredProgram& lowered,
                                                       const validator::Inputs& inputs,
                                                       std::uint64_t most_steps = unrolled::Options{}.most_steps);

// Whether such a run shows that the program is wrong: a differing value proves nothing if results may round.
bool is_wrong(const cases::Case& c, const validator::Trial& run);

// Options with budgets that suit a campaign.
validator::Options all_sizes_options(const smt::Solvers& solvers = {});
unrolled::Options own_sizes_options(const smt::Solvers& solvers);

// Returns the verdict for all sizes that the case's SARE allows and that are documented to work (documented_rules.h,
// except for rules that may be too strict), under the conventions of oracle/conversion. If the program asserts more
// about the sizes than the SARE assumes, the verdict is about the sizes that meet the assertions: its premise.
validator::Verdict validate_for_all_sizes(const cases::Case& c, const sched::Program& prophesied,
                                          const compiler::Identity& identity,
                                          const validator::Options& options = all_sizes_options());

// Whether verdict `a` says more about a program than verdict `b`, which comes from another way to convert it. A
// refutation says more than a proof, since a run has shown it. Among refutations, one whose violated obligation can
// explain the run says more: wrong coordinates violate bounds whatever the error is. Among undecided verdicts, one that
// shows all accesses to lie within their dimensions says more: its coordinates are right.
bool is_more_informative(const validator::Verdict& a, const validator::Verdict& b);

// The number of the case's parameters that may be as large as the conventions allow (oracle/conversion) under the
// assumptions of its SARE and the documented rules. If there are none, a proof for all sizes says little.
std::size_t unbounded_parameters(const cases::Case& c, const compiler::Identity& identity);

// Like validate_for_all_sizes, but for the given sizes only, so that every expression of sizes is a number. Nothing is
// unrolled, so the sizes may be large. Undecided if they are not documented to work, or if they are beyond the
// conventions of oracle/conversion (an output's cells count as 8 bytes each). The SARE allows the sizes (ENSURE).
validator::Verdict validate_large_sizes(const cases::Case& c, const Sizes& sizes, const sched::Program& prophesied,
                                        const compiler::Identity& identity,
                                        const validator::Options& options = all_sizes_options());

// The verdict when nothing can be validated, with the reason.
validator::Verdict unsupported(Feature what);
validator::Verdict unsupported(const NoProgram& none);

}  // namespace haruspex::pipeline
