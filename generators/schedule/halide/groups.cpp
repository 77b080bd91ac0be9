#include "generators/schedule/halide/groups.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "generators/schedule/text.h"

namespace haruspex::schedule::halide {
namespace {

// Halide compares the loops' own names, either of which may be the end of the other.
bool names_match(const std::string& a, const std::string& b) {
    return a == b || a.ends_with("." + b) || b.ends_with("." + a);
}

std::optional<std::size_t> find_loop(const StageState& stage, const std::string& var) {
    const auto& loops = stage.nest.loops;
    const auto found = std::ranges::find(loops, var, &Loop::var);
    if (var.empty() || found == loops.end()) { return std::nullopt; }
    return static_cast<std::size_t>(found - loops.begin());
}

class GroupCheck {
public:
    GroupCheck(const ScheduleState& state, Levels& levels) : state_(state), levels_(levels) {}

    Result<void> run() {
        bool any = false;
        for (std::size_t t = 0; t < state_.tensors.size(); ++t) {
            group_.push_back(t);
            for (std::size_t s = 0; s < state_.tensors[t].stages.size(); ++s) {
                any = any || state_.tensors[t].stages[s].computed_with.has_value();
            }
        }
        if (!any) { return {}; }
        for (std::size_t t = 0; t < state_.tensors.size(); ++t) {
            for (std::size_t s = 0; s < state_.tensors[t].stages.size(); ++s) {
                if (auto legal = check_pair(t, s); !legal) { return legal; }
            }
            if (auto legal = check_order_of_stages(state_.tensors[t]); !legal) { return legal; }
        }
        if (auto legal = check_independence(); !legal) { return legal; }
        return check_stage_cycles();
    }

private:
    StageRef ref_of(std::size_t tensor, std::size_t stage) const {
        StageRef ref{state_.tensors[tensor].name(), std::nullopt, std::nullopt};
        if (stage > 0) { ref.update = static_cast<int>(stage) - 1; }
        return ref;
    }
    std::size_t index_of(const std::string& tensor) const {
        return static_cast<std::size_t>(state_.find(tensor) - state_.tensors.data());
    }

    Result<void> check_pair(std::size_t t, std::size_t s) {
        const TensorState& tensor = state_.tensors[t];
        const StageState& child = tensor.stages[s];
        if (!child.computed_with) { return {}; }
        const StageRef ref = ref_of(t, s);
        const LoopLevel& level = *child.computed_with;
        const TensorState& with = *state_.find(level.stage.tensor);
        const StageState& parent = *state_.find(level.stage);
        const std::string pair = "computed with \"" + print(level.stage) + "\": ";
        // "so it must not have any specializations"
        if (!tensor.stages[0].specializations.empty() || !child.specializations.empty()) {
            return refuse(ref, pair + "it must not be specialized");
        }
        for (const TensorState& either : {std::cref(tensor), std::cref(with)}) {
            if (either.compute.kind == Placement::Kind::inlined) {
                return refuse(ref, pair + "\"" + either.name() + "\" is computed inline");
            }
            if (!either.is_output && levels_.uses(either.name()).empty()) {
                return refuse(ref, pair + "\"" + either.name() + "\" is not used");
            }
        }
        if (!(tensor.compute == with.compute)) { return refuse(ref, pair + "they are computed at different levels"); }
        if (auto legal = check_loops(ref, pair, child, parent, level.var); !legal) { return legal; }
        // Halide is content when one branch of the parent has the loop; in the others the child would not be computed.
        for (const StageState& branch : parent.specializations) {
            if (auto legal = check_loops(ref, pair, child, branch, level.var); !legal) { return legal; }
        }
        // "Fused groups must either be entirely used or unused", wherever they are computed.
        const auto& places = levels_.places(tensor.name());
        const auto& others = levels_.places(with.name());
        const auto same = [](const SitePath& a, const SitePath& b) {
            return std::ranges::equal(
                a, b, [](const Site& x, const Site& y) { return x.stage == y.stage && x.var == y.var; });
        };
        const bool together =
            places.size() == others.size() && std::ranges::all_of(places, [&](const SitePath& place) {
                return std::ranges::any_of(others, [&](const SitePath& other) { return same(place, other); });
            });
        if (!together) { return refuse(ref, pair + "they are not used in the same places"); }
        merge(t, index_of(level.stage.tensor));
        return {};
    }

    // "Verify that their dimensions up to "var_name" are the same."
    Result<void> check_loops(const StageRef& ref, const std::string& pair, const StageState& child,
                             const StageState& parent, const std::string& var) {
        const auto child_at = find_loop(child, var), parent_at = find_loop(parent, var);
        if (!child_at || !parent_at) { return refuse(ref, pair + "both need a loop over \"" + var + "\""); }
        const auto& a = child.nest.loops;
        const auto& b = parent.nest.loops;
        if (a.size() - *child_at != b.size() - *parent_at) {
            return refuse(ref, pair + "the numbers of loops from \"" + var + "\" outwards differ");
        }
        for (std::size_t i = 0; *child_at + i < a.size(); ++i) {
            const Loop& mine = a[*child_at + i];
            const Loop& theirs = b[*parent_at + i];
            const std::string loop = "the loops \"" + mine.path + "\" and \"" + theirs.path + "\" ";
            if (mine.var.empty() || theirs.var.empty() || !names_match(mine.path, theirs.path)) {
                return refuse(ref, pair + loop + "have different names");
            }
            if (mine.kind != theirs.kind) { return refuse(ref, pair + loop + "are of different kinds"); }
            // Halide names the recurrence variables of different updates apart.
            if (mine.is_rvar || theirs.is_rvar) { return refuse(ref, pair + loop + "run over recurrence variables"); }
            // The shared loop runs over the union of both ranges, which is no constant.
            if (mine.kind == LoopKind::vectorized || mine.kind == LoopKind::unrolled) {
                return refuse(ref, pair + loop + "are vectorized or unrolled");
            }
        }
        return {};
    }

    // "impossible to establish correct stage order": the stages of one tensor go with stages of another in order. Two
    // stages of one tensor in the same loops would interleave, though the later one reads what the earlier one writes.
    Result<void> check_order_of_stages(const TensorState& tensor) const {
        std::map<std::string, std::size_t> latest;
        for (std::size_t s = 0; s < tensor.stages.size(); ++s) {
            const auto& with = tensor.stages[s].computed_with;
            if (!with) { continue; }
            const std::size_t stage = stage_index(with->stage);
            const auto known = latest.find(with->stage.tensor);
            if (known != latest.end() && stage <= known->second) {
                return refuse(ref_of(index_of(tensor.name()), s),
                              "its stages and those of \"" + with->stage.tensor + "\" are not computed in order");
            }
            latest[with->stage.tensor] = stage;
        }
        return {};
    }

    void merge(std::size_t a, std::size_t b) {
        const std::size_t from = group_[a], to = group_[b];
        for (std::size_t& group : group_) { group = group == from ? to : group; }
    }

    // "there is dependency between …", also by way of other groups: the groups' own graph must have no cycle.
    Result<void> check_independence() const {
        std::map<std::size_t, std::set<std::size_t>> reads;  // of groups
        for (std::size_t t = 0; t < state_.tensors.size(); ++t) {
            for (const std::string& name : state_.tensors[t].facts->reads) {
                if (state_.find(name) == nullptr) { continue; }
                const std::size_t other = group_[index_of(name)];
                if (other == group_[t]) {
                    return refuse(ref_of(t, 0), "it is computed with \"" + name + "\" and depends on it");
                }
                reads[group_[t]].insert(other);
            }
        }
        std::set<std::size_t> done, open;
        const std::function<bool(std::size_t)> acyclic = [&](std::size_t group) {
            if (done.contains(group)) { return true; }
            if (!open.insert(group).second) { return false; }
            const bool fine = std::ranges::all_of(reads[group], acyclic);
            done.insert(group);
            return fine;
        };
        for (std::size_t t = 0; t < state_.tensors.size(); ++t) {
            if (!acyclic(group_[t])) {
                return refuse(ref_of(t, 0), "the tensors computed together depend on each other");
            }
        }
        return {};
    }

    // "There is a cycle inside of the fused group": a stage comes after its parent, and the parent after the earlier
    // stages of the child's tensor.
    Result<void> check_stage_cycles() const {
        using Node = std::pair<std::size_t, std::size_t>;
        std::map<Node, std::vector<Node>> after;
        for (std::size_t t = 0; t < state_.tensors.size(); ++t) {
            const auto& stages = state_.tensors[t].stages;
            for (std::size_t s = 0; s < stages.size(); ++s) {
                if (s > 0) { after[{t, s}].push_back({t, s - 1}); }
                const auto& with = stages[s].computed_with;
                if (!with) { continue; }
                const Node parent{index_of(with->stage.tensor), stage_index(with->stage)};
                after[{t, s}].push_back(parent);
                if (s > 0) { after[parent].push_back({t, s - 1}); }
            }
        }
        std::set<Node> done, open;
        const std::function<bool(const Node&)> acyclic = [&](const Node& node) {
            if (done.contains(node)) { return true; }
            if (!open.insert(node).second) { return false; }
            const bool fine = std::ranges::all_of(after[node], acyclic);
            done.insert(node);
            return fine;
        };
        for (std::size_t t = 0; t < state_.tensors.size(); ++t) {
            for (std::size_t s = 0; s < state_.tensors[t].stages.size(); ++s) {
                if (!acyclic({t, s})) { return refuse(ref_of(t, s), "the stages computed together form a cycle"); }
            }
        }
        return {};
    }

    const ScheduleState& state_;
    Levels& levels_;
    std::vector<std::size_t> group_;  // of each tensor
};

}  // namespace

Result<void> check_groups(const ScheduleState& state, Levels& levels) { return GroupCheck(state, levels).run(); }

Result<void> begin_compute_with(const ScheduleState& state, const StageRef& ref, StageState& stage,
                                const ComputeWith& action) {
    const StageRef& with = action.level.stage;
    if (ref.specialization || with.specialization) {
        return refuse(ref, "a specialization cannot be computed with another stage");
    }
    if (state.find(with) == nullptr) {
        return refuse(ref, "there is no stage \"" + print(with) + "\" to be computed with");
    }
    // "Cannot schedule … to be computed with …"
    if (with.tensor == ref.tensor) { return refuse(ref, "a stage cannot be computed with a stage of its own tensor"); }
    // "so it must not have any specializations"
    if (!stage.specializations.empty()) { return refuse(ref, "a specialized stage cannot be computed with another"); }
    if (stage.computed_with) {
        return refuse(ref, "it is already computed with \"" + print(stage.computed_with->stage) + "\"");
    }
    // "Found cyclic dependencies between compute_with of …"
    std::set<std::string> seen;
    std::vector<std::string> open{with.tensor};
    while (!open.empty()) {
        const std::string next = open.back();
        open.pop_back();
        if (next == ref.tensor) {
            return refuse(ref, "\"" + with.tensor + "\" is already computed with \"" + ref.tensor + "\"");
        }
        if (!seen.insert(next).second) { continue; }
        for (const StageState& other : state.find(next)->stages) {
            if (other.computed_with) { open.push_back(other.computed_with->stage.tensor); }
        }
    }
    stage.computed_with = action.level;
    stage.computed_with_directive = state.directives;
    return {};
}

}  // namespace haruspex::schedule::halide
