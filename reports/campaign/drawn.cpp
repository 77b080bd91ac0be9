#include "reports/campaign/drawn.h"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>
#include <utility>

#include "generators/schedule/language.h"
#include "oracle/verdict/verdict.h"
#include "reports/campaign/settings.h"
#include "reports/campaign/shares.h"
#include "reports/render/table.h"
#include "reports/store/database.h"
#include "reports/triage/features.h"

namespace haruspex::campaign {
namespace {

using Json = nlohmann::ordered_json;

bool is_a_finding(const std::string& cls) {
    const auto parsed = verdict::parse_class(cls);
    return parsed && verdict::is_finding(*parsed);
}

// The reason for which most were refused; the first by name of several.
std::string usual_refusal(const DrawnFeature& feature) {
    const auto most = std::ranges::max_element(feature.refusals, {}, [](const auto& one) { return one.second; });
    return most == feature.refusals.end() ? "" : most->first;
}

std::string feature_table(const Drawn& drawn) {
    render::Table table{.caption = {},
                        .header = {"feature", "cases", "", "refused", "", "findings", "refused most often"}};
    for (const DrawnFeature& feature : drawn.features) {
        if (feature.cases == 0) { continue; }
        table.rows.push_back({feature.name, std::to_string(feature.cases), percent(feature.cases, drawn.cases),
                              std::to_string(refused(feature)), percent(refused(feature), feature.cases),
                              std::to_string(feature.findings), usual_refusal(feature)});
    }
    std::size_t width = 7;
    for (const DrawnFeature& feature : drawn.features) { width = std::max(width, feature.name.size()); }
    return render::to_text(table, {render::left(width), render::right(9), render::right(7), render::right(9),
                                   render::right(7), render::right(9), render::left(0, 2)});
}

// "no case has" and the names, in lines that are not too long.
std::string listed(const std::string& head, const std::vector<std::string>& names) {
    constexpr std::size_t most = 100;
    std::string text, line = head;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const std::string next = " " + names[i] + (i + 1 < names.size() ? "," : "");
        if (line.size() + next.size() > most) {
            text += line + "\n";
            line = "   ";
        }
        line += next;
    }
    return text + line + "\n";
}

std::string pair_lists(const Drawn& drawn) {
    std::map<std::string, std::vector<std::string>> absent;
    std::size_t number = 0;
    for (const DrawnPair& pair : drawn.pairs) {
        if (pair.cases > 0) { continue; }
        absent[pair.first].push_back(pair.second);
        ++number;
    }
    std::string text = fmt::format("\n{} of {} pairs of features that were drawn occur; no case has both of\n",
                                   drawn.pairs.size() - number, drawn.pairs.size());
    for (const auto& [first, others] : absent) { text += listed("  " + first + " and", others); }
    return text;
}

}  // namespace

std::uint64_t refused(const DrawnFeature& feature) {
    return std::accumulate(feature.refusals.begin(), feature.refusals.end(), std::uint64_t{0},
                           [](std::uint64_t sum, const auto& one) { return sum + one.second; });
}

Result<Drawn> read_drawn(const std::filesystem::path& folder, bool with_pairs) {
    const auto opened = open_to_read(folder);
    if (!opened) { return fail(opened.error()); }
    const store::Database& database = opened->database;
    const compiler::Identity compiler = compiler_of(opened->settings);
    Drawn drawn;
    drawn.compiler = compiler_text(opened->settings);
    drawn.cases_of = source_of_cases(opened->options);
    const schedule::Language* language = schedule::find_language(compiler.name, compiler.major);
    if (language == nullptr) { return fail("this haruspex has no compiler " + compiler.name); }
    const auto classes = database.by_class();
    if (!classes) { return fail(classes.error()); }
    for (const auto& [cls, cases] : *classes) {
        drawn.cases += cases;
        if (cls == verdict::name(verdict::Class::rejected)) { drawn.refused += cases; }
        if (is_a_finding(cls)) { drawn.findings += cases; }
    }
    std::map<std::string, DrawnFeature> features;
    for (const std::string& name : triage::all_features(*language)) { features[name].name = name; }
    const auto counts = database.feature_counts();
    if (!counts) { return fail(counts.error()); }
    for (const store::FeatureCount& count : *counts) {
        const auto at = features.find(count.feature);
        if (at == features.end()) { continue; }  // of the verdict, not of the case
        at->second.cases += count.cases;
        if (count.cls == verdict::name(verdict::Class::rejected)) { at->second.refusals[count.reason] += count.cases; }
        if (is_a_finding(count.cls)) { at->second.findings += count.cases; }
    }
    for (auto& [name, feature] : features) { drawn.features.push_back(std::move(feature)); }
    if (!with_pairs) { return drawn; }
    const auto pairs = database.pair_counts();
    if (!pairs) { return fail(pairs.error()); }
    std::map<std::pair<std::string, std::string>, std::uint64_t> cases_of_pair;
    for (const store::PairCount& pair : *pairs) { cases_of_pair[{pair.first, pair.second}] = pair.cases; }
    for (std::size_t i = 0; i < drawn.features.size(); ++i) {
        for (std::size_t j = i + 1; j < drawn.features.size(); ++j) {
            const DrawnFeature &first = drawn.features[i], &second = drawn.features[j];
            if (first.cases == 0 || second.cases == 0) { continue; }
            const auto at = cases_of_pair.find({first.name, second.name});
            drawn.pairs.push_back({first.name, second.name, at == cases_of_pair.end() ? 0 : at->second});
        }
    }
    return drawn;
}

std::string to_text(const Drawn& drawn) {
    std::string text = fmt::format("{} cases of {}, {}; {} ({}) refused, {} findings\n\n", drawn.cases, drawn.compiler,
                                   drawn.cases_of, drawn.refused, percent(drawn.refused, drawn.cases), drawn.findings);
    text += feature_table(drawn);
    std::vector<std::string> absent;
    for (const DrawnFeature& feature : drawn.features) {
        if (feature.cases == 0) { absent.push_back(feature.name); }
    }
    if (!absent.empty()) { text += "\n" + listed("no case has", absent); }
    if (!drawn.pairs.empty()) { text += pair_lists(drawn); }
    return text;
}

std::string to_json(const Drawn& drawn) {
    Json features = Json::array(), pairs = Json::array();
    for (const DrawnFeature& feature : drawn.features) {
        features.push_back({{"feature", feature.name},
                            {"cases", feature.cases},
                            {"findings", feature.findings},
                            {"refused", refused(feature)},
                            {"refusals", feature.refusals}});
    }
    for (const DrawnPair& pair : drawn.pairs) {
        pairs.push_back({{"first", pair.first}, {"second", pair.second}, {"cases", pair.cases}});
    }
    const Json json{{"haruspex_features", 1},          {"compiler", drawn.compiler},
                    {"cases_of", drawn.cases_of},      {"cases", drawn.cases},
                    {"refused", drawn.refused},        {"findings", drawn.findings},
                    {"features", std::move(features)}, {"pairs", std::move(pairs)}};
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace haruspex::campaign
