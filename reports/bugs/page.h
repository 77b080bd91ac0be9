#pragma once

#include <string>
#include <vector>

#include "reports/bugs/known.h"
#include "reports/bugs/triage.h"

// The bugs of a campaign, for people.
namespace haruspex::bugs {

// Two lines: its number, life, how many cases in how many groups, title; size and symptom, and which known bug it is or
// resembles.
std::string entry(std::size_t number, const Bug& bug);
// What is known of already, a line for each bug with its reason; what did not show again; and how many bugs are to be
// looked at. Empty lines for none.
std::string remainder(const std::vector<Bug>& bugs, const std::vector<Known>& known);

}  // namespace haruspex::bugs
