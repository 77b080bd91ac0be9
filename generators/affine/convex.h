#pragma once

#include <isl/cpp.h>

// Convex approximations of sets, and of expressions that conditions have cut into many pieces.
namespace haruspex::affine {

// Returns a convex set that contains `set`: it has those constraints of the set's parts that hold in all of `set`. A
// property shown for all points of the result also holds in `set`.
isl::set surrounding(const isl::set& set);

// Returns an expression that equals `index` in `where`, in as few pieces with convex domains as are easily found.
// Elsewhere it may have other values or none. The convex set `around` contains `where`; the domains are simplified for
// use within `around`.
isl::pw_aff extended(const isl::pw_aff& index, const isl::set& where, const isl::set& around);

// If the single-valued relation is one affine function, returns that function without the restriction to the relation's
// domain; otherwise returns the relation unchanged.
isl::map unrestricted(const isl::map& function);

}  // namespace haruspex::affine
