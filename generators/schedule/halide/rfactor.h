#pragma once

#include "generators/schedule/halide/state.h"

namespace haruspex::schedule::halide {

// Stage::rfactor: the update is cut in two, an intermediate that accumulates over the other recurrence variables and
// has the preserved ones as new pure variables, and the update itself, which merges the intermediate. Both functions
// are derived from the algorithm's, so what holds of them is found out as for any other.
[[nodiscard]] Result<void> apply_rfactor(ScheduleState& state, const StageRef& ref, const RFactor& action);

}  // namespace haruspex::schedule::halide
