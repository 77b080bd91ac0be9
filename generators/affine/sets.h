#pragma once

#include <isl/cpp.h>

#include <cstdint>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "generators/base/result.h"

// Spaces, printing, and sets as lists of points.
namespace haruspex::affine {

using Point = std::vector<std::int64_t>;

// [parameters] -> { [rank dimensions] }
isl::space set_space(isl::ctx ctx, const std::vector<std::string>& parameters, std::size_t rank);

// The set with the given parameters fixed and gone; it may not depend on others that are not its own (they stay).
isl::set fix_parameters(const isl::set& set, const std::map<std::string, std::int64_t>& values);

// Whether the set is finite for each value of its parameters.
bool is_bounded(const isl::set& set);

bool contains(const isl::set& set, const Point& point);

// All points of a set without parameters, in lexicographic order. An Error when it is not bounded or has more than
// `most` points.
[[nodiscard]] Result<std::vector<Point>> points(const isl::set& set, std::size_t most);

// A point of a set without parameters, the same whatever isl's version: the lexicographically first in the smallest of
// a few cubes around the origin that meets the set; any point when all cubes miss it. Nothing when the set is empty or
// has no such point within 64 bits.
std::optional<Point> small_point(const isl::set& set);

// The same set, in which every existential variable is an integer division of the other variables. isl finds them by
// parametric integer programming, and would again for each complement and difference.
isl::set with_divisions(const isl::set& set);

// Throws what isl throws when its budget is spent if the set is intricate: if a part has existential variables that are
// no divisions so far and have large coefficients, as projections of what several loops were fused and split into leave
// them. Their divisions are nested deeply, and with numbers so long that each operation of isl takes milliseconds: no
// budget of operations ends that in time.
void give_up_if_intricate(const isl::set& set);

// Whether isl has the same constraints for both: then they are equal, and often when they are, it has. What is written
// alike has one hash.
bool is_written_alike(const isl::set& a, const isl::set& b);
std::uint32_t hash(const isl::set& set);
std::uint32_t hash(const isl::pw_aff& expression);

struct Interval {
    std::int64_t low = 0, high = 0;
    bool operator==(const Interval&) const = default;
};

// The least and the greatest value of an expression over parameters that is an integer, wherever it has one. Nothing
// when it has none, or when one of the two is unbounded or beyond 64 bits.
std::optional<Interval> range(const isl::pw_aff& expression);

// isl's notation, e.g. "[W] -> { [x, y] : 0 <= x < W }".
template <typename T>
std::string to_string(const T& object) {
    std::ostringstream text;
    text << object;
    return text.str();
}

}  // namespace haruspex::affine
