#include "generators/schedule/halide/placement.h"

#include <fmt/core.h>

#include <algorithm>

#include "generators/sare/traverse.h"
#include "generators/schedule/halide/extents.h"
#include "generators/schedule/halide/folding.h"
#include "generators/schedule/halide/linear.h"
#include "generators/schedule/halide/partitioning.h"
#include "generators/schedule/halide/text.h"

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

// The loop that makes an atomic stage parallel, if it has one.
const Loop* parallel_loop(const StageState& stage) {
    const auto& loops = stage.nest.loops;
    const auto parallel = std::ranges::find(loops, LoopKind::parallel, &Loop::kind);
    return stage.nest.atomic && parallel != loops.end() ? &*parallel : nullptr;
}

// The stage and its branches.
std::vector<const StageState*> branches(const StageState& stage) {
    std::vector<const StageState*> all{&stage};
    for (const StageState& branch : stage.specializations) { all.push_back(&branch); }
    return all;
}

void check_atomics(const StageRef& ref, const TensorState& tensor, Levels& levels, BrokenRules& broken) {
    const Loop* any = nullptr;
    for (std::size_t s = 0; s < tensor.stages.size(); ++s) {
        for (const StageState* branch : branches(tensor.stages[s])) {
            const Loop* parallel = parallel_loop(*branch);
            if (parallel == nullptr) { continue; }
            any = parallel;
            // "Atomic predicated store is not supported."
            const auto& splits = branch->splits;
            if (s > 0 && std::ranges::find(splits, Tail::predicate_stores, &SplitRecord::tail) != splits.end()) {
                broken.push_back({Rule::atomic_storage, parallel->marked_by,
                                  said_of(ref, "an atomic parallel update cannot have predicated stores")});
            }
        }
    }
    if (any == nullptr) { return; }
    // "Cannot vectorize an allocation with a varying new_expr per vector lane": the mutex of an atomic parallel stage.
    for (const SitePath& place : levels.places(tensor.name())) {
        if (std::ranges::find(place, LoopKind::vectorized, &Site::kind) != place.end()) {
            broken.push_back({Rule::atomic_storage, any->marked_by,
                              said_of(ref, "an atomic parallel stage cannot be computed inside a vectorized loop")});
            return;
        }
    }
}

// Adds the rules that the prefetches of a stage break. An error if they name a loop that does not exist.
std::expected<void, UnknownName> check_prefetches(const StageRef& ref, const StageState& stage, Levels& levels,
                                                  BrokenRules& broken) {
    const auto& loops = stage.nest.loops;
    for (const auto& [prefetch, directive] : stage.prefetches) {
        for (const std::string& var : {prefetch.at, prefetch.from}) {
            if (std::ranges::find(loops, var, &Loop::var) != loops.end()) { continue; }
            return std::unexpected(
                UnknownName{directive, said_of(ref, fmt::format("there is no loop over \"{}\"", var))});
        }
        // "Prefetch 'from' variable … could not be found in an active loop."
        if (std::ranges::find(loops, prefetch.from, &Loop::var) < std::ranges::find(loops, prefetch.at, &Loop::var)) {
            broken.push_back({Rule::enclosing_fetch, directive,
                              said_of(ref, fmt::format("\"{}\" is not a loop around \"{}\", in which it fetches",
                                                       prefetch.from, prefetch.at))});
        }
        if (!levels.is_stored_outside(prefetch.tensor, {ref, prefetch.at})) {
            broken.push_back({Rule::stored_fetch, directive,
                              said_of(ref, fmt::format("\"{}\" is not stored outside of \"{}\", in which it is fetched",
                                                       prefetch.tensor, prefetch.at))});
        }
    }
    return {};
}

// Adds the rule that loops break that are always to be partitioned.
void check_partitions(const StageRef& ref, const TensorState& tensor, const StageState& stage, BrokenRules& broken) {
    const std::vector<bool> may_be = may_always_be_partitioned(tensor, stage);
    for (std::size_t i = 0; i < may_be.size(); ++i) {
        const Loop& loop = stage.nest.loops[i];
        if (!loop.always_partitioned_by || may_be[i]) { continue; }
        broken.push_back({Rule::certain_partition, *loop.always_partitioned_by,
                          said_of(ref, fmt::format("nothing in \"{}\" is certain to partition it",
                                                   loop.var.empty() ? loop.path : loop.var))});
    }
}

// Adds the rule about the copies of a tensor's storage.
void check_ring(const StageRef& ref, const TensorState& tensor, BrokenRules& broken) {
    if (!tensor.ring_directive || tensor.is_inlined()) { return; }
    if (tensor.hoist && !(*tensor.hoist == tensor.store_level())) { return; }
    broken.push_back({Rule::hoisted_ring, *tensor.ring_directive,
                      said_of(ref, "storage with copies must be allocated outside the level where it is stored")});
}

// Adds the broken rules of the tensor's stages and their branches, each by itself.
std::expected<void, UnknownName> check_stages(const TensorState& tensor, Levels& levels, BrokenRules& broken) {
    for (std::size_t s = 0; s < tensor.stages.size(); ++s) {
        StageRef ref{tensor.name(), std::nullopt, std::nullopt};
        if (s > 0) { ref.update = static_cast<int>(s) - 1; }
        const auto all = branches(tensor.stages[s]);
        for (std::size_t b = 0; b < all.size(); ++b) {
            if (b > 0) { ref.specialization = static_cast<int>(b) - 1; }
            check_partitions(ref, tensor, *all[b], broken);
            if (auto exists = check_prefetches(ref, *all[b], levels, broken); !exists) { return exists; }
        }
    }
    return {};
}

// Adds the broken rules of an inlined tensor: a marked loop, a specialization, or a task of its own.
void check_inlined(const StageRef& ref, const TensorState& tensor, BrokenRules& broken) {
    const auto breaks = [&](std::size_t directive, const std::string& words) {
        broken.push_back({Rule::plainly_inlined, directive, said_of(ref, "computed inline, so " + words)});
    };
    // Splits and reorderings of an inlined function have no effect; Halide only warns.
    if (!tensor.stages[0].specializations.empty()) {
        breaks(tensor.stages[0].specialize_directive, "it must not be specialized");
    }
    if (tensor.is_async) { breaks(tensor.async_directive, "it has no task of its own"); }
    for (const Loop& loop : tensor.stages[0].nest.loops) {
        if (loop.kind == LoopKind::serial) { continue; }
        breaks(loop.marked_by, fmt::format("\"{}\" cannot be {}", loop.var, kind_name(loop.kind)));
    }
}

}  // namespace

Result<void> PlacementDirectives::check_level(const Placement& placement) {
    if (placement.kind != Placement::Kind::at) { return {}; }
    const LoopLevel& level = placement.level;
    if (level.stage.specialization) { return refuse(ref_, "a level names a stage, not a specialization"); }
    if (state_.find(level.stage) == nullptr) {
        return refuse(ref_, fmt::format("there is no stage \"{}\"", print(level.stage)));
    }
    if (level.stage.tensor == ref_.tensor) {
        breaks(Rule::enclosing_level, "a tensor cannot be computed or stored inside its own loops");
    }
    return {};
}

// "is an output, so must be scheduled compute_root (which is the default)"
bool PlacementDirectives::is_at_root(const Placement& placement, const std::string& what) {
    if (tensor_.is_output && placement.kind != Placement::Kind::root) {
        breaks(Rule::output_at_root, fmt::format("an output must be {} at root", what));
    }
    return tensor_.is_output;
}

Result<void> PlacementDirectives::compute(Placement placement) {
    if (auto exists = check_level(placement); !exists) { return exists; }
    if (is_at_root(placement, "computed")) { return {}; }
    placement.directive = state_.directives;
    tensor_.compute = std::move(placement);
    return {};
}

Result<void> PlacementDirectives::store(Placement placement) {
    if (auto exists = check_level(placement); !exists) { return exists; }
    if (is_at_root(placement, "stored")) { return {}; }
    placement.directive = state_.directives;
    tensor_.store = std::move(placement);
    return {};
}

Result<void> PlacementDirectives::hoist(Placement placement) {
    if (auto exists = check_level(placement); !exists) { return exists; }
    if (is_at_root(placement, "stored")) { return {}; }
    placement.directive = state_.directives;
    tensor_.hoist = std::move(placement);
    return {};
}

Result<void> PlacementDirectives::check_variable(const std::string& var) const {
    const auto& variables = tensor_.facts->function.variables;
    // "… is not one of the pure variables of …"
    if (std::ranges::find(variables, var) == variables.end()) {
        return refuse(ref_, fmt::format("\"{}\" is not one of the tensor's variables", var));
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
                return refuse(ref_, fmt::format("the bound depends on \"{}\", which is not a parameter", name));
            }
        }
    }
    // If there are several bounds, different passes of Halide use different ones.
    if (std::ranges::find(tensor_.bounds, var, &BoundState::var) != tensor_.bounds.end()) {
        breaks(Rule::bounds_once, fmt::format("\"{}\" already has bounds", var));
        return {};
    }
    const auto constant = constant_value(extent);
    if (constant && *constant < 1) { breaks(Rule::positive_extent, "the extent of a bound must be positive"); }
    tensor_.bounds.push_back({var, min, extent, 0, 0, state_.directives});
    // Without a minimum Halide uses the extent only where the tensor is computed as a whole, as an output always is.
    if (constant && *constant > 0 && (min || tensor_.is_output)) {
        for (StageState& stage : tensor_.stages) { set_extent(stage, var, *constant); }
    }
    return {};
}

Result<void> PlacementDirectives::align_bounds(const AlignBounds& align) {
    if (auto legal = check_variable(align.var); !legal) { return legal; }
    if (align.modulus < 1) {
        breaks(Rule::positive_modulus, "the modulus of align_bounds must be positive");
        return {};
    }
    if (std::ranges::find(tensor_.bounds, align.var, &BoundState::var) != tensor_.bounds.end()) {
        breaks(Rule::bounds_once, fmt::format("\"{}\" already has bounds", align.var));
        return {};
    }
    const std::int64_t remainder = ((align.remainder % align.modulus) + align.modulus) % align.modulus;
    tensor_.bounds.push_back({align.var, std::nullopt, std::nullopt, align.modulus, remainder, state_.directives});
    return {};
}

Result<void> PlacementDirectives::reorder_storage(const ReorderStorage& order) {
    // "reorder_storage must have at least two dimensions in reorder list"
    if (order.vars.size() < 2) { breaks(Rule::storage_order, "reorder_storage needs at least two variables"); }
    for (std::size_t i = 0; i < order.vars.size(); ++i) {
        if (auto legal = check_variable(order.vars[i]); !legal) { return legal; }
        if (std::find(order.vars.begin(), order.vars.begin() + static_cast<std::ptrdiff_t>(i), order.vars[i]) !=
            order.vars.begin() + static_cast<std::ptrdiff_t>(i)) {
            breaks(Rule::storage_order, fmt::format("reorder_storage names \"{}\" twice", order.vars[i]));
        }
    }
    return {};
}

Result<void> PlacementDirectives::fold_storage(const FoldStorage& fold) {
    if (auto legal = check_variable(fold.var); !legal) { return legal; }
    if (fold.factor < 1) {
        breaks(Rule::positive_fold, "a fold factor must be positive");
        return {};
    }
    if (tensor_.is_output) {
        breaks(Rule::certain_fold, "an output's storage belongs to the caller and cannot be folded");
        return {};
    }
    if (std::ranges::find(tensor_.folds, fold.var, &FoldState::var) != tensor_.folds.end()) {
        breaks(Rule::certain_fold, fmt::format("the storage of \"{}\" is already folded", fold.var));
        std::erase_if(tensor_.folds, [&](const FoldState& known) { return known.var == fold.var; });
    }
    tensor_.folds.push_back({fold.var, fold.factor, fold.forward, state_.directives});
    return {};
}

// Of two calls for one variable Halide keeps the last.
Result<void> PlacementDirectives::align_storage(const AlignStorage& align) {
    if (auto legal = check_variable(align.var); !legal) { return legal; }
    if (align.alignment < 1) { breaks(Rule::positive_alignment, "the alignment of align_storage must be positive"); }
    return {};
}

// Of two calls Halide keeps the last. Nothing happens to the storage of an output.
Result<void> PlacementDirectives::ring_buffer(const RingBuffer& ring) {
    if (ring.extent < 1) { breaks(Rule::positive_ring, "the extent of ring_buffer must be positive"); }
    if (!tensor_.is_output) { tensor_.ring_directive = state_.directives; }
    return {};
}

// Halide accepts it everywhere, and silently ignores it for outputs and inlined functions.
Result<void> PlacementDirectives::async() {
    if (tensor_.is_output) {
        breaks(Rule::async_consumers, "an output has no consumers that could run concurrently with it");
        return {};
    }
    tensor_.is_async = true;
    tensor_.async_directive = state_.directives;
    return {};
}

std::expected<void, UnknownName> check_tensor(const ScheduleState& state, const TensorState& tensor, Levels& levels,
                                              BrokenRules& broken) {
    const StageRef ref{tensor.name(), std::nullopt, std::nullopt};
    // Unused functions are not checked.
    if (!tensor.is_output && levels.uses(tensor.name()).empty()) { return {}; }
    if (tensor.is_inlined()) { check_inlined(ref, tensor, broken); }
    for (const Placement* placement :
         {&tensor.compute, tensor.store ? &*tensor.store : nullptr, tensor.hoist ? &*tensor.hoist : nullptr}) {
        if (placement == nullptr || placement->kind != Placement::Kind::at) { continue; }
        const StageState* stage = state.find(placement->level.stage);
        const auto& loops = stage->nest.loops;
        if (placement->level.var.empty() || std::ranges::find(loops, placement->level.var, &Loop::var) == loops.end()) {
            const std::string loop =
                fmt::format("\"{}\" has no loop over \"{}", print(placement->level.stage), placement->level.var);
            return std::unexpected(UnknownName{placement->directive, said_of(ref, loop + "\"")});
        }
    }
    if (!tensor.is_output) { levels.check(tensor, broken); }
    check_atomics(ref, tensor, levels, broken);
    for (const FoldState& fold : tensor.folds) {
        if (auto certain = check_fold(state, tensor, fold, levels); !certain) {
            broken.push_back({Rule::certain_fold, fold.directive, std::move(certain.error().message)});
        }
    }
    check_extents(state, tensor, broken);
    check_ring(ref, tensor, broken);
    // Loops of an inlined tensor are never made.
    return tensor.is_inlined() ? std::expected<void, UnknownName>() : check_stages(tensor, levels, broken);
}

}  // namespace haruspex::schedule::halide
