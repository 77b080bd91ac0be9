#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "generators/base/result.h"
#include "harness/compiler/compiler.h"
#include "reports/bugs/known.h"
#include "reports/bugs/triage.h"

// Lists the distinct bugs in a campaign's folder, using the compiler of the campaign.
namespace haruspex::bugs {

struct Triaging {
    std::filesystem::path campaign;  // the campaign's folder
    Options options;                 // the budget
    // The folder for issues. It gets a folder for each reported bug, and a page of all of them. Empty: no issues are
    // written.
    std::filesystem::path issues;
    bool replaces_issues = false;  // whether an existing folder may be replaced
    // Whether the journals stay, for a later triage of the same campaign (beside.h).
    bool keeps_journals = false;
    // Called with each of `count` groups after it was minimised.
    std::function<void(std::size_t number, std::size_t count, const Group&)> progress;
    std::function<void(const std::string& list)> print;  // called at the end with the list of bugs
    // If set, called before that with the bugs themselves and the compiler that judged them; its error ends the triage,
    // which may then be resumed.
    std::function<Result<void>(const std::vector<Bug>&, const compiler::Identity&)> listen;
};

struct Triaged {
    std::size_t bugs = 0;  // those that are reported
    // Cases that the campaign took for faults of haruspex itself, and that turned out to be cases of a known bug.
    std::uint64_t explained_faults = 0;
    std::size_t failures = 0;  // groups that haruspex itself failed to examine
};

// Minimises within the options' budget; writes the issues; prints the bugs, smallest first. May follow a campaign in
// the same process: it reads the campaign's files.
//
// The folder of issues appears complete or not at all, before the bugs are printed. A killed triage resumes where it
// stopped: journals in the campaign's folder hold the compiler's answers until everything is printed. An existing
// folder that may not be replaced is an Error, unless a killed triage wrote exactly the same files.
[[nodiscard]] Result<Triaged> triage_campaign(const Triaging& triaging, const std::vector<Known>& known);

}  // namespace haruspex::bugs
