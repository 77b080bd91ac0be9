#include "generators/schedule/halide/folding.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <string_view>

#include "generators/sare/traverse.h"
#include "generators/schedule/halide/linear.h"
#include "generators/schedule/halide/tails.h"
#include "generators/schedule/halide/text.h"

namespace haruspex::schedule::halide {
namespace {

// The number of values of `variable` that one iteration of the loop covers: 1, or the factor of the only split. nullopt
// if the loop is neither.
std::optional<std::int64_t> values_per_iteration(const StageState& stage, const Loop& loop,
                                                 const std::string& variable) {
    std::optional<std::int64_t> covered;
    if (loop.path == variable) { covered = 1; }
    for (const SplitRecord& split : stage.splits) {
        if (split.kind == SplitRecord::Kind::fuse) {
            if (split.outer.starts_with(variable) || split.inner.starts_with(variable)) { return std::nullopt; }
        } else if (split.old_var == variable && split.outer == loop.path) {
            covered = split.factor;
        } else if (split.old_var.starts_with(variable + ".")) {
            return std::nullopt;
        }
    }
    return covered;
}

// The position on the path of the loop at which the tensor is computed or stored; -1 for the root.
std::ptrdiff_t depth(const SitePath& path, const Placement& placement) {
    if (placement.kind != Placement::Kind::at) { return -1; }
    return std::ranges::find_if(path, [&](const Site& site) { return site.matches(placement.level); }) - path.begin();
}

// The variable of the definition that the loop runs over, wholly or in part.
std::string variable_of(const Loop& loop) { return loop.path.substr(0, loop.path.find('.')); }

// The reader's loops between the tensor's store level and its compute level, outermost first; nullopt if another
// tensor's loops are among them.
std::optional<std::vector<Loop>> loops_between(const TensorState& tensor, const Reader& reader, const SitePath& path) {
    std::vector<Loop> between;
    const auto& loops = reader.tensor->stages[reader.stage].nest.loops;
    for (auto d = depth(path, *tensor.store) + 1; d < depth(path, tensor.compute); ++d) {
        const Site& site = path[static_cast<std::size_t>(d)];
        const auto loop = std::ranges::find(loops, site.var, &Loop::var);
        if (site.tensor != reader.tensor->name() || loop == loops.end()) { return std::nullopt; }
        between.push_back(*loop);
    }
    return between;
}

// Whether some loop between the two levels reads the same cells of the tensor in every iteration.
bool is_read_again(const TensorState& tensor, const Reader& reader, const SitePath& path) {
    const auto between = loops_between(tensor, reader, path);
    if (!between) { return true; }
    return std::ranges::any_of(*between, [&](const Loop& loop) {
        const std::string variable = variable_of(loop);
        const auto follows = [&](const sare::Index& index) { return sare::free_variables(index).contains(variable); };
        const auto moves = [&](const TensorAccess& access) {
            return access.tensor == tensor.name() && std::ranges::any_of(access.indices, follows);
        };
        return std::ranges::none_of(reader.tensor->facts->stages[reader.stage].accesses, moves);
    });
}

}  // namespace

Result<void> check_fold(const ScheduleState& state, const TensorState& tensor, const FoldState& fold, Levels& levels) {
    const StageRef ref{tensor.name(), std::nullopt, std::nullopt};
    const auto cannot_fold = [&](std::string_view why) {
        return refuse(ref, fmt::format("its storage cannot be folded: {}", why));
    };
    if (tensor.is_inlined()) { return cannot_fold("it is computed inline"); }
    if (tensor.has_updates()) { return cannot_fold("it has update definitions"); }
    if (tensor.compute.kind != Placement::Kind::at || !tensor.store || *tensor.store == tensor.compute) {
        return cannot_fold("it is not stored outside the loop where it is computed");
    }
    if (!tensor.bounds.empty()) { return cannot_fold("it has explicit bounds"); }
    for (const SplitRecord& split : tensor.stages[0].splits) {
        const bool folded = split.old_var == fold.var || split.old_var.starts_with(fold.var + ".") ||
                            split.outer == fold.var || split.inner == fold.var;
        if (folded && (split.kind == SplitRecord::Kind::fuse || !guards_the_end(split.tail))) {
            return cannot_fold(fmt::format("its own loops over \"{}\" are rounded up, shifted or fused", fold.var));
        }
    }
    if (!tensor.stages[0].specializations.empty()) { return cannot_fold("it is specialized"); }

    const auto reader = only_reader(state, tensor.name(), OwnReads::count);
    if (!reader || reader->tensor->is_inlined() || reader->tensor->name() != tensor.compute.level.stage.tensor) {
        return cannot_fold("the tensor at whose loop it is computed must be its only reader, in one stage");
    }
    const StageState& stage = reader->tensor->stages[reader->stage];
    const auto loop = std::ranges::find(stage.nest.loops, tensor.compute.level.var, &Loop::var);
    if (loop == stage.nest.loops.end() || !stage.specializations.empty() || stage.computed_with) {
        return cannot_fold("its reader is specialized or computed with another stage");
    }
    if (levels.places(tensor.name()).empty()) { return cannot_fold("it is not used"); }

    const auto& variables = tensor.facts->function.variables;
    const auto dimension = static_cast<std::size_t>(std::ranges::find(variables, fold.var) - variables.begin());
    // Documented: a dimension that is not accessed monotonically is an error at run time. For a tensor's last dimension
    // Halide enforces this strictly: it keeps the whole dimension for a loop that reads it again.
    if (dimension + 1 == variables.size() && is_read_again(tensor, *reader, levels.uses(tensor.name()).front())) {
        return cannot_fold(fmt::format("a loop outside the loop over \"{}\" reads it again", loop->var));
    }
    const std::string along = variable_of(*loop);
    const auto covered = values_per_iteration(stage, *loop, along);
    if (loop->is_rvar || !covered) {
        return cannot_fold(
            fmt::format("the loop over \"{}\" is neither that of a variable nor of its only split", loop->var));
    }
    // The start of a tile depends on the end of the one before; Halide tracks it at run time, also across the loops
    // outside.
    const auto between = loops_between(tensor, *reader, levels.uses(tensor.name()).front());
    if (*covered > 1 && (!between || !between->empty())) {
        return cannot_fold(fmt::format("a loop outside the loop over the tiles of \"{}\" starts them again", along));
    }
    std::optional<LinearForm> first;
    std::int64_t least = 0, most = 0;
    for (const TensorAccess& access : reader->tensor->facts->stages[reader->stage].accesses) {
        if (access.tensor != tensor.name()) { continue; }
        auto form = access.over_stage_variables ? linear_form(access.indices[dimension]) : std::nullopt;
        if (!form) { return cannot_fold("it is not read at an affine index"); }
        const std::int64_t offset = form->constant;
        form->constant = 0;
        if (!first) {
            first = form;
            least = most = offset;
        }
        if (*form != *first) { return cannot_fold("it is read at indices of different directions"); }
        least = std::min(least, offset);
        most = std::max(most, offset);
    }
    const std::int64_t stride = first && first->coefficients.contains(along) ? first->coefficients.at(along) : 0;
    if (stride == 0 || (stride > 0) != fold.forward) {
        return cannot_fold("the cells that are read do not move in the direction of the fold");
    }
    for (const auto& [name, coefficient] : first->coefficients) {
        const bool is_parameter = std::ranges::find(*state.parameters, name) != state.parameters->end();
        if (name != along && !is_parameter) { return cannot_fold("it is read at an index of several variables"); }
    }
    const std::int64_t footprint = (stride > 0 ? stride : -stride) * (*covered - 1) + (most - least) + 1;
    if (fold.factor < footprint) {
        return cannot_fold(fmt::format("one iteration of \"{}\" reads {} cells", loop->var, footprint));
    }
    return {};
}

}  // namespace haruspex::schedule::halide
