#include "generators/schedule/halide/partitioning.h"

#include <algorithm>
#include <string>

namespace haruspex::schedule::halide {
namespace {

bool is_copied(const Loop& loop) { return loop.kind == LoopKind::vectorized || loop.kind == LoopKind::unrolled; }

// The split of a variable of the definition by which the loop at the index is the outer loop, with a condition on the
// end of the variable and the loops of the other half inside; null without one.
const SplitRecord* guarded_split(const StageState& stage, std::size_t at) {
    const auto& loops = stage.nest.loops;
    const auto split = std::ranges::find_if(stage.splits, [&](const SplitRecord& one) {
        return one.kind == SplitRecord::Kind::split && one.outer == loops[at].path;
    });
    if (split == stage.splits.end() || split->old_var.find('.') != std::string::npos) { return nullptr; }
    if (split->tail != Tail::guard_with_if && split->tail != Tail::predicate) { return nullptr; }
    for (std::size_t i = at + 1; i < loops.size(); ++i) {
        if (loops[i].path.starts_with(split->inner)) { return nullptr; }
    }
    return &*split;
}

}  // namespace

std::vector<bool> may_always_be_partitioned(const TensorState& tensor, const StageState& stage) {
    const auto& loops = stage.nest.loops;
    std::vector<bool> may_be;
    for (std::size_t i = 0; i < loops.size(); ++i) {
        const SplitRecord* split = guarded_split(stage, i);
        if (is_copied(loops[i]) || split == nullptr) {
            may_be.push_back(is_copied(loops[i]));
            continue;
        }
        if (split->old_extent) {
            may_be.push_back(*split->old_extent % split->factor != 0);
            continue;
        }
        // Halide knows nothing of the extents of an output's buffer, and may know that others are rounded up.
        const bool is_bounded =
            std::ranges::find(tensor.bounds, split->old_var, &BoundState::var) != tensor.bounds.end();
        may_be.push_back(tensor.is_output && !is_bounded && !loops[i].is_rvar && !stage.computed_with);
    }
    return may_be;
}

}  // namespace haruspex::schedule::halide
