#pragma once

#include <string>

#include "generators/tensor/syntax.h"

// Writes programs as text (grammar in syntax.h).
namespace haruspex::tensor {

// parse_program reads print(p) back as p for every well-formed p. Parentheses stand where the order of evaluation needs
// them, and around an operand that is a binary operator of another kind.
std::string print(const Program& program);
std::string print(const Expr& expr);
// An extent as in a declaration: "300", "N", "(N + 1)".
std::string print_extent(const sare::Index& extent);

}  // namespace haruspex::tensor
