#include "generators/affine/comparison.h"

#include <functional>
#include <vector>

#include "generators/affine/emptiness.h"

namespace haruspex::affine {
namespace {

struct Piece {
    isl::set domain;
    isl::pw_aff value;
};

std::vector<Piece> pieces_in(const isl::pw_aff& expression, const isl::set& where) {
    std::vector<Piece> pieces;
    expression.foreach_piece([&](const isl::set& domain, const isl::multi_aff& value) {
        const isl::set here = domain.intersect(where);
        if (!is_empty(here)) { pieces.push_back({here, isl::pw_aff(value.at(0))}); }
    });
    return pieces;
}

// Visits nonempty parts whose union is the set of differences, until has_enough returns true.
void for_each_difference(const isl::pw_aff& a, const isl::pw_aff& b, const isl::set& where,
                         const std::function<bool(const isl::set&)>& has_enough) {
    if (a.plain_is_equal(b)) { return; }
    const auto visit = [&](const isl::set& part) { return !is_empty(part) && has_enough(part); };
    if (a.isa_aff() && b.isa_aff()) {
        visit(where.intersect(a.ne_set(b)));
        return;
    }
    for (const isl::pw_aff& each : {a, b}) {
        if (!each.isa_aff() && visit(where.subtract(each.domain()))) { return; }
    }
    for (const Piece& mine : pieces_in(a, where)) {
        for (const Piece& other : pieces_in(b, mine.domain)) {
            if (mine.value.plain_is_equal(other.value)) { continue; }
            if (visit(other.domain.intersect(mine.value.ne_set(other.value)))) { return; }
        }
    }
}

}  // namespace

isl::set differing(const isl::pw_aff& a, const isl::pw_aff& b, const isl::set& where) {
    isl::set all = isl::set::empty(where.space());
    for_each_difference(a, b, where, [&](const isl::set& part) {
        all = all.unite(part);
        return false;
    });
    return all;
}

bool are_same(const isl::pw_aff& a, const isl::pw_aff& b, const isl::set& where) {
    bool same = true;
    for_each_difference(a, b, where, [&](const isl::set&) {
        same = false;
        return true;
    });
    return same;
}

}  // namespace haruspex::affine
