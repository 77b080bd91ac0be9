#pragma once

#include <expected>
#include <string>
#include <vector>

#include "generators/sare/syntax.h"

// Output boxes and the conditions that they are written as.
namespace haruspex::sare {

// The box of a conjunction that bounds each variable once from below and once from above.
std::expected<std::vector<Span>, std::string> box_of(const Condition& condition,
                                                     const std::vector<std::string>& variables);

// The index `upper` for which min <= x < upper is read as this span.
Index upper_bound(const Span& span);

}  // namespace haruspex::sare
