#pragma once

#include <string>

#include "reports/cli/usage.h"

namespace haruspex::cli {

// Returns the manual page for section 1, in the macros of man(7).
std::string manual(const Usage& usage, const std::string& version);

}  // namespace haruspex::cli
