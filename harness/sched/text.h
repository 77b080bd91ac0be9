#pragma once

#include <string>
#include <string_view>

#include "generators/base/result.h"
#include "harness/sched/syntax.h"

// The text form of SCHED programs (grammar in syntax.h).
namespace haruspex::sched {

// Parses and checks (typing.h, extended rules). Errors carry file, line, column and what was expected.
[[nodiscard]] Result<Program> parse_program(std::string_view text, std::string_view file);

// Round-trip: parse_program(print(p)) == p for every well-typed p.
std::string print(const Program& program);
std::string print(const Expr& expr);
// One statement and what is inside it, indented by so many levels; ends with a newline.
std::string print(const Stmt& stmt, int level = 0);
// The first line of it: a loop's head, an assignment, a let.
std::string headline(const Stmt& stmt);

// The run-time system's name for an error, with which the message of an assertion begins: an identifier that is all of
// the message or stands before a colon. Empty when the message begins with anything else.
std::string error_name(const std::string& message);

}  // namespace haruspex::sched
