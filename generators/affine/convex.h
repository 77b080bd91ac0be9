#pragma once

#include <isl/cpp.h>

// Convex approximations of sets and expressions that conditions have cut into many pieces. A property shown for the
// surrounding set holds for the set.
namespace haruspex::affine {

// A convex set that contains the set: the constraints of its parts that hold in all of it.
isl::set surrounding(const isl::set& set);

// An expression that equals `index` in `where`, in as few pieces with convex domains as are easily found; the pieces
// are told apart within the convex set `around`. Elsewhere it may have other values or none.
isl::pw_aff extended(const isl::pw_aff& index, const isl::set& where, const isl::set& around);

// Returns a single-valued relation as one affine function, if it is one; the result may hold beyond the relation's
// domain.
isl::map unrestricted(const isl::map& function);

}  // namespace haruspex::affine
