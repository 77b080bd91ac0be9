#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/transform/workshop.h"

// Finds which accesses of a piece of code touch the same cells, and in which order.
namespace haruspex::transform {

// An access in a piece of code.
struct Touch {
    std::string array;
    bool writes = false;
    std::vector<std::string> variables;  // of the piece's loops and lanes around the access
    sare::Condition domain;              // when the access happens, including what is known around the piece
    std::vector<sare::Index> cell;
    // The time of the access within the piece: positions in blocks and variables of loops, from the outside in, and
    // last 0 for a read and 1 for a write. Times are compared lexicographically.
    std::vector<sare::Index> time;
};

// Return all accesses in the statements, where `around` is known; nullopt if an access is not affine, or if the
// statements contain a construct that is not handled (guards of reads, accumulations, semaphores, …).
std::optional<std::vector<Touch>> touches(const sched::Block& block, const Around& around);
std::optional<std::vector<Touch>> touches(const sched::Stmt& stmt, const Around& around);

// Returns the same touch with the mark appended to its variables, so that two touches may happen in different
// iterations.
Touch marked(const Touch& touch, const std::string& mark);
sare::Index marked(const std::string& variable, const std::string& mark);
// Return the conditions under which the touches are of one cell (of the same array), and under which `a` happens
// earlier.
sare::Condition same_cell(const Touch& a, const Touch& b);
sare::Condition earlier(const Touch& a, const Touch& b);

// Whether a touch x in `first` and a touch y in `second` may be of the same cell while `when` holds, where x or y is a
// write. In `when`, the variables of x are marked with ' and those of y with ". Arrays in `local` do not count.
bool conflict(const Workshop& workshop, const std::vector<Touch>& first, const std::vector<Touch>& second,
              const sare::Condition& when, const std::set<std::string>& local = {});

}  // namespace haruspex::transform
