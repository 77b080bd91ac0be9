#include "generators/affine/emptiness.h"

#include <isl/aff.h>
#include <isl/local_space.h>
#include <isl/lp.h>
#include <isl/set.h>
#include <isl/val.h>

namespace haruspex::affine {
bool is_rationally_empty(const isl::basic_set& set) {
    if (isl_basic_set_plain_is_empty(set.get()) == isl_bool_true) { return true; }
    isl_local_space* const space = isl_local_space_from_space(isl_basic_set_get_space(set.get()));
    isl_aff* const zero = isl_aff_zero_on_domain(space);
    const isl::val least = isl::manage(isl_basic_set_min_lp_val(set.get(), zero));
    isl_aff_free(zero);
    return least.is_nan();
}

bool is_empty(const isl::set& set) {
    bool empty = true;
    set.foreach_basic_set(
        [&](const isl::basic_set& part) { empty = empty && (is_rationally_empty(part) || part.is_empty()); });
    return empty;
}

bool is_empty(const isl::map& map) { return is_empty(map.wrap()); }

bool is_disjoint(const isl::set& a, const isl::set& b) { return is_empty(a.intersect(b)); }

}  // namespace haruspex::affine
