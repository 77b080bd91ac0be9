#pragma once

#include <isl/cpp.h>

// Whether two expressions have the same value. Each piece of one is compared with those of the other that it meets in
// the set: less work than where they are equal, which is a union of many parts, and then what of the set is not in it.
namespace haruspex::affine {

// The part of the set in which they differ, or one of them has no value. All in one space.
isl::set differing(const isl::pw_aff& a, const isl::pw_aff& b, const isl::set& where);
bool are_same(const isl::pw_aff& a, const isl::pw_aff& b, const isl::set& where);

}  // namespace haruspex::affine
