#pragma once

#include <string>
#include <vector>

#include "reports/bugs/known.h"
#include "reports/bugs/triage.h"

// The bugs of a campaign as text and as a page of HTML.
namespace haruspex::bugs {

// A line with number, state, number of cases and title, and below it a line for each of: size and symptom, each
// consequence, cases that were not examined, the known bug that it is, the known bug that it resembles.
std::string entry(std::size_t number, const Bug& bug);
// The bugs that are not reported, a line for each (with its reason if the bug is known); then the totals.
std::string remainder(const std::vector<Bug>& bugs, const std::vector<Known>& known);

// A bug that has a report.
struct Reported {
    const Bug* bug;  // borrowed
    std::string title;
    std::string pipeline;  // its program and schedule, as a user of the compiler writes them
    std::string report;    // the path of the report's page, relative to this one
};
// The same as a page of HTML: each bug that has a report, with its program, and then the others of `bugs`.
// `compiler` is its name for a reader: name, version and package.
std::string to_html(const std::vector<Reported>& reported, const std::vector<Bug>& bugs,
                    const std::vector<Known>& known, const std::string& compiler);

}  // namespace haruspex::bugs
