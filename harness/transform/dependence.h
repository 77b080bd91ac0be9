#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/transform/workshop.h"

// Finds which accesses of a piece of code touch the same cells, and in which order.
namespace haruspex::transform {

struct Touch {
    std::string array;
    bool writes = false;
    std::vector<std::string> variables;  // of the loops and lanes of the piece around the access
    sare::Condition domain;              // over these and the surroundings of the piece, whose conditions it includes
    std::vector<sare::Index> cell;
    // The time within the piece: positions in blocks and loops' variables from the outside in, and last 0 for the reads
    // of an assignment and 1 for its writes. Compared lexicographically.
    std::vector<sare::Index> time;
};

// Returns all accesses of the statements, which stand at `around`; nullopt if an access is not affine.
std::optional<std::vector<Touch>> touches(const sched::Block& block, const Around& around);
std::optional<std::vector<Touch>> touches(const sched::Stmt& stmt, const Around& around);

// Returns the same touch at another time: its variables get this mark.
Touch marked(const Touch& touch, const std::string& mark);
sare::Index marked(const std::string& variable, const std::string& mark);
sare::Condition same_cell(const Touch& a, const Touch& b);
sare::Condition earlier(const Touch& a, const Touch& b);

// Whether a touch in `first` (variables marked ') and one in `second` (marked ") may be of the same cell, one of them a
// write, while the condition on their variables holds. Arrays in `local` do not count.
bool conflict(const Workshop& workshop, const std::vector<Touch>& first, const std::vector<Touch>& second,
              const sare::Condition& when, const std::set<std::string>& local = {});

}  // namespace haruspex::transform
