#pragma once

#include <optional>
#include <string>
#include <vector>

#include "generators/schedule/halide/state.h"

// How often loops run, as far as Halide proves that it is a constant. What the stage itself says (Loop::extent) is not
// all: one iteration of the loop at which a tensor is computed asks for as many of its cells as the reader's loops
// inside that one read, which is a constant where they have constant extents.
//
//   g.split(x, xo, xi, 8)
//   f.compute_at(g, xo)         g reads f(x - 1) and f(x + 1): 10 cells of f for each xo
//   f.unroll(x)
//
// BoundsInference.cpp works on boxes of symbolic intervals. Modelled is the case without doubt: one stage reads the
// tensor, at affine indices that differ in their constants only, directly or through functions that are read so
// themselves.
namespace haruspex::schedule::halide {

// Keeps a reference to the state.
class Extents {
public:
    explicit Extents(const ScheduleState& state) : state_(state) {}

    // Of each loop of the stage, or of a branch of it; nothing where no constant is known.
    std::vector<std::optional<Extent>> of(const TensorState& tensor, std::size_t stage, const StageState& branch);

private:
    // The loop in one iteration of which cells are asked for.
    struct Where {
        enum class Kind { root, loop, innermost };
        Kind kind = Kind::root;
        LoopLevel level;  // of a loop
    };
    using Range = std::optional<Extent>;  // of indices in a row

    Where where(const TensorState& tensor) const;
    // What is asked of a tensor's dimension.
    Range required(const TensorState& tensor, std::size_t dimension, const Where& where);
    // The values of a variable of a reader's stage.
    Range covered(const TensorState& reader, std::size_t stage, const std::string& variable, const Where& where);
    // The values of a loop of a stage, or of what became loops by splits and fuses. Of `loops` those before `end` are
    // inside.
    Range covered_by(const StageState& stage, const std::string& path, const std::vector<Range>& loops,
                     std::size_t end);

    const ScheduleState& state_;
};

// Adds which loops of the tensor are unrolled or vectorized and have no fitting extent.
void check_extents(const ScheduleState& state, const TensorState& tensor, BrokenRules& broken);

}  // namespace haruspex::schedule::halide
