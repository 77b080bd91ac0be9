#include "generators/affine/tuples.h"

#include <isl/id.h>
#include <isl/set.h>

namespace haruspex::affine {

std::string tuple_name(const isl::set& set) {
    if (!isl_set_has_tuple_name(set.get())) { return {}; }
    return isl_set_get_tuple_name(set.get());
}

isl::set with_tuple_name(const isl::set& set, const std::string& name) {
    return isl::manage(isl_set_set_tuple_name(set.copy(), name.c_str()));
}

isl::set flat_product(const isl::set& a, const isl::set& b, const std::string& name) {
    return with_tuple_name(isl::manage(isl_set_flat_product(a.copy(), b.copy())), name);
}

}  // namespace haruspex::affine
