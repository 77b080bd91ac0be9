#include "reports/campaign/campaign.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <list>
#include <map>
#include <set>
#include <system_error>
#include <thread>
#include <vector>

#include "generators/base/ensure.h"
#include "harness/compiler/worker.h"
#include "oracle/pipeline/passes.h"
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
// How often this process says how it is, and the time over which it is as fast as it says.
constexpr std::chrono::seconds live_interval{1};
constexpr std::chrono::seconds lately{30};
// Checkpoints and counting the cases of other processes read the whole database: at most 1/reading_share of the time
// is spent on each.
constexpr std::chrono::seconds checkpoint_interval{30};
constexpr std::chrono::seconds recount_interval{2};
constexpr int reading_share = 100;
// If so many cases in a row are refused or fail to compile, the compiler may be broken. Whether it is, is then tried, so
// that the number need not be sure.
constexpr std::uint64_t most_failures_in_a_row = 25;
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
          database_(database),
          live_file_(live_file(options.out, database.run())),
          next_tick_(begin_ + tick),
          next_live_(begin_),
          next_recount_(begin_ + recount_interval),
          next_checkpoint_(begin_ + checkpoint_interval),
          done_before_(collector.cases()) {}
    Run(const Run&) = delete;
    Run& operator=(const Run&) = delete;
    ~Run() {
        // After an error nobody takes their answers.
        for (compiler::Worker& worker : workers_) { worker.kill(); }
        std::error_code error;
        std::filesystem::remove(live_file_, error);
    }

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
            if (auto sane = check_compiler(); !sane) { return sane; }
        }
        if (auto committed = commit(); !committed) { return committed; }
        if (auto counted = collector_.recount(); !counted) { return counted; }
        progress_(progress());
        return {};
    }

    double seconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }
    Result<bool> is_complete() const { return dispenser_.is_complete(); }

private:
    Result<void> commit() {
        if (!database_.is_in_place()) {
            return fail(
                options_.out.string() +
                ": the campaign's folder was removed, moved or replaced while the campaign was at work. Where it is "
                "now it holds everything up to then, and haruspex fuzz --out FOLDER goes on with it");
        }
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
        if (Clock::now() >= next_live_) {
            note_pace();
            write_live(live_file_, live());
            next_live_ = Clock::now() + live_interval;
        }
        if (auto counted = now_and_then(next_recount_, recount_interval, [&] { return recount(); }); !counted) {
            return counted;
        }
        return now_and_then(next_checkpoint_, checkpoint_interval, [&] { return collector_.checkpoint(); });
    }

    Result<void> recount() {
        const auto is_alone = database_.is_alone();
        if (!is_alone) { return fail(is_alone.error()); }
        return *is_alone ? Result<void>() : collector_.recount();
    }

    // Does work that reads the whole database, if it is due.
    static Result<void> now_and_then(Clock::time_point& next, Clock::duration interval,
                                     const std::function<Result<void>()>& work) {
        const auto begin = Clock::now();
        if (begin < next) { return {}; }
        if (auto done = work(); !done) { return done; }
        const auto end = Clock::now();
        next = end + std::max<Clock::duration>(interval, reading_share * (end - begin));
        return {};
    }

    void note_outcome(verdict::Class cls) {
        const bool is_failure = cls == verdict::Class::rejected || cls == verdict::Class::harness_failure ||
                                verdict::is_compiler_failure(cls);
        failures_in_a_row_ = is_failure ? failures_in_a_row_ + 1 : 0;
    }

    // After many failures in a row: a compiler that fails on the smallest program, too, is not worth more cases.
    Result<void> check_compiler() {
        if (failures_in_a_row_ < most_failures_in_a_row) { return {}; }
        failures_in_a_row_ = 0;
        compiler::Request request;
        request.run = options_.native;
        const auto seen = server_.observe(pipeline::smallest_case(server_.compiler()), request);
        if (seen.outcome == compiler::Outcome::ran) { return {}; }
        if (auto committed = commit(); !committed) { return committed; }
        return fail(
            fmt::format("{} {} does not work here: it failed on the last {} cases in a row, and on a program with one "
                        "cell as well ({}). Everything so far is kept; when the installation is mended, haruspex "
                        "fuzz --out {} goes on",
                        identity_.name, identity_.version, most_failures_in_a_row,
                        seen.message.substr(0, seen.message.find('\n')), options_.out.string()));
    }

    // Remembers how far the work is, and since when each worker has its case.
    void note_pace() {
        const auto now = Clock::now();
        pace_.push_back({now, collector_.cases_of_this_run()});
        while (pace_.size() > 2 && pace_[1].when <= now - lately) { pace_.pop_front(); }
        std::map<std::uint64_t, Clock::time_point> under_way;
        for (const compiler::Worker& worker : workers_) {
            if (worker.pending().empty()) { continue; }
            const std::uint64_t index = worker.pending().front();
            const auto before = under_way_.find(index);
            under_way[index] = before == under_way_.end() ? now : before->second;
        }
        under_way_ = std::move(under_way);
    }

    Live live() const {
        Live live;
        const auto now = Clock::now();
        live.process = ::getpid();
        live.seconds = seconds();
        live.cases = collector_.cases_of_this_run();
        if (!pace_.empty()) {
            const double since = std::chrono::duration<double>(now - pace_.front().when).count();
            if (since > 0) { live.cases_per_second = static_cast<double>(live.cases - pace_.front().cases) / since; }
        }
        if (const auto left = time_left()) { live.left = static_cast<double>(left->count()); }
        live.jobs = options_.jobs;
        for (const auto& [index, since] : under_way_) {
            live.longest = std::max(live.longest, std::chrono::duration<double>(now - since).count());
        }
        live.at_work = static_cast<int>(
            std::ranges::count_if(workers_, [](const compiler::Worker& worker) { return !worker.pending().empty(); }));
        live.deaths = deaths_;
        live.set_aside = set_aside_;
        return live;
    }

    Result<compiler::Worker> start_worker(std::chrono::seconds most_time) {
        return compiler::Worker::start(
            [this](std::uint64_t i) { return store::encode(examine(i, options_, file_, server_, identity_)); },
            workers_, most_time);
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
        // A case of which a worker died is done once more, by a worker that has done nothing else and has more time.
        for (; !to_repeat_.empty() && has_room(); to_repeat_.pop_front()) {
            auto worker = start_worker(options_.most_time_of_case * options_.limits.patience);
            if (!worker) { return fail(worker.error()); }
            workers_.push_back(std::move(*worker));
            workers_.back().give(to_repeat_.front());
        }
        // Every worker gets its first case before any gets a second.
        for (std::size_t length = 1; length <= queue_length; ++length) {
            for (compiler::Worker& worker : workers_) {
                if (auto topped = top_up(worker, length); !topped) { return topped; }
            }
            while (has_room()) {
                const auto index = next();
                if (!index) { return fail(index.error()); }
                if (!*index) { break; }
                auto worker = start_worker(options_.most_time_of_case);
                if (!worker) { return fail(worker.error()); }
                workers_.push_back(std::move(*worker));
                workers_.back().give(**index);
            }
        }
        workers_.remove_if([](const compiler::Worker& worker) { return worker.pending().empty(); });
        return {};
    }

    bool has_room() const { return workers_.size() < static_cast<std::size_t>(options_.jobs); }

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
            note_outcome(record->verdict.cls);
            collector_.take(std::move(*record));
            return;
        }
        if (message.kind == compiler::Worker::Kind::gone) {
            ++deaths_;
            if (repeated_.insert(*message.index).second) {
                to_repeat_.push_back(*message.index);
                return;
            }
            ++set_aside_;
        }
        store::Record record;
        record.index = *message.index;
        record.verdict.cls = verdict::Class::harness_failure;
        record.verdict.message = message.text;
        // Whether the case would have been compiled is unknown: it is not left out of the shares.
        if (options_.validate) {
            record.features.insert(std::string(row_feature) + to_string(*row_of(record.verdict, 0)));
        }
        note_outcome(record.verdict.cls);
        collector_.take(std::move(record));
    }

    Progress progress() {
        Progress p;
        p.kept = collector_.take_kept();
        p.done = collector_.cases();
        p.by_class = collector_.by_class();
        p.not_filed = collector_.not_filed();
        p.elapsed = std::chrono::seconds(static_cast<std::int64_t>(seconds()));
        p.cases_per_second = cases_per_second();
        p.left = time_left();
        p.live = live();
        p.status = [this] { return status_of(options_.out, database_); };
        return p;
    }

    // Of all processes, since this one began.
    double cases_per_second() const {
        const double elapsed = seconds();
        return elapsed > 0 ? static_cast<double>(collector_.cases() - done_before_) / elapsed : 0;
    }

    std::optional<std::chrono::seconds> time_left() const {
        std::optional<std::chrono::seconds> left;
        if (options_.time) {
            const auto elapsed = std::chrono::seconds(static_cast<std::int64_t>(seconds()));
            left = std::max(*options_.time - elapsed, std::chrono::seconds(0));
        }
        const double rate = cases_per_second();
        if (options_.cases && rate > 0) {
            const double rest = static_cast<double>(*options_.cases - std::min(collector_.cases(), *options_.cases));
            const auto by_cases =
                std::chrono::seconds(static_cast<std::int64_t>(std::min(rest / rate, longest_estimate)));
            left = left ? std::min(*left, by_cases) : by_cases;
        }
        return left;
    }

    // How far this process was at some moment.
    struct Pace {
        Clock::time_point when;
        std::uint64_t cases = 0;
    };

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
    // Cases of which a worker died: those that are to be done once more, and all those that were. A worker may also die
    // of something else, such as a signal from outside; a case is set aside only if a second worker dies of it.
    std::deque<std::uint64_t> to_repeat_;
    std::set<std::uint64_t> repeated_;
    const store::Database& database_;
    std::filesystem::path live_file_;
    Clock::time_point next_tick_, next_live_, next_recount_, next_checkpoint_;
    std::uint64_t done_before_;                             // cases that were done when this run began
    std::deque<Pace> pace_;                                 // over the last while, one a second
    std::map<std::uint64_t, Clock::time_point> under_way_;  // cases, and when they were first seen to be under way
    std::uint64_t deaths_ = 0, set_aside_ = 0, failures_in_a_row_ = 0;
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
    const auto at_work = database->runs_at_work();
    if (!at_work) { return fail(at_work.error()); }
    remove_stale_live_files(options.out, *at_work);
    Run run(options, file ? &*file : nullptr, compiler, *database, collector, stop, progress);
    if (auto ran = run.loop(); !ran) { return fail(ran.error()); }
    const auto is_complete = run.is_complete();
    if (!is_complete) { return fail(is_complete.error()); }
    return collector.finish(run.seconds(), !*is_complete);
}

}  // namespace haruspex::campaign
