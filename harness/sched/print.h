#pragma once

#include <string>

#include "harness/sched/syntax.h"

// Writes SCHED programs as text (grammar in syntax.h).
namespace haruspex::sched {

// parse_program reads print(p) back as p for every p that is well-typed by the extended rules.
std::string print(const Program& program);
std::string print(const Expr& expr);
// Prints a statement with the statements inside it, indented by `level` levels; ends with a newline.
std::string print(const Stmt& stmt, int level = 0);
// Returns the first line of the statement's text, such as a loop's head.
std::string headline(const Stmt& stmt);

}  // namespace haruspex::sched
