#pragma once

#include "generators/schedule/halide/levels.h"
#include "generators/schedule/halide/state.h"

// The directives on a tensor as a whole: compute and store levels, bounds, storage. They return an Error if a stage or
// a variable does not exist.
namespace haruspex::schedule::halide {

class PlacementDirectives {
public:
    PlacementDirectives(ScheduleState& state, const StageRef& ref, TensorState& tensor)
        : state_(state), ref_(ref), tensor_(tensor) {}

    Result<void> compute(Placement placement);
    Result<void> store(Placement placement);
    Result<void> hoist(Placement placement);
    Result<void> bound(const std::string& var, const std::optional<sare::Index>& min, const sare::Index& extent);
    Result<void> align_bounds(const AlignBounds& align);
    Result<void> reorder_storage(const ReorderStorage& order);
    Result<void> fold_storage(const FoldStorage& fold);
    Result<void> align_storage(const AlignStorage& align);
    Result<void> ring_buffer(const RingBuffer& ring);
    Result<void> async();

private:
    Result<void> check_level(const Placement& placement);
    Result<void> check_variable(const std::string& var) const;
    // Checks that an output is placed at the root. Returns whether the tensor is an output.
    bool is_at_root(const Placement& placement, const std::string& what);
    void breaks(Rule rule, const std::string& words) { state_.breaks(rule, ref_, words); }

    ScheduleState& state_;
    const StageRef& ref_;
    TensorState& tensor_;
};

// Adds the rules about this tensor alone that a complete schedule breaks. An error if the tensor is computed or stored
// at a loop that does not exist.
[[nodiscard]] std::expected<void, UnknownName> check_tensor(const ScheduleState& state, const TensorState& tensor,
                                                            Levels& levels, BrokenRules& broken);

}  // namespace haruspex::schedule::halide
