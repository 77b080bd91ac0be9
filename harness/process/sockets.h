#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

// Child processes connected by a socket.
namespace haruspex::process {

struct Child {
    pid_t process = -1;
    int socket = -1;  // the parent's end; both ends send and receive, and are closed on exec
};
// Runs `work` with the child's end of the socket in a forked process, which then ends. The child dies with this
// process, and leads a process group of its own.
Child start_child(const std::function<void(int socket)>& work);

// Writes the text. Ends early, without a signal, if the reader has gone away.
void write_all(int descriptor, const std::string& text);

enum class Until : std::uint8_t { end, line };
// Appends input to `text` up to the end of the input, or up to a line break. Returns false if that point is not
// reached: the time is up, reading fails, or the input ends without a line break.
bool read_until(Until until, int descriptor, std::string& text,
                std::optional<std::chrono::steady_clock::time_point> deadline = {});

}  // namespace haruspex::process
