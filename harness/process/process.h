#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "generators/base/result.h"

// Runs other programs to their end. (The compiler under test runs in processes of its own kind: harness/compiler.)
namespace haruspex::process {

struct Limits {
    std::optional<std::uint64_t> cpu_seconds;
    std::optional<std::uint64_t> memory;   // bytes of address space
    std::optional<std::uint64_t> seconds;  // on the clock; then the program and all that it started are killed
};

// What becomes of standard error.
enum class Errors : std::uint8_t { inherited, dropped, with_output };

struct Command {
    std::vector<std::string> words;  // the first is a path, or a name that is searched in PATH
    std::filesystem::path folder;    // where the program runs; here if empty
    Limits limits;
    Errors errors = Errors::inherited;
};

struct Ended {
    std::string output;  // what it wrote to standard output
    int code = 0;        // the exit code; of no meaning if a signal ended the program
    std::optional<int> signal;
    bool was_too_slow = false;  // more than Limits::seconds

    bool succeeded() const { return !signal && code == 0; }
};
// "ended with exit code 1", "was stopped after 300 seconds", "died of signal 11 (Segmentation fault)"
std::string how(const Ended& ended, const Limits& limits = {});

// Runs the program with this standard input and waits for its end; it dies with this process. An Error if it cannot be
// started.
[[nodiscard]] Result<Ended> run(const Command& command, const std::string& input = {});

// Returns the output. An Error unless the program ends with exit code 0.
[[nodiscard]] Result<std::string> output_of(const Command& command, const std::string& input = {});

}  // namespace haruspex::process
