#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "generators/base/sizes.h"
#include "generators/case/case.h"
#include "oracle/pipeline/prophecies.h"
#include "oracle/unrolled/unrolled.h"

// The validator on lowered programs.
namespace haruspex::pipeline {

// Verdict for the case's own sizes and all inputs, with the minima, extents and strides that bind_parameters gives its
// buffers. Unsupported if the program's interface does not fit the case's SARE, in which every inline reduction has
// become a tensor (generators/sare/outline.h).
validator::Verdict validate_at_sizes(const cases::Case& c, const LoweredProgram& lowered,
                                     const unrolled::Options& options = {});
// The same. If that is undecided, lowers the case again with prophecies, which make a proof easier, and validates that;
// not if the budget was exhausted.
validator::Verdict validate_at_sizes(const cases::Case& c, const LoweredProgram& lowered, compiler::ForkServer& server,
                                     const unrolled::Options& options = {});

// Runs a lowered program once, at the case's sizes, on these inputs, against its SARE. An Error says why it cannot run.
[[nodiscard]] Result<validator::Trial> replay_at_sizes(const cases::Case& c, const LoweredProgram& lowered,
                                                       const validator::Inputs& inputs,
                                                       std::uint64_t most_steps = unrolled::Options{}.most_steps);

// Whether such a run shows that the program is wrong: a differing value proves nothing if results may round.
bool is_wrong(const cases::Case& c, const validator::Trial& run);

// Budgets that suit a campaign.
validator::Options all_sizes_options();

// Verdict for all sizes that the case's SARE allows and that are documented to work (documented_rules.h), under the
// conventions of oracle/conversion. If the program asserts more of the sizes than the SARE does, the verdict is about
// the sizes that meet the assertions: its premise.
validator::Verdict validate_for_all_sizes(const cases::Case& c, const sched::Program& prophesied,
                                          const compiler::Identity& identity,
                                          const validator::Options& options = all_sizes_options());

// Whether verdict `a` says more of a program than verdict `b`, which comes from another way to convert it. A refutation
// says more than a proof, since a run has shown it. Among refutations, one whose violation can explain the run says
// more: wrong coordinates also violate bounds. Among other verdicts, one that shows all accesses to lie within their
// dimensions says more: that holds in whatever way the program is converted.
bool tells_more(const validator::Verdict& a, const validator::Verdict& b);

// The number of the case's parameters that may be as large as the conventions allow (oracle/conversion) under the
// assumptions of its SARE and the documented rules. If there are none, a proof for all sizes says little.
std::size_t unbounded_parameters(const cases::Case& c, const compiler::Identity& identity);

// The same for given sizes only. Nothing is unrolled, so they may be large, and every expression made of sizes is a
// number. Undecided if the compiler does not document that they work, or if they are beyond the conventions of
// oracle/conversion (as if every cell had 8 bytes). The SARE allows the sizes (ENSURE).
validator::Verdict validate_large_sizes(const cases::Case& c, const Sizes& sizes, const sched::Program& prophesied,
                                        const compiler::Identity& identity,
                                        const validator::Options& options = all_sizes_options());

// Verdict when there is nothing to validate, with the reason.
validator::Verdict unsupported(Feature what);
validator::Verdict unsupported(const NoProgram& none);

}  // namespace haruspex::pipeline
