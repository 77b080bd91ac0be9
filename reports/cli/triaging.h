#pragma once

#include <string>
#include <vector>

#include "reports/bugs/known.h"
#include "reports/bugs/triage.h"

// The distinct bugs in a campaign's folder, found with the installed compiler.
namespace haruspex::cli {

// Loads the known bugs in a folder; none if its name is empty.
[[nodiscard]] Result<std::vector<bugs::Known>> known_in(const std::string& folder);

struct Triaging {
    std::string campaign;  // the campaign's folder
    bugs::Options options;
    // The folder for issues, one folder for each reported bug, and a page of them all. Empty: no issues are written.
    std::string issues;
    bool replaces_issues = false;  // whether an existing folder may be replaced
    std::string heading;           // printed above the list
};

struct Triaged {
    std::size_t bugs = 0;  // reported ones
    // The campaign's faults of haruspex itself that a known bug of the compiler explains.
    std::uint64_t explained_faults = 0;
    std::size_t failures = 0;  // groups that haruspex itself failed to examine
};

// Minimises within the options' budget, with progress on standard error; writes the issues; prints the bugs, smallest
// first. May follow a campaign in the same process: it reads the campaign's files.
//
// The folder of issues appears complete or not at all, before its bugs are printed. A killed triage resumes where it
// stopped: a journal in the campaign's folder holds the compiler's answers until everything is printed. An existing
// folder that may not be replaced is an Error, unless a killed triage wrote exactly the same files.
[[nodiscard]] Result<Triaged> triage(const Triaging& triaging, const std::vector<bugs::Known>& known);

}  // namespace haruspex::cli
