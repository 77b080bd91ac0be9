#include "oracle/heap/memory.h"

#include <ranges>

#include "generators/affine/gist.h"
#include "generators/affine/parameters.h"
#include "generators/affine/sets.h"
#include "generators/affine/tuples.h"

namespace haruspex::heap {
namespace {

template <typename Union>
ByArray<Union> given(std::map<std::string, Union> parts) {
    std::set<std::string> arrays;
    for (const auto& [array, part] : parts) { arrays.insert(array); }
    return ByArray<Union>(std::move(arrays),
                          [parts = std::move(parts)](const std::string& array) { return parts.at(array); });
}

// Combines the operands in order, array by array, with `add`.
template <typename Union, typename Add>
ByArray<Union> folded(std::vector<ByArray<Union>> all, Add add) {
    std::erase_if(all, [](const ByArray<Union>& one) { return one.arrays().empty(); });
    if (all.size() == 1) { return all.front(); }
    std::set<std::string> arrays;
    for (const ByArray<Union>& one : all) { arrays.insert(one.arrays().begin(), one.arrays().end()); }
    return ByArray<Union>(std::move(arrays), [all = std::move(all), add](const std::string& array) {
        Union sum;
        for (const ByArray<Union>& one : all) {
            if (one.has(array)) { sum = sum.is_null() ? one.at(array) : add(sum, one.at(array)); }
        }
        return sum;
    });
}

template <typename Union>
Union unite(const Union& a, const Union& b) {
    return a.unite(b);
}

// Whether a cheap test shows that all parts have the same template with the same indices.
bool is_one_expression(const Value& value) {
    const isl::space point = isl::space::unit(value.ctx()).add_unnamed_tuple(0);
    int templates = 0;
    bool is_single = true;
    value.foreach_set([&](const isl::set& part) {
        is_single = ++templates == 1 && isl::set(part.affine_hull()).insert_domain(point).is_single_valued();
    });
    return is_single;
}

}  // namespace

Delta known(const Heap& heap) {
    std::map<std::string, Heap> parts;
    for (const auto& [array, rank] : arrays(heap)) { parts.emplace(array, only(heap, array)); }
    return given(std::move(parts));
}

Accesses known(const Locations& locations) {
    std::map<std::string, Locations> parts;
    locations.foreach_set([&](const isl::set& cells) {
        if (!cells.is_empty()) { parts.emplace(affine::tuple_name(cells), cells.to_union_set()); }
    });
    return given(std::move(parts));
}

Delta in_order(std::vector<Delta> deltas) { return folded(std::move(deltas), update); }
Delta united(std::vector<Delta> deltas) { return folded(std::move(deltas), unite<Heap>); }
Accesses united(std::vector<Accesses> accesses) { return folded(std::move(accesses), unite<Locations>); }

Heap whole(isl::ctx ctx, const Delta& delta) {
    Heap all = empty_heap(ctx);
    for (const std::string& array : delta.arrays()) { all = all.unite(delta.at(array)); }
    return all;
}

Locations whole(isl::ctx ctx, const Accesses& accesses) {
    Locations all = no_locations(ctx);
    for (const std::string& array : accesses.arrays()) { all = all.unite(accesses.at(array)); }
    return all;
}

Memory::Held Memory::at(const std::string& array, const Location& location, const isl::set& environments,
                        const isl::set& context, const ArePossible& are_possible) const {
    Held held{no_locations(ctx_), affine::gist(environments, context)};
    for (const Delta& layer : std::views::reverse(layers_)) {
        if (!layer.has(array)) { continue; }
        const Value here =
            affine::gist_params(heap::apply(layer.at(array), location).intersect_params(environments), context);
        if (here.is_empty()) { continue; }
        const Value both = held.value.unite(here);
        const bool agree = held.value.is_empty() || is_one_expression(both);
        held.value = agree ? both : held.value.unite(here.intersect_params(held.missing));
        const isl::set written = heap::environments(here);
        affine::give_up_if_intricate(written);
        held.missing = held.missing.subtract(written);
        if (!are_possible(held.missing)) {
            held.missing = affine::nowhere(ctx_);
            break;
        }
    }
    return held;
}

Locations Memory::domain(const std::string& array) const {
    Locations all = no_locations(ctx_);
    for (const Delta& layer : layers_) {
        if (layer.has(array)) { all = all.unite(heap::domain(layer.at(array))); }
    }
    return all;
}

Heap Memory::only(const std::set<std::string>& arrays) const {
    Heap heap = empty_heap(ctx_);
    for (const Delta& layer : layers_) {
        for (const std::string& array : layer.arrays()) {
            if (arrays.contains(array)) { heap = update(heap, layer.at(array)); }
        }
    }
    return heap;
}

}  // namespace haruspex::heap
