#pragma once

#include <map>
#include <optional>
#include <string>

#include "generators/value/range.h"
#include "harness/sched/syntax.h"

namespace haruspex::conversion {

// The bounds of an index; nullopt where no bound is known.
struct IndexRange {
    std::optional<value::Int128> low, high;
    bool operator==(const IndexRange&) const = default;
};
using IndexRanges = std::map<std::string, IndexRange>;  // of variables; a missing variable is unbounded

// An interval that contains every value of the index for all values of its variables in their ranges.
IndexRange range_of(const sched::Expr& index, const IndexRanges& variables);
bool lies_within(const IndexRange& range, value::Type integers);

// Whether a comparison of indices holds for all values of its variables in their ranges, or for none; nullopt if the
// ranges cannot tell.
std::optional<bool> decided(const sched::Comparison& comparison, const IndexRanges& variables);
// An equivalent comparison of indices without ineffective minima and maxima with a constant:
// x <= min(e, 127) becomes x <= e if x is known to be at most 127.
sched::Comparison without_clamps(sched::Comparison comparison, const IndexRanges& variables);

}  // namespace haruspex::conversion
