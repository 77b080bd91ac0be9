#pragma once

#include <string>
#include <vector>

#include "reports/bugs/recheck.h"

// The same reports under several compilers.
namespace haruspex::bugs {

// What one report is under each.
struct Compared {
    std::string name;
    std::vector<const Rechecked*> under;  // null where it was not looked at; borrowed
    // All of them say the same: the state, and the class of what shows. (Passes have other names in other versions.)
    bool agrees = true;
};

// By name, every report that any of the rechecks has.
std::vector<Compared> compare(const std::vector<Recheck>& rechecks);

// A column for each compiler and a line for each report, those that differ first; then how many do.
std::string table(const std::vector<Recheck>& rechecks, const std::vector<Compared>& reports);

}  // namespace haruspex::bugs
