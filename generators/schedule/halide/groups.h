#pragma once

#include "generators/schedule/halide/levels.h"
#include "generators/schedule/halide/state.h"

// compute_with: stages of independent tensors that share their outer loops (RealizationOrder.cpp and
// validate_fused_group_schedule in ScheduleFunctions.cpp).
namespace haruspex::schedule::halide {

// Applies a compute_with directive to the stage. An Error if the stage to share loops with does not exist.
[[nodiscard]] Result<void> begin_compute_with(ScheduleState& state, const StageRef& ref, StageState& stage,
                                              const ComputeWith& action);
// Adds the rules that a complete schedule breaks in its groups.
void check_groups(const ScheduleState& state, Levels& levels, BrokenRules& broken);

}  // namespace haruspex::schedule::halide
