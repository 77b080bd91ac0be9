#pragma once

#include <isl/cpp.h>

#include <span>
#include <vector>

// Whether a set has an integer point. Most empty sets have no rational point either, so one linear program is tried
// first. isl itself looks for an integer point at once, and for this finds all directions in which the set is
// unbounded: a linear program for each constraint.
namespace haruspex::affine {

bool is_empty(const isl::set& set);
bool is_empty(const isl::map& map);
bool is_disjoint(const isl::set& a, const isl::set& b);

// Whether the set has no rational point; it is then empty.
bool is_rationally_empty(const isl::basic_set& set);

// The convex parts of a set, the union of such parts, and the intersection of two of them (for intersections of sets,
// isl looks for an integer point in each). All are in one space, which has the parameters of all sets involved.
isl::space with_parameters_of(const isl::space& space, const isl::set& set);
std::vector<isl::basic_set> convex_parts(const isl::set& set, const isl::space& space);
isl::set united(std::span<const isl::basic_set> parts, const isl::space& space);
isl::basic_set intersect(const isl::basic_set& a, const isl::basic_set& b);

// The intersection; some of its parts may have no integer point. isl's coalesce may crash on two such parts.
isl::set met(const isl::set& a, const isl::set& b);
// Removes the parts that have no integer point.
isl::set inhabited(const isl::set& set);

}  // namespace haruspex::affine
