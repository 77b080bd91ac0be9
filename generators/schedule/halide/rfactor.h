#pragma once

#include "generators/schedule/halide/state.h"

namespace haruspex::schedule::halide {

// Stage::rfactor: cuts the update in two. The intermediate accumulates over the other recurrence variables and has the
// preserved ones as new pure variables; the update itself then merges the intermediate. Both functions are derived from
// the algorithm's, and their facts are found as for any other function.
[[nodiscard]] Result<void> apply_rfactor(ScheduleState& state, const StageRef& ref, const RFactor& action);

}  // namespace haruspex::schedule::halide
