#pragma once

#include <optional>
#include <string>
#include <vector>

#include "generators/schedule/halide/state.h"

// Finds the number of iterations of loops, as far as Halide proves it constant. It may be constant in the stage itself
// (Loop::extent). It may also be constant because of the tensor's reader: one iteration of the loop at which the tensor
// is computed requires the cells that the reader reads in this iteration. Their number is constant if the reader's
// loops inside the iteration have constant extents.
//
//   g.split(x, xo, xi, 8)
//   f.compute_at(g, xo)         g reads f(x - 1) and f(x + 1): 10 cells of f for each xo
//   f.unroll(x)
//
// BoundsInference.cpp works on boxes of symbolic intervals. Only a case in which the result is certain is modelled: a
// single stage reads the tensor, at affine indices that differ in their constants only. It reads the tensor directly,
// or through inlined functions that are read in this way, too.
namespace haruspex::schedule::halide {

// Keeps a reference to the state.
class Extents {
public:
    explicit Extents(const ScheduleState& state) : state_(state) {}

    // Returns the iterations of each loop of a stage, or of a branch of it, whose state is `branch`; nullopt where no
    // constant is known.
    std::vector<std::optional<Extent>> of(const TensorState& tensor, std::size_t stage, const StageState& branch);

private:
    // The loop of which one iteration requires the cells; for `innermost`, the innermost loop around the reader.
    struct Where {
        enum class Kind { root, loop, innermost };
        Kind kind = Kind::root;
        LoopLevel level;  // for Kind::loop
    };
    using Range = std::optional<Extent>;  // how many consecutive integers; nullopt: unknown

    Where where(const TensorState& tensor) const;
    // Returns how many indices of a tensor's dimension are required.
    Range required(const TensorState& tensor, std::size_t dimension, const Where& where);
    // Returns how many values a variable of a reader's stage takes.
    Range covered(const TensorState& reader, std::size_t stage, const std::string& variable, const Where& where);
    // Returns how many values the variable of the loop `path` takes. The loop is one of the stage's loops, or was split
    // or fused into them. `loops` are the extents of the stage's loops; only those before `end` run within the
    // iteration.
    Range covered_by(const StageState& stage, const std::string& path, const std::vector<Range>& loops,
                     std::size_t end);

    const ScheduleState& state_;
};

// Adds the rules that the tensor's unrolled and vectorized loops break because they have no suitable extent.
void check_extents(const ScheduleState& state, const TensorState& tensor, BrokenRules& broken);

}  // namespace haruspex::schedule::halide
