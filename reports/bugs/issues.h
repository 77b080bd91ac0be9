#pragma once

#include <cstddef>
#include <expected>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "generators/base/result.h"
#include "generators/case/case.h"
#include "harness/compiler/compiler.h"
#include "oracle/pipeline/judged.h"
#include "reports/bugs/known.h"
#include "reports/bugs/triage.h"
#include "reports/bugs/versions.h"
#include "reports/render/report.h"

// Findings as issues, and the folder of issues: a folder for each reported bug, and a page of them all.
namespace haruspex::bugs {

struct Issues {
    std::size_t bugs = 0;                      // reported ones
    std::string list;                          // of the bugs, for the terminal
    std::map<std::string, std::string> files;  // by path below the folder
};

// Judges the case of each reported bug again for its report. `folder` is empty if no issues are to be written.
Issues issues_of(const std::vector<Bug>& found, const std::vector<Known>& known, const std::filesystem::path& folder,
                 const compiler::Compiler& compiler);

// Makes a report of the case with the verdict of this version of the compiler; a finding that was made in another
// version need not show here. An Error if the case shows nothing or cannot be put to the compiler. `name` is the user's
// name for the case. `versions` are the rows of the known bug that the case shows; the report then says where the bug
// lives. `waited_for` is this version's verdict, if that is a hang: then nothing waits for it again.
[[nodiscard]] Result<render::Report> report_on(const cases::Case& c, const std::string& name,
                                               const pipeline::Options& judging,
                                               const std::vector<AtVersion>& versions = {},
                                               const std::optional<verdict::Verdict>& waited_for = {});

// Writes the folder, which appears complete. A folder that is there and may not be replaced is an Error, unless it
// holds exactly these files.
[[nodiscard]] Result<void> write_issues(const Issues& issues, const std::filesystem::path& folder, bool may_replace);

// The Error of a folder that is there and may not be replaced.
std::unexpected<Error> taken(const std::filesystem::path& folder);

}  // namespace haruspex::bugs
