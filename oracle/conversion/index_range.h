#pragma once

#include <map>
#include <optional>
#include <string>

#include "generators/value/range.h"
#include "harness/sched/syntax.h"

namespace haruspex::conversion {

// The ends of what an index may be; nothing where it has no known end.
struct IndexRange {
    std::optional<value::Int128> low, high;
    bool operator==(const IndexRange&) const = default;
};
using IndexRanges = std::map<std::string, IndexRange>;  // of variables; of one that it lacks nothing is known

// Every value of the index lies in it, whatever its variables are in their ranges.
IndexRange range_of(const sched::Expr& index, const IndexRanges& variables);
bool lies_within(const IndexRange& range, value::Type integers);

// Whether a comparison of indices holds whatever its variables are in their ranges, or never does; nothing where the
// ranges do not tell.
std::optional<bool> decided(const sched::Comparison& comparison, const IndexRanges& variables);
// An equivalent comparison of indices, without minima and maxima with a constant that decide nothing:
// x <= min(e, 127) is x <= e where x is known to be at most 127.
sched::Comparison without_clamps(sched::Comparison comparison, const IndexRanges& variables);

}  // namespace haruspex::conversion
