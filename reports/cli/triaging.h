#pragma once

#include <string>
#include <vector>

#include "reports/bugs/known.h"
#include "reports/bugs/triage.h"

// The bugs of a campaign's folder, found with the installed compiler.
namespace haruspex::cli {

// The known bugs of a folder; none when its name is empty.
[[nodiscard]] Result<std::vector<bugs::Known>> known_in(const std::string& folder);

struct Triaging {
    std::string campaign;  // its folder
    bugs::Options options;
    // Where an issue for each bug that somebody should look at is written, in a folder of its own, and a page of them
    // all. Empty: nowhere.
    std::string issues;
    bool replaces_issues = false;  // whether a folder that is there may go
    std::string heading;           // of the list
};

struct Triaged {
    std::size_t bugs = 0;  // that somebody should look at
    // Of the campaign's faults of haruspex itself those that a known bug of the compiler explains.
    std::uint64_t explained_faults = 0;
    std::size_t failures = 0;  // groups that haruspex itself failed to examine
};

// Minimises within the budget of the options and tells on standard error how far it is, writes the issues, prints the
// bugs, smallest first. May follow a campaign in the same process: it reads what the campaign has left on disk.
//
// The folder of issues is whole or not there, and what is printed stands in it. A triage that was killed goes on where
// it was: what the compiler said stands in a journal in the campaign's folder until everything is printed. A folder
// that is there and may not go is refused, unless it is what a triage that was killed has written last.
[[nodiscard]] Result<Triaged> triage(const Triaging& triaging, const std::vector<bugs::Known>& known);

}  // namespace haruspex::cli
