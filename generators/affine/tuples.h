#pragma once

#include <isl/cpp.h>

#include <string>

// Sets whose tuples have names.
namespace haruspex::affine {

// The name of a set's tuples; empty when they have none.
std::string tuple_name(const isl::set& set);
isl::set with_tuple_name(const isl::set& set, const std::string& name);

// { name[i, …, j, …] : a[i, …] in the first, b[j, …] in the second }
isl::set flat_product(const isl::set& a, const isl::set& b, const std::string& name);

}  // namespace haruspex::affine
