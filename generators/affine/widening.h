#pragma once

#include <isl/cpp.h>

// Guesses the limit of relations that grow from round to round.
namespace haruspex::affine {

// Returns a relation that contains both, by integer affine hulls: each part of `more` is joined with the part of
// `before` for which the hull of the two has the most equations. If either relation has more than a few parts, the
// result is the hull of everything.
isl::map joined(const isl::map& before, const isl::map& more);

// Returns a relation that contains both, by the widening of polyhedra: takes a convex hull of `before`, and keeps those
// of its constraints that also hold in `more`.
isl::map extrapolated(const isl::map& before, const isl::map& more);

}  // namespace haruspex::affine
