#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "generators/base/result.h"
#include "generators/case/case.h"
#include "oracle/verdict/verdict.h"
#include "reports/bugs/builds.h"
#include "reports/bugs/known.h"
#include "reports/bugs/versions.h"
#include "reports/session/answer.h"

// Judges bugs under several versions of a compiler: each by a build of haruspex that is linked with it.
namespace haruspex::bugs {

// A bug that is judged.
struct Subject {
    std::string name;                        // of its report's folder, or of its case
    std::filesystem::path report;            // the folder, which may have a stand-alone program; may be empty
    std::optional<cases::Case> c;            // none if only a program describes the bug
    std::optional<verdict::Verdict> stored;  // none: the symptom is the one of the first build that shows any
    std::string found_in;                    // the version of the compiler that gave `stored`
};

// The result of a stand-alone program under one version.
struct ProgramResult {
    std::string name;           // of the report's folder
    std::string version;        // of the compiler
    std::optional<bool> fails;  // exits with 1; none if it does not compile, or ends with neither 1 nor 0
    bool operator==(const ProgramResult&) const = default;
};
// Parses the lines of scripts/test-reports --json: {"name", "version", "fails": true, false or null}
[[nodiscard]] Result<std::vector<ProgramResult>> parse_programs(std::string_view lines, const std::string& file);

// A version, or one of several builds of a version.
struct Column {
    std::string version;
    std::string title;  // the version; with the build if another one has the same version: "14.0.0 (mutant:a)"
    std::string where;  // Build::where; empty if only programs were run
    std::string package;
};
struct JudgedBug {
    std::string name;
    std::vector<AtVersion> rows;       // by column; AtVersion::version is the column's title
    std::vector<std::string> reasons;  // by column: why the case was refused or not judged; else empty
};
struct JudgedVersions {
    std::string compiler;
    std::vector<Column> columns;  // by version, the oldest first; builds of one version in the user's order
    std::vector<JudgedBug> bugs;
    bool has_fault = false;  // haruspex itself failed on a case
};

// Judges a subject's case with a build. An Error if the build does not answer any more.
using JudgeWith = std::function<Result<session::Answer>(std::size_t build, const Subject& subject)>;

// Judges every subject with every build. Program results of other reports are ignored; those of versions that no build
// has get columns of their own. Calls `judged` after each subject.
[[nodiscard]] Result<JudgedVersions> judge_versions(const std::vector<Subject>& subjects,
                                                    const std::vector<Build>& builds,
                                                    const std::vector<ProgramResult>& programs, const JudgeWith& judge,
                                                    const std::function<void(const JudgedBug&)>& judged);

// The presence of a bug, and what it hangs on.
struct Judgement {
    Presence presence = Presence::not_run;
    std::string text;  // the symptom if it differs, a reason if the case was refused or not judged
    bool is_fault = false;
};
// Compares an answer with the stored verdict. The bug is gone only if the answer excludes it
// (triage::excludes).
Judgement compare_with_stored(const Subject& subject, const session::Answer& answer, std::string_view version);

// Checks that known bugs can keep what is judged: each subject's report is that of one of them, and no two builds have
// the same version. `folder` is the folder of the known bugs.
[[nodiscard]] Result<void> can_be_kept(const std::vector<Known>& known, const std::filesystem::path& folder,
                                       const std::vector<Subject>& subjects, const std::vector<Build>& builds);
// Returns the known bugs whose report is a subject's, with their new rows, except those that tell nothing. `judged` is the
// outcome for the subjects.
std::vector<Known> with_versions(const std::vector<Known>& known, const std::filesystem::path& folder,
                                 const std::vector<Subject>& subjects, const JudgedVersions& judged);

// Returns a line for each bug, with a column for each version, then lines for what differs and why cases were not
// judged, and the counts of count_of().
std::string table(const JudgedVersions& judged);
// Returns indented JSON (schema: corpus/schema/versions-1.json).
std::string to_json(const JudgedVersions& judged);

}  // namespace haruspex::bugs
