#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/sched/normal_form.h"
#include "harness/sched/polynomials.h"
#include "harness/sched/syntax.h"

namespace haruspex::conversion {

// The smallest buffer that a program asks for.
struct Required {
    sched::Dimension dimension;
    std::set<std::size_t> met;  // the assertions that hold of that buffer, by their places
    // Whether some of these hold only where the number of cells is not negative.
    bool is_of_room = false;
};

// What a program asserts of a buffer that is passed, whose dimension starts at the parameter `min` and has `extent`
// cells: each comparison that says
//
//   min <= first,  end <= min + extent
//
// with a first and an end of `sizes` alone. Of the buffers that meet these every one has the cells from the least such
// first on to before the greatest end, and there is one that has no others. Whether that one meets what else is
// asserted is known only where the difference of the two sides is a number, or where an extent is not to be negative,
// which is met where the number of cells is not. Nothing when there is no first or no end.
//
// The assertions are conditions without lets and without conjunctions.
std::optional<Required> required(const std::vector<sched::Expr>& assertions, const std::string& min,
                                 const std::string& extent, const std::set<std::string>& sizes, sched::Atoms& atoms);

}  // namespace haruspex::conversion
