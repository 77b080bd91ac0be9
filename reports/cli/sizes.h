#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "generators/base/result.h"
#include "generators/base/sizes.h"
#include "generators/sare/syntax.h"
#include "reports/session/origin.h"

namespace haruspex::cli {

// Adds the option --size, as in "--size W=64,H=32" or "--size W=64 --size H=32".
void add_size_option(CLI::App& command, std::vector<std::string>& texts);

// Returns one 32-bit size for each parameter of the program, within the program's assumptions. An Error for a missing
// size, or for sizes that an assumption excludes, is located in the program.
[[nodiscard]] Result<Sizes> sizes_of(const std::vector<std::string>& texts, const sare::Sare& sare,
                                     const session::SourceText& program);
// The same for a program with these parameters and assumptions.
[[nodiscard]] Result<Sizes> sizes_of(const std::vector<std::string>& texts, const std::vector<std::string>& parameters,
                                     const sare::Condition& assumptions, const session::SourceText& program);

}  // namespace haruspex::cli
