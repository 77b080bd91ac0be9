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

// Reports judged again with the linked compiler: which bugs still show, are fixed, or show differently.
namespace haruspex::bugs {

enum class State : std::uint8_t {
    fails,    // shows as stored: the same symptom (reports/triage/symptom.h). For a report from another version, whose
              // passes may have other names: the same class and kind of trouble
    differs,  // shows another symptom
    fixed,    // does not show
    not_yet,  // does not show, and the compiler is older than the one in which it was found
    refused,  // the compiler's rules do not admit the case
    program_only,  // no case describes the bug: its repro.cpp has to be compiled and run (scripts/test-reports)
    fault,         // haruspex itself failed on the case
};
inline constexpr int state_count = 7;
std::string_view name(State state);  // "fails", …

struct Rechecked {
    std::string name;  // of the report's folder
    Place place = Place::open;
    State state = State::fails;
    std::string found_in;     // the compiler's version; empty without a case
    std::string stored, now;  // symptoms as text; `now` is the reason of a refusal or fault; empty if nothing shows
    bool operator==(const Rechecked&) const = default;
};

// Whether the report's state contradicts its place: an open bug is fixed or differs, a fixed one shows, or the version
// in which it was found refuses the case.
bool is_changed(const Rechecked& report, const compiler::Identity& compiler);

struct Recheck {
    std::string compiler, version;  // compiler::Identity
    std::string package;            // how it was installed
    std::vector<Rechecked> reports;
    bool operator==(const Recheck&) const = default;
};

// Judges a finding's case with the linked compiler; an Error if the compiler's rules do not admit the case.
using Judge = std::function<Result<verdict::Verdict>(const store::Finding&)>;

Rechecked recheck(const ReportFolder& report, const store::Finding& finding, const Judge& judge,
                  const compiler::Identity& compiler);
// Returns the entry of a report without a case.
Rechecked not_rechecked(const ReportFolder& report);

// Returns a line for each known bug that has one of these reports and contradicts its status: a suppressed bug that no
// longer shows or shows differently, or a fixed one that shows. `folder` is the folder that was rechecked,
// `known_folder` the folder of the known bugs.
std::vector<std::string> announcements(const std::vector<Known>& known, const std::filesystem::path& known_folder,
                                       const Recheck& recheck, const std::filesystem::path& folder);

// Whether a version is older than another one. Parts are compared as numbers: "9.1" is older than "14.0.0".
bool is_older(std::string_view version, std::string_view than);

}  // namespace haruspex::bugs
