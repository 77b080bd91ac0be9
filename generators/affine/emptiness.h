#pragma once

#include <isl/cpp.h>

// Whether there is an integer point, where most often there is no rational one either. isl looks for an integer point
// at once, and for that finds all directions in which the set is unbounded: a linear program for each constraint. One
// linear program comes first here.
namespace haruspex::affine {

bool is_empty(const isl::set& set);
bool is_empty(const isl::map& map);
bool is_disjoint(const isl::set& a, const isl::set& b);

// Whether it has no rational point: then it is empty.
bool is_rationally_empty(const isl::basic_set& set);

}  // namespace haruspex::affine
