#include "generators/affine/coalesce.h"

#include <cstdint>

#include "generators/affine/attempt.h"

namespace haruspex::affine {
namespace {

// Of isl's operations, for each comparison: most take some hundred.
constexpr std::uint64_t most_operations = 20'000;

bool is_within(const isl::set& joined, const isl::set& parts) {
    if (joined.n_basic_set() >= parts.n_basic_set() || !parts.involves_locals()) { return true; }
    const auto found =
        attempt(parts.ctx(), most_operations, [&] { return static_cast<bool>(joined.is_subset(parts)); });
    return found.value_or(false);
}

// The set in which the expression has that value.
isl::set domain_of(const isl::pw_aff& expression, const isl::multi_aff& value) {
    isl::set all = isl::set::empty(expression.domain().space());
    expression.foreach_piece([&](const isl::set& domain, const isl::multi_aff& other) {
        if (value.plain_is_equal(other)) { all = all.unite(domain); }
    });
    return all;
}

}  // namespace

isl::set coalesced(const isl::set& set) {
    const isl::set joined = set.coalesce();
    return is_within(joined, set) ? joined : set;
}

isl::map coalesced(const isl::map& map) {
    const isl::map joined = map.coalesce();
    return joined.n_basic_map() >= map.n_basic_map() || is_within(joined.wrap(), map.wrap()) ? joined : map;
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
    joined.foreach_piece([&](const isl::set& domain, const isl::multi_aff& value) {
        are_all = are_all && is_within(domain, domain_of(expression, value));
    });
    return are_all ? joined : expression;
}

}  // namespace haruspex::affine
