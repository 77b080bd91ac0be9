#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <string>

#include "harness/compiler/compiler.h"

// Processes with an end: what is measured runs in a child of its own, which dies with its parent.
namespace haruspex::measure {

// What a child took, its own children included.
struct Spent {
    double cpu_seconds = 0, wall_seconds = 0;
    std::uint64_t memory_bytes = 0;  // resident at most, beyond what it began with
};

// Why there is no answer.
struct NoAnswer {
    bool is_limit = false;  // of time or memory; nothing else may end a child
    std::string reason;

    bool operator==(const NoAnswer&) const = default;
};

struct Limited {
    std::expected<std::string, NoAnswer> answer;
    Spent spent;
};

// Of this process and those of its children that have ended, so far.
double cpu_seconds();

// What `work` returns, in a forked child. What it throws is no answer: "fault: …".
Limited run_limited(const std::function<std::string()>& work, const compiler::Limits& limits);

}  // namespace haruspex::measure
