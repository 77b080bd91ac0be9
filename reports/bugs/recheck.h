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

// Reports judged again with the compiler at hand: which bugs still show, which are mended, which show differently.
namespace haruspex::bugs {

enum class State : std::uint8_t {
    fails,  // shows as stored: the same symptom (reports/triage/symptom.h), or the same class and kind of trouble when
            // the report is of another version, whose passes may have other names
    differs,       // shows another symptom
    fixed,         // does not show
    not_yet,       // does not show, and the compiler is older than the one that it was found in
    refused,       // the compiler's rules do not admit the case
    program_only,  // no case describes the bug: its repro.cpp has to be compiled and run (scripts/test-reports)
    fault,         // haruspex itself failed on the case
};
inline constexpr int state_count = 7;
std::string_view name(State state);  // "fails", …

struct Rechecked {
    std::string name;  // of the report's folder
    Place place = Place::open;
    State state = State::fails;
    std::string found_in;     // the version of the compiler; empty without a case
    std::string stored, now;  // symptoms in words; `now` is the reason of a refusal or fault; empty when nothing shows
    bool operator==(const Rechecked&) const = default;
};

// Whether the report's state is not what its place says: an open bug that is fixed or differs, a fixed one that shows,
// and a refusal by the version that it was found in.
bool is_changed(const Rechecked& report, const compiler::Identity& compiler);

struct Recheck {
    std::string compiler, version;  // "halide", "14.0.0"
    std::string package;            // how it was installed
    std::vector<Rechecked> reports;
    bool operator==(const Recheck&) const = default;
};

// What the compiler at hand makes of a finding's case; an Error when its rules do not admit it.
using Judge = std::function<Result<verdict::Verdict>(const store::Finding&)>;

Rechecked recheck(const ReportFolder& report, const store::Finding& finding, const Judge& judge,
                  const compiler::Identity& compiler);
// Of a report without a case.
Rechecked not_rechecked(const ReportFolder& report);

// What is to be said of the known bugs whose reports these are, a line each: a suppression whose bug does not show any
// more, or shows differently, and a mended one that shows. `folder` is the one that was rechecked, `known_folder` that
// of the known bugs.
std::vector<std::string> announcements(const std::vector<Known>& known, const std::filesystem::path& known_folder,
                                       const Recheck& recheck, const std::filesystem::path& folder);

// Whether the version "9.1" comes before "14.0.0": part by part, as numbers.
bool is_older(std::string_view version, std::string_view than);

}  // namespace haruspex::bugs
