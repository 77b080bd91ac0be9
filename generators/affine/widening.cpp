#include "generators/affine/widening.h"

#include <isl/constraint.h>
#include <isl/map.h>
#include <isl/set.h>

#include <vector>

#include "generators/affine/coalesce.h"

namespace haruspex::affine {
namespace {

// With more parts, only the hull of everything is taken.
constexpr unsigned most_parts = 6;

std::vector<isl::basic_map> parts(const isl::map& map) {
    std::vector<isl::basic_map> all;
    map.foreach_basic_map([&](const isl::basic_map& part) { all.push_back(part); });
    return all;
}

int equations(const isl::basic_map& map) {
    int count = 0;
    isl_constraint_list* const constraints = isl_basic_map_get_constraint_list(map.get());
    const int size = isl_constraint_list_size(constraints);
    for (int i = 0; i < size; ++i) {
        isl_constraint* const constraint = isl_constraint_list_get_constraint(constraints, i);
        count += isl_constraint_is_equality(constraint) == isl_bool_true ? 1 : 0;
        isl_constraint_free(constraint);
    }
    isl_constraint_list_free(constraints);
    return count;
}

// The half-spaces whose intersection is the basic set.
std::vector<isl::set> half_spaces(const isl::basic_set& set) {
    std::vector<isl::set> halves;
    isl_constraint_list* const constraints = isl_basic_set_get_constraint_list(set.get());
    const int size = isl_constraint_list_size(constraints);
    for (int i = 0; i < size; ++i) {
        isl_constraint* const constraint = isl_constraint_list_get_constraint(constraints, i);
        const bool is_equation = isl_constraint_is_equality(constraint) == isl_bool_true;
        const isl::pw_aff value(isl::manage(isl_constraint_get_aff(constraint)));
        isl_constraint_free(constraint);
        const isl::pw_aff zero(set.space().zero_aff_on_domain());
        halves.push_back(value.ge_set(zero));
        if (is_equation) { halves.push_back(value.le_set(zero)); }
    }
    isl_constraint_list_free(constraints);
    return halves;
}

}  // namespace

isl::map joined(const isl::map& before, const isl::map& more) {
    const std::vector<isl::basic_map> old = parts(before), added = parts(more);
    if (old.empty()) { return more; }
    if (old.size() > most_parts || added.size() > most_parts) { return before.unite(more).affine_hull(); }
    isl::map result = before;
    for (const isl::basic_map& part : added) {
        isl::basic_map best;
        int most = -1;
        for (const isl::basic_map& other : old) {
            const isl::basic_map hull = isl::map(other).unite(isl::map(part)).affine_hull();
            if (const int count = equations(hull); count > most) {
                most = count;
                best = hull;
            }
        }
        result = result.unite(isl::map(best));
    }
    return coalesced(result);
}

isl::map extrapolated(const isl::map& before, const isl::map& more) {
    const isl::set first = before.wrap(), both = first.unite(more.wrap());
    isl::set result = isl::set::universe(first.space());
    for (const isl::set& half : half_spaces(first.unshifted_simple_hull())) {
        if (both.is_subset(half)) { result = result.intersect(half); }
    }
    return result.unwrap();
}

}  // namespace haruspex::affine
