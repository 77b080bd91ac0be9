#pragma once

#include <CLI/CLI.hpp>
#include <string>

// --mutant NAME: the compiler with a bug of ours in it (harness/mutants/lowering), to see what the oracles find.
namespace haruspex::cli {

// Adds the option. When it is given, this process starts itself again with the mutant's shared object loaded before
// everything else, so the command's callback runs with the mutant in place or not at all.
void add_mutant_option(CLI::App& command);

// The mutant that is loaded into this process, whichever way it came; empty when there is none.
std::string loaded_mutant();

}  // namespace haruspex::cli
