#include "generators/affine/coalesce.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "generators/affine/attempt.h"
#include "generators/affine/emptiness.h"

namespace haruspex::affine {
namespace {

// A limit in isl operations for each part that is compared; most take a few hundred.
constexpr std::uint64_t most_operations = 20'000;

bool is_within(const isl::basic_set& part, const isl::set& set) {
    const auto found =
        attempt(set.ctx(), most_operations, [&] { return static_cast<bool>(isl::set(part).is_subset(set)); });
    return found.value_or(false);
}

// Returns the parts of `joined` that are known to add no points: each new part is compared with the parts that it
// replaced. If this fails for a new part, the replaced parts stay.
isl::set checked(const isl::set& joined, const isl::set& parts) {
    if (joined.n_basic_set() >= parts.n_basic_set() || !parts.involves_locals()) { return joined; }
    const isl::space space = parts.space();
    std::vector<isl::basic_set> gone = convex_parts(parts, space), made, kept;
    for (const isl::basic_set& part : convex_parts(joined, space)) {
        const auto same = std::ranges::find_if(gone, [&](const isl::basic_set& other) {
            return isl_basic_set_plain_is_equal(part.get(), other.get()) == isl_bool_true;
        });
        if (same == gone.end()) {
            made.push_back(part);
        } else {
            kept.push_back(part);
            gone.erase(same);
        }
    }
    const isl::set before = united(gone, space);
    const std::size_t all = made.size();
    std::erase_if(made, [&](const isl::basic_set& part) { return !is_within(part, before); });
    if (made.size() == all) { return joined; }
    if (made.empty()) { return parts; }
    const isl::set known = united(made, space);
    std::erase_if(gone, [&](const isl::basic_set& part) { return is_within(part, known); });
    return united(kept, space).unite(known).unite(united(gone, space));
}

// The set in which the expression has this value.
isl::set domain_of(const isl::pw_aff& expression, const isl::multi_aff& value) {
    isl::set all = isl::set::empty(expression.domain().space());
    expression.foreach_piece([&](const isl::set& domain, const isl::multi_aff& other) {
        if (value.plain_is_equal(other)) { all = all.unite(domain); }
    });
    return all;
}

}  // namespace

isl::set coalesced(const isl::set& set) { return checked(set.coalesce(), set); }

isl::map coalesced(const isl::map& map) {
    const isl::map joined = map.coalesce();
    return joined.n_basic_map() >= map.n_basic_map() ? joined : checked(joined.wrap(), map.wrap()).unwrap();
}

isl::union_set coalesced(const isl::union_set& sets) {
    isl::union_set result = isl::union_set::empty(sets.ctx());
    sets.foreach_set([&](const isl::set& set) { result = result.unite(coalesced(set).to_union_set()); });
    return result;
}

isl::union_map coalesced(const isl::union_map& maps) {
    isl::union_map result = isl::union_map::empty(maps.ctx());
    maps.foreach_map([&](const isl::map& map) { result = result.unite(coalesced(map).to_union_map()); });
    return result;
}

isl::pw_aff coalesced(const isl::pw_aff& expression) {
    const isl::pw_aff joined = expression.coalesce();
    if (!expression.involves_locals()) { return joined; }
    bool are_all = true;
    isl::pw_aff result = joined.intersect_domain(isl::set::empty(expression.domain().space()));
    joined.foreach_piece([&](const isl::set& domain, const isl::multi_aff& value) {
        const isl::set here = checked(domain, domain_of(expression, value));
        are_all = are_all && isl_set_plain_is_equal(here.get(), domain.get()) == isl_bool_true;
        result = result.union_add(isl::pw_aff(value.at(0)).intersect_domain(here));
    });
    return are_all ? joined : result;
}

}  // namespace haruspex::affine
