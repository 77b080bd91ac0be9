#include "reports/campaign/campaign.h"

#include <algorithm>
#include <deque>
#include <list>
#include <thread>
#include <vector>

#include "generators/base/ensure.h"
#include "harness/compiler/worker.h"
#include "reports/campaign/case_file.h"
#include "reports/campaign/collector.h"
#include "reports/campaign/dispenser.h"
#include "reports/campaign/examine.h"
#include "reports/campaign/settings.h"

namespace haruspex::campaign {
namespace {

// One case under way and one queued behind it, so that a worker need not wait for the collector.
constexpr std::size_t queue_length = 2;
constexpr std::chrono::milliseconds tick{200};
// A checkpoint reads the whole database: at most 1/checkpoint_share of the time is spent on it.
constexpr std::chrono::seconds checkpoint_interval{30};
constexpr int checkpoint_share = 100;
// In seconds; limits the estimate, because any number of cases may be requested.
constexpr double longest_estimate = 1e9;

// Unlike compiler::work_in_order, it does not know its indices in advance: processes that share a campaign divide them.
class Run {
public:
    Run(const Options& options, const CaseFile* file, compiler::Compiler& compiler, store::Database& database,
        Collector& collector, const std::atomic<bool>& stop, const std::function<void(const Progress&)>& progress)
        : options_(options),
          file_(file),
          identity_(compiler.identity()),
          server_(compiler, options.limits),
          collector_(collector),
          stop_(stop),
          progress_(progress),
          begin_(Clock::now()),
          dispenser_(options, database, begin_),
          next_tick_(begin_ + tick),
          next_checkpoint_(begin_ + checkpoint_interval) {}

    Result<void> loop() {
        if (collector_.is_quiet()) { dispenser_.close(); }
        while (true) {
            if (auto filled = fill(); !filled) { return filled; }
            if (!workers_.empty()) {
                receive();
            } else if (dispenser_.may_have_more(stop_)) {
                std::this_thread::sleep_for(tick);
            } else {
                break;
            }
            if (auto ticked = clock(); !ticked) { return ticked; }
        }
        if (auto committed = commit(); !committed) { return committed; }
        progress_(progress());
        return {};
    }

    double seconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }
    Result<bool> is_complete() const { return dispenser_.is_complete(); }

private:
    Result<void> commit() {
        if (auto committed = collector_.commit(seconds()); !committed) { return committed; }
        if (collector_.is_quiet()) { dispenser_.close(); }
        return {};
    }

    // Does the periodic work: commits, reports progress, writes checkpoints.
    Result<void> clock() {
        if (Clock::now() >= next_tick_) {
            if (auto committed = commit(); !committed) { return committed; }
            progress_(progress());
            dispenser_.look_again();
            next_tick_ = Clock::now() + tick;
        }
        if (const auto begin = Clock::now(); begin >= next_checkpoint_) {
            if (auto written = collector_.checkpoint(); !written) { return written; }
            const auto end = Clock::now();
            next_checkpoint_ = end + std::max<Clock::duration>(checkpoint_interval, checkpoint_share * (end - begin));
        }
        return {};
    }

    // Returns the next index for a worker, if there is one.
    Result<std::optional<std::uint64_t>> next() {
        if (!returned_.empty()) {
            const std::uint64_t index = returned_.front();
            returned_.pop_front();
            return index;
        }
        auto index = dispenser_.next(stop_);
        if (index && *index) { collector_.expect(**index); }
        return index;
    }

    // Gives work to every worker that has room for it, starts workers while there is work, and releases workers that
    // have none left.
    Result<void> fill() {
        const auto top_up = [&](compiler::Worker& worker, std::size_t length) -> Result<void> {
            while (worker.pending().size() < length) {
                const auto index = next();
                if (!index) { return fail(index.error()); }
                if (!*index) { break; }
                worker.give(**index);
            }
            return {};
        };
        // Every worker gets its first case before any gets a second.
        for (std::size_t length = 1; length <= queue_length; ++length) {
            for (compiler::Worker& worker : workers_) {
                if (auto topped = top_up(worker, length); !topped) { return topped; }
            }
            while (workers_.size() < static_cast<std::size_t>(options_.jobs)) {
                const auto index = next();
                if (!index) { return fail(index.error()); }
                if (!*index) { break; }
                auto worker = compiler::Worker::start(
                    [this](std::uint64_t i) { return store::encode(examine(i, options_, file_, server_, identity_)); },
                    workers_, options_.most_time_of_case);
                if (!worker) { return fail(worker.error()); }
                workers_.push_back(std::move(*worker));
                workers_.back().give(**index);
            }
        }
        workers_.remove_if([](const compiler::Worker& worker) { return worker.pending().empty(); });
        return {};
    }

    void receive() {
        compiler::receive(workers_, tick, [this](const compiler::Worker& worker, const auto& message) {
            handle(message);
            if (message.kind == compiler::Worker::Kind::answer) { return; }
            returned_.insert(returned_.end(), worker.pending().begin(), worker.pending().end());
        });
    }

    void handle(const compiler::Worker::Message& message) {
        if (!message.index) { return; }
        if (message.kind == compiler::Worker::Kind::answer) {
            auto record = store::decode(message.text);
            ENSURE(record.has_value() && record->index == *message.index,
                   "a worker answers what it was asked: " + (record ? std::string() : to_string(record.error())));
            collector_.take(std::move(*record));
            return;
        }
        store::Record record;
        record.index = *message.index;
        record.verdict.cls = verdict::Class::harness_failure;
        record.verdict.message = message.text;
        // Whether the case would have been compiled is unknown: it is not left out of the shares.
        if (options_.validate) {
            record.features.insert(std::string(row_feature) + to_string(*row_of(record.verdict, 0)));
        }
        collector_.take(std::move(record));
    }

    Progress progress() {
        Progress p;
        p.kept = collector_.take_kept();
        p.done = collector_.cases();
        p.by_class = collector_.by_class();
        p.not_filed = collector_.not_filed();
        const double elapsed = seconds();
        p.elapsed = std::chrono::seconds(static_cast<std::int64_t>(elapsed));
        p.cases_per_second = elapsed > 0 ? static_cast<double>(collector_.cases_of_this_run()) / elapsed : 0;
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
    const CaseFile* file_;
    compiler::Identity identity_;
    compiler::ForkServer server_;  // made before workers are forked; only workers use it
    Collector& collector_;
    const std::atomic<bool>& stop_;
    const std::function<void(const Progress&)>& progress_;
    Clock::time_point begin_;
    Dispenser dispenser_;
    // Indices given to a worker that failed before it came to them. They count as begun, so they are finished.
    std::deque<std::uint64_t> returned_;
    Clock::time_point next_tick_, next_checkpoint_;
    std::list<compiler::Worker> workers_;
};

}  // namespace

Result<Summary> run(const Options& asked, compiler::Compiler& compiler, const std::atomic<bool>& stop,
                    const std::function<void(const Progress&)>& progress) {
    ENSURE(asked.jobs > 0, "a campaign needs a worker");
    Options options = asked;
    const auto identity = compiler.identity();
    const auto file_or_none = cases_of(options, identity);
    if (!file_or_none) { return fail(file_or_none.error()); }
    const std::optional<CaseFile>& file = *file_or_none;
    const store::Settings settings = settings_of(options, identity, file ? file->digest : std::string());
    options = part_of(std::move(options));
    auto store = store::Store::open(options.out);
    if (!store) { return fail(store.error()); }
    auto database = store::Database::open(options.out, settings, options.first);
    if (!database) { return fail(database.error()); }
    Collector collector(options, file ? file->digest : std::string(), identity, std::move(*store), *database);
    if (auto begun = collector.begin(); !begun) { return fail(begun.error()); }
    Run run(options, file ? &*file : nullptr, compiler, *database, collector, stop, progress);
    if (auto ran = run.loop(); !ran) { return fail(ran.error()); }
    const auto is_complete = run.is_complete();
    if (!is_complete) { return fail(is_complete.error()); }
    return collector.finish(run.seconds(), !*is_complete);
}

}  // namespace haruspex::campaign
