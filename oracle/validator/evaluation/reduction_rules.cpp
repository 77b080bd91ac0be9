#include <utility>

#include "generators/affine/parameters.h"
#include "harness/sched/text.h"
#include "oracle/validator/evaluation/evaluation.h"

// The rules of reductions (reduction.h), for both evaluations.
namespace haruspex::validator {

using namespace sched;
using heap::Heap;

namespace {

Heap product(const heap::Location& location, const heap::Value& value) {
    return isl::union_map::from_domain_and_range(location, value);
}

}  // namespace

// P-OpAssign: { ℓ -> A.s@(x, k) }
Heap Evaluation::reduced(const Write& write, const Accumulation& accumulation, const Scope& scope) const {
    const ReducedSteps steps = reduced_steps(write, accumulation, scope);
    const Heap each = reduced_by_lane(write, accumulation, steps, scope);
    if (steps.lanes.variable.empty()) { return each; }
    return heap::iterated_union(each, steps.lanes.variable, steps.lanes.running);
}

// The same, with the lane as a parameter.
Heap Evaluation::reduced_by_lane(const Write& write, const Accumulation& accumulation, const ReducedSteps& steps,
                                 const Scope& scope) const {
    if (scope.array(write.array).type != accumulation.reduction.type) {
        throw Unsupported("a prophecy of another type than its array", sched::print(*write.prophecy));
    }
    return product(scope.location(write.array, write.indices),
                   heap::value(ctx_, summarised_.at(&accumulation).step(), steps.indices));
}

// What other statements see of the array inside the scope: nothing.
heap::Delta Evaluation::unknown_cells(const Accumulation& accumulation, const Scope& scope) const {
    const heap::Value unknown = heap::value(ctx_, templates_.unknown(accumulation.reduction.type), {});
    return heap::known(product(scope.array(accumulation.array).cells().to_union_set().universe(), unknown));
}

const Summarised& Evaluation::summarised(const Accumulation& accumulation) {
    return summarised_.try_emplace(&accumulation, accumulation, templates_, ctx_).first->second;
}

// Value-lets that read the cell for the write hold what it would read, so they are evaluated in the same heap: each in
// the scope in which it stands, with those before it.
Scope Evaluation::with_lets(const Write& w, const Accumulation& accumulation, const Scope& scope,
                            const heap::Memory& within) const {
    Scope result = scope;
    const auto lets = accumulation.scope.lets.find(&w);
    if (lets == accumulation.scope.lets.end()) { return result; }
    std::vector<std::pair<std::string, ValueInScope>> before;
    for (const LetValue* let : lets->second) {
        if (!scope.has_value(let->name) || !scope.value(let->name).let) { continue; }
        Scope there = scope.value(let->name).let->scope;
        for (const auto& [name, value] : before) { there.declare(name, value); }
        before.emplace_back(let->name,
                            expressions_.family(let->name, let->lanes, let->type, let->value, there, within));
        result.declare(let->name, before.back().second);
    }
    return result;
}

// What a write must leave of the value A.s@v(x, k): A.s@(x, k). Of several steps it must leave A.s@v(x, k₀) ⊙ A.s$(x, k₀)
// ⊙ A.s$(x, k₁) ⊙ …, where k₀ only names the value: it is an input, and so any value.
Evaluation::Reduction Evaluation::reduction(const Accumulation& accumulation, const ReducedSteps& steps) const {
    const Summarised& heaps = summarised_.at(&accumulation);
    const heap::Value partial = heap::value(ctx_, heaps.partial(), steps.indices);
    const std::string& lane = steps.lanes.variable;
    if (lane.empty()) { return {partial, heap::value(ctx_, heaps.step(), steps.indices)}; }
    const auto apply = [&](heap::Template a, heap::Template b) {
        return templates_.apply(accumulation.reduction.op, a, b);
    };
    const heap::Value operands = heap::value(ctx_, heaps.operand(), steps.indices);
    const auto of_lane = [&](const heap::Value& family, std::int64_t n) {
        return at_lane(family, lane, affine::constant(ctx_, n));
    };
    heap::Value all = of_lane(operands, 0);
    for (std::int64_t n = 1; n < steps.count; ++n) { all = heap::lift(all, of_lane(operands, n), apply); }
    const heap::Value before = of_lane(partial, 0);
    return {before, heap::lift(before, all, apply)};
}

// RED-S-OpAssign: in a heap in which the cell holds any value v, and nothing is known of the array's other cells, the
// write leaves v ⊙ e(x, k); likewise for a set of steps.
void Evaluation::walk_accumulation(const Stmt& stmt, const Write& w, const Accumulation& accumulation,
                                   const Scope& inner, const heap::Memory& memory) {
    const ReducedSteps steps = reduced_steps(w, accumulation, inner);
    const auto [partial, reduced] = reduction(accumulation, steps);
    const heap::Location cell = inner.location(w.array, w.indices);
    const heap::Value unknown = heap::value(ctx_, templates_.unknown(accumulation.reduction.type), {});
    heap::Memory within = memory;
    within.leave(heap::known(product(cell.universe(), unknown)));
    within.leave(heap::known(product(cell, partial)));
    derivation_.operands(expressions_.reads(w.value, inner).of_memory, inner, within);
    const Scope with_lets = this->with_lets(w, accumulation, inner, within);
    const auto left = [&w, with_lets, within, partial = partial, expressions = expressions_, &templates = templates_] {
        const heap::Value operand = expressions.evaluate(w.value, with_lets, within);
        if (!w.accumulation) { return operand; }
        const value::BinaryOp op = value::binary_op(w.accumulation->op);
        return heap::lift(partial, operand,
                          [&](heap::Template a, heap::Template b) { return templates.apply(op, a, b); });
    };
    const isl::set where = inner.context();
    const Deferred<Equation> equation([inner, reduced = reduced, left, where] {
        return Equation{inner.resolved(reduced), inner.resolved(left()), inner.resolved(where)};
    });
    derivation_.equation(equation, inner);
    const bool is_set = !steps.lanes.variable.empty();
    const std::string rule =
        is_set ? "RED-S-OpAssign: ⟦e⟧_h = v ⊙ the operands of all steps" : "RED-S-OpAssign: ⟦e⟧_h = decompose(t)@(k)";
    Obligation& obligation = obligations_.add(Kind::value, stmt, rule, equation);
    obligation.write = &w;
    if (!is_set) { return; }
    const Deferred<isl::set> twice([lanes = steps.lanes, each = reduced_by_lane(w, accumulation, steps, inner)] {
        return reduced_by_two_iterations(each, lanes);
    });
    obligations_.add(Kind::value, stmt, "P-OpAssign: iupdate-ok, no step is reduced twice", twice, steps.lanes.scope)
        .depends_on_values = true;
}

// RED-S-ParLoop for lanes, and for the writes of one assignment: all read before any of them writes, so two of them must
// not accumulate into one cell.
void Evaluation::oblige_distinct_cells(const Stmt& stmt, const Assign& assign, const Iterations& lanes) {
    for (std::size_t i = 0; i < assign.writes.size(); ++i) {
        const Write& a = assign.writes[i];
        const Accumulation* accumulation = accumulations_.of(a);
        if (accumulation == nullptr) { continue; }
        for (std::size_t j = 0; j <= i; ++j) {
            const Write& b = assign.writes[j];
            if (accumulations_.of(b) != accumulation) { continue; }
            if (i == j && lanes.variable.empty()) { continue; }
            const Heap here = reduced(a, *accumulation, lanes.scope), there = reduced(b, *accumulation, lanes.scope);
            const Deferred<isl::set> shared([here, there, lanes, is_same = i == j] {
                isl::set both = affine::nowhere(here.ctx());
                if (!is_same) {
                    both = heap::environments(here.domain().intersect(there.domain())).intersect(lanes.scope.context());
                }
                return lanes.variable.empty() ? both : both.unite(shared_by_two_iterations(here, there, lanes));
            });
            obligations_
                .add(Kind::lanes, stmt, "RED-S-ParLoop: lanes accumulate into different cells", shared, lanes.scope)
                .depends_on_values = true;
        }
    }
}

// iupdate-ok of P-SeqLoop; RED-S-ParLoop.
void Evaluation::oblige_distinct_steps(const Stmt& stmt, const Iterations& loop, const Summary& body,
                                       bool is_parallel) {
    for (const std::string& array : body.reduced.arrays()) {
        const bool is_atomic = body.updated.has(array);
        if (is_parallel) {
            const Deferred<isl::set> shared([array, loop, reduced = body.reduced, writes = body.writes, is_atomic] {
                const Heap& steps = reduced.at(array);
                if (!is_atomic) { return shared_by_two_iterations(steps, steps, loop); }
                // Two atomic blocks may share a cell; one and anything else may not.
                if (!writes.has(array)) { return affine::nowhere(steps.ctx()); }
                return shared_by_two_iterations(steps.intersect_domain(writes.at(array)), steps, loop);
            });
            const std::string cells = is_atomic ? " unless they are atomic" : "";
            obligations_
                .add(Kind::race_write_write, stmt, "RED-S-ParLoop: iterations accumulate into different cells" + cells,
                     shared, loop.scope)
                .depends_on_values = true;
        }
        if (is_parallel && !is_atomic) { continue; }
        const Deferred<isl::set> twice(
            [array, loop, reduced = body.reduced] { return reduced_by_two_iterations(reduced.at(array), loop); });
        const std::string rule = is_parallel ? "P-ParLoop" : "P-SeqLoop";
        obligations_.add(Kind::value, stmt, rule + ": iupdate-ok, no step is reduced twice", twice, loop.scope)
            .depends_on_values = true;
    }
}

// P-Accumulate: what the scope of a reduction must have done when it ends.
void Evaluation::oblige_summary(const Stmt& stmt, const Accumulation& accumulation, const Scope& scope,
                                const heap::Memory& memory) {
    const std::string array = scope.array(accumulation.array).unique_name;
    const heap::Delta& reduced = reduced_.at(&accumulation);
    const Summarised& heaps = summarised(accumulation);
    const Deferred<isl::set> incomplete([array, reduced, heaps, context = scope.context()] {
        return heaps.incomplete(reduced.at(array)).intersect(context);
    });
    obligations_.add(Kind::value, stmt, "P-Accumulate: summarize, all steps are reduced", incomplete, scope)
        .depends_on_values = true;

    const value::Type type = accumulation.reduction.type;
    const heap::Value uninit = heap::value(ctx_, templates_.uninit(type), {});
    const Deferred<Equation> initial([array, reduced, heaps, scope, memory, uninit, ctx = ctx_] {
        const Heap& steps = reduced.at(array);
        const auto arrays = heap::arrays(steps);
        std::vector<isl::pw_aff> indices;
        for (std::size_t d = 0; !steps.is_empty() && d < arrays.at(array); ++d) {
            indices.push_back(affine::parameter(ctx, "#" + std::to_string(d)));
        }
        const heap::Location cell = heap::location(ctx, array, indices);
        const isl::set where = heap::environments(steps.domain().intersect(cell)).intersect(scope.context());
        const heap::Memory::Held held =
            memory.at(array, cell, where, where, [&](const isl::set& left) { return !left.is_disjoint(where); });
        const heap::Value value = held.value.unite(uninit.intersect_params(held.missing));
        return Equation{scope.resolved(heap::apply(heaps.before(steps), cell)), scope.resolved(value),
                        scope.resolved(where)};
    });
    obligations_.add(Kind::value, stmt, "P-Accumulate: a reduction begins with the value before it", initial);

    // Two reductions of one cell may differ in their order, and then in what they leave where that may be Undef.
    const std::size_t holes = templates_.holes(heaps.after());
    std::vector<isl::pw_aff> any;
    for (std::size_t d = 0; d < holes; ++d) { any.push_back(affine::parameter(ctx_, "#" + std::to_string(d))); }
    const heap::Value after = heap::value(ctx_, heaps.after(), any);
    const heap::Value unknown = heap::value(ctx_, templates_.unknown(type), {});
    interference_.add_write(after, Equation{after, unknown, affine::everywhere(ctx_)});
}

}  // namespace haruspex::validator
