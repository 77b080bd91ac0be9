#pragma once

#include <isl/cpp.h>

#include <string>
#include <vector>

// Names of tuples and of their dimensions, and sets as tuples.
namespace haruspex::affine {

// Returns the name of the set's tuples; empty if they have no name, or for a set of parameters.
std::string tuple_name(const isl::set& set);
isl::set with_tuple_name(const isl::set& set, const std::string& name);

// Returns the only tuple of the set for each choice of the parameters. isl reports an error if some choice has several
// tuples. Fast if each disjunct determines its tuple and no two disjuncts with different tuples overlap.
isl::pw_multi_aff tuple_of_each(const isl::set& set);

// Returns { name[i, …, j, …] : [i, …] in a and [j, …] in b }.
isl::set flat_product(const isl::set& a, const isl::set& b, const std::string& name);

// Names the dimensions of domain and range. The names must not be names of parameters. For printing only.
isl::map with_dimension_names(const isl::map& map, const std::vector<std::string>& domain,
                              const std::vector<std::string>& range);

// Returns the same set without its existential variables, if dropping them does not change the set. For printing only.
isl::basic_set without_idle_divisions(const isl::basic_set& set);

}  // namespace haruspex::affine
