#pragma once

#include <CLI/CLI.hpp>
#include <string>

// --mutant NAME[,NAME…]: adds known bugs to the compiler (compiler::mutants), to see what the oracles find.
namespace haruspex::cli {

// Adds the option. If it is given, this process restarts itself with the mutants' shared objects preloaded. So the
// command's callback runs with the mutants in place or not at all.
void add_mutant_option(CLI::App& command);

// Returns the mutants loaded into this process by any means, separated by commas; empty if there are none.
std::string loaded_mutants();

}  // namespace haruspex::cli
