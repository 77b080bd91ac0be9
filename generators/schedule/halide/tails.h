#pragma once

#include "generators/schedule/halide/state.h"

// The tail strategy of a split, and its consequences for the loops that stem from the split.
namespace haruspex::schedule::halide {

constexpr bool is_blend(Tail tail) { return tail == Tail::shift_inwards_and_blend || tail == Tail::round_up_and_blend; }
// Whether iterations beyond the end of the loop that is split store nothing.
constexpr bool guards_the_end(Tail tail) {
    return tail == Tail::guard_with_if || tail == Tail::predicate || tail == Tail::predicate_stores;
}
constexpr bool shifts_inwards(Tail tail) {
    return tail == Tail::shift_inwards || tail == Tail::shift_inwards_and_blend;
}

// Returns the tail strategy that Halide uses for a split of the loop (Stage::split): `tail` itself unless it is
// automatic.
Tail resolve_tail(const StageState& stage, bool is_update, const Loop& old_loop, std::int64_t factor, Tail tail);
// Whether the iterations that rounding up adds to the loop all lie beyond the end of its dimension. No other tile
// computes the cells there. True unless the loop stems from the inner loop of a split.
bool rounding_leaves_the_dimension(const StageState& stage, const std::string& path);
// Whether the loop stems from a split that shifts inwards, or from a fuse.
bool stems_from_shift_or_fuse(const StageState& stage, const std::string& path);

// The two blending tails load, blend and store whole vectors, which races with any other iteration that runs at the
// same time ("cannot be used on any dimension the stage is parallelized over"). They are meant for the lanes of one
// vector. If the outer loop of the split is vectorized, its lanes run at the same time, too, and overlap where the last
// one is shifted. Both functions return the faults that this causes, one sentence each. The first returns the faults of
// splitting `old_loop` with `tail`, the second those of making `loop` a loop of this kind. `divides`: the split factor
// divides the loop's extent. `leaves_the_dimension`: see rounding_leaves_the_dimension.
std::vector<std::string> misuses_of_blend_tail(const StageState& stage, const Loop& old_loop, bool divides,
                                               bool leaves_the_dimension, Tail tail);
std::vector<std::string> races_with_blend_tail(const StageState& stage, const Loop& loop, LoopKind kind);

}  // namespace haruspex::schedule::halide
