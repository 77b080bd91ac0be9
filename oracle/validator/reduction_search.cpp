#include "oracle/validator/reduction_search.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "harness/sched/traverse.h"
#include "oracle/validator/flow/accumulation.h"

namespace haruspex::validator {
namespace {

// What encloses a write.
struct Around {
    bool is_parallel = false, is_atomic = false;  // a parallel loop; an atomic block inside the innermost one
};

template <typename Visit>
void for_each_write(const sched::Block& block, Around around, const Visit& visit) {
    for (const sched::Stmt& stmt : block) {
        Around inside = around;
        const auto* loop = std::get_if<sched::For>(&stmt.node);
        if (loop != nullptr && loop->kind == sched::LoopKind::parallel) { inside = {true, false}; }
        if (std::holds_alternative<sched::Atomic>(stmt.node)) { inside.is_atomic = true; }
        if (const auto* assign = std::get_if<sched::Assign>(&stmt.node)) {
            for (const sched::Write& write : assign->writes) { visit(write, inside); }
        }
        sched::for_each_block(stmt, [&](const sched::Block& inner) { for_each_write(inner, inside, visit); });
    }
}

bool has_garbage(const AccumulationScope& scope, const Garbage& garbage) {
    return std::ranges::any_of(scope.writes, [&](const sched::Write* write) { return garbage.contains(write); });
}

// Whether the order matters because sums may overflow, and for no other reason.
bool may_overflow(const StagedReduction& reduction, Arithmetic arithmetic) {
    if (allows_any_order(reduction, arithmetic)) { return false; }
    arithmetic.sums_fit = true;
    return allows_any_order(reduction, arithmetic);
}

}  // namespace

ReductionSearch::ReductionSearch(const sare::Sare& sare, const sched::Program& program)
    : program_(program), reductions_(staged_reductions(sare)) {}

const StagedReduction* ReductionSearch::reduction_of(const sched::Write& write) const {
    const auto found = std::ranges::find_if(
        reductions_, [&](const StagedReduction& reduction) { return is_step_of(write, reduction); });
    return found == reductions_.end() ? nullptr : &*found;
}

bool ReductionSearch::mark(const sched::Write& write, Arithmetic arithmetic, const Garbage& garbage) {
    if (is_marked(write)) { return false; }
    const StagedReduction* reduction = reduction_of(write);
    if (reduction == nullptr) { return false; }
    if (!allows_any_order(*reduction, arithmetic)) {
        is_kept_by_overflow_ = is_kept_by_overflow_ || may_overflow(*reduction, arithmetic);
        return false;
    }
    const auto scope =
        accumulation_scope(program_, write, [&](const sched::Write& other) { return is_step_of(other, *reduction); });
    if (!scope || has_garbage(*scope, garbage)) { return false; }
    marked_writes_.insert(scope->writes.begin(), scope->writes.end());
    marked_.push_back({*scope, reduction, write.array});
    changed_.insert(write.array);
    return true;
}

void ReductionSearch::mark_unordered(Arithmetic arithmetic) {
    for_each_write(program_.body, {}, [&](const sched::Write& write, Around around) {
        const bool is_shared = around.is_parallel && around.is_atomic;
        if (write.accumulation || is_shared || has_several_steps(write)) { mark(write, arithmetic, {}); }
    });
}

void ReductionSearch::drop(const Garbage& garbage) {
    std::erase_if(marked_, [&](const Marked& marked) {
        const bool is_dropped = has_garbage(marked.scope, garbage);
        // What was shown of its writes was shown of a reduction.
        if (is_dropped) { changed_.insert(marked.array); }
        return is_dropped;
    });
}

bool ReductionSearch::depends_on_order(Arithmetic arithmetic) const {
    return std::ranges::any_of(marked_,
                               [&](const Marked& marked) { return !allows_any_order(*marked.reduction, arithmetic); });
}

bool ReductionSearch::has_ordered_assignment(Arithmetic arithmetic) const {
    const auto accumulates = [](const sched::Write* write) { return write->accumulation.has_value(); };
    return std::ranges::any_of(marked_, [&](const Marked& marked) {
        return !allows_any_order(*marked.reduction, arithmetic) &&
               std::ranges::any_of(marked.scope.writes, accumulates);
    });
}

bool ReductionSearch::drop_ordered(Arithmetic arithmetic) {
    return std::erase_if(marked_,
                         [&](const Marked& marked) { return !allows_any_order(*marked.reduction, arithmetic); }) > 0;
}

std::set<std::string> ReductionSearch::take_marked() { return std::exchange(changed_, {}); }

Accumulations ReductionSearch::found(const Specification& specification) const {
    Accumulations result;
    for (const Marked& marked : marked_) {
        result.add({marked.array, marked.scope, *marked.reduction, steps_of(*marked.reduction, specification)});
    }
    return result;
}

}  // namespace haruspex::validator
