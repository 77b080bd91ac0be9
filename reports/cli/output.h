#pragma once

#include <optional>
#include <string>

#include "generators/base/result.h"

namespace haruspex::cli {

// The exit codes of all commands.
enum ExitCode : int {
    nothing_found = 0,
    findings = 1,
    bad_input = 2,  // wrong usage, or a file that is missing or malformed
    own_fault = 3,
};

// Standard output.
class Output {
public:
    // Returns false if the text cannot be written; a command that has more to print then ends.
    bool print(const std::string& text);
    // The error that lost output, if any was lost. A reader that has gone away is not an error.
    std::optional<Error> lost() const;

private:
    int errno_ = 0;  // of the first failed write
};

// Writes to standard error, where progress and errors are shown; a failure to do so does not matter.
void note(const std::string& text);

}  // namespace haruspex::cli
