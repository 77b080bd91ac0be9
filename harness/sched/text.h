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
// Prints a statement with the statements inside it, indented by `level` levels; ends with a newline.
std::string print(const Stmt& stmt, int level = 0);
// Returns the first line of a statement: a loop's head, an assignment, a let.
std::string headline(const Stmt& stmt);

// Returns the run-time system's name of an error, with which the message of an assertion begins: an identifier that is
// the whole message or stands before a colon. Empty if the message begins otherwise.
std::string error_name(const std::string& message);

}  // namespace haruspex::sched
