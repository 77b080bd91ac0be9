#pragma once

#include <string>
#include <vector>

#include "reports/bugs/known.h"
#include "reports/bugs/triage.h"

// The bugs of a campaign, for people.
namespace haruspex::bugs {

// Two lines: its number, state, how many cases in how many groups, title; size and symptom, and which known bug it is
// or resembles.
std::string entry(std::size_t number, const Bug& bug);
// What is known of already, a line for each bug with its reason; what did not show again; and how many bugs are to be
// looked at. Empty lines for none.
std::string remainder(const std::vector<Bug>& bugs, const std::vector<Known>& known);

// A bug with the report on it.
struct Reported {
    const Bug* bug;  // borrowed
    std::string title;
    std::string pipeline;  // its program and schedule, as a user of the compiler writes them
    std::string report;    // the path of the report's page from this one
};
// The same on a page of HTML: each bug that has a report, with its program, and then the others of `bugs`.
// `compiler` says which one it is: "Halide 14.0.0, libhalide14-0 14.0.0-3 (Debian package)".
std::string to_html(const std::vector<Reported>& reported, const std::vector<Bug>& bugs,
                    const std::vector<Known>& known, const std::string& compiler);

}  // namespace haruspex::bugs
