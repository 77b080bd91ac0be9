#pragma once

#include <isl/cpp.h>

// What surrounds sets and expressions that conditions have cut into many pieces: what is shown there, is shown here.
namespace haruspex::affine {

// A convex set that contains the set: the constraints of its parts that hold in all of it.
isl::set surrounding(const isl::set& set);

// An expression with the values that `index` has in the set, in as few pieces with convex domains as are easily found,
// told apart in the convex set around it. Elsewhere nothing is said of it: it may have other values, or none.
isl::pw_aff extended(const isl::pw_aff& index, const isl::set& where, const isl::set& around);

// A single-valued relation as one affine function where it is one: then it is so for more than is in its domain.
isl::map unrestricted(const isl::map& function);

}  // namespace haruspex::affine
