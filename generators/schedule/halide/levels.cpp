#include "generators/schedule/halide/levels.h"

#include <fmt/core.h>

#include <algorithm>

#include "generators/base/ensure.h"
#include "generators/schedule/halide/text.h"

namespace haruspex::schedule::halide {
namespace {

bool runs_at_once(LoopKind kind) { return kind == LoopKind::parallel || kind == LoopKind::vectorized; }

bool reads(const StageFacts& stage, const std::string& tensor) {
    return std::ranges::any_of(stage.accesses, [&](const TensorAccess& a) { return a.tensor == tensor; });
}

bool same_path(const SitePath& a, const SitePath& b) {
    return std::ranges::equal(a, b, [](const Site& x, const Site& y) { return x.stage == y.stage && x.var == y.var; });
}

void add_distinct(std::vector<SitePath>& paths, SitePath path) {
    const bool known = std::ranges::any_of(paths, [&](const SitePath& other) { return same_path(path, other); });
    if (!known) { paths.push_back(std::move(path)); }
}

std::string describe(const Placement& placement) {
    switch (placement.kind) {
        case Placement::Kind::inlined: return "inline";
        case Placement::Kind::root: return "at root";
        case Placement::Kind::at: return fmt::format("at {}, {}", print(placement.level.stage), placement.level.var);
    }
    ENSURE(false, "every kind of placement has a description");
}

}  // namespace

SitePath Levels::with_loops(const SitePath& place, const StageRef& ref, const StageState& stage, int depth) const {
    SitePath path = place;
    std::size_t fused_from = stage.nest.loops.size();  // loops at and above this index are the parent's
    if (stage.computed_with) {
        const StageRef& parent_ref = stage.computed_with->stage;
        const StageState* parent = state_.find(parent_ref);
        // compute_with refuses cycles; a chain is not longer than the number of tensors.
        if (parent != nullptr && depth < 16) {
            path = with_loops(place, parent_ref, *parent, depth + 1);
            const auto at = std::ranges::find_if(path, [&](const Site& s) { return s.matches(*stage.computed_with); });
            if (at != path.end()) { path.erase(at + 1, path.end()); }
        }
        for (std::size_t i = 0; i < stage.nest.loops.size(); ++i) {
            if (stage.nest.loops[i].var == stage.computed_with->var) { fused_from = i; }
        }
    }
    for (std::size_t i = stage.nest.loops.size(); i-- > 0;) {
        const Loop& loop = stage.nest.loops[i];
        path.push_back({ref.tensor, loop.var, i < fused_from ? loop.kind : LoopKind::serial, ref});
    }
    return path;
}

const std::vector<SitePath>& Levels::uses(const std::string& tensor) {
    if (const auto known = uses_.find(tensor); known != uses_.end()) { return known->second; }
    std::vector<SitePath> found;
    for (const TensorState& consumer : state_.tensors) {
        if (!consumer.facts->reads.contains(tensor)) { continue; }
        if (consumer.is_inlined()) {
            for (const SitePath& path : uses(consumer.name())) { add_distinct(found, path); }
            continue;
        }
        for (std::size_t s = 0; s < consumer.stages.size(); ++s) {
            if (!reads(consumer.facts->stages[s], tensor)) { continue; }
            const StageState& stage = consumer.stages[s];
            StageRef ref{consumer.name(), std::nullopt, std::nullopt};
            if (s > 0) { ref.update = static_cast<int>(s) - 1; }
            for (const SitePath& place : places(consumer.name())) {
                add_distinct(found, with_loops(place, ref, stage));
                for (std::size_t b = 0; b < stage.specializations.size(); ++b) {
                    StageRef branch = ref;
                    branch.specialization = static_cast<int>(b);
                    add_distinct(found, with_loops(place, branch, stage.specializations[b]));
                }
            }
        }
    }
    return uses_[tensor] = std::move(found);
}

const std::vector<SitePath>& Levels::places(const std::string& tensor) {
    if (const auto known = places_.find(tensor); known != places_.end()) { return known->second; }
    const TensorState* state = state_.find(tensor);
    ENSURE(state != nullptr, "places of a tensor of the algorithm");
    std::vector<SitePath> found;
    switch (state->compute.kind) {
        case Placement::Kind::root: found.emplace_back(); break;
        case Placement::Kind::inlined: found = uses(tensor); break;  // around each store that reads it
        case Placement::Kind::at:
            for (const SitePath& use : uses(tensor)) {
                const auto at =
                    std::ranges::find_if(use, [&](const Site& s) { return s.matches(state->compute.level); });
                if (at != use.end()) { add_distinct(found, SitePath(use.begin(), at + 1)); }
            }
            break;
    }
    return places_[tensor] = std::move(found);
}

SitePath Levels::common_sites(const std::string& tensor) {
    SitePath common;
    bool first = true;
    for (const SitePath& use : uses(tensor)) {
        if (first) {
            common = use;
        } else {
            std::erase_if(common, [&](const Site& site) {
                return std::ranges::none_of(use, [&](const Site& other) { return site.matches(other); });
            });
        }
        first = false;
    }
    return common;
}

bool Levels::is_stored_outside(const std::string& tensor, const LoopLevel& loop) {
    const TensorState* stored = state_.find(tensor);
    if (stored == nullptr || stored->is_inlined()) { return true; }
    const Placement& store = stored->store_level();
    if (store.kind == Placement::Kind::root && !stored->is_output) { return true; }
    // The storage is around the tensor's own loops.
    if (loop.stage.tensor == tensor) { return !stored->is_output; }
    return std::ranges::all_of(uses(tensor), [&](const SitePath& path) {
        const auto at = std::ranges::find_if(
            path, [&](const Site& site) { return site.stage == loop.stage && site.var == loop.var; });
        if (at == path.end()) { return true; }
        if (store.kind != Placement::Kind::at) { return false; }
        return std::ranges::find_if(path, [&](const Site& site) { return site.matches(store.level); }) < at;
    });
}

// Halide checks kinds and order of loops at the last use only. Another use with other loops could race, or store inside
// the compute level.
void Levels::check_path(const TensorState& tensor, const SitePath& path, BrokenRules& broken) const {
    const Placement& store = tensor.store_level();
    const Placement& hoist = tensor.hoist ? *tensor.hoist : store;
    const auto breaks = [&](Rule rule, const Placement& placement, const std::string& words) {
        const StageRef ref{tensor.name(), std::nullopt, std::nullopt};
        broken.push_back({rule, placement.directive, said_of(ref, words)});
    };
    const auto index_of = [&](const Placement& placement) -> std::ptrdiff_t {
        if (placement.kind == Placement::Kind::root) { return -1; }
        const auto at = std::ranges::find_if(path, [&](const Site& s) { return s.matches(placement.level); });
        return at == path.end() ? static_cast<std::ptrdiff_t>(path.size()) : at - path.begin();
    };
    const std::ptrdiff_t compute_at = index_of(tensor.compute), store_at = index_of(store), hoist_at = index_of(hoist);
    const auto size = static_cast<std::ptrdiff_t>(path.size());
    if (compute_at == size) {
        breaks(Rule::enclosing_level, tensor.compute,
               fmt::format("computed {}, which does not enclose every use", describe(tensor.compute)));
    }
    if (tensor.store && store_at == size) {
        breaks(Rule::enclosing_level, store,
               fmt::format("stored {}, which does not enclose every use", describe(store)));
    }
    if (tensor.hoist && hoist_at == size) {
        breaks(Rule::enclosing_level, hoist,
               fmt::format("allocated {}, which does not enclose every use", describe(hoist)));
    }
    if (compute_at == size || store_at == size || hoist_at == size) { return; }
    if (store_at > compute_at) {
        breaks(Rule::racing_storage, store,
               fmt::format("stored {}, inside the level where it is computed", describe(store)));
    }
    if (hoist_at > store_at) {
        breaks(Rule::racing_storage, hoist,
               fmt::format("allocated {}, inside the level where it is stored", describe(hoist)));
    }
    for (std::ptrdiff_t i = std::min(hoist_at, store_at) + 1; i <= compute_at; ++i) {
        const Site& site = path[static_cast<std::size_t>(i)];
        // "is stored outside the parallel loop over … but computed within it. This is a potential race condition."
        if (runs_at_once(site.kind)) {
            const bool is_stored_outside = i > store_at;
            breaks(Rule::racing_storage, is_stored_outside ? store : hoist,
                   fmt::format("{} outside and computed inside the parallel or vectorized loop \"{}\" of \"{}\"",
                               is_stored_outside ? "stored" : "allocated", site.var, print(site.stage)));
        }
    }
}

void Levels::check(const TensorState& tensor, BrokenRules& broken) {
    if (tensor.compute.kind == Placement::Kind::inlined) {
        // "A storage schedule is meaningless for functions computed inline."
        const StageRef ref{tensor.name(), std::nullopt, std::nullopt};
        const auto breaks = [&](const std::optional<Placement>& placement, const char* what) {
            if (!placement) { return; }
            broken.push_back({Rule::plainly_inlined, placement->directive,
                              said_of(ref, fmt::format("{} {} but computed inline", what, describe(*placement)))});
        };
        breaks(tensor.store, "stored");
        breaks(tensor.hoist, "allocated");
        return;
    }
    for (const SitePath& path : uses(tensor.name())) { check_path(tensor, path, broken); }
}

}  // namespace haruspex::schedule::halide
