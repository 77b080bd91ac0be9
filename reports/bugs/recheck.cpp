#include "reports/bugs/recheck.h"

#include <algorithm>
#include <array>
#include <utility>

#include "generators/base/ensure.h"
#include "reports/bugs/versions.h"
#include "reports/triage/exclusion.h"
#include "reports/triage/symptom.h"

namespace haruspex::bugs {
namespace {

using verdict::Class;

// Empty if the bug's state agrees with its status, or was not determined.
std::string announcement(const Known& known, Status status, State state) {
    const bool must_show = status != Status::fixed;
    if (must_show && state == State::fixed) {
        return known.name + " does not show any more: its suppression is without use";
    }
    if (must_show && state == State::differs) {
        return known.name + " shows differently: its suppression has no effect on what shows now";
    }
    if (!must_show && (state == State::fails || state == State::differs)) {
        return known.name + " is said to be mended, and shows";
    }
    return {};
}

std::string words(const std::optional<triage::Symptom>& symptom) {
    return symptom ? triage::to_string(*symptom) : std::string();
}

}  // namespace

std::string_view name(State state) {
    constexpr std::array<std::string_view, state_count> names{"fails",   "differs",      "fixed", "not_yet",
                                                              "refused", "program_only", "fault", "not_decided"};
    return names.at(static_cast<std::size_t>(state));
}

bool is_changed(const Rechecked& report, const compiler::Identity& compiler) {
    switch (report.state) {
        case State::fails: return report.place == Place::fixed;
        case State::fixed: return report.place == Place::open;
        case State::differs: return true;
        case State::refused: return report.found_in == compiler.version;
        case State::not_yet:
        case State::program_only:
        case State::fault:
        case State::not_decided: return false;
    }
    raise_internal_error(__FILE__, __LINE__, "no such state of a report");
}

bool shows_stored(const triage::Symptom& now, triage::Symptom stored, bool same_version) {
    // Versions may have other names for their passes.
    if (!same_version) { stored.pass = now.pass; }
    return triage::still_shows(now, stored);
}

Rechecked recheck(const ReportFolder& report, const store::Finding& finding, const JudgeFinding& judge,
                  const compiler::Identity& compiler) {
    const auto stored = triage::symptom(finding.c, finding.verdict);
    Rechecked result{report.name, report.place, State::fixed, finding.compiler.version, words(stored), {}};
    const auto verdict = judge(finding);
    if (!verdict) {
        result.state = State::refused;
        result.now = verdict.error().message;
        return result;
    }
    if (verdict::is_own_fault(verdict->cls)) {
        result.state = State::fault;
        result.now = std::string(verdict::name(verdict->cls)) + ": " + verdict->message;
        return result;
    }
    const auto now = triage::symptom(finding.c, *verdict);
    result.now = words(now);
    if (!now && verdict->cls == Class::agrees && !triage::excludes(*verdict, finding.verdict)) {
        result.state = State::not_decided;
    } else if (!now) {
        result.state = is_older(compiler.version, finding.compiler.version) ? State::not_yet : State::fixed;
    } else {
        const bool same_version = compiler.version == finding.compiler.version;
        result.state = stored && shows_stored(*now, *stored, same_version) ? State::fails : State::differs;
    }
    return result;
}

Rechecked not_rechecked(const ReportFolder& report) {
    return {report.name, report.place, State::program_only, {}, {}, {}};
}

std::vector<std::string> announcements(const std::vector<Known>& known, const std::filesystem::path& known_folder,
                                       const Recheck& recheck, const std::filesystem::path& folder) {
    std::vector<std::string> lines;
    for (const Known& bug : known) {
        // If the rechecked folder is itself a report, the report has the folder's name.
        const bool is_folder = is_report_of(bug, known_folder, folder);
        for (const Rechecked& report : recheck.reports) {
            const bool is_same = is_report_of(bug, known_folder, folder / report.name) ||
                                 (is_folder && std::filesystem::path(bug.report).filename() == report.name);
            if (!is_same) { continue; }
            std::string line = announcement(bug, representative(known, bug).status, report.state);
            if (!line.empty()) { lines.push_back(std::move(line)); }
        }
    }
    return lines;
}

}  // namespace haruspex::bugs
