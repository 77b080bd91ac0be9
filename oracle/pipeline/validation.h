#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "generators/base/sizes.h"
#include "generators/case/case.h"
#include "oracle/pipeline/prophecies.h"
#include "oracle/unrolled/unrolled.h"

// The validator on what a compiler lowered.
namespace haruspex::pipeline {

// The verdict for the case's own sizes: with the minima, extents and strides that bind_parameters gives its buffers,
// and for all inputs. Unsupported where the program does not fit the case's SARE, in which every inline reduction has
// become a tensor (generators/sare/outline.h).
validator::Verdict validate_at_sizes(const cases::Case& c, const LoweredProgram& lowered,
                                     const unrolled::Options& options = {});
// The same; when that is undecided, the case is lowered again with prophecies in it, which make a proof easier, unless
// it was for want of steps.
validator::Verdict validate_at_sizes(const cases::Case& c, const LoweredProgram& lowered, compiler::ForkServer& server,
                                     const unrolled::Options& options = {});

// One run of a lowered program at the case's sizes, on these inputs, against its SARE. An Error says why there is none.
[[nodiscard]] Result<validator::Trial> replay_at_sizes(const cases::Case& c, const LoweredProgram& lowered,
                                                       const validator::Inputs& inputs,
                                                       std::uint64_t most_steps = unrolled::Options{}.most_steps);

// Whether such a run shows that the program is wrong: of what rounds, a value that differs says nothing.
bool is_wrong(const cases::Case& c, const validator::Trial& run);

// Budgets under which a campaign goes on.
validator::Options all_sizes_options();

// The verdict for all sizes that the case's SARE allows and that are documented to work (documented_rules.h), under the
// conventions of oracle/conversion. Where the program asserts more of the sizes than the SARE does, the verdict is
// about the sizes for which that holds: its premise.
validator::Verdict validate_for_all_sizes(const cases::Case& c, const sched::Program& prophesied,
                                          const compiler::Identity& identity,
                                          const validator::Options& options = all_sizes_options());

// Of two verdicts of one program, converted in two ways: whether the first says more of it. A refutation, which a run
// has shown, says more than a proof. Of refutations one does whose violation can be what the run shows: where
// coordinates are wrong, bounds are violated as well. Of those that neither prove nor refute it, one that shows all
// accesses to lie within their dimensions: they do, in whatever way one looks.
bool tells_more(const validator::Verdict& a, const validator::Verdict& b);

// How many of the case's parameters may be as large as the conventions allow (oracle/conversion), of all that its SARE
// assumes and that is documented: a proof for all sizes says little of a program that has none.
std::size_t unbounded_parameters(const cases::Case& c, const compiler::Identity& identity);

// The same for the sizes alone: nothing is unrolled, so that they may be large, and whatever is made of sizes is a
// number. Undecided when they are not among those of which the compiler documents that they work, or beyond the
// conventions of oracle/conversion (as if every cell had 8 bytes). They are sizes that the SARE allows (ENSURE).
validator::Verdict validate_large_sizes(const cases::Case& c, const Sizes& sizes, const sched::Program& prophesied,
                                        const compiler::Identity& identity,
                                        const validator::Options& options = all_sizes_options());

// Of what there is nothing to validate, and why.
validator::Verdict unsupported(Feature what);
validator::Verdict unsupported(const NoProgram& none);

}  // namespace haruspex::pipeline
