#pragma once

#include <vector>

#include "generators/schedule/halide/state.h"

namespace haruspex::schedule::halide {

// Returns for each loop of the stage whether Partitioning::always is certain to be accepted (PartitionLoops.cpp): it is
// the outer loop of a guarded split of a variable, whose extent is no multiple of the factor as far as Halide knows, or
// lanes or unrolling have replaced the loop by copies.
std::vector<bool> may_always_be_partitioned(const TensorState& tensor, const StageState& stage);

}  // namespace haruspex::schedule::halide
