#pragma once

#include <string>

#include "reports/cli/usage.h"

// Completion scripts for shells: commands, the options of a command, the values of an option if they are fixed, and
// otherwise files.
namespace haruspex::cli {

std::string bash_completion(const Usage& usage);
std::string zsh_completion(const Usage& usage);
std::string fish_completion(const Usage& usage);

}  // namespace haruspex::cli
