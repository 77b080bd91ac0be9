#pragma once

#include <string>
#include <vector>

namespace haruspex::smt {

// What the program, run by a shell as "COMMAND FILE", answers to each of the texts: "sat", "unsat", "unknown" or a
// complaint, in their order. They are put to it in one run.
std::vector<std::string> answers(const std::string& command, const std::vector<std::string>& texts);

}  // namespace haruspex::smt
