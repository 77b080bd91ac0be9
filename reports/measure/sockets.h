#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

// What processes of this folder have in common: sockets between a parent and a child that dies with it.
namespace haruspex::measure {

// Both ends send and receive. They are closed in whatever is executed.
struct Sockets {
    int parent = -1, child = -1;
};
Sockets make_sockets();

// As far as somebody reads it; no signal is raised where nobody does.
void write_all(int descriptor, const std::string& text);

enum class Until : std::uint8_t { end, line };
// Appends what comes, until the end or the first line break. False when it did not come to that: the time is up, it
// cannot be read, or ends without a line break.
bool read_until(Until until, int descriptor, std::string& text,
                std::optional<std::chrono::steady_clock::time_point> deadline = {});

// In a forked child, at its begin.
void die_with(pid_t parent);

}  // namespace haruspex::measure
