#pragma once

#include <string>

#include "oracle/verdict/verdict.h"
#include "reports/cli/output.h"

namespace haruspex::cli {

// Formats a verdict for people: class, message, warnings, and the cell with the expected and the actual value.
std::string describe(const verdict::Verdict& verdict);

ExitCode exit_code_of(verdict::Class cls);

}  // namespace haruspex::cli
