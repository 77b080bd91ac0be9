#include "generators/schedule/halide/tails.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "generators/schedule/halide/text.h"

namespace haruspex::schedule::halide {

bool rounding_leaves_the_dimension(const StageState& stage, const std::string& path) {
    std::set<std::string> inner;
    for (const SplitRecord& split : stage.splits) {
        if (split.kind == SplitRecord::Kind::split) {
            inner.insert(split.inner);
            if (inner.contains(split.old_var)) { inner.insert(split.outer); }
        } else if (inner.contains(split.inner) || inner.contains(split.outer)) {
            inner.insert(split.old_var);
        }
    }
    return !inner.contains(path);
}

bool stems_from_shift_or_fuse(const StageState& stage, const std::string& path) {
    std::set<std::string> marked;
    for (const SplitRecord& split : stage.splits) {
        if (split.kind == SplitRecord::Kind::fuse) {
            marked.insert(split.old_var);
        } else if (shifts_inwards(split.tail) || marked.contains(split.old_var)) {
            marked.insert(split.outer);
            marked.insert(split.inner);
        }
    }
    return marked.contains(path);
}

Tail resolve_tail(const StageState& stage, bool is_update, const Loop& old_loop, std::int64_t factor, Tail tail) {
    if (tail != Tail::automatic) { return tail; }
    if (old_loop.is_rvar) { return Tail::guard_with_if; }
    if (is_update) {
        return rounding_leaves_the_dimension(stage, old_loop.path) ? Tail::round_up : Tail::guard_with_if;
    }
    // An earlier, larger split that shifts inwards already keeps this one inside.
    std::map<std::string, std::int64_t> covered;
    for (const SplitRecord& split : stage.splits) {
        if (split.kind != SplitRecord::Kind::split) { continue; }
        const auto from = covered.find(split.old_var);
        if (split.tail == Tail::shift_inwards) {
            covered[split.outer] = split.factor;
        } else if (from != covered.end()) {
            const std::int64_t by = from->second;
            covered[split.inner] = by;
            covered[split.outer] = by;
        }
    }
    const auto found = covered.find(old_loop.path);
    return found != covered.end() && found->second >= factor ? Tail::round_up : Tail::shift_inwards;
}

namespace {

// The variables of the definition that the loop stems from.
std::set<std::string> origins(const StageState& stage, const std::string& path) {
    std::map<std::string, std::set<std::string>> of;
    const auto known = [&](const std::string& loop) {
        const auto found = of.find(loop);
        return found == of.end() ? std::set<std::string>{loop} : found->second;
    };
    for (const SplitRecord& split : stage.splits) {
        if (split.kind == SplitRecord::Kind::fuse) {
            auto both = known(split.inner);
            both.merge(known(split.outer));
            of[split.old_var] = std::move(both);
        } else {
            of[split.outer] = of[split.inner] = known(split.old_var);
        }
    }
    return known(path);
}

bool share_origin(const StageState& stage, const std::string& a, const std::string& b) {
    const auto of_a = origins(stage, a), of_b = origins(stage, b);
    return std::ranges::any_of(of_a, [&](const std::string& name) { return of_b.contains(name); });
}

// Whether the loop is `ancestor` or a part of it.
bool stems_from(const StageState& stage, const std::string& path, const std::string& ancestor) {
    std::set<std::string> parts{ancestor};
    for (const SplitRecord& split : stage.splits) {
        if (split.kind == SplitRecord::Kind::split) {
            if (parts.contains(split.old_var)) { parts.insert({split.outer, split.inner}); }
        } else if (parts.contains(split.outer) || parts.contains(split.inner)) {
            parts.insert(split.old_var);
        }
    }
    return parts.contains(path);
}

}  // namespace

std::vector<std::string> misuses_of_blend_tail(const StageState& stage, const Loop& old_loop, bool divides,
                                               bool leaves_the_dimension, Tail tail) {
    std::vector<std::string> found;
    const std::string name(tail_name(tail));
    if (!divides && (!leaves_the_dimension || stems_from_shift_or_fuse(stage, old_loop.path))) {
        found.push_back(name + " may only split a loop over a whole dimension");
    }
    for (const Loop& loop : stage.nest.loops) {
        if (loop.kind == LoopKind::parallel && share_origin(stage, loop.path, old_loop.path)) {
            found.push_back(name + " must not split what is parallel");
        }
    }
    // Both halves would be vectorized.
    if (old_loop.kind == LoopKind::vectorized) { found.push_back(name + " must not split what is vectorized"); }
    return found;
}

std::vector<std::string> races_with_blend_tail(const StageState& stage, const Loop& loop, LoopKind kind) {
    std::vector<std::string> found;
    for (const SplitRecord& split : stage.splits) {
        if (!is_blend(split.tail)) { continue; }
        const std::string tail(tail_name(split.tail));
        if (kind == LoopKind::parallel && share_origin(stage, loop.path, split.outer)) {
            found.push_back(fmt::format("\"{}\" may not be parallel beside a split with {}", loop.var, tail));
        }
        if (kind == LoopKind::vectorized && stems_from(stage, loop.path, split.outer)) {
            found.push_back(fmt::format("the outer loop of a split with {} may not be vectorized", tail));
        }
    }
    return found;
}

}  // namespace haruspex::schedule::halide
