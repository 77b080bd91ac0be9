#pragma once

#include <string>
#include <string_view>

#include "generators/base/result.h"
#include "generators/schedule/halide/directive.h"

// The text form of schedules (grammar in directive.h).
namespace haruspex::schedule::halide {

// Parse syntax only; admission.h decides whether a schedule is admitted. Errors carry file, line, column.
[[nodiscard]] Result<Schedule> parse_schedule(std::string_view text, std::string_view file);
[[nodiscard]] Result<Directive> parse_directive(std::string_view text, std::string_view file);

// parse_schedule reads print(s) back as s.
std::string print(const Schedule& schedule);
std::string print(const StageRef& stage);
// Return Halide's spelling: "split", "vectorize", …, and "RoundUp", …; also used for counting and grouping.
std::string_view action_name(const Action& action);
std::string_view tail_name(Tail tail);

}  // namespace haruspex::schedule::halide
