#include "generators/schedule/halide/placement.h"

#include <algorithm>

#include "generators/sare/traverse.h"
#include "generators/schedule/halide/folding.h"
#include "generators/schedule/halide/linear.h"
#include "generators/schedule/text.h"

namespace haruspex::schedule::halide {
namespace {

void set_extent(StageState& stage, const std::string& var, std::int64_t extent) {
    for (Loop& loop : stage.nest.loops) {
        if (loop.path == var && !loop.is_rvar) { loop.extent = extent; }
    }
    for (StageState& branch : stage.specializations) { set_extent(branch, var, extent); }
}

std::string kind_name(LoopKind kind) {
    switch (kind) {
        case LoopKind::serial: return "serial";
        case LoopKind::parallel: return "parallel";
        case LoopKind::vectorized: return "vectorized";
        case LoopKind::unrolled: return "unrolled";
    }
    return "";
}

bool is_atomic_and_parallel(const StageState& stage) {
    const auto& loops = stage.nest.loops;
    return stage.nest.atomic && std::ranges::find(loops, LoopKind::parallel, &Loop::kind) != loops.end();
}

bool any_branch(const StageState& stage, bool (*holds)(const StageState&)) {
    return holds(stage) ||
           std::ranges::any_of(stage.specializations, [&](const StageState& branch) { return holds(branch); });
}

Result<void> check_atomics(const StageRef& ref, const TensorState& tensor, Levels& levels) {
    bool any = false;
    for (std::size_t s = 0; s < tensor.stages.size(); ++s) {
        any = any || any_branch(tensor.stages[s], is_atomic_and_parallel);
        // "Atomic predicated store is not supported."
        const bool predicated =
            s > 0 && any_branch(tensor.stages[s], [](const StageState& branch) {
                return is_atomic_and_parallel(branch) && std::ranges::find(branch.splits, Tail::predicate_stores,
                                                                           &SplitRecord::tail) != branch.splits.end();
            });
        if (predicated) { return refuse(ref, "an atomic parallel update cannot have predicated stores"); }
    }
    if (!any) { return {}; }
    // "Cannot vectorize an allocation with a varying new_expr per vector lane": the mutex of an atomic parallel stage.
    for (const SitePath& place : levels.places(tensor.name())) {
        if (std::ranges::find(place, LoopKind::vectorized, &Site::kind) != place.end()) {
            return refuse(ref, "an atomic parallel stage cannot be computed inside a vectorized loop");
        }
    }
    return {};
}

}  // namespace

Result<void> PlacementDirectives::check_level(const Placement& placement) const {
    if (placement.kind != Placement::Kind::at) { return {}; }
    const LoopLevel& level = placement.level;
    if (level.stage.specialization) { return refuse(ref_, "a level names a stage, not a specialization"); }
    if (state_.find(level.stage) == nullptr) {
        return refuse(ref_, "there is no stage \"" + print(level.stage) + "\"");
    }
    if (level.stage.tensor == ref_.tensor) { return refuse(ref_, "a tensor has no place inside its own loops"); }
    return {};
}

Result<void> PlacementDirectives::compute(Placement placement) {
    if (auto legal = check_level(placement); !legal) { return legal; }
    // "is an output, so must be scheduled compute_root (which is the default)"
    if (tensor_.is_output && placement.kind != Placement::Kind::root) {
        return refuse(ref_, "an output is computed at root");
    }
    tensor_.compute = std::move(placement);
    return {};
}

Result<void> PlacementDirectives::store(Placement placement) {
    if (auto legal = check_level(placement); !legal) { return legal; }
    if (tensor_.is_output && placement.kind != Placement::Kind::root) {
        return refuse(ref_, "an output is stored at root");
    }
    tensor_.store = std::move(placement);
    return {};
}

Result<void> PlacementDirectives::check_variable(const std::string& var) const {
    const auto& variables = tensor_.facts->function.variables;
    // "… is not one of the pure variables of …"
    if (std::ranges::find(variables, var) == variables.end()) {
        return refuse(ref_, "\"" + var + "\" is not one of the tensor's variables");
    }
    return {};
}

Result<void> PlacementDirectives::bound(const std::string& var, const std::optional<sare::Index>& min,
                                        const sare::Index& extent) {
    if (auto legal = check_variable(var); !legal) { return legal; }
    for (const sare::Index* index : {min ? &*min : nullptr, &extent}) {
        if (index == nullptr) { continue; }
        for (const std::string& name : sare::free_variables(*index)) {
            if (std::ranges::find(*state_.parameters, name) == state_.parameters->end()) {
                return refuse(ref_, "the bound depends on \"" + name + "\", which is not a parameter");
            }
        }
    }
    // Halide's passes look at different ones of several bounds.
    if (std::ranges::find(tensor_.bounds, var, &BoundState::var) != tensor_.bounds.end()) {
        return refuse(ref_, "\"" + var + "\" already has bounds");
    }
    const auto constant = constant_value(extent);
    if (constant && *constant < 1) { return refuse(ref_, "the extent of a bound must be positive"); }
    tensor_.bounds.push_back({var, min, extent, 0, 0, state_.directives});
    // Without a minimum Halide only uses the extent where the tensor is computed as a whole, which an output always is.
    if (constant && (min || tensor_.is_output)) {
        for (StageState& stage : tensor_.stages) { set_extent(stage, var, *constant); }
    }
    return {};
}

Result<void> PlacementDirectives::align_bounds(const AlignBounds& align) {
    if (auto legal = check_variable(align.var); !legal) { return legal; }
    if (align.modulus < 1) { return refuse(ref_, "the modulus of align_bounds must be positive"); }
    if (std::ranges::find(tensor_.bounds, align.var, &BoundState::var) != tensor_.bounds.end()) {
        return refuse(ref_, "\"" + align.var + "\" already has bounds");
    }
    const std::int64_t remainder = ((align.remainder % align.modulus) + align.modulus) % align.modulus;
    tensor_.bounds.push_back({align.var, std::nullopt, std::nullopt, align.modulus, remainder, state_.directives});
    return {};
}

Result<void> PlacementDirectives::reorder_storage(const ReorderStorage& order) {
    // "reorder_storage must have at least two dimensions in reorder list"
    if (order.vars.size() < 2) { return refuse(ref_, "reorder_storage names at least two variables"); }
    for (std::size_t i = 0; i < order.vars.size(); ++i) {
        if (auto legal = check_variable(order.vars[i]); !legal) { return legal; }
        if (std::find(order.vars.begin(), order.vars.begin() + static_cast<std::ptrdiff_t>(i), order.vars[i]) !=
            order.vars.begin() + static_cast<std::ptrdiff_t>(i)) {
            return refuse(ref_, "reorder_storage names \"" + order.vars[i] + "\" twice");
        }
    }
    return {};
}

Result<void> PlacementDirectives::fold_storage(const FoldStorage& fold) {
    if (auto legal = check_variable(fold.var); !legal) { return legal; }
    if (fold.factor < 1) { return refuse(ref_, "a fold factor must be positive"); }
    if (tensor_.is_output) { return refuse(ref_, "an output's storage is the caller's and cannot be folded"); }
    if (std::ranges::find(tensor_.folds, fold.var, &FoldState::var) != tensor_.folds.end()) {
        return refuse(ref_, "the storage of \"" + fold.var + "\" is already folded");
    }
    tensor_.folds.push_back({fold.var, fold.factor, fold.forward, state_.directives});
    return {};
}

// Halide takes it everywhere, and in silence does nothing about outputs and what is computed inline.
Result<void> PlacementDirectives::async() {
    if (tensor_.is_output) { return refuse(ref_, "an output has no consumers that could run beside it"); }
    tensor_.is_async = true;
    return {};
}

Result<void> check_tensor(const ScheduleState& state, const TensorState& tensor, Levels& levels) {
    const StageRef ref{tensor.name(), std::nullopt, std::nullopt};
    // Functions that nothing uses do not take part.
    if (!tensor.is_output && levels.uses(tensor.name()).empty()) { return {}; }
    if (tensor.is_inlined()) {
        // Splits and reorderings of an inlined function are meaningless to Halide and only draw a warning.
        if (!tensor.stages[0].specializations.empty()) {
            return refuse(ref, "computed inline, so it must not be specialized");
        }
        if (tensor.is_async) { return refuse(ref, "computed inline, so it has no task of its own"); }
        for (const Loop& loop : tensor.stages[0].nest.loops) {
            if (loop.kind != LoopKind::serial) {
                return refuse(ref, "computed inline, so \"" + loop.var + "\" cannot be " + kind_name(loop.kind));
            }
        }
    }
    for (const Placement* placement : {&tensor.compute, tensor.store ? &*tensor.store : nullptr}) {
        if (placement == nullptr || placement->kind != Placement::Kind::at) { continue; }
        const StageState* stage = state.find(placement->level.stage);
        const auto& loops = stage->nest.loops;
        if (placement->level.var.empty() || std::ranges::find(loops, placement->level.var, &Loop::var) == loops.end()) {
            return refuse(
                ref, "\"" + print(placement->level.stage) + "\" has no loop over \"" + placement->level.var + "\"");
        }
    }
    if (!tensor.is_output) {
        if (auto legal = levels.check(tensor); !legal) { return legal; }
    }
    if (auto legal = check_atomics(ref, tensor, levels); !legal) { return legal; }
    for (const FoldState& fold : tensor.folds) {
        if (auto legal = check_fold(state, tensor, fold, levels); !legal) { return legal; }
    }
    return {};
}

}  // namespace haruspex::schedule::halide
