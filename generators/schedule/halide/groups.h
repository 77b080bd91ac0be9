#pragma once

#include "generators/schedule/halide/levels.h"
#include "generators/schedule/halide/state.h"

// compute_with: stages of independent tensors that share their outer loops (RealizationOrder.cpp and
// validate_fused_group_schedule in ScheduleFunctions.cpp).
namespace haruspex::schedule::halide {

// What compute_with() itself demands.
[[nodiscard]] Result<void> begin_compute_with(const ScheduleState& state, const StageRef& ref, StageState& stage,
                                              const ComputeWith& action);
// What a complete schedule must satisfy for its groups.
[[nodiscard]] Result<void> check_groups(const ScheduleState& state, Levels& levels);

}  // namespace haruspex::schedule::halide
