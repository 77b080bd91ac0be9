#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <string>

#include "harness/compiler/compiler.h"

// Runs work under limits, in a child process that dies with its parent.
namespace haruspex::measure {

// Resources used by a child and its own children.
struct Spent {
    double cpu_seconds = 0, wall_seconds = 0;
    std::uint64_t memory_bytes = 0;  // peak resident memory beyond what it started with
};

// The reason why a child gave no answer.
struct NoAnswer {
    bool is_limit = false;  // whether a limit of time or memory ended the child; otherwise the child failed
    std::string reason;

    bool operator==(const NoAnswer&) const = default;
};

struct Limited {
    std::expected<std::string, NoAnswer> answer;
    Spent spent;
};

// Returns the processor time so far of this process and of its children that have ended.
double cpu_seconds();

// Returns the result of `work`, run in a forked child. If `work` throws, there is no answer: std::bad_alloc counts as
// the memory limit, any other exception as a fault.
Limited run_limited(const std::function<std::string()>& work, const compiler::Limits& limits);

}  // namespace haruspex::measure
