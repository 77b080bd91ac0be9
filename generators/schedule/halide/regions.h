#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "generators/schedule/halide/state.h"

// The cells over which a scheduled program computes its tensors: an over-approximation of Halide's bounds inference, by
// interval arithmetic on symbolic indices.
namespace haruspex::schedule::halide {

struct SymbolicRange {
    sare::Index low, high;  // both included, over the parameters
    // If false, fewer cells may be computed.
    bool is_exact = true;
};
// One range for each dimension; nullopt if no bound is known.
using SymbolicBox = std::vector<std::optional<SymbolicRange>>;

// The distance by which a stage's splits make it compute beyond the ends of one of the tensor's variables.
struct Overshoot {
    std::int64_t below = 0, above = 0;
};
Overshoot overshoot(const StageState& stage, const std::string& variable);

// The cells that every tensor's readers, including its own updates, require of it. An output's box is required.
std::map<std::string, SymbolicBox> required_boxes(const ScheduleState& state, const std::vector<sare::Output>& outputs);

}  // namespace haruspex::schedule::halide
