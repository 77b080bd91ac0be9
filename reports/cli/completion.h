#pragma once

#include <string>

#include "reports/cli/usage.h"

// Scripts with which shells complete commands, options, values of options if these are fixed, and otherwise files.
namespace haruspex::cli {

std::string bash_completion(const Usage& usage);
std::string zsh_completion(const Usage& usage);
std::string fish_completion(const Usage& usage);

}  // namespace haruspex::cli
