#include "oracle/validator/reduction_search.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "harness/sched/traverse.h"
#include "oracle/validator/flow/accumulation.h"

namespace haruspex::validator {
namespace {

bool has_garbage(const AccumulationScope& scope, const Garbage& garbage) {
    return std::ranges::any_of(scope.writes, [&](const sched::Write* write) { return garbage.contains(write); });
}

bool allows(const ReductionSearch::Arithmetic& arithmetic, const StagedReduction& reduction) {
    return allows_any_order(reduction, arithmetic.exact_reals, arithmetic.are_numbers, arithmetic.regroups_sums);
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
    if (reduction == nullptr || !allows(arithmetic, *reduction)) { return false; }
    const auto scope =
        accumulation_scope(program_, write, [&](const sched::Write& other) { return is_step_of(other, *reduction); });
    if (!scope || has_garbage(*scope, garbage)) { return false; }
    marked_writes_.insert(scope->writes.begin(), scope->writes.end());
    marked_.push_back({*scope, reduction, write.array});
    changed_.insert(write.array);
    return true;
}

void ReductionSearch::mark_accumulating_assignments(Arithmetic arithmetic) {
    sched::for_each_statement(program_.body, [&](const sched::Stmt& stmt) {
        const auto* assign = std::get_if<sched::Assign>(&stmt.node);
        if (assign == nullptr) { return; }
        for (const sched::Write& write : assign->writes) {
            if (write.accumulation) { mark(write, arithmetic, {}); }
        }
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
    return std::ranges::any_of(marked_, [&](const Marked& marked) { return !allows(arithmetic, *marked.reduction); });
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
