#include "harness/halide/reduction_order.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace haruspex::halide {
namespace {

using namespace Halide::Internal;

// Whether a split only renames a variable. If Halide has a kind of split of its own for variables that rfactor
// preserves, it counts as well.
template <typename AnySplit>
bool is_renaming(const AnySplit& split) {
    if constexpr (requires { AnySplit::PurifyRVar; }) {
        if (split.split_type == AnySplit::PurifyRVar) { return true; }
    }
    return split.split_type == AnySplit::RenameVar;
}

struct Loop {
    std::string variable;
    bool is_ordered = false;  // its iterations may depend on each other
};

// The loops, outermost first, with splits, fusions and renamings undone one after the other. Undoing a split puts the
// variable in the place of the outer loop; no other ordered loop may run between the two. Undoing a fusion makes both
// loops ordered if the fused one is, except those in `pure`: names derived from the function's own variables alone.
class Loops {
public:
    explicit Loops(const std::vector<Dim>& dims) {
        for (auto dim = dims.rbegin(); dim != dims.rend(); ++dim) {
            const bool is_ordered = dim->dim_type == DimType::ImpureRVar;
            const bool runs_in_order = dim->for_type == ForType::Serial || dim->for_type == ForType::Unrolled;
            if (is_ordered && !runs_in_order) { keeps_order_ = false; }
            loops_.push_back({dim->var, is_ordered});
        }
    }

    void undo(const Split& split, const std::set<std::string>& pure) {
        if (is_renaming(split)) {
            if (const auto loop = find(split.outer); loop != loops_.end()) { loop->variable = split.old_var; }
            return;
        }
        switch (split.split_type) {
            case Split::SplitVar: return undo_split(split);
            case Split::FuseVars: {
                const auto fused = find(split.old_var);
                if (fused == loops_.end()) { return; }
                const bool is_ordered = fused->is_ordered;
                *fused = {split.outer, is_ordered && !pure.contains(split.outer)};
                loops_.insert(fused + 1, {split.inner, is_ordered && !pure.contains(split.inner)});
                return;
            }
            default: keeps_order_ = false; return;
        }
    }

    // Whether the ordered loops are `variables` from last to first, possibly with gaps.
    bool are_in_order(const std::vector<ReductionVariable>& variables) const {
        auto next = variables.rbegin();
        for (const Loop& loop : loops_) {
            const auto is_it = [&](const ReductionVariable& v) { return v.var == loop.variable; };
            if (!loop.is_ordered || std::ranges::none_of(variables, is_it)) { continue; }
            next = std::find_if(next, variables.rend(), is_it);
            if (next == variables.rend()) { return false; }
        }
        return keeps_order_;
    }

private:
    std::vector<Loop>::iterator find(const std::string& variable) {
        return std::ranges::find(loops_, variable, &Loop::variable);
    }

    void undo_split(const Split& split) {
        const auto outer = find(split.outer);
        const auto inner = find(split.inner);
        if (outer == loops_.end() || inner == loops_.end()) {
            keeps_order_ = false;
            return;
        }
        const bool is_ordered = outer->is_ordered || inner->is_ordered;
        if (is_ordered) {
            const bool nested = outer < inner;
            if (!nested || std::any_of(outer + 1, inner, [](const Loop& loop) { return loop.is_ordered; })) {
                keeps_order_ = false;
            }
        }
        *outer = {split.old_var, is_ordered};
        loops_.erase(inner);
    }

    std::vector<Loop> loops_;
    bool keeps_order_ = true;
};

// Returns, for the time before each split, the names derived from these variables alone.
std::vector<std::set<std::string>> pure_before(const std::vector<Split>& splits, std::set<std::string> pure) {
    std::vector<std::set<std::string>> before;
    for (const Split& split : splits) {
        before.push_back(pure);
        const auto set = [&](const std::string& name, bool is_pure) {
            if (is_pure) {
                pure.insert(name);
            } else {
                pure.erase(name);
            }
        };
        if (split.split_type == Split::FuseVars) {
            set(split.old_var, pure.contains(split.outer) && pure.contains(split.inner));
        } else {
            const bool is_pure = pure.contains(split.old_var);
            set(split.outer, is_pure);
            if (!is_renaming(split)) { set(split.inner, is_pure); }
        }
    }
    return before;
}

bool keeps_order(const Definition& definition, const std::vector<ReductionVariable>& variables,
                 const std::set<std::string>& pure) {
    const StageSchedule& schedule = definition.schedule();
    const std::vector<Split>& splits = schedule.splits();
    const auto before = pure_before(splits, pure);
    Loops loops(schedule.dims());
    for (std::size_t k = splits.size(); k > 0; --k) { loops.undo(splits[k - 1], before[k - 1]); }
    if (!loops.are_in_order(variables)) { return false; }
    return std::ranges::all_of(definition.specializations(), [&](const Specialization& specialization) {
        return keeps_order(specialization.definition, variables, pure);
    });
}

bool runs_step_by_step(const Definition& definition) {
    const bool is_atomic = definition.schedule().atomic();
    const bool has_steps = std::ranges::all_of(definition.schedule().dims(), [&](const Dim& dim) {
        const bool is_at_once = dim.for_type == ForType::Parallel || dim.for_type == ForType::Vectorized;
        return dim.dim_type != DimType::ImpureRVar || dim.for_type == ForType::Serial ||
               dim.for_type == ForType::Unrolled || (is_atomic && is_at_once);
    });
    return has_steps && std::ranges::all_of(definition.specializations(), [](const Specialization& specialization) {
               return runs_step_by_step(specialization.definition);
           });
}

// Whether the operation may overflow, which is undefined, in one order and not in another. Of sums too, but they are
// proved as long as no partial sum overflows.
bool may_overflow(const Halide::Expr& operation) {
    const Halide::Type type = operation.type();
    const bool is_bound = operation.as<Min>() != nullptr || operation.as<Max>() != nullptr;
    return type.is_int() && type.bits() >= 32 && !is_bound && operation.as<Add>() == nullptr;
}

}  // namespace

bool reduces_in_any_order(const Function& function, int update) {
    const Definition& definition = function.update(update);
    if (!runs_step_by_step(definition)) { return false; }
    const AssociativeOp operation = prove_associativity(function.name(), definition.args(), definition.values());
    return operation.associative() && operation.commutative() &&
           std::ranges::none_of(operation.pattern.ops, may_overflow);
}

bool keeps_order(const Function& function, int update) {
    const Definition& definition = function.update(update);
    const std::vector<std::string> own = function.args();
    return keeps_order(definition, definition.schedule().rvars(), {own.begin(), own.end()});
}

}  // namespace haruspex::halide
