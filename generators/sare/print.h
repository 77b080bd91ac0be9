#pragma once

#include <string>

#include "generators/sare/syntax.h"

// Writes SAREs as text (grammar in syntax.h).
namespace haruspex::sare {

// parse_sare reads print(s) back as s for every well-formed s. The tensors of a staged function print as one equation
// and its `update` items.
std::string print(const Sare& sare);
// Prints the equations of every tensor, those of stages too. The text does not read back as staged functions.
std::string print_expanded(const Sare& sare);
std::string print(const Index& index);
std::string print(const Condition& condition);
std::string print(const Expr& expr);

}  // namespace haruspex::sare
