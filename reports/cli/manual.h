#pragma once

#include <string>

#include "reports/cli/usage.h"

namespace haruspex::cli {

// The manual page of section 1, in the macros of man(7).
std::string manual(const Usage& usage, const std::string& version);

}  // namespace haruspex::cli
