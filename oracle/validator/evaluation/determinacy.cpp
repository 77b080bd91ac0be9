#include "oracle/validator/evaluation/determinacy.h"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <variant>

#include "generators/affine/context.h"
#include "generators/affine/parameters.h"
#include "generators/affine/tuples.h"
#include "generators/base/overload.h"
#include "oracle/validator/terms/image.h"

namespace haruspex::validator {
namespace {

using heap::Heap;
using heap::Template;
using heap::Templates;
using heap::Value;

Image image(Template t, const Templates& templates, const TensorSignatures& tensors) {
    affine::spend(1);
    const heap::Node& node = templates[t];
    const auto of = [&](Template part) { return image(part, templates, tensors); };
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

// A rearranged template, whose hole n is hole holes[n] of the original one.
struct Arranged {
    Template expr;
    std::vector<std::size_t> holes;
};

// `next`: the number of holes before t.
Arranged arranged(Template t, Templates& templates, bool are_numbers, std::size_t& next) {
    affine::spend(1);
    const heap::Node node = templates[t];
    const auto part = [&](Template p) { return arranged(p, templates, are_numbers, next); };
    const auto joined = [](Arranged a, const Arranged& b) {
        a.holes.insert(a.holes.end(), b.holes.begin(), b.holes.end());
        return a.holes;
    };
    return std::visit(Overload{[&](const heap::Unary& n) {
                                   const Arranged a = part(n.a);
                                   return Arranged{templates.apply(n.op, a.expr), a.holes};
                               },
                               [&](const heap::Binary& n) {
                                   Arranged a = part(n.a), b = part(n.b);
                                   const bool is_turned =
                                       b.expr < a.expr && value::is_commutative(n.op, templates.type(n.a), are_numbers);
                                   if (is_turned) { std::swap(a, b); }
                                   return Arranged{templates.apply(n.op, a.expr, b.expr), joined(a, b)};
                               },
                               [&](const heap::Cast& n) {
                                   const Arranged a = part(n.a);
                                   return Arranged{templates.cast(node.type, a.expr), a.holes};
                               },
                               [&](const heap::Select& n) {
                                   const Arranged c = part(n.condition), a = part(n.if_true), b = part(n.if_false);
                                   std::vector<std::size_t> holes = joined(c, a);
                                   holes.insert(holes.end(), b.holes.begin(), b.holes.end());
                                   return Arranged{templates.select(c.expr, a.expr, b.expr), std::move(holes)};
                               },
                               [&](const auto&) {
                                   Arranged leaf{t, {}};
                                   for (std::size_t n = 0; n < templates.holes(t); ++n) {
                                       leaf.holes.push_back(next++);
                                   }
                                   return leaf;
                               }},
                      node.what);
}

// { E[h0, …] -> E'[h1, …] }, from a template to the one in which its operands are in order.
isl::map rearrangement(isl::ctx ctx, Template from, const Arranged& to) {
    const auto tuple = [](Template t, std::size_t count, const auto& number) {
        std::string text = Templates::tuple_name(t) + "[";
        for (std::size_t n = 0; n < count; ++n) { text += (n == 0 ? "h" : ", h") + std::to_string(number(n)); }
        return text + "]";
    };
    const std::size_t count = to.holes.size();
    return isl::map(ctx, "{ " + tuple(from, count, [](std::size_t n) { return n; }) + " -> " +
                             tuple(to.expr, count, [&](std::size_t n) { return to.holes[n]; }) + " }");
}

std::set<Template> templates_of(const Value& value) {
    std::set<Template> result;
    value.foreach_set([&](const isl::set& part) { result.insert(Templates::of_tuple(affine::tuple_name(part))); });
    return result;
}

Value only(const Value& value, Template t) {
    Value result = value.subtract(value);
    value.foreach_set([&](const isl::set& part) {
        if (Templates::of_tuple(affine::tuple_name(part)) == t) { result = result.unite(part.to_union_set()); }
    });
    return result;
}

}  // namespace

bool is_never_undef(Template t, const Templates& templates, const TensorSignatures& tensors) {
    return image(t, templates, tensors).is_total;
}

Heap with_operands_in_order(const Heap& heap, Templates& templates, bool are_numbers) {
    Heap result = heap::empty_heap(heap.ctx());
    heap.foreach_map([&](const isl::map& map) {
        const Template t = Templates::of_tuple(map.range_tuple_id().name());
        std::size_t next = 0;
        const Arranged to = arranged(t, templates, are_numbers, next);
        const isl::map ordered =
            to.expr == t && std::ranges::is_sorted(to.holes) ? map : map.apply_range(rearrangement(map.ctx(), t, to));
        result = result.unite(ordered.to_union_map());
    });
    return result;
}

void Determinacy::add_write(const Value& prophesied, const Deferred<Equation>& equation) {
    writes_.push_back({templates_of(prophesied), Lazy<Equation>(std::function<Equation()>(equation))});
}

// Collects the cells of a template; false if a part of it has no single value.
bool Determinacy::collect_cells(Template t, std::set<Template>& cells) const {
    const auto& what = templates_[t].what;
    if (std::holds_alternative<heap::Uninit>(what) || std::holds_alternative<heap::Unknown>(what)) { return false; }
    // A literal Undef does not say from which operands it comes.
    if (const auto* literal = std::get_if<heap::Literal>(&what); literal && literal->value.is_undef()) { return false; }
    if (is_cell(t)) { cells.insert(t); }
    return std::ranges::all_of(templates_.operands(t), [&](Template part) { return collect_cells(part, cells); });
}

bool Determinacy::is_cell(Template t) const { return std::holds_alternative<heap::Cell>(templates_[t].what); }

// { E[i, …] -> e : φ }: the right-hand sides with which a write computes the elements that it prophesies, by
// environment.
Heap Determinacy::made(const Write& write, Template t) const {
    const Equation& equation = write.equation();
    const Value elements = only(equation.specification, t).intersect_params(equation.environments);
    return with_operands_in_order(isl::union_map::from_domain_and_range(elements, equation.implementation), templates_,
                                  are_numbers_);
}

bool Determinacy::is_exact(Template t) const {
    return std::ranges::all_of(writes_, [&](const Write& write) {
        if (!write.prophesied.contains(t)) { return true; }
        const Heap computed = made(write, t);
        const Heap itself = with_operands_in_order(computed.domain().identity(), templates_, are_numbers_);
        return computed.is_subset(itself);
    });
}

bool Determinacy::are_inlined_ones_exact() {
    if (are_exact_) { return *are_exact_; }
    std::set<Template> inlined;
    for (const Write& write : writes_) {
        for (const Template t : write.prophesied) {
            if (!is_cell(t) && !is_never_undef(t, templates_, tensors_)) { inlined.insert(t); }
        }
    }
    are_exact_ = std::ranges::all_of(inlined, [&](Template t) { return is_exact(t); });
    return *are_exact_;
}

const Determinacy::Computation& Determinacy::computation(Template t) {
    if (const auto known = computations_.find(t); known != computations_.end()) { return known->second; }
    Heap all = heap::empty_heap(ctx_);
    for (const Write& write : writes_) {
        if (!write.prophesied.contains(t)) { continue; }
        Heap made = this->made(write, t);
        // A copy of an element is the element.
        made = made.subtract(made.domain().identity());
        // Whatever the iteration: loops' variables are projected out.
        for (const std::string& name : affine::parameters(heap::environments(made.domain()))) {
            if (!parameters_.contains(name)) { made = affine::project_out(made, name); }
        }
        all = all.unite(made);
    }
    Computation result{heap::is_single_valued(all), {}};
    for (const Template side : templates_of(all.range())) {
        result.is_one = result.is_one && collect_cells(side, result.of);
    }
    return computations_.emplace(t, std::move(result)).first->second;
}

bool Determinacy::holds(Template t) {
    if (is_never_undef(t, templates_, tensors_)) { return true; }
    if (!are_inlined_ones_exact()) { return false; }
    std::set<Template> cells;
    if (!collect_cells(t, cells)) { return false; }
    std::set<Template> seen;
    for (std::vector<Template> left(cells.begin(), cells.end()); !left.empty();) {
        const Template cell = left.back();
        left.pop_back();
        if (is_never_undef(cell, templates_, tensors_) || !seen.insert(cell).second) { continue; }
        const Computation& made = computation(cell);
        if (!made.is_one) { return false; }
        left.insert(left.end(), made.of.begin(), made.of.end());
    }
    return true;
}

}  // namespace haruspex::validator
