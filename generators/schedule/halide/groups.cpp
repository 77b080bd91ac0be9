#include "generators/schedule/halide/groups.h"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "generators/schedule/halide/text.h"

namespace haruspex::schedule::halide {
namespace {

// Halide compares the loops' own names, either of which may be a suffix of the other.
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
    GroupCheck(const ScheduleState& state, Levels& levels, BrokenRules& broken)
        : state_(state), levels_(levels), broken_(broken) {}

    void run() {
        bool any = false;
        for (std::size_t t = 0; t < state_.tensors.size(); ++t) {
            group_.push_back(t);
            for (std::size_t s = 0; s < state_.tensors[t].stages.size(); ++s) {
                any = any || state_.tensors[t].stages[s].computed_with.has_value();
            }
        }
        if (!any) { return; }
        for (std::size_t t = 0; t < state_.tensors.size(); ++t) {
            for (std::size_t s = 0; s < state_.tensors[t].stages.size(); ++s) { check_pair(t, s); }
            check_order_of_stages(state_.tensors[t]);
        }
        check_independence();
        check_stage_cycles();
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

    void breaks(Rule rule, std::size_t tensor, std::size_t stage, const std::string& words) {
        const StageState& state = state_.tensors[tensor].stages[stage];
        broken_.push_back({rule, state.computed_with_directive, said_of(ref_of(tensor, stage), words)});
    }

    void check_pair(std::size_t t, std::size_t s) {
        const TensorState& tensor = state_.tensors[t];
        const StageState& child = tensor.stages[s];
        if (!child.computed_with) { return; }
        const LoopLevel& level = *child.computed_with;
        const TensorState& with = *state_.find(level.stage.tensor);
        const StageState& parent = *state_.find(level.stage);
        const std::string pair = fmt::format("computed with \"{}\": ", print(level.stage));
        // "so it must not have any specializations", which Halide looks for in the pure definition
        if (!tensor.stages[0].specializations.empty()) { breaks(Rule::shared_loops, t, s, pair + is_specialized); }
        if (!child.specializations.empty()) { breaks(Rule::unnoticed_sharing, t, s, pair + is_specialized); }
        for (const TensorState& either : {std::cref(tensor), std::cref(with)}) {
            if (either.compute.kind == Placement::Kind::inlined) {
                breaks(Rule::shared_loops, t, s, fmt::format("{}\"{}\" is computed inline", pair, either.name()));
            }
            if (!either.is_output && levels_.uses(either.name()).empty()) {
                breaks(Rule::shared_loops, t, s, fmt::format("{}\"{}\" is not used", pair, either.name()));
            }
        }
        if (!(tensor.compute == with.compute)) {
            breaks(Rule::shared_loops, t, s, pair + "they are computed at different levels");
        }
        if (const auto unlike = difference_of_loops(child, parent, level.var)) {
            breaks(Rule::shared_loops, t, s, pair + *unlike);
        }
        // Halide accepts it if one branch of the parent has the loop; in the other branches the child would not be
        // computed.
        for (const StageState& branch : parent.specializations) {
            if (const auto unlike = difference_of_loops(child, branch, level.var)) {
                breaks(Rule::unnoticed_sharing, t, s, pair + *unlike);
            }
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
        if (!together) { breaks(Rule::unnoticed_sharing, t, s, pair + "they are not used in the same places"); }
        merge(t, index_of(level.stage.tensor));
    }

    // "Verify that their dimensions up to "var_name" are the same."
    static std::optional<std::string> difference_of_loops(const StageState& child, const StageState& parent,
                                                          const std::string& var) {
        const auto child_at = find_loop(child, var), parent_at = find_loop(parent, var);
        if (!child_at || !parent_at) { return fmt::format("both need a loop over \"{}\"", var); }
        const auto& a = child.nest.loops;
        const auto& b = parent.nest.loops;
        if (a.size() - *child_at != b.size() - *parent_at) {
            return fmt::format("the numbers of loops from \"{}\" outwards differ", var);
        }
        for (std::size_t i = 0; *child_at + i < a.size(); ++i) {
            const Loop& mine = a[*child_at + i];
            const Loop& theirs = b[*parent_at + i];
            const std::string loop = fmt::format("the loops \"{}\" and \"{}\" ", mine.path, theirs.path);
            if (mine.var.empty() || theirs.var.empty() || !names_match(mine.path, theirs.path)) {
                return loop + "have different names";
            }
            if (mine.kind != theirs.kind) { return loop + "are of different kinds"; }
            // Halide gives the recurrence variables of different updates different names.
            if (mine.is_rvar || theirs.is_rvar) { return loop + "run over recurrence variables"; }
            // The shared loop runs over the union of both ranges, which is not a constant.
            if (mine.kind == LoopKind::vectorized || mine.kind == LoopKind::unrolled) {
                return loop + "are vectorized or unrolled";
            }
        }
        return std::nullopt;
    }

    // "impossible to establish correct stage order": the stages of one tensor must be computed with stages of another
    // in order. Two stages of one tensor in the same loops would interleave, though the later one reads the earlier
    // one's writes.
    void check_order_of_stages(const TensorState& tensor) {
        std::map<std::string, std::size_t> latest;
        for (std::size_t s = 0; s < tensor.stages.size(); ++s) {
            const auto& with = tensor.stages[s].computed_with;
            if (!with) { continue; }
            const std::size_t stage = stage_index(with->stage);
            const auto known = latest.find(with->stage.tensor);
            if (known != latest.end() && stage <= known->second) {
                breaks(Rule::unnoticed_sharing, index_of(tensor.name()), s,
                       fmt::format("its stages and those of \"{}\" are not computed in order", with->stage.tensor));
            }
            latest[with->stage.tensor] = stage;
        }
    }

    void merge(std::size_t a, std::size_t b) {
        const std::size_t from = group_[a], to = group_[b];
        for (std::size_t& group : group_) { group = group == from ? to : group; }
    }

    // "there is dependency between …", also through other groups: the graph of groups must be acyclic.
    void check_independence() {
        std::map<std::size_t, std::set<std::size_t>> reads;  // between groups
        for (std::size_t t = 0; t < state_.tensors.size(); ++t) {
            for (const std::string& name : state_.tensors[t].facts->reads) {
                if (state_.find(name) == nullptr) { continue; }
                const std::size_t other = group_[index_of(name)];
                if (other == group_[t]) {
                    breaks(Rule::shared_loops, sharing_stage(t).first, sharing_stage(t).second,
                           fmt::format("it is computed with \"{}\" and depends on it", name));
                    return;
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
            if (acyclic(group_[t])) { continue; }
            breaks(Rule::unnoticed_sharing, sharing_stage(t).first, sharing_stage(t).second,
                   "the tensors computed together depend on each other");
            return;
        }
    }

    // The stage of the tensor's group that was last computed with another stage; a stage of any group if there is none.
    std::pair<std::size_t, std::size_t> sharing_stage(std::size_t tensor) const {
        std::pair<std::size_t, std::size_t> last{tensor, 0};
        std::pair<bool, std::size_t> most{false, 0};  // whether it is in the group, and its directive
        for (std::size_t t = 0; t < state_.tensors.size(); ++t) {
            for (std::size_t s = 0; s < state_.tensors[t].stages.size(); ++s) {
                const StageState& stage = state_.tensors[t].stages[s];
                const std::pair found{group_[t] == group_[tensor], stage.computed_with_directive};
                if (!stage.computed_with || found < most) { continue; }
                most = found;
                last = {t, s};
            }
        }
        return last;
    }

    // "There is a cycle inside of the fused group": a stage comes after its parent, and the parent after the earlier
    // stages of the child's tensor.
    void check_stage_cycles() {
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
                if (acyclic({t, s})) { continue; }
                breaks(Rule::unnoticed_sharing, sharing_stage(t).first, sharing_stage(t).second,
                       "the stages computed together form a cycle");
                return;
            }
        }
    }

    static constexpr const char* is_specialized = "it must not be specialized";

    const ScheduleState& state_;
    Levels& levels_;
    BrokenRules& broken_;
    std::vector<std::size_t> group_;  // of each tensor
};

}  // namespace

void check_groups(const ScheduleState& state, Levels& levels, BrokenRules& broken) {
    GroupCheck(state, levels, broken).run();
}

Result<void> begin_compute_with(ScheduleState& state, const StageRef& ref, StageState& stage,
                                const ComputeWith& action) {
    const StageRef& with = action.level.stage;
    if (state.find(with) == nullptr) {
        return refuse(ref, fmt::format("there is no stage \"{}\" to be computed with", print(with)));
    }
    const auto breaks = [&](const std::string& words) { state.breaks(Rule::shared_loops, ref, words); };
    // "so it must not have any specializations"
    if (ref.specialization || with.specialization) {
        breaks("a specialization cannot be computed with another stage");
        return {};
    }
    // "Cannot schedule … to be computed with …"
    if (with.tensor == ref.tensor) {
        breaks("a stage cannot be computed with a stage of its own tensor");
        return {};
    }
    // "so it must not have any specializations"
    if (!stage.specializations.empty()) { breaks("a specialized stage cannot be computed with another"); }
    // Halide warns, and the last directive wins.
    if (stage.computed_with) {
        breaks(fmt::format("it is already computed with \"{}\"", print(stage.computed_with->stage)));
        stage.computed_with.reset();
    }
    // "Found cyclic dependencies between compute_with of …"
    std::set<std::string> seen;
    std::vector<std::string> open{with.tensor};
    while (!open.empty()) {
        const std::string next = open.back();
        open.pop_back();
        if (next == ref.tensor) {
            breaks(fmt::format("\"{}\" is already computed with \"{}\"", with.tensor, ref.tensor));
            return {};
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
