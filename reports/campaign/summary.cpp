#include "reports/campaign/summary.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>
#include <vector>

#include "generators/case/located_json.h"
#include "reports/campaign/examine.h"
#include "reports/campaign/indices.h"
#include "reports/campaign/second_solver.h"
#include "reports/campaign/shares.h"
#include "reports/render/table.h"
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
    const std::span<const std::uint64_t> first(cases.data(), std::min(shown, cases.size()));
    return fmt::format("{}{}", fmt::join(first, ", "), cases.size() > shown ? ", ..." : "");
}

Json validator_tree(const Summary& summary) {
    if (!summary.options.validate) { return nullptr; }
    const ProofTotals totals = totals_of(summary.proofs);
    const CrossCheckTotals checks = cross_check_totals(summary.features);
    std::map<std::string_view, std::map<std::string, std::uint64_t>> counts;
    Json rows = Json::object();
    for (const auto& [row, cases] : summary.proofs) {
        counts[name(row.result)][row.reason] = cases.size();
        rows[to_string(row)] = to_text(cases);
    }
    return {{"other_sizes", summary.options.other_sizes},
            {"compiled", totals.compiled},
            {"decided", totals.decided},
            {"false_alarms", totals.false_alarms},
            {"unsound", totals.unsound},
            {"second_solver",
             {{"solver", name(summary.options.solvers.solver)},
              {"one_in", summary.options.solvers.cross_check},
              {"checked", checks.checked()},
              {"agreed", checks.agreed},
              {"undecided", checks.undecided},
              {"unanswered", checks.unanswered},
              {"contradicted", checks.contradicted}}},
            {"cases", counts},
            {"indices", rows}};
}

Json compiler_tree(const compiler::Identity& compiler) {
    const compiler::Unobserved& unobserved = compiler.unobserved;
    return {{"name", compiler.name},
            {"version", compiler.version},
            {"unobserved",
             {{"lowered", unobserved.lowered}, {"prophecies", unobserved.prophecies}, {"passes", unobserved.passes}}}};
}

// How many lowered programs store beyond the extents of a tensor; empty if that was not looked at.
std::string stores_line(const Summary& summary) {
    const auto cases = [&](const char* feature) {
        const auto at = summary.features.find(feature);
        return at == summary.features.end() ? 0 : at->second;
    };
    const auto beyond = cases(stores_beyond), unknown = cases(stores_unknown);
    if (beyond + unknown + cases(stores_within) == 0) { return {}; }
    return fmt::format("\nlowered programs that store beyond the extents of a tensor: {} ({}){}\n", beyond,
                       percent(beyond, summary.cases), unknown > 0 ? fmt::format("; not known: {}", unknown) : "");
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

std::uint64_t own_faults(const Summary& summary) {
    std::uint64_t cases = 0;
    for (const auto& [name, count] : summary.by_class) {
        if (verdict::is_own_fault(verdict::parse_class(name).value())) { cases += count; }
    }
    return cases;
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
            {"wall_ms", options.limits.wall.count()},
            {"patience", options.limits.patience}}},
          {"haruspex", store::haruspex_version()},
          {"compiler", compiler_tree(summary.compiler)},
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
         {{"seconds", summary.seconds},
          {"cases_per_second", rate},
          {"seconds_by_stage", summary.seconds_by_stage},
          {"slow", {{"cases", summary.slow_cases}, {"seconds", summary.slow_seconds}}}}},
    };
    return tree.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string to_table(const Summary& summary) {
    using render::left;
    using render::right;
    const Options& options = summary.options;
    std::string text = fmt::format(
        "haruspex {}, {} {}, target {}\n{}, {} cases from {}, {} {}{}\n", store::haruspex_version(),
        summary.compiler.name, summary.compiler.version, summary.target,
        options.cases_from ? options.cases_from->string() : fmt::format("seed {}", options.seed), summary.cases,
        options.first, options.jobs, options.jobs == 1 ? "job" : "jobs", summary.interrupted ? ", interrupted" : "");
    if (!options.native) { text += "native code was not run: only what was lowered is judged\n"; }
    if (const std::string unobserved = to_string(summary.compiler.unobserved); !unobserved.empty()) {
        text += fmt::format("not observed: {}\n", unobserved);
    }
    render::Table classes{"", {"class", "cases", "share"}};
    for (const auto& [name, cases] : by_size(summary.by_class)) {
        classes.rows.push_back({name, std::to_string(cases), percent(cases, summary.cases)});
    }
    text += "\n" + to_text(classes, {left(28), right(9), right(9)});
    if (options.validate) {
        text += "\n" + to_table(summary.proofs) + "\n" + to_line(cross_check_totals(summary.features)) + "\n";
    }
    text += stores_line(summary);
    if (!summary.groups.empty()) {
        render::Table groups{"", {"group", "cases", "first cases"}};
        std::map<std::string, std::size_t> sizes;
        for (const auto& [name, cases] : summary.groups) { sizes[name] = cases.size(); }
        for (const auto& [name, cases] : by_size(sizes)) {
            groups.rows.push_back({name, std::to_string(cases), indices(summary.groups.at(name))});
        }
        text += "\n" + to_text(groups, {left(40), right(9), left(0, 2)});
    }
    if (summary.not_filed > 0) {
        text += fmt::format(
            "\n{} of these cases were not filed, for want of room (disk quota): haruspex generate --seed {} --first "
            "INDEX --count 1 draws one again\n",
            summary.not_filed, options.seed);
    }
    if (!summary.rejections.empty()) {
        render::Table rejections{"", {"rejected", "reason"}};
        for (const auto& [reason, cases] : by_size(summary.rejections)) {
            rejections.rows.push_back({std::to_string(cases), first_line(reason, 108)});
        }
        text += "\n" + to_text(rejections, {right(9), left(0, 2)});
    }
    const double rate = summary.seconds > 0 ? static_cast<double>(summary.cases) / summary.seconds : 0;
    text += fmt::format("\nmedian number of directives {}\n{:.1f} s, {:.2f} cases per second; of the workers' time",
                        median_directives(summary), summary.seconds, rate);
    double total = 0;
    for (const auto& [stage, seconds] : summary.seconds_by_stage) { total += seconds; }
    std::string_view separator = " ";
    for (const auto& [stage, seconds] : by_size(summary.seconds_by_stage)) {
        text +=
            fmt::format("{}{} {}", separator, stage, total > 0 ? fmt::format("{:.0f}%", 100 * seconds / total) : "-");
        separator = ", ";
    }
    if (summary.slow_cases > 0) {
        text += fmt::format("\n{} slow {}: {:.1f} s beyond {} s of processor time for each run of the compiler",
                            summary.slow_cases, summary.slow_cases == 1 ? "case" : "cases", summary.slow_seconds,
                            std::chrono::duration<double>(options.limits.cpu).count());
    }
    return text + "\n";
}

}  // namespace haruspex::campaign
