#pragma once

#include <expected>

#include "generators/base/result.h"
#include "generators/schedule/halide/directive.h"
#include "generators/schedule/halide/rules.h"
#include "generators/schedule/halide/state.h"

namespace haruspex::schedule::halide {

// Records in the state the rules that the directive breaks. An Error if it names something that does not exist; the
// state is then left half changed: apply to a copy.
[[nodiscard]] Result<void> apply_directive(ScheduleState& state, const Directive& directive);
// Checks the rules that need a complete schedule. An error if a level names a loop that does not exist.
[[nodiscard]] std::expected<BrokenRules, UnknownName> check_complete(const ScheduleState& state);

}  // namespace haruspex::schedule::halide
