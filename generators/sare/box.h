#pragma once

#include <expected>
#include <string>
#include <vector>

#include "generators/sare/syntax.h"

// Spans, and the half-open intervals that spell them: min <= x < upper in an output's condition, [min, upper) for a
// recurrence variable.
namespace haruspex::sare {

// The box of a conjunction that bounds each variable once from below and once from above.
std::expected<std::vector<Span>, std::string> box_of(const Condition& condition,
                                                     const std::vector<std::string>& variables);

// The extent of an interval: W for 0 <= x < W, E for min <= x < min + E, and the difference for every other interval.
Index extent_between(const Index& min, const Index& upper);
// The index `upper` with extent_between(span.min, upper) == span.extent, in a form that reads well.
Index upper_bound(const Span& span);

}  // namespace haruspex::sare
