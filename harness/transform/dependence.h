#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/transform/workshop.h"

// Which accesses of a piece of code touch the same cells, and in which order.
namespace haruspex::transform {

struct Touch {
    std::string array;
    bool writes = false;
    std::vector<std::string> variables;  // of the loops and lanes of the piece around it
    sare::Condition domain;              // over these and what is around the piece, which is part of it
    std::vector<sare::Index> cell;
    // When, within the piece: positions in blocks and loops' variables from the outside in, at last 0 for what an
    // assignment reads and 1 for what it writes. Compared like words in a dictionary.
    std::vector<sare::Index> time;
};

// All accesses of the statements, which stand at `around`. Nothing when one is not affine.
std::optional<std::vector<Touch>> touches(const sched::Block& block, const Around& around);
std::optional<std::vector<Touch>> touches(const sched::Stmt& stmt, const Around& around);

// The same touch at another time: its variables get this mark.
Touch marked(const Touch& touch, const std::string& mark);
sare::Index marked(const std::string& variable, const std::string& mark);
sare::Condition same_cell(const Touch& a, const Touch& b);
sare::Condition earlier(const Touch& a, const Touch& b);

// Whether a touch in `first` (variables marked ') and one in `second` (marked ") may be of the same cell, one of them a
// write, while the condition on their variables holds. Arrays that are `local` do not count.
bool conflict(const Workshop& workshop, const std::vector<Touch>& first, const std::vector<Touch>& second,
              const sare::Condition& when, const std::set<std::string>& local = {});

}  // namespace haruspex::transform
