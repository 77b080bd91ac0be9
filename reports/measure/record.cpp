#include "reports/measure/record.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace haruspex::measure {
namespace {

using Json = nlohmann::ordered_json;

template <typename T>
T known(const std::optional<T>& value, const std::string& text) {
    if (!value) { throw std::runtime_error("not known: " + text); }
    return *value;
}

Question question_of(const std::string& text) { return known(parse_question(text), text); }
Method method_of(const std::string& text) { return known(parse_method(text), text); }
Outcome outcome_of(const std::string& text) { return known(parse_outcome(text), text); }

std::string making_of(const std::string& text) {
    for (int k = 0; k < makings; ++k) {
        if (name(static_cast<Making>(k)) == text) { return text; }
    }
    throw std::runtime_error("no such making: " + text);
}

Json published_json(const Published& published) {
    return {{"about", name(published.about)}, {"thesis", published.thesis}, {"isa", published.isa}};
}

Published published_of(const Json& json) { return {question_of(json.at("about")), json.at("thesis"), json.at("isa")}; }

Json answer_json(const Entry& entry) {
    Json json{{"method", name(entry.method)},
              {"question", name(entry.question)},
              {"outcome", name(entry.answer.outcome)},
              {"reason", entry.answer.reason}};
    if (!entry.expected.empty()) { json["expected"] = entry.expected; }
    return json;
}

Json spent_json(const Entry& entry) {
    Json json{
        {"cpu", entry.spent.cpu_seconds}, {"wall", entry.spent.wall_seconds}, {"memory", entry.spent.memory_bytes}};
    if (entry.answer.compile_seconds > 0) { json["compile"] = entry.answer.compile_seconds; }
    return json;
}

Entry entry_of(const Json& answer, const Json& spent) {
    Entry entry;
    entry.method = method_of(answer.at("method"));
    entry.question = question_of(answer.at("question"));
    entry.answer = {outcome_of(answer.at("outcome")), answer.at("reason"), spent.value("compile", 0.0)};
    entry.spent = {spent.at("cpu"), spent.at("wall"), spent.at("memory")};
    if (entry.spent.cpu_seconds < 0 || entry.spent.wall_seconds < 0) { throw std::runtime_error("a time below 0"); }
    entry.expected = answer.value("expected", "");
    return entry;
}

}  // namespace

const Entry* Record::find(Method method, Question question) const {
    const Question here = runs_programs(method) ? Question::own_sizes : question;
    const auto found = std::ranges::find_if(
        entries, [&](const Entry& entry) { return entry.method == method && entry.question == here; });
    return found == entries.end() ? nullptr : &*found;
}

bool decides(const Record& record, const Entry& entry) {
    const Outcome wanted = record.is_wrong_for(entry.question) ? Outcome::refuted : Outcome::proved;
    return entry.answer.outcome == wanted;
}

bool is_wrong_answer(const Record& record, const Entry& entry) {
    if (entry.method == Method::native) { return false; }
    return entry.answer.outcome == (record.is_wrong_for(entry.question) ? Outcome::proved : Outcome::refuted);
}

std::string to_json(const Record& record) {
    Json json{{"index", record.index}};
    if (!record.name.empty()) { json["name"] = record.name; }
    if (record.published) { json["published"] = published_json(*record.published); }
    if (record.making.empty()) {
        json["no_problem"] = record.no_problem;
    } else {
        json["making"] = record.making;
        json["detail"] = record.detail;
        json["own"] = record.own;
        json["wrong_at_own"] = record.is_wrong_at_own;
        json["wrong"] = record.is_wrong;
        json["shown"] = record.shown;
        json["features"] = record.features;
        json["size"] = record.size;
        json["effort"] = record.effort;
    }
    Json spent = Json::array();
    json["answers"] = Json::array();
    for (const Entry& entry : record.entries) {
        json["answers"].push_back(answer_json(entry));
        spent.push_back(spent_json(entry));
    }
    json["prophecies"] = Json::array();
    for (const ProphecyTrial& trial : record.prophecies) {
        json["prophecies"].push_back({{"question", name(trial.question)},
                                      {"kind", trial.kind},
                                      {"outcome", name(trial.answer.outcome)},
                                      {"reason", trial.answer.reason}});
    }
    json["spent"] = {{"answers", std::move(spent)}};
    if (record.compile_seconds > 0) { json["spent"]["compile"] = record.compile_seconds; }
    if (!record.build.empty()) { json["spent"]["build"] = record.build; }
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<Record> parse_record(const std::string& line) {
    try {
        const Json json = Json::parse(line);
        Record record;
        record.index = json.at("index");
        record.name = json.value("name", "");
        record.no_problem = json.value("no_problem", "");
        if (json.contains("published")) { record.published = published_of(json.at("published")); }
        if (json.contains("making")) {
            record.making = making_of(json.at("making"));
            record.detail = json.at("detail");
            record.own = json.at("own").get<Sizes>();
            record.is_wrong_at_own = json.at("wrong_at_own");
            record.is_wrong = json.at("wrong");
            record.shown = json.at("shown");
            record.features = json.at("features").get<std::set<std::string>>();
            record.size = json.at("size").get<std::map<std::string, std::uint64_t>>();
            for (const char* const what : {"statements", "loops", "depth", "tensors"}) {
                if (!record.size.contains(what)) { throw std::runtime_error("no size: " + std::string(what)); }
            }
            record.effort = json.value("effort", record.effort);
        }
        const Json& spent = json.at("spent");
        record.compile_seconds = spent.value("compile", record.compile_seconds);
        record.build = spent.value("build", record.build);
        for (std::size_t k = 0; k < json.at("answers").size(); ++k) {
            record.entries.push_back(entry_of(json.at("answers")[k], spent.at("answers").at(k)));
        }
        for (const Json& trial : json.at("prophecies")) {
            record.prophecies.push_back({question_of(trial.at("question")),
                                         trial.at("kind"),
                                         {outcome_of(trial.at("outcome")), trial.at("reason")}});
        }
        return record;
    } catch (const std::exception& e) { return fail("a malformed record: " + std::string(e.what())); }
}

}  // namespace haruspex::measure
