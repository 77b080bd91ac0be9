#pragma once

#include <string>
#include <string_view>

#include "generators/base/result.h"
#include "harness/sched/print.h"
#include "harness/sched/syntax.h"

// The text form of SCHED programs (grammar in syntax.h): its parser. The printer is in print.h.
namespace haruspex::sched {

// Parses a program and checks it (typing.h, extended rules). Errors carry file, line, column and the expected text.
[[nodiscard]] Result<Program> parse_program(std::string_view text, std::string_view file);

// Returns the run-time system's name of an error, with which an assertion's message begins: an identifier that is the
// whole message or stands before a colon. Empty if the message does not begin so.
std::string error_name(const std::string& message);

}  // namespace haruspex::sched
