#include "reports/measure/measure.h"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "harness/mutants/sched/mutations.h"
#include "reports/measure/asking.h"
#include "reports/measure/description.h"
#include "reports/measure/ledger.h"
#include "reports/store/files.h"
#include "reports/store/journal.h"
#include "reports/store/version.h"

namespace haruspex::measure {
namespace {

using Json = nlohmann::ordered_json;

// A row's effort extends the time limits at most by this factor.
constexpr std::uint64_t most_patience = 10;

// Makes one prophecy wrong, and returns the kind of mutation; nullopt if there is none to change.
std::optional<std::pair<Problem, std::string>> with_wrong_prophecy(const Problem& problem, Choices& choices) {
    Problem changed = problem;
    auto* written = std::get_if<Written>(&changed.subject);
    auto* lowered = std::get_if<Lowered>(&changed.subject);
    if (lowered != nullptr && !lowered->prophesied) { return std::nullopt; }
    sched::Program& program = written != nullptr ? written->program : *lowered->prophesied;
    const auto chosen = mutants::sched::random_mutation(program, choices, mutants::sched::is_of_prophecy);
    if (!chosen) { return std::nullopt; }
    program = mutants::sched::apply(program, *chosen);
    // The unrolled program then has the wrong prophecies, too.
    if (lowered != nullptr) { lowered->plain.program = program; }
    return std::pair{std::move(changed), std::string(mutants::sched::name(chosen->kind))};
}

Result<std::vector<Record>> records_of(const std::vector<std::string>& lines, const std::filesystem::path& file) {
    std::vector<Record> records;
    for (const std::string& line : lines) {
        const std::string where = fmt::format("{}:{}: ", file.string(), records.size() + 2);
        auto record = parse_record(line);
        if (!record) { return fail(where + record.error().message); }
        if (record->index != records.size()) {
            return fail(where + "expected index " + std::to_string(records.size()));
        }
        records.push_back(std::move(*record));
    }
    return records;
}

}  // namespace

Series generated(std::uint64_t seed, std::uint64_t count, const Workplace& workplace) {
    Series series;
    series.description = "generated from seed " + std::to_string(seed);
    if (workplace.mutants.empty()) { series.description += ", without mutants"; }
    for (const std::string& mutant : workplace.mutants) { series.description += ", " + mutant; }
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

std::string first_line(const std::string& header, const compiler::Identity& identity) {
    Json json = Json::parse(header);
    json["build"] = store::versions_of(identity.name + " " + identity.version);
    return json.dump();
}

Record measure_item(std::uint64_t index, const Item& item, const compiler::Identity& identity, const Options& options) {
    Record record;
    record.index = index;
    record.name = item.name;
    record.published = item.published;
    if (!item.problem) {
        record.no_problem = item.problem.error();
        // Every expected outcome is missed.
        for (const auto& [asked, outcome] : item.expected) {
            if (std::ranges::find(options.methods, asked.first) == options.methods.end()) { continue; }
            Entry entry{asked.first, asked.second};
            entry.answer.outcome = Outcome::failed;
            entry.answer.reason = record.no_problem;
            entry.expected = outcome;
            record.entries.push_back(std::move(entry));
        }
        return record;
    }
    record.compile_seconds = item.compile_seconds;
    const Problem& problem = *item.problem;
    record.making = name(problem.making);
    record.detail = problem.detail;
    record.own = problem.own;
    record.is_wrong_at_own = problem.is_wrong_at_own;
    record.is_wrong = problem.is_wrong;
    record.shown = problem.shown;
    record.features = features(problem);
    record.size = size(problem);
    record.effort = options.budget.effort * item.effort;
    Budget budget = options.budget;
    budget.effort = record.effort;
    budget.limits.cpu *= std::min(item.effort, most_patience);
    budget.limits.wall *= std::min(item.effort, most_patience);
    const auto asked = [&](Method method, Question question, const Problem& about) {
        const Sizes& sizes = question == Question::large_sizes ? item.large : about.own;
        return ask_limited(method, question, about, sizes, identity, budget);
    };
    for (const Method method : options.methods) {
        for (const Question question : item.questions) {
            if (runs_programs(method) && question != Question::own_sizes) { continue; }
            const Answered answered = asked(method, question, problem);
            Entry entry{method, question, answered.answer, answered.spent, {}};
            const auto expected = item.expected.find({method, question});
            if (expected != item.expected.end()) { entry.expected = expected->second; }
            // A lowered program not yet known to be wrong is wrong if the interpreters confirm the validator's
            // counterexample.
            const bool is_confirmed = entry.answer.outcome == Outcome::refuted && method == Method::validator;
            if (is_confirmed && problem.making == Making::lowered && !record.is_wrong) {
                record.is_wrong = true;
                record.shown = std::string(name(method)) + ": " + entry.answer.reason;
            }
            // A wrong program is wrong at its own sizes, too, if the validator refutes it there: few inputs were tried.
            const bool is_at_own = question == Question::own_sizes;
            record.is_wrong_at_own = record.is_wrong_at_own || (is_confirmed && is_at_own && record.is_wrong);
            record.entries.push_back(std::move(entry));
        }
    }
    const bool validates = std::ranges::find(options.methods, Method::validator) != options.methods.end();
    Choices choices(random_source(derive_seed(~index, index)));
    for (const Question question : item.questions) {
        if (!options.prophecies || !validates || question == Question::large_sizes) { continue; }
        const auto changed = with_wrong_prophecy(problem, choices);
        if (!changed) { continue; }
        record.prophecies.push_back(
            {question, changed->second, asked(Method::validator, question, changed->first).answer});
    }
    return record;
}

Result<std::vector<Record>> run(const Series& series, const compiler::Identity& identity, const Options& options,
                                const std::atomic<bool>& stop, const std::function<void(const Progress&)>& progress) {
    if (auto made = store::make_folder(options.out); !made) { return fail(made.error()); }
    const std::filesystem::path file = options.out / "cases.jsonl";
    std::error_code error;
    if (!std::filesystem::exists(file, error) && !std::filesystem::is_empty(options.out, error)) {
        return fail(options.out.string() +
                    " is not empty and has no cases.jsonl; expected a new or empty folder, or one " +
                    "that measure made");
    }
    auto ledger = Ledger::open(file, header(series, identity, options));
    if (!ledger) { return fail(ledger.error()); }
    auto known = records_of(ledger->lines(), file);
    if (!known) { return known; }
    const std::string build = store::versions_of(identity.name + " " + identity.version);
    const auto other = std::ranges::find_if(*known, [&](const Record& record) { return record.build != build; });
    if (other != known->end() && known->size() < series.count && !options.any_build) {
        return fail(file.string() + ":" + std::to_string(other->index + 2) + ": measured by another build, " +
                    other->build + "; this is " + build + ". --any-build goes on with it");
    }
    Worklist list;
    list.what = "programs";
    list.count = series.count;
    list.jobs = options.jobs;
    list.line = [&](std::uint64_t index) {
        Record record = measure_item(index, series.item(index), identity, options);
        record.build = build;
        return to_json(record);
    };
    list.faulty = [&](std::uint64_t index, const std::string& fault) {
        Record record;
        record.index = index;
        record.build = build;
        record.no_problem = "fault: " + fault;
        return to_json(record);
    };
    const auto lines = work_off(list, *ledger, stop, progress);
    if (!lines) { return fail(lines.error()); }
    return records_of(*lines, file);
}

}  // namespace haruspex::measure
