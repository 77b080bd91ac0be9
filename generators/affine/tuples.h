#pragma once

#include <isl/cpp.h>

#include <string>
#include <vector>

// Sets whose tuples have names, and the names of their dimensions.
namespace haruspex::affine {

// The name of a set's tuples; empty if they have none, and for a set of parameters.
std::string tuple_name(const isl::set& set);
isl::set with_tuple_name(const isl::set& set, const std::string& name);

// The tuple that a single-valued set has for each choice of its parameters; for other sets isl reports an error. This
// is fast if each disjunct determines its tuple and no two disjuncts with different tuples overlap.
isl::pw_multi_aff tuple_of_each(const isl::set& set);

// { name[i, …, j, …] : a[i, …] in the first, b[j, …] in the second }
isl::set flat_product(const isl::set& a, const isl::set& b, const std::string& name);

// Gives the tuples' dimensions these names, which must not be names of parameters; for printing only.
isl::map with_dimension_names(const isl::map& map, const std::vector<std::string>& domain,
                              const std::vector<std::string>& range);

// The same set without existential variables, if they do not change it; for printing only.
isl::basic_set without_idle_divisions(const isl::basic_set& set);

}  // namespace haruspex::affine
