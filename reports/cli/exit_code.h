#pragma once

#include "oracle/verdict/verdict.h"

namespace haruspex::cli {

// The exit codes of all commands.
enum ExitCode : int {
    nothing_found = 0,
    findings = 1,
    bad_input = 2,  // wrong usage, or a file that is missing or malformed
    own_fault = 3,
};

ExitCode exit_code_of(verdict::Class cls);

}  // namespace haruspex::cli
