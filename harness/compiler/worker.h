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

// A forked process that works on one index after the other. It dies with its parent, ends when the parent hangs up, and
// ignores Ctrl-C and similar signals, because the parent decides when to end.
namespace haruspex::compiler {

class Worker {
public:
    // Works on an index and returns the answer that is sent back. It may throw: the worker then reports it and ends.
    using Work = std::function<std::string(std::uint64_t index)>;

    // Fails if the system has no process or descriptor left. `others` are the workers whose descriptors the new process
    // inherits and must close, so that their ends are noticed. A worker that spends more than `most` of CPU time on an
    // index, not counting its children's, is ended.
    [[nodiscard]] static Result<Worker> start(const Work& work, const std::list<Worker>& others,
                                              std::optional<std::chrono::seconds> most = {});

    Worker(Worker&& other) noexcept;
    Worker& operator=(Worker&&) = delete;
    // Hangs up and waits for the process to end.
    ~Worker();

    // Queues an index. If the worker is gone, the index stays in `pending`, so nothing is lost.
    void give(std::uint64_t index);
    const std::deque<std::uint64_t>& pending() const { return pending_; }
    int descriptor() const { return socket_; }

    enum class Kind { answer, failure, gone };
    struct Message {
        Kind kind;
        // The oldest index, which the message is about and which is no longer pending. None if the worker ended while
        // idle.
        std::optional<std::uint64_t> index;
        std::string text;  // the answer, what was thrown, or how the process ended
    };
    // Waits for the next message; call it when the descriptor is readable. After `failure` and `gone` the worker takes
    // no more work.
    Message receive();
    // Whether the process has ended. A child of it may still hold its descriptor open; then ended() is its last
    // message.
    bool has_ended();
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

// Waits for messages for at most `most` and passes each to `take` with its worker. A worker that takes no more work is
// then removed from the list; during `take`, `pending` holds the indices that it did not get to. If a signal interrupts
// the wait, there are no messages.
void receive(std::list<Worker>& workers, std::chrono::milliseconds most,
             const std::function<void(const Worker&, const Worker::Message&)>& take);

}  // namespace haruspex::compiler
