#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/sched/normal_form.h"
#include "harness/sched/polynomials.h"
#include "harness/sched/syntax.h"

namespace haruspex::conversion {

// The smallest buffer that a program requires.
struct Required {
    sched::Dimension dimension;
    std::set<std::size_t> met;  // positions of the assertions that hold for that buffer
    // Whether some of these hold only if the number of cells is not negative.
    bool is_of_room = false;
};

// Derives the smallest buffer from the assertions about a passed buffer whose dimension starts at the parameter `min`
// and has `extent` cells. Uses each comparison of the form
//
//   min <= first,  end <= min + extent
//
// with a first and an end made of `sizes` alone. Every buffer that meets them has the cells from the least such first
// up to, excluding, the greatest end, and one buffer has no others. Another assertion is known to hold for that buffer
// only if the difference of its two sides is a number, or if it requires an extent to be nonnegative, which holds if
// the number of cells is nonnegative. nullopt if there is no first or no end.
//
// The assertions are conditions without lets and conjunctions.
std::optional<Required> required(const std::vector<sched::Expr>& assertions, const std::string& min,
                                 const std::string& extent, const std::set<std::string>& sizes, sched::Atoms& atoms);

}  // namespace haruspex::conversion
