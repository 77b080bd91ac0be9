#pragma once

#include <expected>

#include "generators/base/result.h"
#include "generators/schedule/halide/directive.h"
#include "generators/schedule/halide/rules.h"
#include "generators/schedule/halide/state.h"

namespace haruspex::schedule::halide {

// Applies the directive and records in the state the rules that it breaks. An Error if the directive names something
// that does not exist. The state may then be half changed, so apply directives to a copy.
[[nodiscard]] Result<void> apply_directive(ScheduleState& state, const Directive& directive);
// Checks the rules that need a complete schedule. An error if a level names a loop that does not exist.
[[nodiscard]] std::expected<BrokenRules, UnknownName> check_complete(const ScheduleState& state);

}  // namespace haruspex::schedule::halide
