#include "generators/schedule/halide/extents.h"

#include <algorithm>
#include <cstdint>
#include <map>

#include "generators/sare/build.h"
#include "generators/schedule/halide/linear.h"
#include "generators/schedule/halide/regions.h"
#include "generators/schedule/halide/tails.h"

namespace haruspex::schedule::halide {
namespace {

// Whether the updates touch only the required cells of the dimension.
bool updates_stay_inside(const TensorState& tensor, std::size_t dimension) {
    const sare::Function& function = tensor.facts->function;
    const sare::Index variable = sare::variable(function.variables[dimension]);
    for (std::size_t u = 0; u < function.updates.size(); ++u) {
        if (function.updates[u].target[dimension] != variable) { return false; }
        for (const TensorAccess& access : tensor.facts->stages[u + 1].accesses) {
            if (access.tensor == function.name && access.indices[dimension] != variable) { return false; }
        }
    }
    return true;
}

// Whether other stages share loops with the tensor, whose bounds are then not its own.
bool shares_loops(const ScheduleState& state, const TensorState& tensor) {
    return std::ranges::any_of(state.tensors, [&](const TensorState& other) {
        return std::ranges::any_of(other.stages, [&](const StageState& stage) {
            return stage.computed_with &&
                   (other.name() == tensor.name() || stage.computed_with->stage.tensor == tensor.name());
        });
    });
}

bool is_stored_outside(const TensorState& tensor) { return tensor.store && !(*tensor.store == tensor.compute); }

}  // namespace

Extents::Where Extents::where(const TensorState& tensor) const {
    switch (tensor.compute.kind) {
        case Placement::Kind::root: return {Where::Kind::root, {}};
        case Placement::Kind::at: return {Where::Kind::loop, tensor.compute.level};
        case Placement::Kind::inlined: return {Where::Kind::innermost, {}};
    }
    return {};
}

std::vector<Extents::Range> Extents::of(const TensorState& tensor, std::size_t stage, const StageState& branch) {
    const sare::Function& function = tensor.facts->function;
    std::map<std::string, Range> known;  // by path
    for (std::size_t d = 0; d < function.variables.size(); ++d) {
        const bool is_bounded =
            std::ranges::find(tensor.bounds, function.variables[d], &BoundState::var) != tensor.bounds.end();
        if (tensor.is_output || tensor.is_inlined() || is_bounded) { continue; }
        Range range = required(tensor, d, where(tensor));
        // A sliding window computes only cells that earlier iterations did not.
        if (range && is_stored_outside(tensor)) { range->is_exact = false; }
        known[function.variables[d]] = range;
    }
    for (const BoundState& bound : tensor.bounds) {
        const auto extent = bound.extent ? constant_value(*bound.extent) : std::nullopt;
        if (extent && *extent > 0 && (bound.min || tensor.is_output)) { known[bound.var] = Extent{*extent, true}; }
    }
    if (stage > 0) {
        for (const sare::RecurrenceVariable& rvar : function.updates[stage - 1].over) {
            if (const auto extent = constant_value(rvar.extent)) { known[rvar.name] = Extent{*extent, true}; }
        }
    }
    for (const SplitRecord& split : branch.splits) {
        if (split.kind == SplitRecord::Kind::fuse) {
            const Range inner = known[split.inner], outer = known[split.outer];
            if (inner && outer) {
                known[split.old_var] =
                    Extent{inner->iterations * outer->iterations, inner->is_exact && outer->is_exact};
            }
            continue;
        }
        const Range old = known[split.old_var];
        if (old) { known[split.outer] = Extent{(old->iterations + split.factor - 1) / split.factor, old->is_exact}; }
        known[split.inner] = Extent{split.factor, true};
    }
    std::vector<Range> extents;
    for (const Loop& loop : branch.nest.loops) {
        extents.push_back(loop.extent ? Range(Extent{*loop.extent, true}) : known[loop.path]);
    }
    return extents;
}

Extents::Range Extents::required(const TensorState& tensor, std::size_t dimension, const Where& where) {
    const auto reader = only_reader(state_, tensor.name(), OwnReads::do_not_count);
    if (!reader || tensor.is_output || !updates_stay_inside(tensor, dimension)) { return std::nullopt; }
    if (shares_loops(state_, tensor)) { return std::nullopt; }
    std::optional<LinearForm> first;
    std::int64_t least = 0, most = 0;
    for (const TensorAccess& access : reader->tensor->facts->stages[reader->stage].accesses) {
        if (access.tensor != tensor.name()) { continue; }
        auto form = access.over_stage_variables ? linear_form(access.indices[dimension]) : std::nullopt;
        if (!form) { return std::nullopt; }
        const std::int64_t offset = form->constant;
        form->constant = 0;
        if (!first) {
            first = form;
            least = most = offset;
        }
        if (*form != *first) { return std::nullopt; }
        least = std::min(least, offset);
        most = std::max(most, offset);
    }
    if (!first) { return std::nullopt; }
    Extent range{most - least + 1, true};
    for (const auto& [name, coefficient] : first->coefficients) {
        if (std::ranges::find(*state_.parameters, name) != state_.parameters->end()) { continue; }
        const Range values = covered(*reader->tensor, reader->stage, name, where);
        if (!values) { return std::nullopt; }
        range.iterations += (coefficient < 0 ? -coefficient : coefficient) * (values->iterations - 1);
        range.is_exact = range.is_exact && values->is_exact;
    }
    return range;
}

Extents::Range Extents::covered(const TensorState& reader, std::size_t stage, const std::string& variable,
                                const Where& where) {
    const sare::Function& function = reader.facts->function;
    const auto at = std::ranges::find(function.variables, variable);
    const auto dimension = static_cast<std::size_t>(at - function.variables.begin());
    if (reader.is_inlined()) { return required(reader, dimension, where); }
    const StageState& state = reader.stages[stage];
    if (!state.specializations.empty() || shares_loops(state_, reader)) { return std::nullopt; }
    const auto& loops = state.nest.loops;
    if (where.kind == Where::Kind::innermost) { return Extent{1, true}; }
    if (where.kind == Where::Kind::loop && reader.name() == where.level.stage.tensor) {
        const auto level = std::ranges::find(loops, where.level.var, &Loop::var);
        if (level == loops.end()) { return std::nullopt; }
        const auto end = static_cast<std::size_t>(level - loops.begin());
        return covered_by(state, variable, of(reader, stage, state), end);
    }
    // All of its loops are inside. If it is computed elsewhere, their extents need not be the cells required here.
    const bool is_variable = at != function.variables.end();
    const bool is_bounded = std::ranges::find(reader.bounds, variable, &BoundState::var) != reader.bounds.end();
    const bool is_here = where.kind == Where::Kind::root && reader.compute.kind == Placement::Kind::root;
    if (is_variable && !is_bounded && !is_here) {
        const Overshoot by = overshoot(state, variable);
        return by.below + by.above == 0 ? required(reader, dimension, where) : std::nullopt;
    }
    return covered_by(state, variable, of(reader, stage, state), loops.size());
}

Extents::Range Extents::covered_by(const StageState& stage, const std::string& path, const std::vector<Range>& loops,
                                   std::size_t end) {
    const auto loop = std::ranges::find(stage.nest.loops, path, &Loop::path);
    if (loop != stage.nest.loops.end()) {
        const auto place = static_cast<std::size_t>(loop - stage.nest.loops.begin());
        return place < end ? loops[place] : Extent{1, true};
    }
    for (const SplitRecord& split : stage.splits) {
        if (split.kind == SplitRecord::Kind::fuse) {
            if (split.inner != path && split.outer != path) { continue; }
            const Range fused = covered_by(stage, split.old_var, loops, end);
            return fused && fused->iterations == 1 ? fused : std::nullopt;
        }
        if (split.old_var != path) { continue; }
        const Range outer = covered_by(stage, split.outer, loops, end);
        const Range inner = covered_by(stage, split.inner, loops, end);
        if (!outer || !inner) { return std::nullopt; }
        Extent range{split.factor * (outer->iterations - 1) + inner->iterations, outer->is_exact && inner->is_exact};
        // The last of several tiles may be shifted over the one before.
        const bool is_shifted = shifts_inwards(split.tail) && outer->iterations > 1;
        const bool is_whole = split.factor == 1 || (!guards_the_end(split.tail) && !is_shifted);
        range.is_exact = range.is_exact && (is_whole || range.iterations == 1);
        return range;
    }
    return std::nullopt;
}

void check_extents(const ScheduleState& state, const TensorState& tensor, BrokenRules& broken) {
    if (tensor.is_inlined()) { return; }
    Extents extents(state);
    for (std::size_t s = 0; s < tensor.stages.size(); ++s) {
        StageRef ref{tensor.name(), std::nullopt, std::nullopt};
        if (s > 0) { ref.update = static_cast<int>(s) - 1; }
        const auto check = [&](const StageState& stage) {
            std::vector<std::optional<Extent>> known;  // computed only if a loop's own extent does not suffice
            for (std::size_t i = 0; i < stage.nest.loops.size(); ++i) {
                const Loop& loop = stage.nest.loops[i];
                const bool is_vectorized = loop.kind == LoopKind::vectorized;
                if (!is_vectorized && loop.kind != LoopKind::unrolled) { continue; }
                if (loop.extent && (!is_vectorized || *loop.extent > 1)) { continue; }
                if (known.empty()) { known = extents.of(tensor, s, stage); }
                const auto& extent = known[i];
                if (is_vectorized && !(extent && extent->is_exact && extent->iterations > 1)) {
                    broken.push_back({Rule::constant_extent, loop.marked_by,
                                      said_of(ref, "only a loop of constant extent above 1 can be vectorized")});
                } else if (!is_vectorized && !extent) {
                    broken.push_back({Rule::constant_extent, loop.marked_by,
                                      said_of(ref, "only a loop of constant extent can be unrolled")});
                }
            }
        };
        check(tensor.stages[s]);
        for (std::size_t b = 0; b < tensor.stages[s].specializations.size(); ++b) {
            ref.specialization = static_cast<int>(b);
            check(tensor.stages[s].specializations[b]);
        }
    }
}

}  // namespace haruspex::schedule::halide
