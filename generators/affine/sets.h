#pragma once

#include <isl/cpp.h>

#include <cstdint>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "generators/base/result.h"

// Spaces, printing, sets as lists of points, and questions about sets.
namespace haruspex::affine {

using Point = std::vector<std::int64_t>;

// [parameters] -> { [rank dimensions] }
isl::space set_space(isl::ctx ctx, const std::vector<std::string>& parameters, std::size_t rank);

// Returns the set with the given parameters fixed and removed. Its other parameters stay.
isl::set fix_parameters(const isl::set& set, const std::map<std::string, std::int64_t>& values);

// Whether the set is finite for each value of its parameters.
bool is_bounded(const isl::set& set);

bool contains(const isl::set& set, const Point& point);

// Returns all points of a set without parameters, in lexicographic order. An Error if the set is unbounded, has more
// than `most` points, or has a point that does not fit 64 bits.
[[nodiscard]] Result<std::vector<Point>> points(const isl::set& set, std::size_t most);

// Returns a point of a set without parameters. A few cubes near the origin are tried, smallest first; the result is the
// lexicographically first point in the first cube that meets the set, the same in every version of isl. Any point if
// the set misses all cubes. nullopt if the set is empty or the point does not fit 64 bits.
std::optional<Point> small_point(const isl::set& set);

// Returns the same set with every existential variable written as an integer division of the other variables. isl finds
// these divisions by parametric integer programming, and would otherwise repeat this for each complement and
// difference.
isl::set with_divisions(const isl::set& set);

// Throws isl's exception for a spent budget if the set is intricate: in one of its parts, existential variables with
// large coefficients are not written as divisions yet. Such parts come from projections of loops that were fused and
// split several times. Their divisions are nested deeply, with numbers so long that each isl operation takes
// milliseconds, so that no budget of operations would end the work in time.
void give_up_if_intricate(const isl::set& set);

// Whether isl stores the same constraints for both sets. Such sets are equal and have the same hash; equal sets often,
// but not always, have the same constraints.
bool is_written_alike(const isl::set& a, const isl::set& b);
std::uint32_t hash(const isl::set& set);
std::uint32_t hash(const isl::pw_aff& expression);

struct Interval {
    std::int64_t low = 0, high = 0;
    bool operator==(const Interval&) const = default;
};

// Returns the least and the greatest value of an expression over parameters, which must be an integer wherever it has a
// value. nullopt if it has no value anywhere, or if either bound is infinite or beyond 64 bits.
std::optional<Interval> range(const isl::pw_aff& expression);

// isl's notation, e.g. "[W] -> { [x, y] : 0 <= x < W }".
template <typename T>
std::string to_string(const T& object) {
    std::ostringstream text;
    text << object;
    return text.str();
}

}  // namespace haruspex::affine
