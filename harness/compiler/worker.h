#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <optional>
#include <string>

#include "generators/base/result.h"

// A forked process that works on one index after the other. It dies with its parent, and ends when the parent closes
// the connection. It ignores Ctrl-C and similar signals, because the parent decides when the work ends.
namespace haruspex::compiler {

class Worker {
public:
    // Works on an index and returns the answer for the parent. If it throws, the worker reports the exception and ends.
    using Work = std::function<std::string(std::uint64_t index)>;

    // Fails if the system has no process or descriptor left. `others` are the existing workers: the new process
    // inherits their descriptors and must close them, so that the end of each of these workers is noticed. A worker
    // that spends more than `most` of CPU time on an index, that of its children not included, is ended.
    [[nodiscard]] static Result<Worker> start(const Work& work, const std::list<Worker>& others,
                                              std::optional<std::chrono::seconds> most = {});

    Worker(Worker&& other) noexcept;
    Worker& operator=(Worker&&) = delete;
    // Closes the connection and waits for the process to end.
    ~Worker();

    // Queues an index. If the worker is gone, the index stays in pending(), so that it is not lost.
    void give(std::uint64_t index);
    const std::deque<std::uint64_t>& pending() const { return pending_; }
    int descriptor() const { return socket_; }

    enum class Kind { answer, failure, gone };
    struct Message {
        Kind kind;
        // The index that the message is about: the oldest one, which is then not pending any more. None if the worker
        // ended while idle.
        std::optional<std::uint64_t> index;
        std::string text;  // the answer, the exception's message, or how the process ended
    };
    // Waits for the next message; call this when descriptor() is readable. After `failure` and `gone` the worker takes
    // no more work.
    Message receive();
    // Kills the process: its work is not wanted any more.
    void kill();
    // Whether the process has ended.
    bool has_ended();
    // Returns the last message of a process that has ended. Use it instead of receive() if a child of that process
    // still holds the connection open.
    Message ended();

private:
    Worker(pid_t process, int socket, std::optional<std::chrono::seconds> most)
        : process_(process), socket_(socket), most_(most) {}
    std::optional<std::uint64_t> oldest();
    std::string ending();

    pid_t process_ = -1;
    int socket_ = -1;
    std::deque<std::uint64_t> pending_;
    std::optional<int> status_;
    std::optional<std::chrono::seconds> most_;
};

// Waits at most `most` for messages, and passes each message to `take` with its worker. A worker that takes no more
// work is then removed from the list; during `take`, its pending() holds the indices that it has not begun. If a signal
// interrupts the wait, there are no messages.
void receive(std::list<Worker>& workers, std::chrono::milliseconds most,
             const std::function<void(const Worker&, const Worker::Message&)>& take);

}  // namespace haruspex::compiler
