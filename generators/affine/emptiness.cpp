#include "generators/affine/emptiness.h"

#include <isl/aff.h>
#include <isl/local_space.h>
#include <isl/lp.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/val.h>

#include <algorithm>

namespace haruspex::affine {
namespace {

bool has_no_point(const isl::basic_set& set) { return is_rationally_empty(set) || set.is_empty(); }

}  // namespace

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
    set.foreach_basic_set([&](const isl::basic_set& part) { empty = empty && has_no_point(part); });
    return empty;
}

bool is_empty(const isl::map& map) { return is_empty(map.wrap()); }

isl::space with_parameters_of(const isl::space& space, const isl::set& set) {
    return isl::manage(isl_space_align_params(space.copy(), set.space().release()));
}

std::vector<isl::basic_set> convex_parts(const isl::set& set, const isl::space& space) {
    std::vector<isl::basic_set> parts;
    isl::manage(isl_set_align_params(set.copy(), space.copy())).foreach_basic_set([&](const isl::basic_set& part) {
        parts.push_back(part);
    });
    return parts;
}

isl::set united(std::span<const isl::basic_set> parts, const isl::space& space) {
    if (parts.empty()) { return isl::set::empty(space); }
    if (parts.size() == 1) { return isl::set(parts.front()); }
    // By halves: each union of two sets makes isl compare all their parts.
    const std::size_t half = parts.size() / 2;
    return united(parts.first(half), space).unite(united(parts.subspan(half), space));
}

isl::basic_set intersect(const isl::basic_set& a, const isl::basic_set& b) {
    return isl::manage(isl_basic_set_intersect(a.copy(), b.copy()));
}

isl::set met(const isl::set& a, const isl::set& b) {
    const isl::space space = with_parameters_of(a.space(), b);
    const std::vector<isl::basic_set> others = convex_parts(b, space);
    std::vector<isl::basic_set> parts;
    for (const isl::basic_set& part : convex_parts(a, space)) {
        for (const isl::basic_set& other : others) {
            const isl::basic_set both = intersect(part, other);
            if (!is_rationally_empty(both)) { parts.push_back(both); }
        }
    }
    return united(parts, space);
}

isl::set inhabited(const isl::set& set) {
    std::vector<isl::basic_set> parts = convex_parts(set, set.space());
    std::erase_if(parts, has_no_point);
    return united(parts, set.space());
}

bool is_disjoint(const isl::set& a, const isl::set& b) {
    const isl::space space = with_parameters_of(a.space(), b);
    const std::vector<isl::basic_set> others = convex_parts(b, space);
    return std::ranges::all_of(convex_parts(a, space), [&](const isl::basic_set& part) {
        return std::ranges::all_of(others,
                                   [&](const isl::basic_set& other) { return has_no_point(intersect(part, other)); });
    });
}

}  // namespace haruspex::affine
