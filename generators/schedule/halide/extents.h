#pragma once

#include <optional>
#include <string>
#include <vector>

#include "generators/schedule/halide/state.h"

// The number of iterations of loops, as far as Halide proves it constant. Loop::extent, given by the stage itself, is
// not the only source: one iteration of the loop at which a tensor is computed requires as many of its cells as the
// reader's loops inside read, a constant number if these loops have constant extents.
//
//   g.split(x, xo, xi, 8)
//   f.compute_at(g, xo)         g reads f(x - 1) and f(x + 1): 10 cells of f for each xo
//   f.unroll(x)
//
// BoundsInference.cpp works on boxes of symbolic intervals. Only the certain case is modelled: one stage reads the
// tensor, at affine indices that differ in their constants only, directly or through functions that are read in the
// same way.
namespace haruspex::schedule::halide {

// Keeps a reference to the state.
class Extents {
public:
    explicit Extents(const ScheduleState& state) : state_(state) {}

    // The iterations of each loop of the stage, or of a branch of it; nullopt where no constant is known.
    std::vector<std::optional<Extent>> of(const TensorState& tensor, std::size_t stage, const StageState& branch);

private:
    // The loop whose single iteration requires the cells.
    struct Where {
        enum class Kind { root, loop, innermost };
        Kind kind = Kind::root;
        LoopLevel level;  // for Kind::loop
    };
    using Range = std::optional<Extent>;  // of consecutive indices

    Where where(const TensorState& tensor) const;
    // The required indices of a tensor's dimension.
    Range required(const TensorState& tensor, std::size_t dimension, const Where& where);
    // The values of a variable of a reader's stage.
    Range covered(const TensorState& reader, std::size_t stage, const std::string& variable, const Where& where);
    // The values of a loop of a stage, or of a loop that was split or fused into others. The loops of `loops` before
    // `end` are inside.
    Range covered_by(const StageState& stage, const std::string& path, const std::vector<Range>& loops,
                     std::size_t end);

    const ScheduleState& state_;
};

// Adds the rules broken by unrolled or vectorized loops of the tensor without a suitable extent.
void check_extents(const ScheduleState& state, const TensorState& tensor, BrokenRules& broken);

}  // namespace haruspex::schedule::halide
