#pragma once

#include <isl/cpp.h>

// Whether two expressions have the same value. Each piece of one is compared with the pieces of the other that it meets
// in the set. This is cheaper than computing where they are equal, a union of many parts, and subtracting it from the
// set.
namespace haruspex::affine {

// The part of the set in which the two differ or one of them has no value. All arguments are in one space.
isl::set differing(const isl::pw_aff& a, const isl::pw_aff& b, const isl::set& where);
bool are_same(const isl::pw_aff& a, const isl::pw_aff& b, const isl::set& where);

}  // namespace haruspex::affine
