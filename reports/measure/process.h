#pragma once

#include <cstdint>
#include <expected>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "generators/base/result.h"
#include "harness/compiler/compiler.h"

// Processes with an end: what is measured runs in a child of its own, which dies with its parent.
namespace haruspex::measure {

// What a child took, its own children included.
struct Spent {
    double cpu_seconds = 0, wall_seconds = 0;
    std::uint64_t memory_bytes = 0;  // resident at most, beyond what it began with
};

struct Limited {
    std::expected<std::string, std::string> answer;  // or why there is none: "time limit", "memory limit", …
    Spent spent;
};

// What `work` returns, in a forked child. What it throws is no answer: "fault: …".
Limited run_limited(const std::function<std::string()>& work, const compiler::Limits& limits);

// What a command prints when it gets this input; with a shared object loaded before its libraries, unless the path is
// empty. Its first word is a path, or a name to be looked for in PATH. An Error when it does not end with exit code 0.
[[nodiscard]] Result<std::string> run_command(const std::vector<std::string>& command, const std::string& input,
                                              const std::filesystem::path& preloaded = {});

}  // namespace haruspex::measure
