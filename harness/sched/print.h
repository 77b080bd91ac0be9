#pragma once

#include <string>

#include "harness/sched/syntax.h"

// Writes SCHED programs as text (grammar in syntax.h).
namespace haruspex::sched {

// Round-trip: parse_program(print(p)) == p for every well-typed p.
std::string print(const Program& program);
std::string print(const Expr& expr);
// Prints a statement with the statements inside it, indented by `level` levels; ends with a newline.
std::string print(const Stmt& stmt, int level = 0);
// Returns the first line of a statement: a loop's head, an assignment, a let.
std::string headline(const Stmt& stmt);

}  // namespace haruspex::sched
