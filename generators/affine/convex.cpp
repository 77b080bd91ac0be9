#include "generators/affine/convex.h"

#include <isl/set.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "generators/affine/attempt.h"
#include "generators/affine/emptiness.h"
#include "generators/affine/gist.h"
#include "generators/affine/sets.h"

namespace haruspex::affine {
namespace {

// A limit in isl operations for finding the divisions of a set; most are found soon or known already.
constexpr std::uint64_t most_operations = 20'000;

struct Part {
    isl::pw_aff value;
    isl::set domain, around;
};

bool are_apart(const std::vector<Part>& parts) {
    for (std::size_t i = 0; i < parts.size(); ++i) {
        for (std::size_t j = i + 1; j < parts.size(); ++j) {
            if (!is_disjoint(parts[i].around, parts[j].around)) { return false; }
        }
    }
    return true;
}

}  // namespace

isl::set surrounding(const isl::set& set) {
    // Points that isl's coalesce may add do no harm: the result still contains the set.
    const isl::set parts = set.coalesce();
    // Constraints are compared in terms of the same divisions, which isl has to find first. Constraints on divisions
    // that are not found soon are dropped, which only makes the set larger.
    const auto found = attempt(parts.ctx(), most_operations, [&] { return with_divisions(parts); });
    const isl::set known = found ? *found : isl::manage(isl_set_remove_unknown_divs(parts.copy()));
    return isl::set(known.unshifted_simple_hull());
}

isl::pw_aff extended(const isl::pw_aff& index, const isl::set& where, const isl::set& around) {
    std::vector<Part> parts;
    index.foreach_piece([&](const isl::set& domain, const isl::multi_aff& value) {
        const isl::pw_aff piece(value.at(0));
        if (index.n_piece() == 1) {
            parts.push_back({piece, domain, domain});
            return;
        }
        // Most pieces do not meet `around`, and `where` has many parts.
        if (is_disjoint(domain, around)) { return; }
        const isl::set here = met(domain, where);
        if (is_empty(here)) { return; }
        const auto same = std::ranges::find_if(
            parts, [&](const Part& part) { return static_cast<bool>(part.value.plain_is_equal(piece)); });
        if (same == parts.end()) {
            parts.push_back({piece, here, here});
        } else {
            same->domain = same->domain.unite(here);
        }
    });
    if (parts.size() == 1) { return parts.front().value; }
    for (Part& part : parts) {
        if (part.domain.n_basic_set() > 1) { part.domain = inhabited(part.domain); }
        part.around = surrounding(part.domain);
    }
    if (parts.empty() || !are_apart(parts)) { return index; }
    isl::pw_aff result = index.intersect_params(where.subtract(where));
    for (const Part& part : parts) {
        result = result.union_add(part.value.intersect_params(gist(part.around, around)));
    }
    return result;
}

isl::map unrestricted(const isl::map& function) {
    const isl::map hull(function.affine_hull());
    return hull.is_single_valued() ? hull : function;
}

}  // namespace haruspex::affine
