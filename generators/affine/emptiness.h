#pragma once

#include <isl/cpp.h>

#include <span>
#include <vector>

// Whether there is an integer point, where most often there is no rational one either. isl looks for an integer point
// at once, and for that finds all directions in which the set is unbounded: a linear program for each constraint. One
// linear program comes first here.
namespace haruspex::affine {

bool is_empty(const isl::set& set);
bool is_empty(const isl::map& map);
bool is_disjoint(const isl::set& a, const isl::set& b);

// Whether it has no rational point: then it is empty.
bool is_rationally_empty(const isl::basic_set& set);

// The convex sets that a set is made of, the set that is made of some, and intersections of two of them: of sets, isl
// looks for an integer point in each intersection. All in one space, with the parameters of whatever is intersected.
isl::space with_parameters_of(const isl::space& space, const isl::set& set);
std::vector<isl::basic_set> convex_parts(const isl::set& set, const isl::space& space);
isl::set united(std::span<const isl::basic_set> parts, const isl::space& space);
isl::basic_set intersect(const isl::basic_set& a, const isl::basic_set& b);

// The intersection, with parts that may have no integer point. isl's coalesce may crash on two of those.
isl::set met(const isl::set& a, const isl::set& b);
// Without the parts that have no integer point.
isl::set inhabited(const isl::set& set);

}  // namespace haruspex::affine
