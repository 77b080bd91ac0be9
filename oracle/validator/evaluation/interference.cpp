#include "oracle/validator/evaluation/interference.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "generators/affine/parameters.h"
#include "generators/affine/tuples.h"
#include "harness/sched/traverse.h"
#include "oracle/validator/scope/arrays.h"

namespace haruspex::validator {
namespace {

using heap::Heap;
using heap::Locations;
using sched::Stmt;

bool has_atomic_blocks(const Stmt& stmt) {
    bool found = std::holds_alternative<sched::Atomic>(stmt.node);
    sched::for_each_block(
        stmt, [&](const sched::Block& block) { found = found || std::ranges::any_of(block, has_atomic_blocks); });
    return found;
}

}  // namespace

void Interference::enter(std::set<std::string> parameters, bool are_numbers) {
    are_numbers_ = are_numbers;
    determinacy_ = std::make_shared<Determinacy>(ctx_, templates_, tensors_, std::move(parameters), are_numbers);
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
    const auto conflict = [&](const heap::Accesses& some, const heap::Accesses& others) {
        for (const std::string& array : some.arrays()) {
            if (!others.has(array)) { continue; }
            const Locations there = affine::rename(others.at(array), loop.variable, y);
            races = races.unite(heap::environments(some.at(array).intersect(there)).intersect(pairs));
        }
    };
    conflict(body.writes, body.reads);
    conflict(body.updated, body.reads);
    conflict(body.updated, body.writes);
    // Whether a block accumulates may only be known in a later round.
    obligations_
        .add(Kind::race_read_write, stmt, "S-ParLoop: rw-safe(" + loop.variable + ", dom(Δh), R)", races, loop.scope)
        .depends_on_values = has_atomic_blocks(stmt);
    // No other iteration accesses an array that one iteration frees, nor frees it again.
    for (const std::string& cell : body.writes.arrays()) {
        const auto array = freed_array(cell);
        if (!array) { continue; }
        const isl::set frees = heap::environments(body.writes.at(cell));
        isl::set accesses = frees;
        for (const heap::Accesses& some : {body.reads, body.writes, body.updated}) {
            if (some.has(*array)) { accesses = accesses.unite(heap::environments(some.at(*array))); }
        }
        obligations_.add(Kind::freed, stmt, "S-ParLoop: no iteration accesses what another one frees",
                         pairs.intersect(frees).intersect(affine::rename(accesses, loop.variable, y)), loop.scope);
    }
}

// Replaces all templates of which `tells` is false by Unknown.
Heap Interference::told(const Heap& heap, const std::function<bool(heap::Template)>& tells) const {
    Heap result = heap::empty_heap(ctx_);
    heap.foreach_map([&](const isl::map& map) {
        const heap::Template t = heap::Templates::of_tuple(map.range_tuple_id().name());
        const isl::union_map all = map.to_union_map();
        const heap::Value unknown = heap::value(ctx_, templates_.unknown(templates_.type(t)), {});
        result = result.unite(tells(t) ? all : isl::union_map::from_domain_and_range(all.domain(), unknown));
    });
    return with_operands_in_order(result, templates_, are_numbers_);
}

void Interference::oblige_agreement(Kind kind, const Stmt& stmt, const Iterations& loop, const heap::Delta& delta) {
    const isl::set& context = loop.scope.context();
    const std::string& x = loop.variable;
    const std::string y = x + "~";
    const auto is_foretold = [&](heap::Template t) {
        return !templates_.mentions_uninit(t) && !templates_.mentions_unknown(t);
    };
    const auto is_total = [&](heap::Template t) { return is_never_undef(t, templates_, tensors_); };
    const auto agree = [&](const Heap& heap) {
        return heap::is_single_valued(heap) && !heap::mentions_unknown(heap, templates_);
    };
    const isl::pw_aff one = affine::parameter(ctx_, x);
    const isl::pw_aff other = affine::parameter(ctx_, y);
    const isl::set pairs = context.intersect(affine::rename(context, x, y)).intersect(one.lt_set(other));
    for (const std::string& array : delta.arrays()) {
        const Heap& left = delta.at(array);
        const auto shared = [left, x, y, pairs] {
            const Locations cells = heap::domain(left);
            return heap::environments(cells.intersect(affine::rename(cells, x, y))).intersect(pairs);
        };
        shared_.emplace_back([shared, scope = loop.scope] { return scope.are_possible(shared()); });
        const Heap prophesied = told(left, is_foretold);
        std::set<heap::Template> doubtful;
        prophesied.foreach_map([&](const isl::map& map) {
            const heap::Template t = heap::Templates::of_tuple(map.range_tuple_id().name());
            if (is_foretold(t) && !is_total(t)) { doubtful.insert(t); }
        });
        const Heap all = heap::iterated_union(prophesied, x, context);
        const bool is_one = agree(all) || agree(loop.scope.resolved(all));
        if ((is_one && doubtful.empty()) || !loop.scope.are_possible(shared())) { continue; }

        std::vector<isl::pw_aff> cell;
        const std::size_t rank = heap::arrays(left).at(array);
        for (std::size_t d = 0; d < rank; ++d) { cell.push_back(affine::parameter(ctx_, "#" + std::to_string(d))); }
        const heap::Location here = heap::location(ctx_, array, cell);
        const heap::Value a = heap::apply(prophesied, here), b = heap::apply(affine::rename(prophesied, x, y), here);
        if (!doubtful.empty()) {
            const Deferred<isl::set> undetermined([a, b, pairs, doubtful, determinacy = determinacy_, ctx = ctx_] {
                std::set<heap::Template> open;
                std::ranges::copy_if(doubtful, std::inserter(open, open.end()),
                                     [&](heap::Template t) { return !determinacy->holds(t); });
                isl::set result = affine::nowhere(ctx);
                a.intersect(b).foreach_set([&](const isl::set& part) {
                    const heap::Template t = heap::Templates::of_tuple(affine::tuple_name(part));
                    if (open.contains(t)) { result = result.unite(part.params()); }
                });
                return result.intersect(pairs);
            });
            obligations_
                .add(kind, stmt, "ww-covered: what may be Undef in " + array + " is of one computation", undetermined,
                     loop.scope)
                .depends_on_values = true;
        }
        if (is_one) { continue; }
        isl::set alike = affine::nowhere(ctx_);
        a.intersect(b).foreach_set([&](const isl::set& part) {
            if (is_foretold(heap::Templates::of_tuple(affine::tuple_name(part)))) {
                alike = alike.unite(part.params());
            }
        });
        const Heap total = told(left, is_total);
        const heap::Value c = heap::apply(total, here), d = heap::apply(affine::rename(total, x, y), here);
        const isl::set where = pairs.intersect(heap::environments(a)).intersect(heap::environments(b)).subtract(alike);
        if (!loop.scope.are_possible(where)) { continue; }
        obligations_.add(kind, stmt, "ww-covered: both leave the same value in " + array, {c, d, where}, loop.scope);
        obligations_.add(kind, stmt, "ww-covered: and the other way round in " + array, {d, c, where}, loop.scope);
    }
}

}  // namespace haruspex::validator
