#include "reports/measure/rows.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <utility>

#include "generators/case/json.h"
#include "generators/sare/build.h"
#include "generators/sare/text.h"
#include "generators/sare/wellformed.h"
#include "reports/measure/trials.h"
#include "reports/store/files.h"

namespace haruspex::measure {
namespace {

using Json = nlohmann::ordered_json;

struct Row {
    std::string name;
    cases::Case c;
    std::optional<sare::Sare> meant;  // judges the program, if not the compiled specification
    std::optional<Sizes> large;
    std::map<std::pair<Method, Question>, std::string> expected;
    std::optional<Published> published;
    std::uint64_t effort = 1;  // multiplies a campaign's budgets
};

// Accepts the words of rows.json and of the validator.
Result<std::string> outcome_of(const std::string& word) {
    if (word == "validated") { return std::string(name(Outcome::proved)); }
    if (!parse_outcome(word)) { return fail("no outcome: " + word); }
    return word;
}

Result<Question> question_of(const std::string& word) {
    if (const auto question = parse_question(word)) { return *question; }
    return fail("expected own, large or all, found " + word);
}

constexpr std::uint64_t most_effort = 1'000'000;

// Reads sizes; every parameter of the case must have one.
Result<Sizes> sizes_of(const Json& json, const Row& row) {
    const Sizes sizes = json.get<Sizes>();
    const std::vector<std::string>& names = row.c.sare.parameters;
    for (const auto& [name, size] : sizes) {
        if (std::ranges::find(names, name) == names.end()) {
            return fail(row.name + ": a size of what is no parameter: " + name);
        }
        if (size < 0) { return fail(row.name + ": a size below 0: " + name); }
    }
    if (sizes.size() != names.size()) { return fail(row.name + ": expected a size for each parameter"); }
    return sizes;
}

// Whether a specification can judge the other's program: same parameters, inputs and outputs.
bool is_of_the_same_kind(const sare::Sare& a, const sare::Sare& b) {
    return a.parameters == b.parameters && a.inputs == b.inputs &&
           std::ranges::equal(a.outputs, b.outputs, {}, &sare::Output::tensor, &sare::Output::tensor);
}

Result<Published> published_of(const Json& json) {
    for (const auto& [key, value] : json.items()) {
        if (key != "about" && key != "thesis" && key != "isa") { return fail("unknown key '" + key + "'"); }
    }
    const auto about = question_of(json.at("about").get<std::string>());
    if (!about) { return fail(about.error()); }
    static const std::set<std::string> known{"validated", "proved", "refuted", "not proved", "timeout"};
    Published published{*about, json.at("thesis"), json.at("isa")};
    for (const std::string& word : {published.thesis, published.isa}) {
        if (!known.contains(word)) { return fail("not known: " + word); }
    }
    return published;
}

// The expected outcome for each method and question.
Result<std::map<std::pair<Method, Question>, std::string>> expected_of(const Json& json) {
    std::map<std::pair<Method, Question>, std::string> all;
    for (const auto& [who, expected] : json.items()) {
        const auto method = parse_method(who);
        if (!method) { return fail("no such method: " + who); }
        for (const auto& [word, value] : expected.items()) {
            const auto question = question_of(word);
            if (!question) { return fail(question.error()); }
            const auto outcome = outcome_of(value.get<std::string>());
            if (!outcome) { return fail(outcome.error()); }
            all[{*method, *question}] = *outcome;
        }
    }
    return all;
}

Result<Row> row_of(const Json& json, const std::filesystem::path& folder) {
    Row row;
    row.name = json.at("row").get<std::string>();
    static const std::set<std::string> known{"row",    "case",      "assuming", "meant",  "sizes",
                                             "effort", "published", "expected", "because"};
    for (const auto& [key, value] : json.items()) {
        if (!known.contains(key)) { return fail(row.name + ": unknown key '" + key + "'"); }
    }
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
        if (!is_of_the_same_kind(row.c.sare, *meant)) {
            return fail(row.name + ": " + name + " has other parameters, inputs or outputs than the case");
        }
        row.meant = std::move(*meant);
    }
    if (json.contains("assuming")) {
        const auto assumption = sare::parse_condition(json.at("assuming").get<std::string>(), "rows.json");
        if (!assumption) { return fail(assumption.error()); }
        row.c.sare.assumptions = {sare::And{row.c.sare.assumptions, *assumption}};
        if (row.meant) { row.meant->assumptions = {sare::And{row.meant->assumptions, *assumption}}; }
        if (const auto is_sound = sare::check(row.c.sare); !is_sound) {
            return fail(row.name + ": " + to_string(is_sound.error()));
        }
    }
    if (json.contains("sizes")) {
        const auto sizes = sizes_of(json.at("sizes"), row);
        if (!sizes) { return fail(sizes.error()); }
        row.large = *sizes;
    }
    if (json.contains("effort")) {
        const Json& effort = json.at("effort");
        if (!effort.is_number_unsigned() || effort == 0 || effort > most_effort) {
            return fail(row.name + ": expected an effort from 1 to 1000000, found " + effort.dump());
        }
        row.effort = effort;
    }
    if (json.contains("published")) {
        auto published = published_of(json.at("published"));
        if (!published) { return fail(row.name + ": published: " + published.error().message); }
        row.published = std::move(*published);
    }
    if (json.contains("expected")) {
        auto expected = expected_of(json.at("expected"));
        if (!expected) { return fail(row.name + ": expected: " + expected.error().message); }
        row.expected = std::move(*expected);
    }
    return row;
}

// A digest of the rows' contents.
std::string content_of(const std::vector<Row>& rows) {
    std::uint64_t digest = 0;
    const auto add = [&](const std::string& text) {
        for (const char c : text) { digest = derive_seed(digest, static_cast<unsigned char>(c)); }
        digest = derive_seed(digest, text.size());
    };
    for (const Row& row : rows) {
        add(row.name);
        add(cases::to_json(row.c));
        if (row.meant) { add(sare::print(*row.meant)); }
        for (const auto& [name, size] : row.large.value_or(Sizes{})) { add(name + std::to_string(size)); }
        for (const auto& [asked, outcome] : row.expected) {
            add(std::string(name(asked.first)) + " " + std::string(name(asked.second)) + outcome);
        }
        if (row.published) {
            add(std::string(name(row.published->about)) + row.published->thesis + row.published->isa);
        }
        add(std::to_string(row.effort));
    }
    return std::to_string(digest);
}

// Whether the row is expected to be wrong at its own sizes.
bool is_expected_wrong(const Row& row) {
    return std::ranges::any_of(row.expected, [](const auto& expected) {
        return expected.first.second == Question::own_sizes && expected.second == name(Outcome::refuted);
    });
}

Item item_of(const Row& row, std::uint64_t index, const std::shared_ptr<const Source>& source,
             const compiler::Identity& identity) {
    Item item;
    item.name = row.name;
    item.expected = row.expected;
    item.published = row.published;
    item.effort = row.effort;
    auto problem = lower(row.c, source, identity, Making::row, row.name);
    if (!problem) {
        item.problem = std::unexpected(to_string(problem.error()));
        return item;
    }
    Asked whole;
    whole.native = true;
    if (const auto compilation = source->compile(row.c, whole)) {
        item.compile_seconds = compilation->native_compile_seconds;
    }
    if (row.meant) { std::get<Lowered>(problem->subject).c.sare = *row.meant; }
    if (sare::try_evaluate(row.c.sare.assumptions, row.c.sizes) == true) {
        item.questions.push_back(Question::own_sizes);
        Choices choices(random_source(derive_seed(0, index)));
        const bool is_known = label(*problem, choices);
        // A program that refuses to run is not shown to be wrong. If it was compiled from another specification, it is
        // wrong by the mistake in that one, though not at all sizes: the compiler's rules restrict these.
        if (!is_known && row.meant && is_expected_wrong(row)) {
            problem->is_wrong_at_own = true;
            problem->shown = "at " + text_of(problem->own) + ": by what it was compiled from";
        }
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

Result<Series> rows_in(const std::filesystem::path& folder, const std::vector<std::string>& names,
                       const std::shared_ptr<const Source>& source, const compiler::Identity& identity,
                       const RefusalOfTarget& refusal) {
    const std::filesystem::path file = folder / "rows.json";
    const auto text = store::read_file(file);
    if (!text) { return fail(text.error()); }
    const auto refused = [&](const std::string& why) { return fail(file.string() + ": " + why); };
    auto rows = std::make_shared<std::vector<Row>>();
    std::set<std::string> known;
    try {
        const Json list = Json::parse(*text);
        if (!list.is_array() || list.empty()) { return refused("expected a list of rows"); }
        for (const Json& json : list) {
            auto row = row_of(json, folder);
            if (!row) { return refused(to_string(row.error())); }
            if (!known.insert(row->name).second) { return refused("two rows of one name: " + row->name); }
            const bool is_asked = names.empty() || std::ranges::find(names, row->name) != names.end();
            if (!is_asked) { continue; }
            const auto error = refusal ? refusal(row->c.target) : std::nullopt;
            if (error) { return refused(row->name + ": " + error->message); }
            rows->push_back(std::move(*row));
        }
    } catch (const Json::exception& e) { return refused(e.what()); }
    for (const std::string& name : names) {
        if (!known.contains(name)) { return refused("no row of this name: " + name); }
    }
    Series series;
    series.description = "the rows of " + file.string() + ", " + content_of(*rows);
    series.count = rows->size();
    series.item = [rows, source, identity](std::uint64_t index) {
        return item_of(rows->at(index), index, source, identity);
    };
    return series;
}

}  // namespace haruspex::measure
