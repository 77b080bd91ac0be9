#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

// A process of one's own with a socket between, as all of this folder are started.
namespace haruspex::measure {

struct Child {
    pid_t process = -1;
    int socket = -1;  // the parent's end; both send and receive, and are closed in whatever is executed
};
// Does the work, which is given the child's end, in a forked process that then ends. It dies with this one, and leads a
// process group of its own.
Child start_child(const std::function<void(int socket)>& work);

// As far as somebody reads it; no signal is raised where nobody does.
void write_all(int descriptor, const std::string& text);

enum class Until : std::uint8_t { end, line };
// Appends what comes, until the end or the first line break. False when it did not come to that: the time is up, it
// cannot be read, or ends without a line break.
bool read_until(Until until, int descriptor, std::string& text,
                std::optional<std::chrono::steady_clock::time_point> deadline = {});

}  // namespace haruspex::measure
