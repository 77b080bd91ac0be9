#include "generators/schedule/halide/apply.h"

#include <fmt/core.h>

#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "generators/base/overload.h"
#include "generators/schedule/halide/groups.h"
#include "generators/schedule/halide/levels.h"
#include "generators/schedule/halide/nest.h"
#include "generators/schedule/halide/placement.h"
#include "generators/schedule/halide/rfactor.h"
#include "generators/schedule/halide/text.h"

namespace haruspex::schedule::halide {

Result<void> apply_directive(ScheduleState& state, const Directive& directive) {
    if (!state.is_followed) {
        ++state.directives;
        return {};
    }
    const StageRef& ref = directive.stage;
    TensorState* tensor = state.find(ref.tensor);
    if (tensor == nullptr) { return fail(fmt::format("there is no tensor \"{}\" to schedule", ref.tensor)); }
    StageState* stage = state.find(ref);
    if (stage == nullptr) { return fail(fmt::format("there is no stage \"{}\"", print(ref))); }

    if (!state.vocabulary.has(directive.action)) {
        return refuse(ref, fmt::format("Halide {} has no {}", state.vocabulary.version, action_name(directive.action)));
    }
    NestDirectives nest(state, ref, *tensor, *stage);
    PlacementDirectives placement(state, ref, *tensor);
    // Compute and store levels, bounds and storage belong to the whole tensor.
    const auto whole = [&](auto&& action) -> Result<void> {
        if (ref.update || ref.specialization) {
            return refuse(ref, std::string(action_name(directive.action)) + " belongs to the tensor, not to a stage");
        }
        return action();
    };
    using Kind = Placement::Kind;
    auto done = std::visit(
        Overload{
            [&](const Split& a) { return nest.split(a); },
            [&](const Tile& a) { return nest.tile(a); },
            [&](const Fuse& a) { return nest.fuse(a); },
            [&](const Reorder& a) { return nest.reorder(a.vars); },
            [&](const Vectorize& a) { return nest.vectorize(a); },
            [&](const Unroll& a) { return nest.unroll(a); },
            [&](const Parallel& a) { return nest.parallel(a); },
            [&](const Serial& a) { return nest.serial(a); },
            [&](const Partition& a) { return nest.partition({a.var}, a.policy); },
            [&](const NeverPartition& a) { return nest.partition(a.vars, Partitioning::never); },
            [&](const AlwaysPartition& a) { return nest.partition(a.vars, Partitioning::always); },
            [&](const NeverPartitionAll&) { return nest.partition_all(Partitioning::never); },
            [&](const AlwaysPartitionAll&) { return nest.partition_all(Partitioning::always); },
            [&](const Prefetch& a) { return nest.prefetch(a); },
            [&](const ComputeRoot&) { return whole([&] { return placement.compute({Kind::root, {}}); }); },
            [&](const ComputeInline&) { return whole([&] { return placement.compute({Kind::inlined, {}}); }); },
            [&](const ComputeAt& a) { return whole([&] { return placement.compute({Kind::at, a.level}); }); },
            [&](const StoreRoot&) { return whole([&] { return placement.store({Kind::root, {}}); }); },
            [&](const StoreAt& a) { return whole([&] { return placement.store({Kind::at, a.level}); }); },
            [&](const HoistStorage& a) { return whole([&] { return placement.hoist({Kind::at, a.level}); }); },
            [&](const HoistStorageRoot&) { return whole([&] { return placement.hoist({Kind::root, {}}); }); },
            [&](const Bound& a) { return whole([&] { return placement.bound(a.var, a.min, a.extent); }); },
            [&](const BoundExtent& a) { return whole([&] { return placement.bound(a.var, std::nullopt, a.extent); }); },
            [&](const AlignBounds& a) { return whole([&] { return placement.align_bounds(a); }); },
            [&](const ReorderStorage& a) { return whole([&] { return placement.reorder_storage(a); }); },
            [&](const FoldStorage& a) { return whole([&] { return placement.fold_storage(a); }); },
            [&](const AlignStorage& a) { return whole([&] { return placement.align_storage(a); }); },
            [&](const RingBuffer& a) { return whole([&] { return placement.ring_buffer(a); }); },
            [&](const Specialize& a) { return nest.specialize(a); },
            [&](const Atomic& a) { return nest.atomic(a); },
            [&](const RFactor& a) { return apply_rfactor(state, ref, a); },
            [&](const ComputeWith& a) { return begin_compute_with(state, ref, *stage, a); },
            [&](const Async&) { return whole([&] { return placement.async(); }); },
        },
        directive.action);
    if (!done) { return done; }
    state.reorders_float_reductions = state.reorders_float_reductions || nest.reordered_floats();
    ++state.directives;
    return {};
}

std::expected<BrokenRules, UnknownName> check_complete(const ScheduleState& state) {
    BrokenRules broken;
    if (!state.is_followed) { return broken; }
    Levels levels(state);
    for (const TensorState& tensor : state.tensors) {
        if (auto exists = check_tensor(state, tensor, levels, broken); !exists) {
            return std::unexpected(std::move(exists.error()));
        }
    }
    check_groups(state, levels, broken);
    return broken;
}

}  // namespace haruspex::schedule::halide
