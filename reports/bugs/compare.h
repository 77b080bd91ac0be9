#pragma once

#include <string>
#include <vector>

#include "reports/bugs/recheck.h"

// Compares the results that several compilers give for the same reports.
namespace haruspex::bugs {

// The results for one report under each compiler.
struct Compared {
    std::string name;
    std::vector<const Rechecked*> under;  // by recheck; null if the recheck does not have the report; borrowed
    // Whether all rechecks have the report, with the same state and, if the bug shows, the same class. Passes are not
    // compared: compilers may name them differently.
    bool agrees = true;
};

// Returns the reports of all rechecks, each once, sorted by name. The result borrows from `rechecks`.
std::vector<Compared> compare(const std::vector<Recheck>& rechecks);

// Returns a table with a column for each compiler and a line for each report, differing reports first. Its last line
// counts the differing reports.
std::string table(const std::vector<Recheck>& rechecks, const std::vector<Compared>& reports);

}  // namespace haruspex::bugs
