#include "reports/measure/detect.h"

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>

#include "generators/random/random_case.h"
#include "harness/compiler/compiler.h"
#include "reports/measure/asking.h"
#include "reports/store/files.h"

namespace haruspex::measure {
namespace {

using Json = nlohmann::ordered_json;

cases::Case case_of(std::uint64_t seed, std::uint64_t index, const Workplace& workplace) {
    Choices choices(random_source(derive_seed(seed, index)));
    return random::draw_case(choices, {}, compiler::language_of(workplace.identity));
}

// Caches the texts without a mutant: each is compared many times.
class Texts {
public:
    explicit Texts(const Source& source) : source_(source) {}
    const std::string& of(std::uint64_t index, const cases::Case& c) {
        const auto found = texts_.find(index);
        return found != texts_.end() ? found->second : texts_[index] = lowered_text(source_, c);
    }

private:
    const Source& source_;
    std::map<std::uint64_t, std::string> texts_;
};

constexpr std::array asked_questions{Question::own_sizes, Question::all_sizes};

std::vector<Discovery> nothing_found_by(const std::vector<Method>& methods) {
    std::vector<Discovery> all;
    for (const Method method : methods) {
        for (const Question question : asked_questions) {
            if (question == Question::own_sizes || !runs_programs(method)) { all.push_back({method, question}); }
        }
    }
    return all;
}

bool is_found(const Discovery& discovery) { return discovery.cases.has_value(); }

// The problem of a case that the mutant changes; nullopt if it changes nothing, or lowering fails.
std::optional<Problem> changed_problem(const cases::Case& c, const std::shared_ptr<const Source>& mutant,
                                       const std::string& name, const std::function<std::string()>& text_without,
                                       const Workplace& workplace) {
    if (!is_lowered_otherwise(*mutant, c, text_without)) { return std::nullopt; }
    auto problem = lower(c, mutant, workplace.identity, Making::mutant, name);
    return problem ? std::optional(std::move(*problem)) : std::nullopt;
}

Detected detect(const std::string& mutant, std::uint64_t seed, const std::vector<Record>& stream,
                const Workplace& workplace, const Options& options, Texts& texts) {
    Detected detected;
    detected.mutant = mutant;
    detected.by = nothing_found_by(options.methods);
    const auto source = workplace.mutant(mutant);
    for (const Record& before : stream) {
        if (std::ranges::all_of(detected.by, is_found)) { break; }
        ++detected.put;
        if (before.making.empty()) { continue; }
        const cases::Case c = case_of(seed, before.index, workplace);
        const auto text_without = [&] { return texts.of(before.index, c); };
        const auto problem = changed_problem(c, source, mutant, text_without, workplace);
        detected.changed += problem ? 1 : 0;
        for (Discovery& discovery : detected.by) {
            if (is_found(discovery)) { continue; }
            const Entry* entry = before.find(discovery.method, discovery.question);
            if (entry == nullptr) { continue; }
            if (!problem) {
                discovery.cpu_seconds += entry->spent.cpu_seconds;
                continue;
            }
            const Answered answered = ask_limited(discovery.method, discovery.question, *problem, problem->own,
                                                  workplace.identity, options.budget);
            discovery.cpu_seconds += answered.spent.cpu_seconds;
            if (!gives_away(discovery.method, entry->answer, answered.answer)) { continue; }
            discovery.cases = before.index + 1;
            discovery.shown = answered.answer.reason;
        }
    }
    return detected;
}

}  // namespace

Series stream(std::uint64_t seed, std::uint64_t count, const Workplace& workplace) {
    Series series;
    series.description = "random cases of seed " + std::to_string(seed);
    series.count = count;
    series.item = [seed, &workplace](std::uint64_t index) {
        Item item;
        auto problem =
            lower(case_of(seed, index, workplace), workplace.installed, workplace.identity, Making::lowered, "");
        if (problem) {
            item.problem = std::move(*problem);
        } else {
            item.problem = std::unexpected(to_string(problem.error()));
        }
        item.questions.assign(asked_questions.begin(), asked_questions.end());
        return item;
    };
    return series;
}

bool gives_away(Method method, const Answer& before, const Answer& answer) {
    if (method == Method::equivalence) {
        return before.outcome == Outcome::proved && answer.outcome != Outcome::proved;
    }
    return before.outcome != Outcome::refuted && answer.outcome == Outcome::refuted;
}

Detected detect(const std::string& mutant, std::uint64_t seed, const std::vector<Record>& stream,
                const Workplace& workplace, const Options& options) {
    Texts texts(*workplace.unchanged);
    return detect(mutant, seed, stream, workplace, options, texts);
}

std::string to_json(const Detected& detected) {
    Json json{{"mutant", detected.mutant}, {"put", detected.put}, {"changed", detected.changed}, {"by", Json::array()}};
    Json spent = Json::array();
    for (const Discovery& discovery : detected.by) {
        json["by"].push_back({{"method", name(discovery.method)},
                              {"question", name(discovery.question)},
                              {"cases", discovery.cases ? Json(*discovery.cases) : Json()},
                              {"shown", discovery.shown}});
        spent.push_back(discovery.cpu_seconds);
    }
    if (!detected.fault.empty()) { json["fault"] = detected.fault; }
    json["spent"] = {{"cpu", std::move(spent)}};
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<Detected> parse_detected(const std::string& line) {
    try {
        const Json json = Json::parse(line);
        Detected detected{json.at("mutant"), json.at("put"), json.at("changed"), {}, json.value("fault", "")};
        for (std::size_t k = 0; k < json.at("by").size(); ++k) {
            const Json& by = json.at("by")[k];
            const auto method = parse_method(by.at("method").get<std::string>());
            if (!method) { return fail("no such method: " + by.at("method").get<std::string>()); }
            const auto question = parse_question(by.at("question").get<std::string>());
            if (!question) { return fail("no such question: " + by.at("question").get<std::string>()); }
            Discovery discovery{*method, *question, {}, json.at("spent").at("cpu").at(k), by.at("shown")};
            if (!by.at("cases").is_null()) { discovery.cases = by.at("cases").get<std::uint64_t>(); }
            detected.by.push_back(std::move(discovery));
        }
        return detected;
    } catch (const Json::exception& e) { return fail("a malformed line: " + std::string(e.what())); }
}

Result<std::vector<Detected>> detect_all(std::uint64_t seed, std::uint64_t count, const Workplace& workplace,
                                         const Options& options, const std::atomic<bool>& stop,
                                         const std::function<void(const Progress&)>& progress) {
    const Series series = stream(seed, count, workplace);
    Options of_stream = options;
    of_stream.out = options.out / "stream";
    of_stream.prophecies = false;
    const auto records = run(series, workplace.identity, of_stream, stop, progress);
    if (!records) { return fail(records.error()); }
    if (records->size() < count) { return std::vector<Detected>(); }  // stopped
    Json first = Json::parse(header(series, workplace.identity, of_stream));
    first["cases"] = count;
    first["mutants"] = workplace.mutants;
    auto ledger = Ledger::open(options.out / "detected.jsonl", first_line(first.dump(), workplace.identity));
    if (!ledger) { return fail(ledger.error()); }
    Texts texts(*workplace.unchanged);
    Worklist list;
    list.what = "mutants";
    list.count = workplace.mutants.size();
    list.jobs = options.jobs;
    list.line = [&](std::uint64_t index) {
        return to_json(detect(workplace.mutants.at(index), seed, *records, workplace, options, texts));
    };
    list.faulty = [&](std::uint64_t index, const std::string& fault) {
        return to_json(Detected{workplace.mutants.at(index), 0, 0, {}, fault});
    };
    const auto lines = work_off(list, *ledger, stop, progress);
    if (!lines) { return fail(lines.error()); }
    std::vector<Detected> all;
    for (const std::string& line : *lines) {
        auto detected = parse_detected(line);
        if (!detected) { return fail(detected.error()); }
        all.push_back(std::move(*detected));
    }
    return all;
}

}  // namespace haruspex::measure
