#pragma once

#include <string>

#include "generators/sare/syntax.h"

// Writes SAREs as text (grammar in syntax.h).
namespace haruspex::sare {

// Round-trip: parse_sare(print(s)) == s for every well-formed s. Staged tensors print as an equation and `update`
// items.
std::string print(const Sare& sare);
// Prints every stage tensor's equations. The text is not read back as staged.
std::string print_expanded(const Sare& sare);
std::string print(const Index& index);
std::string print(const Condition& condition);
std::string print(const Expr& expr);

}  // namespace haruspex::sare
