#pragma once

#include <string>

#include "reports/cli/usage.h"

// Scripts by which a shell completes the command line: commands, the options of a command, the values of an option
// that are fixed, and otherwise files.
namespace haruspex::cli {

std::string bash_completion(const Usage& usage);
std::string zsh_completion(const Usage& usage);
std::string fish_completion(const Usage& usage);

}  // namespace haruspex::cli
