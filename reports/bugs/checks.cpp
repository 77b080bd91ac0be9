#include "reports/bugs/checks.h"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>

#include "generators/base/ensure.h"
#include "reports/render/html.h"
#include "reports/render/words.h"
#include "reports/store/version.h"

namespace haruspex::bugs {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

Outcome outcome_of(const Rechecked& report, const compiler::Identity& compiler) {
    if (report.state == State::fault) { return Outcome::broken; }
    if (is_changed(report, compiler)) { return Outcome::failed; }
    switch (report.state) {
        case State::fails:
        case State::differs:
        case State::fixed: return Outcome::passed;
        case State::not_yet:
        case State::refused:
        case State::program_only: return Outcome::not_applicable;
        case State::not_decided: return Outcome::not_decided;
        case State::fault: break;
    }
    raise_internal_error(__FILE__, __LINE__, "no such state of a report");
}

std::string message_of(const Rechecked& report) {
    std::string text(name(report.state));
    if (!report.stored.empty()) { text += "; was " + report.stored; }
    if (!report.now.empty() && report.now != report.stored) { text += "; is " + report.now; }
    return text;
}

Outcome outcome_of(const Bug& bug) {
    if (!bug.failure.empty() || verdict::is_own_fault(bug.smallest.verdict.cls)) { return Outcome::broken; }
    switch (bug.state) {
        case BugState::regressed:
        case BugState::confirmed:
        case BugState::unexamined: return Outcome::failed;
        case BugState::known:
        case BugState::documented: return Outcome::known;
        case BugState::gone: return Outcome::passed;
    }
    raise_internal_error(__FILE__, __LINE__, "no such state of a bug");
}

std::string message_of(const Bug& bug) {
    const std::string state = fmt::format("{}, {} {}", name(bug.state), bug.cases, bug.cases == 1 ? "case" : "cases");
    if (!bug.failure.empty()) { return state + ": haruspex itself fails: " + bug.failure; }
    if (!bug.known.empty()) { return state + ": " + bug.known; }
    return state + ": " + render::title(bug.smallest.c, bug.smallest.verdict);
}

// The text as UTF-8, in which XML has no other control characters than these three.
std::string cleaned(const std::string& text) {
    const std::string dumped = Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
    auto valid = Json::parse(dumped).get<std::string>();
    std::erase_if(valid,
                  [](unsigned char c) { return (c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7f; });
    return valid;
}

std::string attribute(std::string_view name, const std::string& value) {
    std::string text;
    // A parser makes blanks of line breaks in attributes unless they are written as numbers.
    for (const char c : render::escaped(cleaned(value))) {
        text += c == '\n' ? std::string("&#10;") : std::string(1, c);
    }
    return fmt::format(" {}=\"{}\"", name, text);
}

// The element in a <testcase>, if there is one.
std::string_view element_of(Outcome outcome) {
    switch (outcome) {
        case Outcome::passed: return "";
        case Outcome::failed: return "failure";
        case Outcome::broken: return "error";
        case Outcome::known:
        case Outcome::not_decided:
        case Outcome::not_applicable: return "skipped";
    }
    raise_internal_error(__FILE__, __LINE__, "no such outcome");
}

std::string_view kind_of(Outcome outcome) {
    switch (outcome) {
        case Outcome::passed: return "pass";
        case Outcome::failed:
        case Outcome::known:
        case Outcome::broken: return "fail";
        case Outcome::not_decided: return "open";
        case Outcome::not_applicable: return "notApplicable";
    }
    raise_internal_error(__FILE__, __LINE__, "no such outcome");
}

std::string rule_of(const Check& check) { return check.rule.empty() ? "report" : check.rule; }

Json result_of(const Check& check) {
    const bool is_wrong = check.outcome == Outcome::failed || check.outcome == Outcome::broken;
    Json result{
        {"ruleId", rule_of(check)},
        {"kind", kind_of(check.outcome)},
        {"level", is_wrong                          ? "error"
                  : check.outcome == Outcome::known ? "note"
                                                    : "none"},
        {"message", {{"text", check.message}}},
        {"locations",
         Json::array({{{"physicalLocation", {{"artifactLocation", {{"uri", render::address(check.place.string())}}}}},
                       {"logicalLocations", Json::array({{{"name", check.name}}})}}})},
        {"partialFingerprints", {{"haruspex/1", check.name}}}};
    if (check.outcome == Outcome::known) {
        result["suppressions"] = Json::array({{{"kind", "external"}, {"justification", "a known bug"}}});
    }
    return result;
}

}  // namespace

Checks checks_of(const Recheck& recheck, const compiler::Identity& compiler, const fs::path& folder) {
    Checks checks{"recheck", recheck.compiler, recheck.version, {}};
    const fs::path last = (folder.has_filename() ? folder : folder.parent_path()).filename();
    for (const Rechecked& report : recheck.reports) {
        // The searched folder itself has its own name.
        const bool is_folder = recheck.reports.size() == 1 && report.name == last;
        const char* const file = report.state == State::program_only ? "repro.cpp" : "case.json";
        checks.checks.push_back({report.name, std::string(name(report.place)), outcome_of(report, compiler),
                                 message_of(report), (is_folder ? folder : folder / report.name) / file});
    }
    return checks;
}

Checks checks_of(const std::vector<Bug>& bugs, const compiler::Identity& compiler, const fs::path& campaign,
                 const fs::path& issues) {
    Checks checks{"triage", compiler.name, compiler.version, {}};
    for (const Bug& bug : bugs) {
        const auto cls = bug.smallest.verdict.cls;
        const Outcome outcome = outcome_of(bug);
        const fs::path filed = campaign / (verdict::is_own_fault(cls) ? "faults" : "findings") / bug.group;
        const bool has_issue = outcome == Outcome::failed && !issues.empty();
        checks.checks.push_back({bug.group, std::string(verdict::name(cls)), outcome, message_of(bug),
                                 has_issue ? issues / bug.group / "case.json" : filed});
    }
    return checks;
}

std::string to_junit(const Checks& checks) {
    const auto count = [&](std::string_view element) {
        return std::to_string(std::ranges::count_if(
            checks.checks, [&](const Check& check) { return element_of(check.outcome) == element; }));
    };
    const std::string suite = "haruspex " + checks.suite;
    std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n<testsuite";
    text += attribute("name", suite) + attribute("tests", std::to_string(checks.checks.size())) +
            attribute("failures", count("failure")) + attribute("errors", count("error")) +
            attribute("skipped", count("skipped")) + ">\n<properties>\n";
    for (const auto& [name, value] : {std::pair{"haruspex", store::haruspex_version()},
                                      std::pair{"compiler", checks.compiler + " " + checks.version}}) {
        text += "<property" + attribute("name", name) + attribute("value", value) + "/>\n";
    }
    text += "</properties>\n";
    for (const Check& check : checks.checks) {
        const std::string element(element_of(check.outcome));
        text += "<testcase" + attribute("classname", suite + "." + rule_of(check)) + attribute("name", check.name);
        text += element.empty()
                    ? "/>\n"
                    : ">\n<" + element + attribute("message", check.message) + ">" +
                          render::escaped(cleaned(check.place.string())) + "</" + element + ">\n</testcase>\n";
    }
    return text + "</testsuite>\n</testsuites>\n";
}

std::string to_sarif(const Checks& checks) {
    std::set<std::string> names;
    Json rules = Json::array(), results = Json::array();
    for (const Check& check : checks.checks) { names.insert(rule_of(check)); }
    for (const std::string& name : names) { rules.push_back({{"id", name}}); }
    for (const Check& check : checks.checks) { results.push_back(result_of(check)); }
    const Json tree{
        {"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
        {"version", "2.1.0"},
        {"runs",
         Json::array({{{"tool",
                        {{"driver", {{"name", "haruspex"}, {"version", store::haruspex_version()}, {"rules", rules}}},
                         {"extensions", Json::array({{{"name", checks.compiler}, {"version", checks.version}}})}}},
                       {"automationDetails", {{"id", "haruspex/" + checks.suite}}},
                       {"columnKind", "unicodeCodePoints"},
                       {"results", results}}})}};
    // A compiler's message need not be valid UTF-8.
    return tree.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace haruspex::bugs
