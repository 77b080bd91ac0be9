#pragma once

#include <isl/cpp.h>

#include <span>
#include <vector>

// Whether a set has an integer point. Most empty sets have no rational point either, so one linear program is tried
// first. isl itself goes straight to the search for an integer point. For that it first computes the directions in
// which the set is unbounded, which takes one linear program for each constraint.
namespace haruspex::affine {

bool is_empty(const isl::set& set);
bool is_empty(const isl::map& map);
bool is_disjoint(const isl::set& a, const isl::set& b);

// Whether the set has no rational point. Such a set has no integer point either.
bool is_rationally_empty(const isl::basic_set& set);

// Work on the convex parts of sets instead of sets: when isl intersects sets, it looks for an integer point in each
// part of the result. All parts are in one space, which has the parameters of all sets involved; with_parameters_of
// adds the parameters of `set` to a space.
isl::space with_parameters_of(const isl::space& space, const isl::set& set);
std::vector<isl::basic_set> convex_parts(const isl::set& set, const isl::space& space);
isl::set united(std::span<const isl::basic_set> parts, const isl::space& space);
isl::basic_set intersect(const isl::basic_set& a, const isl::basic_set& b);

// Returns the intersection of two sets; it may have parts without an integer point. isl's coalesce may crash on two
// such parts.
isl::set met(const isl::set& a, const isl::set& b);
// Removes the parts that have no integer point.
isl::set inhabited(const isl::set& set);

}  // namespace haruspex::affine
