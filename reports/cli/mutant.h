#pragma once

#include <CLI/CLI.hpp>
#include <string>

// --mutant NAME[,NAME…]: the compiler with bugs of ours in it (harness/mutants/lowering), to see what the oracles find.
namespace haruspex::cli {

// Adds the option. When it is given, this process starts itself again with the mutants' shared objects loaded before
// everything else, so the command's callback runs with the mutants in place or not at all.
void add_mutant_option(CLI::App& command);

// The mutants that are loaded into this process, whichever way they came, with commas between them; empty when there is
// none.
std::string loaded_mutants();

}  // namespace haruspex::cli
