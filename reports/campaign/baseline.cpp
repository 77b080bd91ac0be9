#include "reports/campaign/baseline.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>

#include "generators/case/located_json.h"
#include "reports/campaign/indices.h"
#include "reports/render/table.h"
#include "reports/store/files.h"

namespace haruspex::campaign {
namespace {

using Json = nlohmann::ordered_json;
using cases::json::Fields;
using cases::json::Node;
using cases::json::Reader;

Result<void> are_of_one_campaign(const Baseline& baseline, const Baseline& other) {
    if (baseline.compiler != other.compiler) {
        return fail("another compiler: " + baseline.compiler + " before, " + other.compiler + " now");
    }
    if (baseline.cases_from != other.cases_from) { return fail("other cases: they are those of another file"); }
    return {};
}

std::string cases_of(const Baseline& baseline) {
    return fmt::format("the {} cases from {}", baseline.cases, baseline.first);
}

Result<void> has_cases(const Baseline& baseline, std::uint64_t first, std::uint64_t cases) {
    const std::uint64_t skipped = first - baseline.first;
    if (first < baseline.first || skipped > baseline.cases || cases > baseline.cases - skipped) {
        return fail("the baseline has " + cases_of(baseline) + " alone");
    }
    return {};
}

// Throws nlohmann's exceptions if the text is not a summary.
Result<Baseline> read_summary(const std::string& text) {
    const Json tree = Json::parse(text);
    const Json& campaign = tree.at("campaign");
    const Json& results = tree.at("results");
    const Json& validator = results.at("validator");
    if (validator.is_null()) { return fail("a campaign without the validator"); }
    if (campaign.at("cases_from").is_null()) { return fail("a campaign that drew its cases"); }
    if (campaign.at("interrupted").get<bool>()) { return fail("a campaign that is not done"); }
    Baseline baseline;
    baseline.compiler = campaign.at("compiler").at("name").get<std::string>() + " " +
                        campaign.at("compiler").at("version").get<std::string>();
    baseline.cases_from = campaign.at("cases_from").get<std::string>();
    baseline.first = campaign.at("first").get<std::uint64_t>();
    baseline.cases = results.at("cases").get<std::uint64_t>();
    baseline.other_sizes = validator.at("other_sizes").get<std::uint64_t>();
    for (const auto& [row, words] : validator.at("indices").items()) {
        auto indices = parse_indices(words.get<std::string>());
        if (!indices) { return fail("no list of cases: " + words.get<std::string>()); }
        const auto parsed = parse_row(row);
        if (!parsed) { return fail("no row of the validator's table: " + row); }
        baseline.rows[*parsed] = std::move(*indices);
    }
    return baseline;
}

// Reads the class and pass of each case from the list of cases, and its group from the summary.
void read_judged(const std::string& summary, const std::string& list, Baseline& baseline) {
    std::map<std::uint64_t, std::string> group_of;
    const Json tree_of_summary = Json::parse(summary);
    for (const auto& [group, indices] : tree_of_summary.at("results").at("groups").items()) {
        for (const auto& index : indices) { group_of[index.get<std::uint64_t>()] = group; }
    }
    std::istringstream lines(list);
    for (std::string line; std::getline(lines, line);) {
        const Json tree = Json::parse(line);
        const auto index = tree.at("index").get<std::uint64_t>();
        const auto group = group_of.find(index);
        const Judged judged{tree.at("class").get<std::string>(), tree.value("pass", ""),
                            group == group_of.end() ? "" : group->second};
        baseline.judged[judged].push_back(index);
    }
}

// Reads "indices": ascending indices of cases of the baseline, as many as "cases" says. Empty after an error.
std::vector<std::uint64_t> read_indices(Reader& reader, Fields& fields, const Baseline& baseline) {
    auto indices = parse_indices(fields.text("indices"));
    if (reader.failed()) { return {}; }
    if (!indices || indices->empty()) {
        reader.error(fields.at("indices").offset, "expected ascending indices of cases such as \"0-3 7\"");
        return {};
    }
    if (indices->front() < baseline.first || indices->back() - baseline.first >= baseline.cases) {
        reader.error(fields.at("indices").offset,
                     "there is no such case in the baseline; expected indices of its cases");
        return {};
    }
    fields.integer("cases", indices->size(), indices->size());
    return std::move(*indices);
}

void read_row(Reader& reader, const Node& node, Baseline& baseline) {
    Fields fields(reader, node, "a row", {"row", "cases", "indices"});
    if (reader.failed()) { return; }
    const std::string text = fields.text("row");
    const auto row = parse_row(text);
    if (!row && !reader.failed()) {
        reader.error(fields.at("row").offset, "expected a row of the validator's table, found \"" + text + "\"");
    }
    if (!baseline.rows.emplace(row.value_or(Row{}), read_indices(reader, fields, baseline)).second) {
        reader.error(fields.at("row").offset, "row \"" + text + "\" is listed twice; expected each row once");
    }
}

void read_judged(Reader& reader, const Node& node, Baseline& baseline) {
    Fields fields(reader, node, "what is judged", {"class", "pass", "group", "cases", "indices"});
    if (reader.failed()) { return; }
    const Judged judged{fields.text("class"), fields.text("pass"), fields.text("group")};
    if (!verdict::parse_class(judged.cls)) {
        reader.error(fields.at("class").offset,
                     "unknown class \"" + judged.cls + "\"; expected one such as \"wrong_result\"");
    }
    if (!baseline.judged.emplace(judged, read_indices(reader, fields, baseline)).second) {
        reader.error(fields.at("class").offset,
                     "class, pass and group are listed twice; expected each combination once");
    }
}

// No row for a case that was not compiled.
using RowOf = std::map<std::uint64_t, std::optional<Row>>;

RowOf by_index(const Baseline& baseline) {
    RowOf rows;
    for (std::uint64_t k = 0; k < baseline.cases; ++k) { rows[baseline.first + k] = std::nullopt; }
    for (const auto& [row, indices] : baseline.rows) {
        for (const std::uint64_t index : indices) { rows[index] = row; }
    }
    return rows;
}

// Lists of indices by any key; each list is ascending and not empty.
template <typename Key, typename Condition>
void remove_cases(std::map<Key, std::vector<std::uint64_t>>& lists, Condition condition) {
    for (auto& [key, indices] : lists) { std::erase_if(indices, condition); }
    std::erase_if(lists, [](const auto& list) { return list.second.empty(); });
}
template <typename Key>
void add_cases(std::map<Key, std::vector<std::uint64_t>>& lists,
               const std::map<Key, std::vector<std::uint64_t>>& more) {
    for (const auto& [key, indices] : more) {
        std::vector<std::uint64_t>& all = lists[key];
        all.insert(std::ranges::lower_bound(all, indices.front()), indices.begin(), indices.end());
    }
}

std::string table_of_lengths(const Rows& before, const Rows& now) {
    std::map<Row, std::pair<std::size_t, std::size_t>> lengths;
    for (const auto& [row, indices] : before) { lengths[row].first = indices.size(); }
    for (const auto& [row, indices] : now) { lengths[row].second = indices.size(); }
    std::erase_if(lengths, [](const auto& row) { return row.second.first == row.second.second; });
    render::Table table{"", {"row", "before", "now"}};
    const auto add = [&](const std::string& row, std::size_t then, std::size_t at_present) {
        table.rows.push_back({row, std::to_string(then), std::to_string(at_present)});
    };
    const ProofTotals totals_before = totals_of(before), totals_now = totals_of(now);
    add("compiled", totals_before.compiled, totals_now.compiled);
    add("decided", totals_before.decided, totals_now.decided);
    for (const auto& [row, both] : lengths) { add("  " + to_string(row), both.first, both.second); }
    return to_text(table, {render::left(58), render::right(9), render::right(9)});
}

template <typename Place>
using Moves = std::map<std::pair<Place, Place>, std::vector<std::uint64_t>>;

std::string moved(std::string_view how, const std::string& from, const std::string& to,
                  const std::vector<std::uint64_t>& indices) {
    return fmt::format("\n{:<8}{}\n     -> {}\n        cases {}\n", how, from, to, to_text(indices));
}

std::string words(const std::optional<Row>& row) { return row ? to_string(*row) : "not compiled"; }

void compare_rows(const Baseline& before, const Baseline& now, Comparison& comparison) {
    Moves<std::optional<Row>> moves;
    const auto rows = by_index(now);
    for (const auto& [index, row] : by_index(before)) {
        if (rows.at(index) != row) { moves[{row, rows.at(index)}].push_back(index); }
    }
    comparison.table = table_of_lengths(before.rows, now.rows);
    for (const Change kind : {Change::worse, Change::better, Change::other}) {
        std::uint64_t& cases = kind == Change::worse    ? comparison.worse
                               : kind == Change::better ? comparison.better
                                                        : comparison.other;
        for (const auto& [move, indices] : moves) {
            const auto& [from, to] = move;
            if (change(from, to) != kind) { continue; }
            cases += indices.size();
            comparison.table += moved(name(kind), words(from), words(to), indices);
        }
    }
}

std::map<std::uint64_t, Judged> judged_by_index(const Baseline& baseline) {
    std::map<std::uint64_t, Judged> result;
    for (const auto& [judged, indices] : baseline.judged) {
        for (const std::uint64_t index : indices) { result[index] = judged; }
    }
    return result;
}

// The cases of each group.
using Groups = std::map<std::string, std::set<std::uint64_t>>;

void compare_judged(const Baseline& before, const Baseline& now, Comparison& comparison) {
    const auto then = judged_by_index(before), at_present = judged_by_index(now);
    Moves<std::string> moves;
    Groups groups_then, groups_now;
    for (const auto& [index, judged] : then) {
        const auto found = at_present.find(index);
        if (found == at_present.end()) { continue; }
        const auto words = [](const Judged& j) { return j.pass.empty() ? j.cls : j.cls + " " + j.pass; };
        if (words(judged) != words(found->second)) { moves[{words(judged), words(found->second)}].push_back(index); }
        if (judged.group.empty() || found->second.group.empty()) { continue; }
        groups_then[judged.group].insert(index);
        groups_now[found->second.group].insert(index);
    }
    for (const auto& [move, indices] : moves) {
        comparison.judged_otherwise += indices.size();
        comparison.table += moved("judged", move.first, move.second, indices);
    }
    std::map<std::uint64_t, const std::set<std::uint64_t>*> companions;
    for (const auto& [group, cases] : groups_now) {
        for (const std::uint64_t index : cases) { companions[index] = &cases; }
    }
    for (const auto& [group, cases] : groups_then) {
        std::vector<std::uint64_t> elsewhere;
        std::ranges::copy_if(cases, std::back_inserter(elsewhere),
                             [&](std::uint64_t index) { return *companions.at(index) != cases; });
        if (elsewhere.empty()) { continue; }
        comparison.grouped_otherwise += elsewhere.size();
        comparison.table += moved("grouped", group, "with others", elsewhere);
    }
}

}  // namespace

Result<Baseline> baseline_of(const std::filesystem::path& campaign) {
    const std::filesystem::path file = campaign / "summary.json";
    const auto text = store::read_file(file);
    if (!text) { return fail(text.error()); }
    const auto list = store::read_file(campaign / "cases.jsonl");
    if (!list) { return fail(list.error()); }
    try {
        auto baseline = read_summary(*text);
        if (!baseline) { return fail(file.string() + ": " + baseline.error().message); }
        read_judged(*text, *list, *baseline);
        return baseline;
    } catch (const nlohmann::json::exception& e) {
        return fail(file.string() + ": not the summary of a campaign: " + e.what());
    }
}

Result<Baseline> slice(const Baseline& baseline, std::uint64_t first, std::uint64_t cases) {
    if (const auto has = has_cases(baseline, first, cases); !has) { return fail(has.error()); }
    Baseline part = baseline;
    part.first = first;
    part.cases = cases;
    const auto is_elsewhere = [&](std::uint64_t index) { return index < first || index - first >= cases; };
    remove_cases(part.rows, is_elsewhere);
    remove_cases(part.judged, is_elsewhere);
    return part;
}

Result<Baseline> replaced(const Baseline& baseline, const Baseline& part) {
    if (const auto one = are_of_one_campaign(baseline, part); !one) { return fail(one.error()); }
    if (baseline.other_sizes != part.other_sizes) { return fail("a campaign with other sizes"); }
    if (const auto has = has_cases(baseline, part.first, part.cases); !has) { return fail(has.error()); }
    Baseline result = baseline;
    const auto is_replaced = [&](std::uint64_t index) {
        return part.first <= index && index - part.first < part.cases;
    };
    remove_cases(result.rows, is_replaced);
    remove_cases(result.judged, is_replaced);
    add_cases(result.rows, part.rows);
    add_cases(result.judged, part.judged);
    return result;
}

std::string to_json(const Baseline& baseline) {
    const ProofTotals totals = totals_of(baseline.rows);
    Json rows = Json::array(), judged = Json::array();
    for (const auto& [row, indices] : baseline.rows) {
        rows.push_back({{"row", to_string(row)}, {"cases", indices.size()}, {"indices", to_text(indices)}});
    }
    for (const auto& [how, indices] : baseline.judged) {
        judged.push_back({{"class", how.cls},
                          {"pass", how.pass},
                          {"group", how.group},
                          {"cases", indices.size()},
                          {"indices", to_text(indices)}});
    }
    const Json tree{{"haruspex_baseline", 2},
                    {"compiler", baseline.compiler},
                    {"cases_from", baseline.cases_from},
                    {"first", baseline.first},
                    {"cases", baseline.cases},
                    {"other_sizes", baseline.other_sizes},
                    {"compiled", totals.compiled},
                    {"decided", totals.decided},
                    {"false_alarms", totals.false_alarms},
                    {"unsound", totals.unsound},
                    {"rows", rows},
                    {"judged", judged}};
    return tree.dump(2) + "\n";
}

Result<Baseline> parse_baseline(std::string_view json, std::string_view file) {
    const auto document = cases::json::Document::parse(json, file);
    if (!document) { return fail(document.error()); }
    Reader reader(*document);
    Baseline baseline;
    Fields fields(reader, document->root(), "a baseline",
                  {"haruspex_baseline", "compiler", "cases_from", "first", "cases", "other_sizes", "compiled",
                   "decided", "false_alarms", "unsound", "rows", "judged"});
    if (reader.failed()) { return fail(reader.first_error()); }
    const auto natural = [&](const char* key) {
        return static_cast<std::uint64_t>(fields.integer(key, 0, std::int64_t{1} << 53));
    };
    fields.integer("haruspex_baseline", 2, 2);
    baseline.compiler = fields.text("compiler");
    baseline.cases_from = fields.text("cases_from");
    baseline.first = natural("first");
    baseline.cases = natural("cases");
    baseline.other_sizes = natural("other_sizes");
    for (const Node& row : reader.array(fields.at("rows"))) { read_row(reader, row, baseline); }
    for (const Node& judged : reader.array(fields.at("judged"))) { read_judged(reader, judged, baseline); }
    // The totals must agree with the rows.
    const ProofTotals totals = totals_of(baseline.rows);
    for (const auto& [key, total] : {std::pair{"compiled", totals.compiled},
                                     {"decided", totals.decided},
                                     {"false_alarms", totals.false_alarms},
                                     {"unsound", totals.unsound}}) {
        if (!reader.failed()) { fields.integer(key, total, total); }
    }
    if (reader.failed()) { return fail(reader.first_error()); }
    return baseline;
}

Result<Comparison> compare(const Baseline& before, const Baseline& now) {
    if (const auto one = are_of_one_campaign(before, now); !one) { return fail(one.error()); }
    if (before.first != now.first || before.cases != now.cases) { return fail("other cases: not as many"); }
    Comparison comparison;
    compare_rows(before, now, comparison);
    compare_judged(before, now, comparison);
    return comparison;
}

}  // namespace haruspex::campaign
