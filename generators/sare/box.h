#pragma once

#include <expected>
#include <string>
#include <vector>

#include "generators/sare/syntax.h"

// Converts spans (min and extent) from and to half-open intervals, which the text form has: min <= x < upper in an
// output's condition, [min, upper) for a recurrence variable.
namespace haruspex::sare {

// Returns the box of a conjunction that bounds each variable once from below and once from above; an error message for
// any other condition.
std::expected<std::vector<Span>, std::string> box_of(const Condition& condition,
                                                     const std::vector<std::string>& variables);

// Returns the extent of an interval: W for 0 <= x < W, E for min <= x < min + E, and upper - min for every other
// interval.
Index extent_between(const Index& min, const Index& upper);
// Returns an index `upper` with extent_between(span.min, upper) == span.extent, in a form that reads well.
Index upper_bound(const Span& span);

}  // namespace haruspex::sare
