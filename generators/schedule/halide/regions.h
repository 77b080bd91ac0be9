#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "generators/schedule/halide/state.h"

// Finds the cells over which a scheduled program computes its tensors. Over-approximates Halide's bounds inference, by
// interval arithmetic on symbolic indices.
namespace haruspex::schedule::halide {

struct SymbolicRange {
    sare::Index low, high;  // both included, over the parameters
    // If false, fewer cells may be computed.
    bool is_exact = true;
};
// One range for each dimension; nullopt if no bound is known.
using SymbolicBox = std::vector<std::optional<SymbolicRange>>;

// The distances by which a stage computes beyond the lower and upper end of a variable's range because of its splits.
struct Overshoot {
    std::int64_t below = 0, above = 0;
};
Overshoot overshoot(const StageState& stage, const std::string& variable);

// Returns for each tensor the cells that its readers require, its own updates included. An output's box is required,
// too.
std::map<std::string, SymbolicBox> required_boxes(const ScheduleState& state, const std::vector<sare::Output>& outputs);

}  // namespace haruspex::schedule::halide
