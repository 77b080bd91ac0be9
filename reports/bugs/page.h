#pragma once

#include <string>
#include <vector>

#include "reports/bugs/known.h"
#include "reports/bugs/triage.h"

// The bugs of a campaign as text and as a page of HTML.
namespace haruspex::bugs {

// Returns a line with number, state, number of cases and title, and below it lines for size and symptom, each
// consequence, the number of unexamined cases, the name of the known bug that shows again, and the name of a
// known bug that this one resembles; known bugs have the versions in which they live. If haruspex failed to examine the
// bug, returns its group and the failure instead.
std::string entry(std::size_t number, const Bug& bug, const std::vector<Known>& known);
// Returns a line for each bug that is not reported, with versions and reason if the bug is known, and below it what is
// known upstream; and then the totals.
std::string remainder(const std::vector<Bug>& bugs, const std::vector<Known>& known);

// A bug that has a report.
struct Reported {
    const Bug* bug;  // borrowed
    std::string title;
    std::string pipeline;  // program and schedule, as a user of the compiler writes them
    std::string report;    // the path of the report's page, relative to the page of all bugs
};
// Returns the page of HTML: each of `reported` with its program, and then the other `bugs`. `compiler` is the
// compiler's name for a reader: name, version and package.
std::string to_html(const std::vector<Reported>& reported, const std::vector<Bug>& bugs,
                    const std::vector<Known>& known, const std::string& compiler);

}  // namespace haruspex::bugs
