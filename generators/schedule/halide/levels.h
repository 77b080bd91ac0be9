#pragma once

#include <map>
#include <string>
#include <vector>

#include "generators/schedule/halide/state.h"

// The levels at which a tensor may be computed, stored and allocated (ComputeLegalSchedules and validate_schedule in
// ScheduleFunctions.cpp).
namespace haruspex::schedule::halide {

// A loop around a use. Halide identifies loops by tensor and name, whatever the stage.
struct Site {
    std::string tensor;
    std::string var;
    LoopKind kind = LoopKind::serial;
    StageRef stage;

    bool matches(const Site& other) const { return tensor == other.tensor && var == other.var && !var.empty(); }
    bool matches(const LoopLevel& level) const {
        return tensor == level.stage.tensor && var == level.var && !var.empty();
    }
};
// From the outermost loop to the innermost; the root is left out.
using SitePath = std::vector<Site>;

// Finds the loops around the uses of tensors in the schedule so far. Keeps a reference to the state.
class Levels {
public:
    explicit Levels(const ScheduleState& state) : state_(state) {}

    // Returns one path for each place in the loop nests that reads the tensor, directly or through inlined functions.
    const std::vector<SitePath>& uses(const std::string& tensor);
    // Returns one path for each place in the loop nests where the tensor's own loops stand.
    const std::vector<SitePath>& places(const std::string& tensor);
    // Returns the loops that all uses have around them, outermost first.
    SitePath common_sites(const std::string& tensor);
    // Adds the rules that the tensor's levels break: compute level, store level and the level where its storage is
    // allocated must enclose all uses, each must enclose the one before, and no loop between them may run iterations
    // concurrently.
    void check(const TensorState& tensor, BrokenRules& broken);
    // Whether the tensor's storage exists around the whole loop, wherever the loop uses the tensor. True for an input
    // and for a tensor that the loop does not use, false for an output, whose storage is the caller's.
    bool is_stored_outside(const std::string& tensor, const LoopLevel& loop);
    // Returns `place` followed by the stage's loops, outermost first. If the stage shares loops by compute_with, the
    // other stage's loops stand before its own, and its own copies of the shared loops count as serial.
    SitePath with_loops(const SitePath& place, const StageRef& ref, const StageState& stage, int depth = 0) const;

private:
    void check_path(const TensorState& tensor, const SitePath& path, BrokenRules& broken) const;

    const ScheduleState& state_;
    std::map<std::string, std::vector<SitePath>> uses_, places_;
};

}  // namespace haruspex::schedule::halide
