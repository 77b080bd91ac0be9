#include "reports/campaign/campaign.h"

#include <poll.h>

#include <algorithm>
#include <deque>
#include <limits>
#include <list>
#include <vector>

#include "generators/base/ensure.h"
#include "harness/compiler/worker.h"
#include "reports/campaign/collector.h"
#include "reports/campaign/examine.h"

namespace haruspex::campaign {
namespace {

using Clock = std::chrono::steady_clock;

// One case under way and one queued behind it, so that a worker need not wait for the collector.
constexpr std::size_t queue_length = 2;
constexpr std::chrono::milliseconds tick{200};
constexpr std::chrono::seconds checkpoint_interval{30};
// Seconds; any number of cases may be asked for.
constexpr double longest_estimate = 1e9;

// Which index comes next, and whether any does.
class Dispenser {
public:
    Dispenser(const Options& options, Clock::time_point begin)
        : options_(options), begin_(begin), next_(options.first) {
        constexpr auto most = std::numeric_limits<std::uint64_t>::max();
        end_ = options.cases && *options.cases <= most - options.first ? options.first + *options.cases : most;
    }

    std::optional<std::uint64_t> next(bool stop) {
        // An index that was given to a worker that failed before it came to it: begun, so it is finished.
        if (!returned_.empty()) {
            const std::uint64_t index = returned_.front();
            returned_.pop_front();
            return index;
        }
        const bool time_is_up = options_.time && Clock::now() - begin_ >= *options_.time;
        if (stop || time_is_up || next_ == end_) { return std::nullopt; }
        return next_++;
    }
    void give_back(const std::deque<std::uint64_t>& indices) {
        returned_.insert(returned_.end(), indices.begin(), indices.end());
    }
    std::uint64_t given() const { return next_ - options_.first; }
    // All cases that were asked for, or as long as was asked for.
    bool is_complete() const {
        if (options_.cases) { return next_ == end_ || (options_.time && Clock::now() - begin_ >= *options_.time); }
        return options_.time && Clock::now() - begin_ >= *options_.time;
    }

private:
    const Options& options_;
    Clock::time_point begin_;
    std::uint64_t next_;
    std::uint64_t end_ = 0;
    std::deque<std::uint64_t> returned_;
};

class Run {
public:
    Run(const Options& options, compiler::Compiler& compiler, Collector& collector, const std::atomic<bool>& stop,
        const std::function<void(const Progress&)>& progress)
        : options_(options),
          identity_(compiler.identity()),
          server_(compiler, options.limits),
          collector_(collector),
          stop_(stop),
          progress_(progress),
          begin_(Clock::now()),
          dispenser_(options, begin_) {}

    Result<void> loop() {
        Clock::time_point last_tick = begin_;
        Clock::time_point last_checkpoint = begin_;
        while (true) {
            if (auto filled = fill(); !filled) { return filled; }
            if (workers_.empty()) { break; }
            if (auto received = receive(); !received) { return received; }
            const auto now = Clock::now();
            if (now - last_tick >= tick) {
                last_tick = now;
                progress_(progress());
            }
            if (now - last_checkpoint >= checkpoint_interval) {
                last_checkpoint = now;
                if (auto written = collector_.checkpoint(seconds()); !written) { return written; }
            }
        }
        progress_(progress());
        return {};
    }

    double seconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }
    bool is_complete() const { return dispenser_.is_complete(); }

private:
    // Gives work to every worker that could take some, starts workers while there is work for them, and lets those go
    // that have none left.
    Result<void> fill() {
        const auto top_up = [&](compiler::Worker& worker, std::size_t length) {
            while (worker.pending().size() < length) {
                const auto index = dispenser_.next(stop_);
                if (!index) { return; }
                worker.give(*index);
            }
        };
        // Everybody's first case before anybody's second.
        for (std::size_t length = 1; length <= queue_length; ++length) {
            for (compiler::Worker& worker : workers_) { top_up(worker, length); }
            while (workers_.size() < static_cast<std::size_t>(options_.jobs)) {
                const auto index = dispenser_.next(stop_);
                if (!index) { break; }
                auto worker = compiler::Worker::start(
                    [this](std::uint64_t i) { return encode(examine(i, options_, server_, identity_)); }, workers_);
                if (!worker) { return fail(worker.error()); }
                workers_.push_back(std::move(*worker));
                workers_.back().give(*index);
            }
        }
        workers_.remove_if([](const compiler::Worker& worker) { return worker.pending().empty(); });
        return {};
    }

    Result<void> receive() {
        std::vector<pollfd> descriptors;
        for (const compiler::Worker& worker : workers_) { descriptors.push_back({worker.descriptor(), POLLIN, 0}); }
        // Interrupted by a signal counts as silence: the flag is looked at next.
        if (::poll(descriptors.data(), descriptors.size(), static_cast<int>(tick.count())) < 0) { return {}; }
        auto descriptor = descriptors.begin();
        for (auto worker = workers_.begin(); worker != workers_.end(); ++descriptor) {
            const auto here = worker++;
            const bool silent = descriptor->revents == 0;
            if (silent && !(here->has_ended() && ::poll(&*descriptor, 1, 0) == 0)) { continue; }
            const compiler::Worker::Message message = silent ? here->ended() : here->receive();
            if (auto handled = handle(message); !handled) { return handled; }
            if (message.kind != compiler::Worker::Kind::answer) {
                dispenser_.give_back(here->pending());
                workers_.erase(here);
            }
        }
        return {};
    }

    Result<void> handle(const compiler::Worker::Message& message) {
        if (!message.index) { return {}; }
        if (message.kind == compiler::Worker::Kind::answer) {
            auto record = decode(message.text);
            ENSURE(record.has_value() && record->index == *message.index,
                   "a worker answers what it was asked: " + (record ? std::string() : to_string(record.error())));
            return collector_.take(std::move(*record));
        }
        Record record;
        record.index = *message.index;
        record.verdict.cls = verdict::Class::harness_failure;
        record.verdict.message = message.text;
        return collector_.take(std::move(record));
    }

    Progress progress() const {
        Progress p;
        p.done = collector_.taken();
        p.by_class = collector_.by_class();
        const double elapsed = seconds();
        p.elapsed = std::chrono::seconds(static_cast<std::int64_t>(elapsed));
        p.cases_per_second = elapsed > 0 ? static_cast<double>(p.done) / elapsed : 0;
        if (options_.time) { p.left = std::max(*options_.time - p.elapsed, std::chrono::seconds(0)); }
        if (options_.cases && p.cases_per_second > 0) {
            const double rest = static_cast<double>(*options_.cases - std::min(p.done, *options_.cases));
            const auto by_cases =
                std::chrono::seconds(static_cast<std::int64_t>(std::min(rest / p.cases_per_second, longest_estimate)));
            p.left = p.left ? std::min(*p.left, by_cases) : by_cases;
        }
        return p;
    }

    const Options& options_;
    compiler::Identity identity_;
    compiler::ForkServer server_;
    Collector& collector_;
    const std::atomic<bool>& stop_;
    const std::function<void(const Progress&)>& progress_;
    Clock::time_point begin_;
    Dispenser dispenser_;
    std::list<compiler::Worker> workers_;
};

}  // namespace

Result<Summary> run(const Options& options, compiler::Compiler& compiler, const std::atomic<bool>& stop,
                    const std::function<void(const Progress&)>& progress) {
    ENSURE(options.jobs > 0, "a campaign needs a worker");
    auto collector = Collector::create(options, compiler.identity());
    if (!collector) { return fail(collector.error()); }
    Run run(options, compiler, *collector, stop, progress);
    if (auto ran = run.loop(); !ran) { return fail(ran.error()); }
    return collector->finish(run.seconds(), !run.is_complete());
}

}  // namespace haruspex::campaign
