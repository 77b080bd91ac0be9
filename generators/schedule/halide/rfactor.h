#pragma once

#include "generators/schedule/halide/state.h"

namespace haruspex::schedule::halide {

// Cuts an update in two, as Halide's Stage::rfactor does. The preserved recurrence variables become new pure variables
// of the intermediate, which accumulates over the other recurrence variables. The update itself then merges the
// intermediate. Facts of both functions are found as for any other function. An Error if the directive names something
// that does not exist, or if there is already a tensor of the intermediate's name.
[[nodiscard]] Result<void> apply_rfactor(ScheduleState& state, const StageRef& ref, const RFactor& action);

}  // namespace haruspex::schedule::halide
