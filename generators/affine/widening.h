#pragma once

#include <isl/cpp.h>

// Relations that grow from round to round: guesses of their limit.
namespace haruspex::affine {

// A relation that contains both, by integer affine hulls: each part of `more` is joined with the part of `before` with
// which it has most equations in common. If either has more than a few parts, the hull of everything is taken.
isl::map joined(const isl::map& before, const isl::map& more);

// A relation that contains both (the widening of polyhedra): the constraints of `before`, taken as one convex set, that
// also hold in `more`.
isl::map extrapolated(const isl::map& before, const isl::map& more);

}  // namespace haruspex::affine
