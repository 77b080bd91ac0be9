#include "reports/campaign/baseline.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "generators/base/fnv1a.h"
#include "generators/case/json.h"
#include "generators/case/located_json.h"
#include "generators/random/random_case.h"
#include "reports/campaign/indices.h"
#include "reports/campaign/layout.h"
#include "reports/store/files.h"

namespace haruspex::campaign {
namespace {

using Json = nlohmann::ordered_json;
using cases::json::Fields;
using cases::json::Node;
using cases::json::Reader;

// FNV-1a of the cases' files.
std::string digest_of_cases(const Baseline& baseline) {
    // "halide 14.0.0"
    const int major = std::atoi(baseline.compiler.substr(baseline.compiler.find(' ') + 1).c_str());
    std::uint64_t hash = fnv1a("");
    for (std::uint64_t k = 0; k < baseline.cases; ++k) {
        hash = fnv1a(cases::to_json(random::campaign_case(baseline.seed, baseline.first + k, {}, {major})), hash);
    }
    return hexadecimal(hash);
}

Result<void> are_of_one_campaign(const Baseline& baseline, const Baseline& other) {
    if (baseline.compiler != other.compiler) {
        return fail("another compiler: " + baseline.compiler + " and " + other.compiler);
    }
    if (baseline.seed != other.seed || baseline.other_sizes != other.other_sizes) {
        return fail("a campaign with another seed or with other sizes");
    }
    if (baseline.drawn != digest_of_cases(baseline)) { return fail("cases are drawn in another way now"); }
    return {};
}

std::string cases_of(const Baseline& baseline) {
    return "the " + std::to_string(baseline.cases) + " cases from " + std::to_string(baseline.first);
}

Result<void> has_cases(const Baseline& baseline, std::uint64_t first, std::uint64_t cases) {
    const std::uint64_t skipped = first - baseline.first;
    if (first < baseline.first || skipped > baseline.cases || cases > baseline.cases - skipped) {
        return fail("the baseline has " + cases_of(baseline) + " alone");
    }
    return {};
}

// Throws nlohmann's exceptions when it is no summary.
Result<Baseline> read_summary(const std::string& text) {
    const Json tree = Json::parse(text);
    const Json& campaign = tree.at("campaign");
    const Json& results = tree.at("results");
    const Json& validator = results.at("validator");
    if (validator.is_null()) { return fail("a campaign without the validator"); }
    if (campaign.at("interrupted").get<bool>()) { return fail("a campaign that is not done"); }
    Baseline baseline;
    baseline.compiler = campaign.at("compiler").at("name").get<std::string>() + " " +
                        campaign.at("compiler").at("version").get<std::string>();
    baseline.seed = campaign.at("seed").get<std::uint64_t>();
    baseline.first = campaign.at("first").get<std::uint64_t>();
    baseline.cases = results.at("cases").get<std::uint64_t>();
    baseline.other_sizes = validator.at("other_sizes").get<std::uint64_t>();
    for (const auto& [row, words] : validator.at("indices").items()) {
        auto indices = parse_indices(words.get<std::string>());
        if (!indices) { return fail("no list of cases: " + words.get<std::string>()); }
        baseline.rows[row] = std::move(*indices);
    }
    return baseline;
}

void read_row(Reader& reader, const Node& node, Baseline& baseline) {
    Fields fields(reader, node, "a row", {"row", "cases", "indices"});
    if (reader.failed()) { return; }
    const std::string row = fields.text("row");
    auto indices = parse_indices(fields.text("indices"));
    if (!indices || indices->empty()) {
        reader.error(fields.at("indices").offset, "expected ascending indices of cases such as \"0-3 7\"");
    } else if (indices->front() < baseline.first || indices->back() - baseline.first >= baseline.cases) {
        reader.error(fields.at("indices").offset, "expected indices of the campaign's cases");
    } else {
        fields.integer("cases", indices->size(), indices->size());
        if (!baseline.rows.emplace(row, std::move(*indices)).second) {
            reader.error(fields.at("row").offset, "expected each row once, found \"" + row + "\" again");
        }
    }
}

// --- Comparison -----------------------------------------------------------------------------------------------------

std::map<std::uint64_t, std::string> by_index(const Baseline& baseline) {
    std::map<std::uint64_t, std::string> rows;
    // What is in no row.
    for (std::uint64_t k = 0; k < baseline.cases; ++k) { rows[baseline.first + k] = "not compiled"; }
    for (const auto& [row, indices] : baseline.rows) {
        for (const std::uint64_t index : indices) { rows[index] = row; }
    }
    return rows;
}

bool is_refuted(const std::string& row) { return row.starts_with("refuted"); }

// How much is known of a case in this row.
int worth(const std::string& row) {
    const std::string kind = row.substr(0, row.find(':'));
    if (kind == "for all sizes" || is_refuted(row)) { return 4; }
    if (kind == "when P") { return 3; }
    if (kind == "at its sizes") { return 2; }
    return kind == "unsound" ? 0 : 1;
}

enum class Change : std::uint8_t { worse, better, other };
constexpr std::array<const char*, 3> names{"worse", "better", "other"};

Change change(const std::string& before, const std::string& now) {
    // What is proved at its sizes may be refuted at others; of another proof and a refutation one is wrong.
    const bool is_found = before.starts_with("at its sizes") && now == "refuted: at other sizes";
    const bool contradicts = is_refuted(before) != is_refuted(now) && worth(before) > 1 && worth(now) > 1 && !is_found;
    if (contradicts || worth(now) < worth(before)) { return Change::worse; }
    return worth(now) > worth(before) ? Change::better : Change::other;
}

std::string line(const std::string& row, std::size_t before, std::size_t now) {
    return left(row, 58) + right(std::to_string(before), 9) + right(std::to_string(now), 9) + "\n";
}

std::string table_of_lengths(const Rows& before, const Rows& now) {
    std::map<std::string, std::pair<std::size_t, std::size_t>> lengths;
    for (const auto& [row, indices] : before) { lengths[row].first = indices.size(); }
    for (const auto& [row, indices] : now) { lengths[row].second = indices.size(); }
    std::erase_if(lengths, [](const auto& row) { return row.second.first == row.second.second; });
    const ProofTotals totals_before = totals_of(proofs_of(before)), totals_now = totals_of(proofs_of(now));
    std::string text = left("row", 58) + right("before", 9) + right("now", 9) + "\n" +
                       line("compiled", totals_before.compiled, totals_now.compiled) +
                       line("decided", totals_before.decided, totals_now.decided);
    for (const auto& [row, both] : lengths) { text += line("  " + row, both.first, both.second); }
    return text;
}

}  // namespace

Result<Baseline> baseline_of(const std::filesystem::path& campaign) {
    const std::filesystem::path file = campaign / "summary.json";
    const auto text = store::read_file(file);
    if (!text) { return fail(text.error()); }
    try {
        auto baseline = read_summary(*text);
        if (!baseline) { return fail(file.string() + ": " + baseline.error().message); }
        baseline->drawn = digest_of_cases(*baseline);
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
    for (auto& [row, indices] : part.rows) {
        std::erase_if(indices, [&](std::uint64_t index) { return index < first || index - first >= cases; });
    }
    std::erase_if(part.rows, [](const auto& row) { return row.second.empty(); });
    part.drawn = digest_of_cases(part);
    return part;
}

Result<Baseline> joined(const Baseline& baseline, const Baseline& next) {
    if (const auto one = are_of_one_campaign(baseline, next); !one) { return fail(one.error()); }
    if (next.first != baseline.first + baseline.cases) {
        return fail(cases_of(next) + " do not follow on " + cases_of(baseline));
    }
    Baseline both = baseline;
    both.cases += next.cases;
    for (const auto& [row, indices] : next.rows) {
        both.rows[row].insert(both.rows[row].end(), indices.begin(), indices.end());
    }
    both.drawn = digest_of_cases(both);
    return both;
}

Result<Baseline> replaced(const Baseline& baseline, const Baseline& part) {
    if (const auto one = are_of_one_campaign(baseline, part); !one) { return fail(one.error()); }
    if (const auto has = has_cases(baseline, part.first, part.cases); !has) { return fail(has.error()); }
    Baseline result = baseline;
    for (auto& [row, indices] : result.rows) {
        std::erase_if(indices,
                      [&](std::uint64_t index) { return part.first <= index && index - part.first < part.cases; });
    }
    for (const auto& [row, indices] : part.rows) {
        std::vector<std::uint64_t>& all = result.rows[row];
        all.insert(std::ranges::lower_bound(all, part.first), indices.begin(), indices.end());
    }
    std::erase_if(result.rows, [](const auto& row) { return row.second.empty(); });
    return result;
}

std::string to_json(const Baseline& baseline) {
    const ProofTotals totals = totals_of(proofs_of(baseline.rows));
    Json rows = Json::array();
    for (const auto& [row, indices] : baseline.rows) {
        rows.push_back({{"row", row}, {"cases", indices.size()}, {"indices", to_text(indices)}});
    }
    const Json tree{{"haruspex_baseline", 1},    {"compiler", baseline.compiler},
                    {"seed", baseline.seed},     {"first", baseline.first},
                    {"cases", baseline.cases},   {"other_sizes", baseline.other_sizes},
                    {"drawn", baseline.drawn},   {"compiled", totals.compiled},
                    {"decided", totals.decided}, {"false_alarms", totals.false_alarms},
                    {"unsound", totals.unsound}, {"rows", rows}};
    return tree.dump(2) + "\n";
}

Result<Baseline> parse_baseline(std::string_view json, std::string_view file) {
    const auto document = cases::json::Document::parse(json, file);
    if (!document) { return fail(document.error()); }
    Reader reader(*document);
    Baseline baseline;
    Fields fields(reader, document->root(), "a baseline",
                  {"haruspex_baseline", "compiler", "seed", "first", "cases", "other_sizes", "drawn", "compiled",
                   "decided", "false_alarms", "unsound", "rows"});
    if (reader.failed()) { return fail(reader.first_error()); }
    const auto natural = [&](const char* key) {
        return static_cast<std::uint64_t>(fields.integer(key, 0, std::int64_t{1} << 53));
    };
    fields.integer("haruspex_baseline", 1, 1);
    baseline.compiler = fields.text("compiler");
    baseline.seed = natural("seed");
    baseline.first = natural("first");
    baseline.cases = natural("cases");
    baseline.other_sizes = natural("other_sizes");
    baseline.drawn = fields.text("drawn");
    for (const Node& row : reader.array(fields.at("rows"))) { read_row(reader, row, baseline); }
    // What follows from the rows.
    const ProofTotals totals = totals_of(proofs_of(baseline.rows));
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
    if (before.compiler != now.compiler) {
        return fail("another compiler: " + before.compiler + " before, " + now.compiler + " now");
    }
    const bool is_same_campaign = before.seed == now.seed && before.first == now.first && before.cases == now.cases;
    if (!is_same_campaign || before.drawn != now.drawn) {
        return fail("other cases: they are drawn from another seed or in another way, or are not as many");
    }
    std::map<std::pair<std::string, std::string>, std::vector<std::uint64_t>> moves;
    const auto rows = by_index(now);
    for (const auto& [index, row] : by_index(before)) {
        if (rows.at(index) != row) { moves[{row, rows.at(index)}].push_back(index); }
    }
    Comparison comparison;
    comparison.table = table_of_lengths(before.rows, now.rows);
    for (const Change kind : {Change::worse, Change::better, Change::other}) {
        std::uint64_t& cases = kind == Change::worse    ? comparison.worse
                               : kind == Change::better ? comparison.better
                                                        : comparison.other;
        for (const auto& [move, indices] : moves) {
            const auto& [from, to] = move;
            if (change(from, to) != kind) { continue; }
            cases += indices.size();
            comparison.table += "\n" + left(names.at(static_cast<std::size_t>(kind)), 8) + from + "\n     -> " + to +
                                "\n        cases " + to_text(indices) + "\n";
        }
    }
    return comparison;
}

}  // namespace haruspex::campaign
