#include "reports/campaign/summary.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "generators/case/located_json.h"
#include "reports/campaign/indices.h"
#include "reports/campaign/layout.h"
#include "reports/store/version.h"

namespace haruspex::campaign {
namespace {

using Json = nlohmann::ordered_json;

Json number(std::uint64_t value) {
    if (cases::json::is_exact_in_any_reader(value)) { return value; }
    return std::to_string(value);
}

std::string first_line(const std::string& text, std::size_t width) {
    std::string line = text.substr(0, text.find('\n'));
    if (line.size() > width) { line = line.substr(0, width - 3) + "..."; }
    return line;
}

std::string indices(const std::vector<std::uint64_t>& cases) {
    constexpr std::size_t shown = 5;
    std::string text;
    for (std::size_t i = 0; i < std::min(shown, cases.size()); ++i) {
        text += (i == 0 ? "" : ", ") + std::to_string(cases[i]);
    }
    return cases.size() > shown ? text + ", ..." : text;
}

Json validator_tree(const Summary& summary) {
    if (!summary.options.validate) { return nullptr; }
    const Proofs proofs = proofs_of(summary.proofs);
    const ProofTotals totals = totals_of(proofs);
    Json rows = Json::object();
    for (const auto& [row, cases] : summary.proofs) { rows[row] = to_text(cases); }
    return {{"other_sizes", summary.options.other_sizes},
            {"compiled", totals.compiled},
            {"decided", totals.decided},
            {"false_alarms", totals.false_alarms},
            {"unsound", totals.unsound},
            {"cases", proofs},
            {"indices", rows}};
}

}  // namespace

std::uint64_t median_directives(const Summary& summary) {
    std::uint64_t seen = 0;
    for (const auto& [directives, cases] : summary.directives) {
        seen += cases;
        if (2 * seen >= summary.cases) { return directives; }
    }
    return 0;
}

std::string to_json(const Summary& summary) {
    const Options& options = summary.options;
    // An option that was not given is null.
    const auto asked = [](const std::optional<std::uint64_t>& value) { return value ? number(*value) : Json(nullptr); };
    const Json asked_seconds = options.time ? Json(options.time->count()) : Json(nullptr);
    Json directives = Json::object();
    for (const auto& [count, cases] : summary.directives) { directives[std::to_string(count)] = cases; }
    const double rate = summary.seconds > 0 ? static_cast<double>(summary.cases) / summary.seconds : 0;
    const Json tree = {
        {"campaign",
         {{"seed", number(options.seed)},
          {"first", number(options.first)},
          {"cases_from", summary.cases_digest.empty() ? Json(nullptr) : Json(summary.cases_digest)},
          {"cases", asked(options.cases)},
          {"seconds", asked_seconds},
          {"stop_when_quiet", asked(options.stop_when_quiet)},
          {"disk_quota", asked(options.disk_quota)},
          {"jobs", options.jobs},
          {"native", options.native},
          {"limits",
           {{"memory_bytes", options.limits.memory_bytes},
            {"cpu_ms", options.limits.cpu.count()},
            {"wall_ms", options.limits.wall.count()}}},
          {"haruspex", store::haruspex_version()},
          {"compiler", {{"name", summary.compiler.name}, {"version", summary.compiler.version}}},
          {"target", summary.target},
          {"interrupted", summary.interrupted}}},
        {"results",
         {{"cases", summary.cases},
          {"findings", summary.findings},
          {"not_filed", summary.not_filed},
          {"by_class", summary.by_class},
          {"rejections", summary.rejections},
          {"groups", summary.groups},
          {"validator", validator_tree(summary)},
          {"median_directives", median_directives(summary)},
          {"directives", directives},
          {"features", summary.features}}},
        {"timing",
         {{"seconds", summary.seconds}, {"cases_per_second", rate}, {"seconds_by_stage", summary.seconds_by_stage}}},
    };
    return tree.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string to_table(const Summary& summary) {
    const Options& options = summary.options;
    std::string text = "haruspex " + store::haruspex_version() + ", " + summary.compiler.name + " " +
                       summary.compiler.version + ", target " + summary.target + "\n" +
                       (options.cases_from ? options.cases_from->string() : "seed " + std::to_string(options.seed)) +
                       ", " + std::to_string(summary.cases) + " cases from " + std::to_string(options.first) + ", " +
                       std::to_string(options.jobs) + (options.jobs == 1 ? " job" : " jobs") +
                       (summary.interrupted ? ", interrupted" : "") + "\n";
    if (!options.native) { text += "native code was not run: only what was lowered is judged\n"; }
    text += "\n";
    text += left("class", 28) + right("cases", 9) + right("share", 9) + "\n";
    for (const auto& [name, cases] : by_size(summary.by_class)) {
        text += left(name, 28) + right(std::to_string(cases), 9) + right(percent(cases, summary.cases), 9) + "\n";
    }
    if (options.validate) { text += "\n" + to_table(proofs_of(summary.proofs)); }
    if (!summary.groups.empty()) {
        text += "\n" + left("group", 40) + right("cases", 9) + "  first cases\n";
        std::map<std::string, std::size_t> sizes;
        for (const auto& [name, cases] : summary.groups) { sizes[name] = cases.size(); }
        for (const auto& [name, cases] : by_size(sizes)) {
            text += left(name, 40) + right(std::to_string(cases), 9) + "  " + indices(summary.groups.at(name)) + "\n";
        }
    }
    if (summary.not_filed > 0) {
        const std::string seed = std::to_string(options.seed);
        text += "\n" + std::to_string(summary.not_filed) +
                " of these cases were not filed, for want of room (disk quota): haruspex generate --seed " + seed +
                " --first INDEX --count 1 draws one again\n";
    }
    if (!summary.rejections.empty()) {
        text += "\n" + right("rejected", 9) + "  reason\n";
        for (const auto& [reason, cases] : by_size(summary.rejections)) {
            text += right(std::to_string(cases), 9) + "  " + first_line(reason, 108) + "\n";
        }
    }
    const double rate = summary.seconds > 0 ? static_cast<double>(summary.cases) / summary.seconds : 0;
    text += "\nmedian number of directives " + std::to_string(median_directives(summary)) + "\n" +
            fixed(summary.seconds, 1) + " s, " + fixed(rate, 2) + " cases per second; of the workers' time";
    double total = 0;
    for (const auto& [stage, seconds] : summary.seconds_by_stage) { total += seconds; }
    std::string separator = " ";
    for (const auto& [stage, seconds] : by_size(summary.seconds_by_stage)) {
        text += separator + stage + " " + (total > 0 ? fixed(100 * seconds / total, 0) + "%" : "-");
        separator = ", ";
    }
    return text + "\n";
}

}  // namespace haruspex::campaign
