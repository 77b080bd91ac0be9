#include "generators/affine/tuples.h"

#include <isl/aff.h>
#include <isl/id.h>
#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>

#include "generators/affine/attempt.h"
#include "generators/affine/coalesce.h"
#include "generators/affine/emptiness.h"
#include "generators/base/ensure.h"

namespace haruspex::affine {
namespace {

isl::map with_dimension_names(const isl::map& map, isl_dim_type type, const std::vector<std::string>& names) {
    ENSURE(static_cast<std::size_t>(isl_map_dim(map.get(), type)) == names.size(), "a name for each dimension");
    isl_map* named = map.copy();
    for (unsigned i = 0; i < names.size(); ++i) { named = isl_map_set_dim_name(named, type, i, names[i].c_str()); }
    return isl::manage(named);
}

// A limit in isl operations; most tuples take a few hundred.
constexpr std::uint64_t most_operations = 5'000;

// The tuple that a single-valued set has for each choice of its parameters: for all dimensions at once if this is soon
// done, otherwise one dimension after the other. All at once may be a search through the remainders of all dimensions
// together.
isl::pw_multi_aff tuple_at_once_or_not(const isl::set& set) {
    const unsigned dimensions = set.tuple_dim();
    if (dimensions < 2) { return set.as_pw_multi_aff(); }
    if (auto soon = attempt(set.ctx(), most_operations, [&] { return set.as_pw_multi_aff(); })) { return *soon; }
    const auto dimension = [&](unsigned k) {
        isl_set* one = isl_set_project_out(set.copy(), isl_dim_set, k + 1, dimensions - k - 1);
        isl::pw_multi_aff value = isl::manage(isl_set_project_out(one, isl_dim_set, 0, k)).as_pw_multi_aff();
        // A value that is the same everywhere needs no domain: the set has it.
        if (value.n_piece() == 1) {
            value.foreach_piece([&](const isl::set&, const isl::multi_aff& only) { value = isl::pw_multi_aff(only); });
        }
        return value;
    };
    isl::pw_multi_aff all = dimension(0);
    for (unsigned k = 1; k < dimensions; ++k) {
        all = isl::manage(isl_pw_multi_aff_flat_range_product(all.release(), dimension(k).release()));
    }
    all = all.intersect_domain(set.params());
    if (isl_set_has_tuple_id(set.get()) == isl_bool_true) {
        all = isl::manage(isl_pw_multi_aff_set_tuple_id(all.release(), isl_dim_out, isl_set_get_tuple_id(set.get())));
    }
    return all;
}

}  // namespace

std::string tuple_name(const isl::set& set) {
    // isl reports an error if a set of parameters is asked for its tuples.
    if (isl_set_is_params(set.get()) == isl_bool_true || isl_set_has_tuple_name(set.get()) != isl_bool_true) {
        return {};
    }
    return isl_set_get_tuple_name(set.get());
}

isl::set with_tuple_name(const isl::set& set, const std::string& name) {
    return isl::manage(isl_set_set_tuple_name(set.copy(), name.c_str()));
}

isl::pw_multi_aff tuple_of_each(const isl::set& set) {
    if (set.n_basic_set() < 2) { return tuple_at_once_or_not(set); }
    struct Part {
        isl::multi_aff tuple;
        isl::set where;
    };
    std::vector<Part> parts;
    const auto add = [&](const isl::set& where, const isl::multi_aff& tuple) {
        const auto same = std::ranges::find_if(parts, [&](const Part& p) { return p.tuple.plain_is_equal(tuple); });
        if (same == parts.end()) {
            parts.push_back({tuple, where});
        } else {
            same->where = same->where.unite(where);
        }
    };
    set.foreach_basic_set([&](const isl::basic_set& part) { tuple_at_once_or_not(isl::set(part)).foreach_piece(add); });
    for (std::size_t i = 0; i < parts.size(); ++i) {
        for (std::size_t k = 0; k < i; ++k) {
            if (!is_disjoint(parts[i].where, parts[k].where)) { return tuple_at_once_or_not(set); }
        }
    }
    isl::pw_multi_aff all = isl::pw_multi_aff(parts.front().tuple).intersect_domain(coalesced(parts.front().where));
    for (std::size_t i = 1; i < parts.size(); ++i) {
        all = all.union_add(isl::pw_multi_aff(parts[i].tuple).intersect_domain(coalesced(parts[i].where)));
    }
    return all;
}

isl::set flat_product(const isl::set& a, const isl::set& b, const std::string& name) {
    return with_tuple_name(isl::manage(isl_set_flat_product(a.copy(), b.copy())), name);
}

isl::map with_dimension_names(const isl::map& map, const std::vector<std::string>& domain,
                              const std::vector<std::string>& range) {
    return with_dimension_names(with_dimension_names(map, isl_dim_in, domain), isl_dim_out, range);
}

isl::basic_set without_idle_divisions(const isl::basic_set& set) {
    const isl::basic_set plain = isl::manage(isl_basic_set_remove_divs(set.copy()));
    return plain.is_equal(set) ? plain : set;
}

}  // namespace haruspex::affine
