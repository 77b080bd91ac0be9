#include "harness/compiler/in_order.h"

#include <algorithm>
#include <chrono>
#include <list>
#include <map>

#include "generators/base/ensure.h"

namespace haruspex::compiler {
namespace {

constexpr std::chrono::milliseconds tick{200};

class InOrder {
public:
    explicit InOrder(const WorkInOrder& order) : order_(order), jobs_(static_cast<std::uint64_t>(order.jobs)) {}

    Result<Undelivered> run() {
        while (heard_ < order_.count) {
            if (auto filled = fill(); !filled) { return fail(filled.error()); }
            receive();
            for (auto done = done_.find(heard_); done != done_.end(); done = done_.find(heard_)) {
                const bool goes_on = order_.on_done(heard_, done->second);
                done_.erase(done);
                ++heard_;
                if (!goes_on) { return surplus(); }
            }
        }
        return surplus();
    }

private:
    bool may_give() const {
        const std::uint64_t unheard = next_ - heard_;
        return next_ < order_.count && unheard < order_.most_ahead && (unheard == 0 || order_.may_begin(unheard));
    }

    Result<void> fill() {
        while (workers_.size() < std::min(jobs_, order_.count - heard_)) {
            auto worker = Worker::start(order_.work, workers_, order_.most_time);
            if (!worker) { return fail(worker.error()); }
            workers_.push_back(std::move(*worker));
        }
        for (std::size_t length = 1; length <= order_.queue; ++length) {
            for (Worker& worker : workers_) {
                if (worker.pending().size() >= length) { continue; }
                if (!may_give()) { return {}; }
                worker.give(next_++);
            }
        }
        return {};
    }

    void receive() {
        compiler::receive(workers_, tick, [this](const Worker& worker, const Worker::Message& message) {
            if (message.kind == Worker::Kind::answer) {
                done_[*message.index] = {false, message.text};
                return;
            }
            // Indices queued behind the one that ended the worker have not been worked on.
            for (const std::uint64_t index : worker.pending()) { done_[index] = again(index); }
            if (message.index) { done_[*message.index] = {true, message.text}; }
        });
    }

    // Works at once, in a new worker, on an index that a dying worker left queued.
    Done again(std::uint64_t index) {
        auto worker = Worker::start(order_.work, workers_, order_.most_time);
        if (!worker) { return {true, worker.error().message}; }
        worker->give(index);
        Worker::Message message = worker->receive();
        return {message.kind != Worker::Kind::answer, std::move(message.text)};
    }

    Undelivered surplus() {
        Undelivered surplus;
        for (auto& [index, done] : done_) { surplus.done.push_back(std::move(done)); }
        for (const Worker& worker : workers_) { surplus.under_way += worker.pending().empty() ? 0 : 1; }
        return surplus;
    }

    const WorkInOrder& order_;
    std::uint64_t jobs_;
    std::uint64_t next_ = 0;   // to be given out next
    std::uint64_t heard_ = 0;  // all indices before it are delivered
    std::map<std::uint64_t, Done> done_;
    std::list<Worker> workers_;
};

}  // namespace

Result<Undelivered> work_in_order(const WorkInOrder& order) {
    ENSURE(order.jobs > 0 && order.most_ahead > 0, "work needs a worker");
    return InOrder(order).run();
}

}  // namespace haruspex::compiler
