#pragma once

#include <string>
#include <vector>

namespace haruspex::smt {

// Runs "COMMAND FILE" once in a shell on all texts, and returns the answers in order: "sat", "unsat", "unknown" or an
// error message.
std::vector<std::string> answers(const std::string& command, const std::vector<std::string>& texts);

}  // namespace haruspex::smt
