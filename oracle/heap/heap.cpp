#include "oracle/heap/heap.h"

#include <algorithm>
#include <map>

#include "generators/affine/coalesce.h"
#include "generators/affine/context.h"
#include "generators/affine/parameters.h"
#include "generators/affine/sets.h"
#include "generators/affine/tuples.h"
#include "generators/base/ensure.h"

namespace haruspex::heap {
namespace {

// isl's unions accumulate disjuncts that could be merged. Coalescing is expensive, and pays off only above this number.
constexpr unsigned many_disjuncts = 4;

template <typename Union>
Union compact(const Union& u) {
    return affine::disjuncts(u) > many_disjuncts ? affine::coalesced(u) : u;
}

isl::union_set empty_set(isl::ctx ctx) {
    return isl::set::empty(isl::space::unit(ctx).add_unnamed_tuple(0)).to_union_set();
}

isl::union_set tuple(isl::ctx ctx, const std::string& name, const std::vector<isl::pw_aff>& elements) {
    return affine::tuple(ctx, elements).set_range_tuple(affine::identifier(ctx, name)).as_set().to_union_set();
}

std::vector<isl::map> maps_of(const isl::union_map& map) {
    std::vector<isl::map> maps;
    map.foreach_map([&](const isl::map& part) { maps.push_back(part); });
    return maps;
}

Template template_of(const isl::set& set) { return Templates::of_tuple(affine::tuple_name(set)); }
Template template_of(const isl::map& map) { return Templates::of_tuple(map.range_tuple_id().name()); }

// Returns the parts in the order in which their templates were made; isl's own order is that of a hash table.
std::vector<isl::set> sets_of(const Value& value) {
    std::vector<isl::set> sets;
    value.foreach_set([&](const isl::set& part) {
        if (!part.is_empty()) { sets.push_back(part); }
    });
    std::ranges::sort(sets, [](const isl::set& a, const isl::set& b) { return template_of(a) < template_of(b); });
    return sets;
}

// Whether a cheap test shows that each cell has the same template with the same indices in all relations.
bool leaves_one_expression(const Heap& cells) {
    const std::vector<isl::map> maps = maps_of(cells);
    return maps.size() == 1 && maps.front().affine_hull().is_single_valued();
}

// The cells of h1 in arrays of which h2 has none.
Heap only_others(const Heap& h1, const Heap& h2) {
    std::set<std::string> names;
    for (const auto& [array, rank] : arrays(h1)) { names.insert(array); }
    for (const auto& [array, rank] : arrays(h2)) { names.erase(array); }
    return only(h1, names);
}

}  // namespace

Heap empty_heap(isl::ctx ctx) { return isl::union_map::empty(ctx); }
Locations no_locations(isl::ctx ctx) { return empty_set(ctx); }

Location location(isl::ctx ctx, const std::string& array, const std::vector<isl::pw_aff>& indices) {
    return tuple(ctx, array, indices);
}

Value value(isl::ctx ctx, Template expr, const std::vector<isl::pw_aff>& holes) {
    return tuple(ctx, Templates::tuple_name(expr), holes);
}

Value apply(const Heap& heap, const Location& location) { return location.apply(heap); }
Locations domain(const Heap& heap) { return heap.domain(); }

Heap update(const Heap& h1, const Heap& h2) {
    if (h2.is_empty()) { return h1; }
    if (h1.is_empty()) { return h2; }
    Heap result = only_others(h1, h2);
    for (const auto& [array, rank] : arrays(h2)) {
        const Heap before = only(h1, array), after = only(h2, array);
        const Heap both = before.unite(after);
        const bool agree = before.is_empty() || leaves_one_expression(both);
        result = result.unite(agree ? both : after.unite(before.subtract_domain(after.domain())));
    }
    return compact(result);
}

Heap substitute(const Heap& r1, const std::string& x, const isl::union_map& r2) {
    return affine::project_out(r1.intersect_domain(r2.bind_range(affine::tuple_of(r1.ctx(), {x}))), x);
}

Heap iterated_union(const Heap& h, const std::string& x, const isl::set& iterations) {
    return compact(affine::project_out(h.intersect_params(iterations), x));
}

Locations iterated_union(const Locations& locations, const std::string& x, const isl::set& iterations) {
    return compact(affine::project_out(locations.intersect_params(iterations), x));
}

Heap iterated_update(const Heap& h, const std::string& x, const isl::set& iterations, const isl::set& context) {
    const Heap all = iterated_union(h, x, iterations);
    if (is_single_valued(all)) { return all; }
    const Heap here = all.intersect_params(context);
    if (is_single_valued(here)) { return here; }
    const Heap running = h.intersect_params(iterations);
    return compact(substitute(running, x, affine::bind(running.domain(), x).lexmax()));
}

bool is_single_valued(const Heap& heap) { return leaves_one_expression(heap) || heap.is_single_valued(); }

bool is_single_valued(const Value& value) {
    const std::vector<isl::set> sets = sets_of(value);
    const isl::space unit = isl::space::unit(value.ctx()).add_unnamed_tuple(0);
    return std::ranges::all_of(sets, [&](const isl::set& set) { return set.insert_domain(unit).is_single_valued(); });
}

Heap choose(const Heap& heap) {
    if (is_single_valued(heap)) { return heap; }
    std::vector<isl::map> maps = maps_of(heap);
    std::ranges::sort(maps, [](const isl::map& a, const isl::map& b) { return template_of(a) < template_of(b); });
    Heap chosen = empty_heap(heap.ctx());
    for (const isl::map& map : maps) {
        chosen = chosen.unite(map.lexmin().to_union_map().subtract_domain(chosen.domain()));
    }
    return compact(chosen);
}

Value choose(const Value& value) {
    Value chosen = empty_set(value.ctx());
    isl::set taken = affine::nowhere(value.ctx());
    for (const isl::set& set : sets_of(value)) {
        const isl::set left = set.lexmin().intersect_params(taken.complement());
        taken = taken.unite(set.params());
        chosen = chosen.unite(left.to_union_set());
    }
    return chosen;
}

Heap without(const Heap& heap, const std::string& array) {
    Heap rest = empty_heap(heap.ctx());
    for (const isl::map& map : maps_of(heap)) {
        if (map.domain_tuple_id().name() != array) { rest = rest.unite(map.to_union_map()); }
    }
    return rest;
}

Heap only(const Heap& heap, const std::string& array) { return only(heap, std::set<std::string>{array}); }

Heap only(const Heap& heap, const std::set<std::string>& arrays) {
    Heap part = empty_heap(heap.ctx());
    for (const isl::map& map : maps_of(heap)) {
        if (arrays.contains(map.domain_tuple_id().name())) { part = part.unite(map.to_union_map()); }
    }
    return part;
}

std::map<std::string, std::size_t> arrays(const Heap& heap) {
    std::map<std::string, std::size_t> ranks;
    for (const isl::map& map : maps_of(heap)) { ranks[map.domain_tuple_id().name()] = map.domain_tuple_dim(); }
    return ranks;
}

bool mentions_unknown(const Heap& heap, const Templates& templates) {
    const std::vector<isl::map> maps = maps_of(heap);
    return std::ranges::any_of(maps, [&](const isl::map& map) { return templates.mentions_unknown(template_of(map)); });
}

isl::set environments(const isl::union_set& set) {
    isl::set all = affine::nowhere(set.ctx());
    set.foreach_set([&](const isl::set& part) { all = all.unite(part.params()); });
    return all;
}

Locations without(const Locations& locations, const std::string& array) {
    Locations rest = empty_set(locations.ctx());
    locations.foreach_set([&](const isl::set& set) {
        if (affine::tuple_name(set) != array) { rest = rest.unite(set.to_union_set()); }
    });
    return rest;
}

std::vector<Piece> pieces(const Value& value) {
    std::vector<Piece> result;
    for (const isl::set& set : sets_of(value)) {
        const isl::pw_multi_aff holes = affine::tuple_of_each(set);
        Piece piece{template_of(set), set.tuple_dim() == 0 ? set.params() : holes.domain(), {}};
        for (unsigned i = 0; i < set.tuple_dim(); ++i) { piece.holes.push_back(holes.at(static_cast<int>(i))); }
        result.push_back(std::move(piece));
    }
    return result;
}

namespace {

// Charges for a tuple: isl counts few operations for it, but each of its constraints has a number for each hole.
void pay_for_holes(std::size_t holes) {
    constexpr std::size_t most_holes = 300;
    affine::spend(holes * holes / 8 + 1);
    if (holes > most_holes) { throw affine::BudgetSpent(); }
}

}  // namespace

Value lift(const Value& a, const std::function<Template(Template)>& op) {
    Value result = empty_set(a.ctx());
    for (const isl::set& x : sets_of(a)) {
        result = result.unite(affine::with_tuple_name(x, Templates::tuple_name(op(template_of(x)))).to_union_set());
    }
    return result;
}

Value lift(const Value& a, const Value& b, const std::function<Template(Template, Template)>& op) {
    Value result = empty_set(a.ctx());
    const std::vector<isl::set> bs = sets_of(b);
    for (const isl::set& x : sets_of(a)) {
        for (const isl::set& y : bs) {
            if (x.params().is_disjoint(y.params())) { continue; }
            pay_for_holes(x.tuple_dim() + y.tuple_dim());
            const Template expr = op(template_of(x), template_of(y));
            result = result.unite(affine::flat_product(x, y, Templates::tuple_name(expr)).to_union_set());
        }
    }
    return result;
}

Value lift(const Value& a, const Value& b, const Value& c,
           const std::function<Template(Template, Template, Template)>& op) {
    Value result = empty_set(a.ctx());
    const std::vector<isl::set> bs = sets_of(b), cs = sets_of(c);
    for (const isl::set& x : sets_of(a)) {
        for (const isl::set& y : bs) {
            const isl::set xy = x.params().intersect(y.params());
            if (xy.is_empty()) { continue; }
            for (const isl::set& z : cs) {
                if (xy.is_disjoint(z.params())) { continue; }
                pay_for_holes(x.tuple_dim() + y.tuple_dim() + z.tuple_dim());
                const std::string name = Templates::tuple_name(op(template_of(x), template_of(y), template_of(z)));
                result = result.unite(affine::flat_product(affine::flat_product(x, y, {}), z, name).to_union_set());
            }
        }
    }
    return result;
}

}  // namespace haruspex::heap
