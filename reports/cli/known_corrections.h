#pragma once

#include <CLI/CLI.hpp>

#include "reports/cli/commands.h"

// What a person corrects in the known bugs (reports/bugs/known.h): commands below `haruspex known`.
namespace haruspex::cli {

Command add_known_merge(CLI::App& known);
Command add_known_split(CLI::App& known);
Command add_known_not(CLI::App& known);

}  // namespace haruspex::cli
