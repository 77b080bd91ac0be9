#pragma once

namespace haruspex::cli {

// The exit codes of all commands.
enum ExitCode : int {
    nothing_found = 0,
    findings = 1,
    bad_input = 2,  // wrong usage, or a file that is missing or malformed
    own_fault = 3,
};

}  // namespace haruspex::cli
