#include "reports/measure/measure.h"

#include <algorithm>
#include <list>
#include <nlohmann/json.hpp>

#include "generators/base/ensure.h"
#include "harness/compiler/worker.h"
#include "harness/mutants/sched/mutations.h"
#include "reports/measure/description.h"
#include "reports/measure/ledger.h"
#include "reports/store/files.h"
#include "reports/store/version.h"

namespace haruspex::measure {
namespace {

using Clock = std::chrono::steady_clock;
using Json = nlohmann::ordered_json;

constexpr std::chrono::milliseconds tick{200};

std::string encode(const Answer& answer) {
    return Json{{"outcome", name(answer.outcome)}, {"reason", answer.reason}, {"compile", answer.compile_seconds}}.dump(
        -1, ' ', false, Json::error_handler_t::replace);
}

Answer decode(const std::expected<std::string, std::string>& text) {
    if (!text) {
        // A limit of the process is no fault; nothing else may end it.
        const bool is_limit = text.error() == "time limit" || text.error() == "memory limit";
        return {is_limit ? Outcome::undecided : Outcome::failed, text.error()};
    }
    const Json json = Json::parse(*text);
    return {parse_outcome(json.at("outcome").get<std::string>()).value(), json.at("reason"), json.at("compile")};
}

// With one prophecy that is wrong, and of which kind; nothing when there is none to change.
std::optional<std::pair<Problem, std::string>> with_wrong_prophecy(const Problem& problem, Choices& choices) {
    Problem changed = problem;
    auto* written = std::get_if<Written>(&changed.subject);
    auto* lowered = std::get_if<Lowered>(&changed.subject);
    if (lowered != nullptr && !lowered->foretold) { return std::nullopt; }
    sched::Program& program = written != nullptr ? written->program : *lowered->foretold;
    std::vector<mutants::sched::Mutation> all = mutants::sched::mutations(program);
    std::erase_if(all, [](const auto& mutation) { return !mutants::sched::is_of_prophecy(mutation.kind); });
    if (all.empty()) { return std::nullopt; }
    const mutants::sched::Mutation chosen = choices.one_of(all);
    program = mutants::sched::apply(program, chosen);
    // What the unrolled program is asked about then has the wrong prophecies too.
    if (lowered != nullptr) { lowered->plain.program = program; }
    return std::pair{std::move(changed), std::string(mutants::sched::name(chosen.kind))};
}

bool runs_programs(Method method) { return method == Method::interpreter || method == Method::native; }

class Run {
public:
    Run(const Series& series, const compiler::Identity& identity, const Options& options, Ledger& ledger,
        const std::atomic<bool>& stop, const std::function<void(const Progress&)>& progress)
        : series_(series),
          identity_(identity),
          options_(options),
          ledger_(ledger),
          stop_(stop),
          progress_(progress),
          begin_(Clock::now()) {}

    Result<void> begin() {
        for (const std::string& line : ledger_.lines()) {
            auto record = parse_record(line);
            if (!record) { return fail(record.error()); }
            if (record->index != records_.size()) { return fail("cases.jsonl holds what is out of order"); }
            if (records_.size() < series_.count) { records_.push_back(std::move(*record)); }
        }
        before_ = next_ = records_.size();
        return {};
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

    std::vector<Record> take_records() { return std::move(records_); }

private:
    Result<void> fill() {
        const auto give = [&](compiler::Worker& worker) {
            if (worker.pending().empty() && !stop_ && next_ < series_.count) { worker.give(next_++); }
        };
        for (compiler::Worker& worker : workers_) { give(worker); }
        workers_.remove_if([](const compiler::Worker& worker) { return worker.pending().empty(); });
        while (workers_.size() < static_cast<std::size_t>(options_.jobs) && !stop_ && next_ < series_.count) {
            auto worker = compiler::Worker::start(
                [this](std::uint64_t index) {
                    return to_json(measure_item(index, series_.item(index), identity_, options_));
                },
                workers_);
            if (!worker) { return fail(worker.error()); }
            workers_.push_back(std::move(*worker));
            give(workers_.back());
        }
        return {};
    }

    Result<void> receive() {
        compiler::receive(workers_, tick, [this](const auto&, const compiler::Worker::Message& message) {
            if (message.index) { take(*message.index, message); }
        });
        return keep();
    }

    void take(std::uint64_t index, const compiler::Worker::Message& message) {
        if (message.kind == compiler::Worker::Kind::answer) {
            waiting_[index] = message.text;
            return;
        }
        Record record;
        record.index = index;
        record.no_problem = "fault: " + message.text;
        waiting_[index] = to_json(record);
    }

    // In the order of the indices, so that the file is the same for any number of workers.
    Result<void> keep() {
        for (auto found = waiting_.find(records_.size()); found != waiting_.end();
             found = waiting_.find(records_.size())) {
            auto record = parse_record(found->second);
            ENSURE(record.has_value(), "a worker's record can be read: " + found->second);
            if (auto written = ledger_.append(found->second); !written) { return written; }
            records_.push_back(std::move(*record));
            waiting_.erase(found);
        }
        return {};
    }

    Progress progress() const {
        Progress p;
        p.done = records_.size();
        p.count = series_.count;
        const double elapsed = std::chrono::duration<double>(Clock::now() - begin_).count();
        p.elapsed = std::chrono::seconds(static_cast<std::int64_t>(elapsed));
        if (p.done > before_) {
            const double each = elapsed / static_cast<double>(p.done - before_);
            p.left = std::chrono::seconds(static_cast<std::int64_t>(each * static_cast<double>(p.count - p.done)));
        }
        return p;
    }

    const Series& series_;
    const compiler::Identity& identity_;
    const Options& options_;
    Ledger& ledger_;
    const std::atomic<bool>& stop_;
    const std::function<void(const Progress&)>& progress_;
    Clock::time_point begin_;
    std::vector<Record> records_;
    std::uint64_t before_ = 0, next_ = 0;
    std::map<std::uint64_t, std::string> waiting_;
    std::list<compiler::Worker> workers_;
};

}  // namespace

Series generated(std::uint64_t seed, std::uint64_t count, const Workplace& workplace) {
    Series series;
    series.description =
        "generated from seed " + std::to_string(seed) + (workplace.mutants.empty() ? ", without mutants" : "");
    series.count = count;
    series.item = [seed, &workplace](std::uint64_t index) {
        Item item;
        auto problem = draw_problem(seed, index, workplace);
        if (problem) {
            item.problem = std::move(*problem);
        } else {
            item.problem = std::unexpected("no draw is known to be what it is made for");
        }
        item.questions = {Question::own_sizes, Question::all_sizes};
        return item;
    };
    return series;
}

std::string header(const Series& series, const compiler::Identity& identity, const Options& options) {
    Json methods = Json::array();
    for (const Method method : options.methods) { methods.push_back(name(method)); }
    return Json{{"haruspex", store::haruspex_version()},
                {"compiler", identity.name + " " + identity.version},
                {"measured", series.description},
                {"methods", std::move(methods)},
                {"prophecies", options.prophecies},
                {"effort", options.budget.effort},
                {"cpu_seconds", options.budget.limits.cpu.count() / 1000},
                {"memory_bytes", options.budget.limits.memory_bytes}}
        .dump();
}

Record measure_item(std::uint64_t index, const Item& item, const compiler::Identity& identity, const Options& options) {
    Record record;
    record.index = index;
    record.name = item.name;
    if (!item.problem) {
        record.no_problem = item.problem.error();
        return record;
    }
    const Problem& problem = *item.problem;
    record.making = name(problem.making);
    record.detail = problem.detail;
    record.own = problem.own;
    record.is_wrong_at_own = problem.is_wrong_at_own;
    record.is_wrong = problem.is_wrong;
    record.shown = problem.shown;
    record.features = features(problem);
    record.size = size(problem);
    const auto asked = [&](Method method, Question question, const Problem& about, Spent& spent) {
        const Sizes& sizes = question == Question::large_sizes ? item.large : about.own;
        const Limited limited =
            run_limited([&] { return encode(ask(method, question, about, sizes, identity, options.budget)); },
                        options.budget.limits);
        spent = limited.spent;
        return decode(limited.answer);
    };
    for (const Method method : options.methods) {
        for (const Question question : item.questions) {
            if (runs_programs(method) && question != Question::own_sizes) { continue; }
            Entry entry{method, question, {}, {}, {}};
            entry.answer = asked(method, question, problem, entry.spent);
            if (const auto expected = item.expected.find(question);
                method == Method::validator && expected != item.expected.end()) {
                entry.expected = expected->second;
            }
            // What a compiler made, and was not shown to be wrong, is when the interpreters confirm a counterexample.
            const bool is_confirmed = entry.answer.outcome == Outcome::refuted && method == Method::validator;
            if (is_confirmed && problem.making == Making::lowered && !record.is_wrong) {
                record.is_wrong = true;
                record.is_wrong_at_own = question == Question::own_sizes;
                record.shown = std::string(name(method)) + ": " + entry.answer.reason;
            }
            record.entries.push_back(std::move(entry));
        }
    }
    const bool validates = std::ranges::find(options.methods, Method::validator) != options.methods.end();
    Choices choices(random_source(derive_seed(~index, index)));
    for (const Question question : item.questions) {
        if (!options.prophecies || !validates || question == Question::large_sizes) { continue; }
        const auto changed = with_wrong_prophecy(problem, choices);
        if (!changed) { continue; }
        Spent ignored;
        record.prophecies.push_back(
            {question, changed->second, asked(Method::validator, question, changed->first, ignored)});
    }
    return record;
}

Result<std::vector<Record>> run(const Series& series, const compiler::Identity& identity, const Options& options,
                                const std::atomic<bool>& stop, const std::function<void(const Progress&)>& progress) {
    ENSURE(options.jobs > 0, "a measurement needs a worker");
    if (auto made = store::make_folder(options.out); !made) { return fail(made.error()); }
    auto ledger = Ledger::open(options.out / "cases.jsonl", header(series, identity, options));
    if (!ledger) { return fail(ledger.error()); }
    Run run(series, identity, options, *ledger, stop, progress);
    if (auto begun = run.begin(); !begun) { return fail(begun.error()); }
    if (auto ran = run.loop(); !ran) { return fail(ran.error()); }
    return run.take_records();
}

}  // namespace haruspex::measure
