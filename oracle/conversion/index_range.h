#pragma once

#include <map>
#include <optional>
#include <string>

#include "generators/value/range.h"
#include "harness/sched/syntax.h"

namespace haruspex::conversion {

// The bounds of an index; nullopt if a bound is not known.
struct IndexRange {
    std::optional<value::Int128> low, high;
    bool operator==(const IndexRange&) const = default;
};
using IndexRanges = std::map<std::string, IndexRange>;  // of variables; a missing variable is unbounded

// Returns an interval that contains all values of the index, for all values of its variables in their ranges.
IndexRange range_of(const sched::Expr& index, const IndexRanges& variables);
bool lies_within(const IndexRange& range, value::Type integers);

// Returns true if a comparison of indices holds for all values of its variables in their ranges, false if it holds for
// none; nullopt if the ranges cannot tell.
std::optional<bool> decided(const sched::Comparison& comparison, const IndexRanges& variables);
// Returns an equivalent comparison without minima and maxima with a constant that have no effect in it:
// x <= min(e, 127) becomes x <= e if x is known to be at most 127.
sched::Comparison without_clamps(sched::Comparison comparison, const IndexRanges& variables);

}  // namespace haruspex::conversion
