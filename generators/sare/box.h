#pragma once

#include <expected>
#include <string>
#include <vector>

#include "generators/sare/syntax.h"

// Spans, and the half-open intervals that they are written as: in an output's condition min <= x < upper, of a
// recurrence variable [min, upper).
namespace haruspex::sare {

// The box of a conjunction that bounds each variable once from below and once from above.
std::expected<std::vector<Span>, std::string> box_of(const Condition& condition,
                                                     const std::vector<std::string>& variables);

// How the extent of an interval is read: 0 <= x < W has the extent W, min <= x < min + E the extent E, and every other
// one the difference.
Index extent_between(const Index& min, const Index& upper);
// The index `upper` of which extent_between(span.min, upper) is span.extent, in a form that reads well.
Index upper_bound(const Span& span);

}  // namespace haruspex::sare
