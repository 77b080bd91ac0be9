#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "generators/sare/syntax.h"
#include "harness/sched/syntax.h"
#include "oracle/validator/evaluation/garbage.h"
#include "oracle/validator/evaluation/reduction.h"
#include "oracle/validator/specification/specification.h"
#include "oracle/validator/specification/staged_reductions.h"

namespace haruspex::validator {

// Collects the scopes of reductions over the rounds of evaluation. A write that prophesies a step of an update is first
// taken to run in the update's own order; if its equation is not shown, its scope is evaluated as a reduction in any
// order in the next round.
class ReductionSearch {
public:
    // The arguments must outlive it.
    ReductionSearch(const sare::Sare& sare, const sched::Program& program);

    // The scopes are evaluated with a specification that has the steps of all reductions.
    const std::vector<StagedReduction>& reductions() const { return reductions_; }

    // Marks the scope of the write, and returns true, if the write prophesies a step of a reduction whose order does not
    // matter, nothing in the scope is garbage, and the scope is not marked yet.
    bool mark(const sched::Write& write, Arithmetic arithmetic, const Garbage& garbage);
    // Marks the scopes of what cannot run in the specification's order: all accumulating assignments, updates in atomic
    // blocks inside parallel loops, and writes that reduce several steps.
    void mark_unordered(Arithmetic arithmetic);
    // Drops the scopes in which a write is garbage.
    void drop(const Garbage& garbage);

    bool is_marked(const sched::Write& write) const { return marked_writes_.contains(&write); }
    bool has_any() const { return !marked_.empty(); }
    // Whether the order matters of some reduction that is marked.
    bool depends_on_order(Arithmetic arithmetic) const;
    // Whether a write was not marked only because the sums of its reduction may overflow.
    bool is_kept_by_overflow() const { return is_kept_by_overflow_; }
    // Whether that is so of an accumulating assignment, which has no other meaning.
    bool has_ordered_assignment(Arithmetic arithmetic) const;
    // Drops the scopes of reductions whose order matters. Returns whether there were any.
    bool drop_ordered(Arithmetic arithmetic);
    // Whether some scope was marked since the last call of take_marked.
    bool has_marked() const { return !changed_.empty(); }
    // Returns the arrays of the scopes marked since the last call.
    std::set<std::string> take_marked();

    // The marked scopes. The specification must have the steps of the reductions.
    Accumulations found(const Specification& specification) const;

private:
    struct Marked {
        AccumulationScope scope;
        const StagedReduction* reduction;
        std::string array;
    };

    const StagedReduction* reduction_of(const sched::Write& write) const;

    const sched::Program& program_;
    std::vector<StagedReduction> reductions_;
    std::vector<Marked> marked_;
    std::set<const sched::Write*> marked_writes_;
    std::set<std::string> changed_;
    bool is_kept_by_overflow_ = false;
};

}  // namespace haruspex::validator
