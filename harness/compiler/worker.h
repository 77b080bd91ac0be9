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

// A forked process that works on indices one after the other. It dies with its parent, is deaf to Ctrl-C and its like
// (the parent decides when to end) and ends when the parent hangs up.
namespace haruspex::compiler {

class Worker {
public:
    // What a worker does with an index: the answer that is sent back. It may throw; the worker then says so and ends.
    using Work = std::function<std::string(std::uint64_t index)>;

    // An Error when the system has no process or descriptor left. `others` are the workers whose descriptors the new
    // process inherits and must close, so that their ends are noticed. A worker that spends more than `most` of
    // processor time on an index, its children's not counted, is ended.
    [[nodiscard]] static Result<Worker> start(const Work& work, const std::list<Worker>& others,
                                              std::optional<std::chrono::seconds> most = {});

    Worker(Worker&& other) noexcept;
    Worker& operator=(Worker&&) = delete;
    // Hangs up and waits for the process to end.
    ~Worker();

    // Queues an index. When the worker is gone, nothing is lost: the index stays among `pending`.
    void give(std::uint64_t index);
    const std::deque<std::uint64_t>& pending() const { return pending_; }
    int descriptor() const { return socket_; }

    enum class Kind { answer, failure, gone };
    struct Message {
        Kind kind;
        // The case that is meant, no longer pending: the oldest. None when the worker ended without work.
        std::optional<std::uint64_t> index;
        std::string text;  // the answer, what was thrown, or how the process ended
    };
    // Waits for the next message; call it when the descriptor is readable. After `failure` and `gone` the worker takes
    // no more work.
    Message receive();
    // Whether the process has ended; its descriptor may still be held open by a child of it. Then ended() is its last
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

// Waits for messages, at most so long, and hands each over with its worker. A worker that takes no more work leaves the
// list afterwards: what it was not asked to the end is among its `pending` until then. Interrupted by a signal counts
// as silence.
void receive(std::list<Worker>& workers, std::chrono::milliseconds most,
             const std::function<void(const Worker&, const Worker::Message&)>& take);

}  // namespace haruspex::compiler
