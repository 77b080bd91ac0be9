#include "oracle/validator/evaluation/reduction.h"

#include <algorithm>
#include <variant>

#include "generators/affine/coalesce.h"
#include "generators/affine/parameters.h"
#include "generators/affine/tuples.h"
#include "generators/base/ensure.h"
#include "generators/base/overload.h"

namespace haruspex::validator {
namespace {

using heap::Heap;
using heap::Template;
using heap::Templates;

isl::id tuple_of(isl::ctx ctx, Template t) { return affine::identifier(ctx, Templates::tuple_name(t)); }

// Two environments of a loop's body, the first of one iteration and the second, with x~, of another one.
isl::set two_iterations(const Iterations& loop) {
    const std::string other = loop.variable + "~";
    const isl::ctx ctx = loop.scope.ctx();
    return loop.scope.context()
        .intersect(affine::rename(loop.scope.context(), loop.variable, other))
        .intersect(affine::parameter(ctx, loop.variable).ne_set(affine::parameter(ctx, other)));
}

// A prophecy that is a cell inside affine lets, and perhaps inside a reduction of lanes.
struct Prophesied {
    const sched::TensorAccess* cell = nullptr;
    const sched::LaneReduce* lanes = nullptr;
};

// Calls `enter` for each let and each reduction, from outside to inside.
template <typename Enter>
Prophesied prophesied(const sched::Write& write, const Enter& enter) {
    Prophesied result;
    const sched::Expr* expr = write.prophecy ? &*write.prophecy : nullptr;
    while (expr != nullptr) {
        const sched::Expr* inner = nullptr;
        if (const auto* let = std::get_if<sched::LetIn>(&expr->node)) {
            enter(*let);
            inner = &*let->body;
        } else if (const auto* lanes = std::get_if<sched::LaneReduce>(&expr->node); lanes && !result.lanes) {
            enter(*lanes);
            result.lanes = lanes;
            inner = &*lanes->body;
        } else {
            result.cell = std::get_if<sched::TensorAccess>(&expr->node);
        }
        expr = inner;
    }
    return result;
}

Prophesied prophesied(const sched::Write& write) {
    return prophesied(write, [](const auto&) {});
}

}  // namespace

// --- Scopes ------------------------------------------------------------------------------------------------------

void Accumulations::add(Accumulation accumulation) {
    all_.push_back(std::make_unique<const Accumulation>(std::move(accumulation)));
    for (const sched::Write* write : all_.back()->scope.writes) {
        const bool is_new = by_write_.emplace(write, all_.back().get()).second;
        ENSURE(is_new, "a write accumulates in one scope");
    }
    for (const auto& [write, lets] : all_.back()->scope.lets) {
        for (const sched::LetValue* let : lets) { by_let_.emplace(let, all_.back().get()); }
    }
}

const Accumulation* Accumulations::of(const sched::Write& write) const {
    const auto found = by_write_.find(&write);
    return found == by_write_.end() ? nullptr : found->second;
}

const Accumulation* Accumulations::of(const sched::LetValue& let) const {
    const auto found = by_let_.find(&let);
    return found == by_let_.end() ? nullptr : found->second;
}

std::vector<const Accumulation*> Accumulations::beginning(const sched::Block& block, std::size_t position) const {
    std::vector<const Accumulation*> result;
    for (const auto& one : all_) {
        if (one->scope.block == &block && one->scope.first == position) { result.push_back(one.get()); }
    }
    return result;
}

std::vector<const Accumulation*> Accumulations::ending(const sched::Block& block, std::size_t position) const {
    std::vector<const Accumulation*> result;
    for (const auto& one : all_) {
        if (one->scope.block == &block && one->scope.last == position) { result.push_back(one.get()); }
    }
    return result;
}

bool is_step_of(const sched::Write& write, const StagedReduction& reduction) {
    const auto [cell, lanes] = prophesied(write);
    if (cell == nullptr || cell->component != reduction.component) { return false; }
    if (lanes != nullptr) {
        const bool fits = !write.accumulation && reduction.operands && value::binary_op(lanes->op) == reduction.op;
        if (!fits) { return false; }
    }
    if (write.accumulation) {
        const bool has_index = write.accumulation->reduced.size() == reduction.over.size();
        if (value::binary_op(write.accumulation->op) != reduction.op || !has_index) { return false; }
        // Of the whole function, the last update is meant.
        if (cell->tensor == reduction.function && reduction.update == reduction.updates) {
            return cell->indices.size() == reduction.rank;
        }
    }
    return cell->tensor == reduction.stage && cell->indices.size() == reduction.steps.variables.size();
}

bool has_several_steps(const sched::Write& write) { return prophesied(write).lanes != nullptr; }

ReducedSteps reduced_steps(const sched::Write& write, const Accumulation& accumulation, const Scope& scope) {
    ReducedSteps result{{}, {scope, {}, affine::everywhere(scope.ctx())}};
    Scope inner = scope;
    const auto enter =
        Overload{[&](const sched::LetIn& let) { inner = inner.with(let); },
                 [&](const sched::LaneReduce& reduce) {
                     const std::string variable = inner.declare_variable(reduce.lanes.variable);
                     const isl::pw_aff lane = affine::parameter(scope.ctx(), variable);
                     const isl::set running =
                         lane.ge_set(scope.constant(0)).intersect(lane.lt_set(scope.constant(reduce.lanes.count)));
                     inner.assume(running);
                     result.lanes.variable = variable;
                     result.lanes.running = running;
                     result.lanes.scope.assume(running);
                     result.count = reduce.lanes.count;
                 }};
    const Prophesied all = prophesied(write, enter);
    ENSURE(all.cell != nullptr, "a write in the scope of a reduction has a prophecy");
    for (const sched::Expr& index : all.cell->indices) { result.indices.push_back(inner.index(index)); }
    if (result.indices.size() == accumulation.reduction.steps.variables.size()) { return result; }
    ENSURE(write.accumulation, "a write that prophesies a whole reduction has a reduced index");
    for (const sched::Expr& index : write.accumulation->reduced) { result.indices.push_back(scope.index(index)); }
    return result;
}

// --- R -----------------------------------------------------------------------------------------------------------

Summarised::Summarised(const Accumulation& accumulation, Templates& templates, isl::ctx ctx)
    : to_after_(isl::union_map::empty(ctx)),
      to_before_(to_after_),
      to_cell_(to_after_),
      to_all_(to_after_),
      steps_(heap::no_locations(ctx)) {
    const StagedReduction& reduction = accumulation.reduction;
    const Steps& steps = accumulation.steps;
    const std::size_t dimensions = reduction.steps.variables.size();
    partial_ = templates.cell(reduction.partial, 0, reduction.type, dimensions);
    step_ = templates.cell(reduction.step, 0, reduction.type, dimensions);
    operand_ = templates.cell(reduction.operand, 0, reduction.type, dimensions);
    after_ = templates.cell(reduction.stage, reduction.component, reduction.type, dimensions);
    before_ = templates.cell(reduction.before.tensor, reduction.before.component, reduction.type,
                             reduction.before.indices.size());
    const isl::id step = tuple_of(ctx, step_);
    to_after_ = steps.last.set_domain_tuple(step).set_range_tuple(tuple_of(ctx, after_)).to_union_map();
    to_before_ = steps.before.set_domain_tuple(step).set_range_tuple(tuple_of(ctx, before_)).to_union_map();
    // { A.s@[x, k] -> [x, m] } tells which x a step belongs to: m is the same for all steps.
    to_cell_ = steps.last.set_domain_tuple(step).to_union_map();
    // { A.s@[x, k] -> A.s@[x, k'] : k' writes x }
    const isl::map writing = steps.last.intersect_domain(steps.writing);
    to_all_ = steps.last.apply_range(writing.reverse()).set_domain_tuple(step).set_range_tuple(step).to_union_map();
    steps_ = affine::with_tuple_name(steps.writing, Templates::tuple_name(step_)).to_union_set();
}

Heap Summarised::left(const Heap& reduced) const {
    return heap::choose(affine::coalesced(reduced.apply_range(to_after_)));
}

Heap Summarised::before(const Heap& reduced) const {
    return heap::choose(affine::coalesced(reduced.apply_range(to_before_)));
}

isl::set Summarised::incomplete(const Heap& reduced) const {
    const isl::union_map cells = affine::coalesced(reduced.apply_range(to_cell_));
    isl::set result = affine::nowhere(reduced.ctx());
    if (!cells.is_single_valued()) {
        const isl::union_map pairs = cells.reverse().apply_range(cells);
        result = result.unite(heap::environments(pairs.subtract(cells.range().identity()).domain()));
    }
    const Heap others = reduced.subtract_range(steps_);
    result = result.unite(heap::environments(others.domain()));
    const Heap missing = reduced.apply_range(to_all_).subtract(reduced);
    return result.unite(heap::environments(missing.domain()));
}

isl::set reduced_by_both(const Heap& a, const Heap& b) { return heap::environments(a.intersect(b).domain()); }

isl::set reduced_by_two_iterations(const Heap& reduced, const Iterations& loop) {
    const Heap other = affine::rename(reduced, loop.variable, loop.variable + "~");
    return reduced_by_both(reduced, other).intersect(two_iterations(loop));
}

isl::set shared_by_two_iterations(const Heap& a, const Heap& b, const Iterations& loop) {
    const Heap other = affine::rename(b, loop.variable, loop.variable + "~");
    return heap::environments(a.domain().intersect(other.domain())).intersect(two_iterations(loop));
}

}  // namespace haruspex::validator
