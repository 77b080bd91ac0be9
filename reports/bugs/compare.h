#pragma once

#include <string>
#include <vector>

#include "reports/bugs/recheck.h"

// The same reports under several compilers.
namespace haruspex::bugs {

// The results for one report under each compiler.
struct Compared {
    std::string name;
    std::vector<const Rechecked*> under;  // null where it was not rechecked; borrowed
    // Whether state and class are the same under all of them. (Passes are not compared: their names may have changed.)
    bool agrees = true;
};

// Returns every report of any recheck, sorted by name.
std::vector<Compared> compare(const std::vector<Recheck>& rechecks);

// A column for each compiler and a line for each report, differing reports first; then the number of differing reports.
std::string table(const std::vector<Recheck>& rechecks, const std::vector<Compared>& reports);

}  // namespace haruspex::bugs
