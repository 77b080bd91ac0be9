#include "oracle/validator/interference.h"

#include <algorithm>
#include <variant>

#include "generators/affine/parameters.h"
#include "generators/affine/tuples.h"
#include "generators/base/overload.h"
#include "oracle/validator/arrays.h"
#include "oracle/validator/totality.h"

namespace haruspex::validator {
namespace {

using heap::Heap;
using heap::Locations;
using sched::Stmt;

Image image(const heap::Templates& templates, const TensorSignatures& tensors, heap::Template t) {
    const heap::Node& node = templates[t];
    const auto of = [&](heap::Template part) { return image(templates, tensors, part); };
    return std::visit(
        Overload{
            [](const heap::Literal& n) { return Image::of(n.value); },
            [&](const heap::Uninit&) { return Image::any(node.type, false); },
            [&](const heap::Unknown&) { return Image::any(node.type, false); },
            [&](const heap::Cell& n) { return Image::any(node.type, tensors.at(n.tensor).is_total); },
            [&](const heap::Embed&) { return Image::any(node.type, !value::overflow_is_undefined(node.type)); },
            [&](const heap::Unary& n) { return apply(n.op, templates.type(n.a), of(n.a)); },
            [&](const heap::Binary& n) { return apply(n.op, templates.type(n.a), of(n.a), of(n.b)); },
            [&](const heap::Cast& n) { return cast(templates.type(n.a), node.type, of(n.a)); },
            [&](const heap::Select& n) { return select(of(n.condition), node.type, of(n.if_true), of(n.if_false)); }},
        node.what);
}

}  // namespace

void Interference::declare_output(const std::string& unique_name, heap::Template cell) {
    outputs_.emplace(unique_name, cell);
}

bool Interference::shares_cells() const {
    return std::ranges::any_of(shared_, [](const Deferred<bool>& is_shared) { return is_shared(); });
}

void Interference::oblige_race_freedom(const Stmt& stmt, const Iterations& loop, const Summary& body) {
    const std::string y = loop.variable + "~";
    const isl::pw_aff one = affine::parameter(ctx_, loop.variable);
    const isl::pw_aff other = affine::parameter(ctx_, y);
    const isl::set pairs = loop.scope.context()
                               .intersect(affine::rename(loop.scope.context(), loop.variable, y))
                               .intersect(one.ne_set(other));
    isl::set races = affine::nowhere(ctx_);
    for (const std::string& array : body.writes.arrays()) {
        if (!body.reads.has(array)) { continue; }
        const Locations reads = affine::rename(body.reads.at(array), loop.variable, y);
        races = races.unite(heap::environments(body.writes.at(array).intersect(reads)).intersect(pairs));
    }
    obligations_.add(Kind::race_read_write, stmt, "S-ParLoop: rw-safe(" + loop.variable + ", dom(Δh), R)", races,
                     loop.scope);
    // Of what an iteration frees no other one accesses a cell, nor frees it.
    for (const std::string& cell : body.writes.arrays()) {
        const auto array = freed_array(cell);
        if (!array) { continue; }
        const isl::set frees = heap::environments(body.writes.at(cell));
        isl::set accesses = frees;
        for (const heap::Accesses& some : {body.reads, body.writes}) {
            if (some.has(*array)) { accesses = accesses.unite(heap::environments(some.at(*array))); }
        }
        obligations_.add(Kind::freed, stmt, "S-ParLoop: no iteration accesses what another one frees",
                         pairs.intersect(frees).intersect(affine::rename(accesses, loop.variable, y)), loop.scope);
    }
}

// { a[i, …] -> T(i, …) } of the array of an output T, and { a[i, …] -> T.n(i, …, k, …) } of each step that leads to it:
// the part of this template, if there is one.
Heap Interference::own_cells(const std::string& array, heap::Template t) const {
    const auto output = outputs_.find(array);
    const auto* cell = std::get_if<heap::Cell>(&templates_[t].what);
    if (output == outputs_.end() || cell == nullptr) { return heap::empty_heap(ctx_); }
    const auto& own = std::get<heap::Cell>(templates_[output->second].what);
    const TensorSignature& tensor = tensors_.at(cell->tensor);
    const std::size_t rank = tensors_.at(own.tensor).rank;
    const bool is_own = cell->tensor == own.tensor || tensor.staged == own.tensor;
    if (!is_own || cell->component != own.component || tensor.rank < rank) { return heap::empty_heap(ctx_); }
    std::vector<std::string> names;
    std::vector<isl::pw_aff> coordinates;
    for (std::size_t d = 0; d < tensor.rank; ++d) {
        names.push_back("#" + std::to_string(d));
        coordinates.push_back(affine::parameter(ctx_, names.back()));
    }
    const std::vector<isl::pw_aff> element(coordinates.begin(),
                                           coordinates.begin() + static_cast<std::ptrdiff_t>(rank));
    Heap all =
        isl::union_map::from_domain_and_range(heap::location(ctx_, array, element), heap::value(ctx_, t, coordinates));
    for (const std::string& name : names) { all = affine::project_out(all, name); }
    return all;
}

// With Unknown in the place of all that does not tell what is left: what a template says, and what `known` has of it.
Heap Interference::told(const Heap& heap, const std::function<bool(heap::Template)>& tells,
                        const std::function<Heap(heap::Template)>& known) const {
    Heap result = heap::empty_heap(ctx_);
    heap.foreach_map([&](const isl::map& map) {
        const heap::Template t = heap::Templates::of_tuple(map.range_tuple_id().name());
        const isl::union_map all = map.to_union_map();
        if (tells(t)) {
            result = result.unite(all);
            return;
        }
        const Heap kept = all.intersect(known(t));
        const heap::Value unknown = heap::value(ctx_, templates_.unknown(templates_.type(t)), {});
        result = result.unite(kept).unite(isl::union_map::from_domain_and_range(all.subtract(kept).domain(), unknown));
    });
    return result;
}

void Interference::oblige_agreement(Kind kind, const Stmt& stmt, const Iterations& loop, const heap::Delta& delta) {
    const isl::set& context = loop.scope.context();
    const std::string& x = loop.variable;
    const auto is_foretold = [&](heap::Template t) {
        return !templates_.mentions_uninit(t) && !templates_.mentions_unknown(t);
    };
    const auto is_total = [&](heap::Template t) { return image(templates_, tensors_, t).is_total; };
    const auto nothing = [&](heap::Template) { return heap::empty_heap(ctx_); };
    const auto agree = [&](const Heap& heap) {
        return heap::is_single_valued(heap) && !heap::mentions_unknown(heap, templates_);
    };
    const std::string y = x + "~";
    const isl::pw_aff one = affine::parameter(ctx_, x);
    const isl::pw_aff other = affine::parameter(ctx_, y);
    const isl::set pairs = context.intersect(affine::rename(context, x, y)).intersect(one.lt_set(other));
    for (const std::string& array : delta.arrays()) {
        const Heap& left = delta.at(array);
        shared_.emplace_back([left, x, y, pairs, scope = loop.scope] {
            const Locations cells = heap::domain(left);
            const Locations both = cells.intersect(affine::rename(cells, x, y));
            return scope.are_possible(heap::environments(both).intersect(pairs));
        });
        const auto output = outputs_.find(array);
        const auto own = [&](heap::Template t) { return own_cells(array, t); };
        const Heap total = told(left, is_total, own);
        const Heap all = heap::iterated_union(total, x, context);
        if (agree(all) || agree(loop.scope.resolved(all))) { continue; }
        std::vector<isl::pw_aff> cell;
        const std::size_t rank = heap::arrays(left).at(array);
        for (std::size_t d = 0; d < rank; ++d) { cell.push_back(affine::parameter(ctx_, "#" + std::to_string(d))); }
        const heap::Location here = heap::location(ctx_, array, cell);
        // What is foretold of an output may be Undef where the output is.
        const Heap mine = output == outputs_.end() ? total : told(left, is_foretold, nothing);
        const heap::Value a = heap::apply(mine, here), b = heap::apply(affine::rename(mine, x, y), here);
        const isl::set where = pairs.intersect(heap::environments(a)).intersect(heap::environments(b));
        if (!loop.scope.are_possible(where)) { continue; }
        // Where what is foretold of one is Undef, it may leave anything: that the other refines it is not enough.
        obligations_.add(kind, stmt, "ww-covered: both leave the same value in " + array, {a, b, where}, loop.scope);
        obligations_.add(kind, stmt, "ww-covered: and the other way round in " + array, {b, a, where}, loop.scope);
        if (output == outputs_.end()) { continue; }
        isl::set open = affine::nowhere(ctx_);
        a.foreach_set([&](const isl::set& part) {
            const heap::Template t = heap::Templates::of_tuple(affine::tuple_name(part));
            if (!is_foretold(t) || is_total(t)) { return; }
            const heap::Value others = part.to_union_set().subtract(heap::apply(own(t), here));
            open = open.unite(heap::environments(others).intersect(where));
        });
        if (!loop.scope.are_possible(open)) { continue; }
        const heap::Value meant = heap::value(ctx_, output->second, cell);
        obligations_.add(kind, stmt, "ww-covered: which is Undef only where " + array + " may be", {meant, a, open},
                         loop.scope);
    }
}

}  // namespace haruspex::validator
