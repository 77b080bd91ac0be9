#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "generators/base/result.h"
#include "harness/compiler/compiler.h"
#include "oracle/verdict/verdict.h"
#include "reports/bugs/known.h"
#include "reports/bugs/report_folders.h"
#include "reports/store/store.h"
#include "reports/triage/symptom.h"

// Judges reports again with the linked compiler: which bugs still show, which are fixed, and which show differently.
namespace haruspex::bugs {

enum class State : std::uint8_t {
    fails,         // shows the stored symptom (shows_stored)
    differs,       // shows another symptom
    fixed,         // does not show
    not_yet,       // does not show, and the compiler is older than the version in which the bug was found
    refused,       // the case cannot be put to this compiler (refusal in reports/cli/loading.h)
    program_only,  // no case describes the bug: its repro.cpp has to be compiled and run (scripts/test-reports)
    fault,         // haruspex itself failed on the case
    not_decided,   // nothing shows, and that does not exclude the stored symptom (triage::excludes)
};
inline constexpr int state_count = 8;
std::string_view name(State state);  // "fails", …

struct Rechecked {
    std::string name;  // ReportFolder::name
    Place place = Place::open;
    State state = State::fails;
    std::string found_in;     // the version of the compiler in which the bug was found; empty without a case
    std::string stored, now;  // symptoms as text, empty if nothing shows; `now` may be the reason of a refusal or fault
    bool operator==(const Rechecked&) const = default;
};

// Whether the report's state contradicts its place: an open bug is fixed or differs, a fixed bug shows, or the compiler
// refuses the case although the bug was found in its version.
bool is_changed(const Rechecked& report, const compiler::Identity& compiler);

struct Recheck {
    std::string compiler, version;  // compiler::Identity
    std::string package;            // how it was installed
    std::vector<Rechecked> reports;
    bool operator==(const Recheck&) const = default;
};

// Whether a case that shows `now` shows the stored symptom (triage::still_shows). Passes are compared only if both are of
// the same version of the compiler.
bool shows_stored(const triage::Symptom& now, triage::Symptom stored, bool same_version);

// Judges a finding's case with the linked compiler. An Error if the case cannot be put to this compiler.
using JudgeFinding = std::function<Result<verdict::Verdict>(const store::Finding&)>;

Rechecked recheck(const ReportFolder& report, const store::Finding& finding, const JudgeFinding& judge,
                  const compiler::Identity& compiler);
// Returns the result for a report without a case.
Rechecked not_rechecked(const ReportFolder& report);

// Returns a line for each known bug whose report is in `recheck` and contradicts the status of the bug as which it counts: a suppressed bug
// (open or documented) that no longer shows or shows differently, or a fixed bug that shows. `folder` is the folder
// that was rechecked, `known_folder` the folder of the known bugs.
std::vector<std::string> announcements(const std::vector<Known>& known, const std::filesystem::path& known_folder,
                                       const Recheck& recheck, const std::filesystem::path& folder);

}  // namespace haruspex::bugs
