#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/sched/normal_form.h"
#include "harness/sched/polynomials.h"
#include "harness/sched/syntax.h"

namespace haruspex::conversion {

// What a program asserts of a buffer that is passed, whose dimension starts at the parameter `min` and has `extent`
// cells: each comparison that says
//
//   min <= first,  end <= min + extent
//
// with a first and an end of `sizes` alone. Of the buffers that meet the assertions every one has the cells from the
// least such first on to before the greatest end, and there may be one that has no others; what else is asserted of
// the buffer is not looked at, which can only make it smaller. Nothing when either is not asserted.
//
// The assertions are conditions without lets.
std::optional<sched::Dimension> required(const std::vector<sched::Expr>& assertions, const std::string& min,
                                         const std::string& extent, const std::set<std::string>& sizes,
                                         sched::Atoms& atoms);

}  // namespace haruspex::conversion
