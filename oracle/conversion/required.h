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
    std::set<std::size_t> met;  // positions of the assertions that hold for this buffer
    // Whether some of them hold only if its number of cells is not negative.
    bool needs_nonnegative_extent = false;
};

// Derives the smallest buffer from the assertions about a passed buffer whose dimension starts at the parameter `min`
// and has `extent` cells. Uses each comparison of the form
//
//   min <= first,  end <= min + extent
//
// in which `first` and `end` are made of `sizes` alone. Every buffer that meets them has the cells from the least
// `first` up to, but not including, the greatest `end`; the smallest buffer has no others. Any other comparison counts
// as met by this buffer only in two cases: its sides then differ by a constant, and it holds; or it holds whenever the
// extent is not negative (then needs_nonnegative_extent is set). nullopt if no assertion has a `first`, or none has an
// `end`.
//
// The assertions are conditions without lets or conjunctions.
std::optional<Required> required(const std::vector<sched::Expr>& assertions, const std::string& min,
                                 const std::string& extent, const std::set<std::string>& sizes, sched::Atoms& atoms);

}  // namespace haruspex::conversion
