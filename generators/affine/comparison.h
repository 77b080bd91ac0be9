#pragma once

#include <isl/cpp.h>

// Compares the values of two expressions within the set `where`. A piece of one expression is compared only with those
// pieces of the other whose domains overlap with its domain in `where`. This is cheaper than computing the set on which
// the expressions are equal, which has many parts, and subtracting that set from `where`.
namespace haruspex::affine {

// Returns the part of `where` in which a and b differ or at least one of them has no value; the empty set if isl stores
// both alike. All arguments are in one space.
isl::set differing(const isl::pw_aff& a, const isl::pw_aff& b, const isl::set& where);
// Whether `differing` returns an empty set.
bool are_same(const isl::pw_aff& a, const isl::pw_aff& b, const isl::set& where);

}  // namespace haruspex::affine
