#include "reports/measure/rows.h"

#include <nlohmann/json.hpp>
#include <optional>

#include "generators/case/json.h"
#include "generators/sare/build.h"
#include "generators/sare/text.h"
#include "reports/measure/trials.h"
#include "reports/store/files.h"

namespace haruspex::measure {
namespace {

using Json = nlohmann::ordered_json;

struct Row {
    std::string name;
    cases::Case c;
    std::optional<sare::Sare> meant;  // what it is judged by, where that is not what is compiled
    std::optional<Sizes> large;
    std::map<Question, std::string> expected;
    std::uint64_t effort = 1;  // so many times the budgets of a campaign
};

// What rows.json and the validator say for the same thing.
Result<std::string> outcome_of(const std::string& word) {
    if (word == "validated") { return std::string(name(Outcome::proved)); }
    if (!parse_outcome(word)) { return fail("no outcome: " + word); }
    return word;
}

Result<Question> question_of(const std::string& word) {
    if (word == "small") { return Question::own_sizes; }
    if (word == "sizes") { return Question::large_sizes; }
    if (word == "all") { return Question::all_sizes; }
    return fail("expected small, sizes or all, found " + word);
}

Result<Row> row_of(const Json& json, const std::filesystem::path& folder) {
    Row row;
    row.name = json.at("row").get<std::string>();
    const std::filesystem::path file = folder / (json.at("case").get<std::string>() + ".json");
    const auto text = store::read_file(file);
    if (!text) { return fail(text.error()); }
    auto c = cases::parse_case(*text, file.string(),
                               [&](const std::string& name) { return store::read_file(folder / name); });
    if (!c) { return fail(c.error()); }
    row.c = std::move(*c);
    if (json.contains("meant")) {
        const std::string name = json.at("meant").get<std::string>();
        const auto program = store::read_file(folder / name);
        if (!program) { return fail(program.error()); }
        auto meant = sare::parse_sare(*program, name);
        if (!meant) { return fail(meant.error()); }
        row.meant = std::move(*meant);
    }
    if (json.contains("assuming")) {
        const auto assumption = sare::parse_condition(json.at("assuming").get<std::string>(), "rows.json");
        if (!assumption) { return fail(assumption.error()); }
        row.c.sare.assumptions = {sare::And{row.c.sare.assumptions, *assumption}};
        if (row.meant) { row.meant->assumptions = {sare::And{row.meant->assumptions, *assumption}}; }
    }
    if (json.contains("sizes")) { row.large = json.at("sizes").get<Sizes>(); }
    if (json.contains("effort")) {
        const Json& effort = json.at("effort");
        if (!effort.is_number_unsigned() || effort == 0) {
            return fail(row.name + ": expected an effort of 1 or more, found " + effort.dump());
        }
        row.effort = effort;
    }
    if (!json.contains("expected")) { return row; }
    for (const auto& [word, expected] : json.at("expected").items()) {
        const auto question = question_of(word);
        if (!question) { return fail(question.error()); }
        const auto outcome = outcome_of(expected.get<std::string>());
        if (!outcome) { return fail(outcome.error()); }
        row.expected[*question] = *outcome;
    }
    return row;
}

Item item_of(const Row& row, std::uint64_t index, const std::shared_ptr<const Source>& source,
             const compiler::Identity& identity) {
    Item item;
    item.name = row.name;
    item.expected = row.expected;
    item.effort = row.effort;
    auto problem = lower(row.c, source, identity, Making::row, row.name);
    if (!problem) {
        item.problem = std::unexpected(to_string(problem.error()));
        return item;
    }
    if (row.meant) { std::get<Lowered>(problem->subject).c.sare = *row.meant; }
    if (sare::try_evaluate(row.c.sare.assumptions, row.c.sizes) == true) {
        item.questions.push_back(Question::own_sizes);
        Choices choices(random_source(derive_seed(0, index)));
        // Of a program of which no run tells anything the row is what it is expected to be.
        [[maybe_unused]] const bool is_known = label(*problem, choices);
    }
    if (row.large) {
        item.questions.push_back(Question::large_sizes);
        item.large = *row.large;
    }
    item.questions.push_back(Question::all_sizes);
    item.problem = std::move(*problem);
    return item;
}

}  // namespace

Result<Series> rows_in(const std::filesystem::path& folder, const std::shared_ptr<const Source>& source,
                       const compiler::Identity& identity) {
    const std::filesystem::path file = folder / "rows.json";
    const auto text = store::read_file(file);
    if (!text) { return fail(text.error()); }
    auto rows = std::make_shared<std::vector<Row>>();
    try {
        for (const Json& json : Json::parse(*text)) {
            auto row = row_of(json, folder);
            if (!row) { return fail(file.string() + ": " + to_string(row.error())); }
            rows->push_back(std::move(*row));
        }
    } catch (const Json::exception& e) { return fail(file.string() + ": " + e.what()); }
    Series series;
    series.description = "the rows of " + file.string();
    series.count = rows->size();
    series.item = [rows, source, identity](std::uint64_t index) {
        return item_of(rows->at(index), index, source, identity);
    };
    return series;
}

}  // namespace haruspex::measure
