#pragma once

#include "generators/schedule/halide/levels.h"
#include "generators/schedule/halide/state.h"

// The directives that concern a tensor as a whole: where it is computed and stored, its bounds, its storage.
namespace haruspex::schedule::halide {

class PlacementDirectives {
public:
    PlacementDirectives(const ScheduleState& state, const StageRef& ref, TensorState& tensor)
        : state_(state), ref_(ref), tensor_(tensor) {}

    Result<void> compute(Placement placement);
    Result<void> store(Placement placement);
    Result<void> bound(const std::string& var, const std::optional<sare::Index>& min, const sare::Index& extent);
    Result<void> align_bounds(const AlignBounds& align);
    Result<void> reorder_storage(const ReorderStorage& order);
    Result<void> fold_storage(const FoldStorage& fold);
    Result<void> async();

private:
    Result<void> check_level(const Placement& placement) const;
    Result<void> check_variable(const std::string& var) const;

    const ScheduleState& state_;
    const StageRef& ref_;
    TensorState& tensor_;
};

// What a complete schedule must satisfy for this tensor alone.
[[nodiscard]] Result<void> check_tensor(const ScheduleState& state, const TensorState& tensor, Levels& levels);

}  // namespace haruspex::schedule::halide
