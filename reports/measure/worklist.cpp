#include "reports/measure/worklist.h"

#include <list>
#include <map>

#include "generators/base/ensure.h"
#include "harness/compiler/worker.h"

namespace haruspex::measure {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds tick{200};

class Work {
public:
    Work(const Worklist& list, Ledger& ledger, const std::atomic<bool>& stop,
         const std::function<void(const Progress&)>& progress)
        : list_(list), ledger_(ledger), stop_(stop), progress_(progress), begin_(Clock::now()), lines_(ledger.lines()) {
        if (lines_.size() > list.count) { lines_.resize(list.count); }
        before_ = next_ = lines_.size();
    }

    Result<void> loop() {
        while (true) {
            if (auto filled = fill(); !filled) { return filled; }
            if (workers_.empty()) { break; }
            if (auto received = receive(); !received) { return received; }
            progress_(progress());
        }
        return {};
    }

    std::vector<std::string> take_lines() { return std::move(lines_); }

private:
    Result<void> fill() {
        const auto give = [&](compiler::Worker& worker) {
            if (worker.pending().empty() && !stop_ && next_ < list_.count) { worker.give(next_++); }
        };
        for (compiler::Worker& worker : workers_) { give(worker); }
        workers_.remove_if([](const compiler::Worker& worker) { return worker.pending().empty(); });
        while (workers_.size() < static_cast<std::size_t>(list_.jobs) && !stop_ && next_ < list_.count) {
            auto worker = compiler::Worker::start(list_.line, workers_);
            if (!worker) { return fail(worker.error()); }
            workers_.push_back(std::move(*worker));
            give(workers_.back());
        }
        return {};
    }

    Result<void> receive() {
        compiler::receive(workers_, tick, [this](const auto&, const compiler::Worker::Message& message) {
            if (!message.index) { return; }
            const bool is_answer = message.kind == compiler::Worker::Kind::answer;
            waiting_[*message.index] = is_answer ? message.text : list_.faulty(*message.index, message.text);
        });
        return keep();
    }

    // Appends lines in the order of their indices, so that the file does not depend on the number of workers.
    Result<void> keep() {
        for (auto found = waiting_.find(lines_.size()); found != waiting_.end(); found = waiting_.find(lines_.size())) {
            if (auto written = ledger_.append(found->second); !written) { return written; }
            lines_.push_back(std::move(found->second));
            waiting_.erase(found);
        }
        return {};
    }

    Progress progress() const {
        Progress p;
        p.what = list_.what;
        p.done = lines_.size();
        p.count = list_.count;
        const double elapsed = std::chrono::duration<double>(Clock::now() - begin_).count();
        p.elapsed = std::chrono::seconds(static_cast<std::int64_t>(elapsed));
        if (p.done > before_) {
            const double each = elapsed / static_cast<double>(p.done - before_);
            p.left = std::chrono::seconds(static_cast<std::int64_t>(each * static_cast<double>(p.count - p.done)));
        }
        return p;
    }

    const Worklist& list_;
    Ledger& ledger_;
    const std::atomic<bool>& stop_;
    const std::function<void(const Progress&)>& progress_;
    Clock::time_point begin_;
    std::vector<std::string> lines_;
    std::uint64_t before_ = 0, next_ = 0;
    std::map<std::uint64_t, std::string> waiting_;
    std::list<compiler::Worker> workers_;
};

}  // namespace

Result<std::vector<std::string>> work_off(const Worklist& list, Ledger& ledger, const std::atomic<bool>& stop,
                                          const std::function<void(const Progress&)>& progress) {
    ENSURE(list.jobs > 0, "work needs a worker");
    Work work(list, ledger, stop, progress);
    if (auto done = work.loop(); !done) { return fail(done.error()); }
    return work.take_lines();
}

}  // namespace haruspex::measure
