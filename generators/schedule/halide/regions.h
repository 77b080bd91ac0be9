#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "generators/schedule/halide/state.h"

// Over which cells a scheduled program computes its tensors: an over-approximation of Halide's bounds inference, by
// interval arithmetic on symbolic indices.
namespace haruspex::schedule::halide {

struct SymbolicRange {
    sare::Index low, high;  // both included, over the parameters
    // Otherwise what is computed may be less.
    bool is_exact = true;
};
// One for each dimension; nothing where no bound is known.
using SymbolicBox = std::vector<std::optional<SymbolicRange>>;

// How far a stage's splits make it compute beyond the ends of one of the tensor's variables.
struct Overshoot {
    std::int64_t below = 0, above = 0;
};
Overshoot overshoot(const StageState& stage, const std::string& variable);

// What every tensor's readers, its own updates included, ask of it. An output is asked for its box.
std::map<std::string, SymbolicBox> required_boxes(const ScheduleState& state, const std::vector<sare::Output>& outputs);

}  // namespace haruspex::schedule::halide
