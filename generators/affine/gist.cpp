#include "generators/affine/gist.h"

#include <functional>
#include <optional>
#include <vector>

#include "generators/affine/emptiness.h"

namespace haruspex::affine {
namespace {

void for_each_part(const isl::set& set, const std::function<void(const isl::set&)>& visit) {
    set.foreach_basic_set([&](const isl::basic_set& part) { visit(isl::set(part)); });
}

void for_each_part(const isl::map& map, const std::function<void(const isl::map&)>& visit) {
    map.foreach_basic_map([&](const isl::basic_map& part) { visit(isl::map(part)); });
}

bool is_possible(const isl::set& part, const isl::set& context) { return !is_disjoint(part, context); }

template <typename T>
bool is_possible_with(const T& part, const isl::set& parameters) {
    return !is_empty(part.intersect_params(parameters));
}

// Removes the parts that are not possible. nullopt if all are possible, the usual case.
template <typename T, typename IsPossible>
std::optional<T> cut(const T& whole, IsPossible is_possible) {
    T kept = T::empty(whole.space());
    bool is_whole = true;
    for_each_part(whole, [&](const T& part) {
        if (is_possible(part)) {
            kept = kept.unite(part);
        } else {
            is_whole = false;
        }
    });
    return is_whole ? std::nullopt : std::optional(kept);
}

template <typename T>
T gist_with(const T& whole, const isl::set& parameters) {
    const auto possible = cut(whole, [&](const T& part) { return is_possible_with(part, parameters); });
    return possible.value_or(whole).gist_params(parameters);
}

std::optional<isl::set> cut(const isl::set& set, const isl::set& context) {
    return cut(set, [&](const isl::set& part) { return is_possible(part, context); });
}

struct Piece {
    isl::set domain;
    isl::pw_aff value;
};

struct Pieces {
    std::vector<Piece> list;
    bool are_all = true;  // nothing was removed
};

Pieces possible_pieces(const isl::pw_aff& expression, const isl::set& context) {
    Pieces pieces;
    expression.foreach_piece([&](const isl::set& domain, const isl::multi_aff& value) {
        const auto possible = cut(domain, context);
        pieces.are_all = pieces.are_all && !possible;
        const isl::set& here = possible ? *possible : domain;
        if (here.n_basic_set() > 0) { pieces.list.push_back({here, isl::pw_aff(value.at(0))}); }
    });
    return pieces;
}

// The expression with these pieces only.
isl::pw_aff joined(const Pieces& pieces, const isl::pw_aff& expression) {
    if (pieces.are_all) { return expression; }
    isl::pw_aff all = expression.intersect_domain(isl::set::empty(expression.domain().space()));
    for (const Piece& piece : pieces.list) { all = all.union_add(piece.value.intersect_domain(piece.domain)); }
    return all;
}

}  // namespace

isl::set gist(const isl::set& set, const isl::set& context) { return cut(set, context).value_or(set).gist(context); }

isl::pw_aff gist(const isl::pw_aff& expression, const isl::set& context) {
    return joined(possible_pieces(expression, context), expression).gist(context);
}

isl::pw_aff narrowed(const isl::pw_aff& expression, const isl::set& where) {
    if (expression.isa_aff()) { return expression; }
    const Pieces pieces = possible_pieces(expression, where);
    return pieces.list.size() == 1 ? pieces.list.front().value : joined(pieces, expression);
}

isl::multi_pw_aff gist(const isl::multi_pw_aff& tuple, const isl::set& context) {
    isl::multi_pw_aff result = tuple;
    const int size = static_cast<int>(tuple.size());
    for (int d = 0; d < size; ++d) { result = result.set_at(d, gist(tuple.at(d), context)); }
    return result;
}

isl::union_set gist_params(const isl::union_set& set, const isl::set& context) {
    isl::union_set result = isl::union_set::empty(set.ctx());
    set.foreach_set([&](const isl::set& part) { result = result.unite(gist_with(part, context).to_union_set()); });
    return result;
}

isl::union_map gist_params(const isl::union_map& map, const isl::set& context) {
    isl::union_map result = isl::union_map::empty(map.ctx());
    map.foreach_map([&](const isl::map& part) { result = result.unite(gist_with(part, context).to_union_map()); });
    return result;
}

}  // namespace haruspex::affine
