#pragma once

#include <optional>

#include "harness/sched/syntax.h"
#include "harness/transform/transformation.h"
#include "harness/transform/workshop.h"

// Legal transformations of SCHED programs at a random place. Legality is decided conservatively, for all values of the
// parameters that the assumptions allow. If the order of reads and writes stays the same, the transformation is legal
// by construction; otherwise isl must show that there are no dependences against it. If the policy lets reductions be reordered, two
// accumulations of one update into one cell do not depend on each other. Prophecies move along with their writes.
namespace haruspex::transform {

// Returns the transformed program; nullopt if no place was found, or if the result exceeds the policy's limits on size
// and depth. The interface of the program stays the same, except that tiles that are rounded up may enlarge inputs.
std::optional<sched::Program> apply(Transformation transformation, sched::Program program, Workshop& workshop);

// Each of these changes the program at one place and returns true, or leaves it unchanged and returns false.
bool tile(sched::Program& program, Workshop& workshop, Transformation form);
bool tile_shifted(sched::Program& program, Workshop& workshop);
bool tile_rounded_up(sched::Program& program, Workshop& workshop);
bool peel(sched::Program& program, Workshop& workshop);
bool unroll(sched::Program& program, Workshop& workshop);
bool specialise(sched::Program& program, Workshop& workshop);

bool interchange(sched::Program& program, Workshop& workshop);
bool fission(sched::Program& program, Workshop& workshop);
bool fuse(sched::Program& program, Workshop& workshop);
bool skew(sched::Program& program, Workshop& workshop);
bool reverse(sched::Program& program, Workshop& workshop);
bool separate(sched::Program& program, Workshop& workshop);
bool parallelise(sched::Program& program, Workshop& workshop);
bool mark_vector(sched::Program& program, Workshop& workshop);
bool into_lanes(sched::Program& program, Workshop& workshop);
bool sum_lanes(sched::Program& program, Workshop& workshop);

bool contract(sched::Program& program, Workshop& workshop);
bool compute_at(sched::Program& program, Workshop& workshop);
bool relayout(sched::Program& program, Workshop& workshop);
bool inline_function(sched::Program& program, Workshop& workshop);
bool allocate_if(sched::Program& program, Workshop& workshop);
bool free_early(sched::Program& program, Workshop& workshop);

bool name_value(sched::Program& program, Workshop& workshop);
bool name_index(sched::Program& program, Workshop& workshop);
bool reorder(sched::Program& program, Workshop& workshop);
bool assert_fact(sched::Program& program, Workshop& workshop);

}  // namespace haruspex::transform
