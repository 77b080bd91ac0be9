#include "generators/schedule/halide/nest.h"

#include <algorithm>

#include "generators/sare/traverse.h"
#include "generators/schedule/halide/tails.h"
#include "generators/schedule/text.h"

namespace haruspex::schedule::halide {
namespace {

bool runs_at_once(LoopKind kind) { return kind == LoopKind::parallel || kind == LoopKind::vectorized; }

// The loops whose iterations Halide must keep in order, outermost last.
std::vector<std::string> ordered_paths(const std::vector<Loop>& loops) {
    std::vector<std::string> paths;
    for (const Loop& loop : loops) {
        if (loop.is_rvar && !loop.reorder_safe) { paths.push_back(loop.path); }
    }
    return paths;
}

constexpr const char* no_order =
    ": the recurrence variables may only change their order when the update is proved associative and commutative";

}  // namespace

Loop* NestDirectives::find(const std::string& var) {
    auto& loops = stage_.nest.loops;
    const auto found = std::ranges::find_if(loops, [&](const Loop& loop) { return !var.empty() && loop.var == var; });
    return found == loops.end() ? nullptr : &*found;
}

std::unexpected<Error> NestDirectives::no_loop(const std::string& var) const {
    return refuse(ref_, "there is no loop over \"" + var + "\"");
}

// --- split ----------------------------------------------------------------------------------------------------------

Result<void> NestDirectives::check_tail(const Loop& old_loop, std::int64_t factor, Tail tail) const {
    const std::string name = "\"" + std::string(tail_name(tail)) + "\"";
    if (is_blend(tail) && !state_.vocabulary.has_blend_tails()) {
        return refuse(ref_, name + " is not known to Halide " + std::to_string(state_.vocabulary.version));
    }
    // "When splitting Var … the tail strategy must be GuardWithIf, Predicate, or Auto" (splits of RVars are exact).
    if (old_loop.is_rvar && tail != Tail::guard_with_if && tail != Tail::predicate) {
        return refuse(ref_, name + " may not split a recurrence variable: only GuardWithIf and Predicate may");
    }
    // "ShiftInwards is not a legal tail strategy for update definitions".
    if (is_update() && tail == Tail::shift_inwards) {
        return refuse(ref_, "ShiftInwards is not legal in an update definition, which would recompute cells");
    }
    const bool divides = old_loop.extent && *old_loop.extent % factor == 0;
    const bool leaves = rounding_leaves_the_dimension(stage_, old_loop.path);
    // "Can't use TailStrategy::RoundUp … It may redundantly recompute some values". Halide looks only for RoundUp, but
    // rounded stores without the loads they need (PredicateLoads) recompute just as well.
    if (is_update() && !leaves && (tail == Tail::round_up || tail == Tail::predicate_loads)) {
        return refuse(ref_, name + " of an inner loop would recompute cells of an update definition");
    }
    // "Only legal for innermost splits": what PredicateLoads computes beyond the end is stored, and must not land on
    // cells that another iteration computes.
    if (tail == Tail::predicate_loads && !divides && (!leaves || stems_from_shift_or_fuse(stage_, old_loop.path))) {
        return refuse(ref_, "PredicateLoads of this loop would store values computed without their loads");
    }
    if (is_blend(tail)) { return check_blend_tail(ref_, stage_, old_loop, divides, leaves, tail); }
    return {};
}

Result<void> NestDirectives::split_loop(const Names& names, std::int64_t factor, Tail tail) {
    // "Split factors must be strictly positive"
    if (factor < 1) { return refuse(ref_, "a split factor must be positive"); }
    const Loop* found = find(names.old_var);
    if (found == nullptr) { return no_loop(names.old_var); }
    const Loop old_loop = *found;
    if (names.outer.empty()) { return refuse(ref_, "a new loop needs a name"); }
    if (names.outer == names.inner) { return refuse(ref_, "a split makes two loops of different names"); }
    for (const std::string& name : {names.outer, names.inner}) {
        // "can't create var … because … is already used in this Func's schedule elsewhere"
        if (name != names.old_var && find(name) != nullptr) {
            return refuse(ref_, "there is already a loop over \"" + name + "\"");
        }
    }
    for (const SplitRecord& split : stage_.splits) {
        if (split.inner == old_loop.path &&
            (split.tail == Tail::predicate_loads || split.tail == Tail::predicate_stores)) {
            return refuse(ref_, "the inner loop of a split with PredicateLoads or PredicateStores may not be split");
        }
    }
    const Tail resolved = resolve_tail(stage_, is_update(), old_loop, factor, tail);
    if (auto legal = check_tail(old_loop, factor, resolved); !legal) { return legal; }

    Loop outer = old_loop, inner = old_loop;
    outer.var = names.outer;
    outer.path = old_loop.path + "." + names.outer;
    outer.extent = old_loop.extent ? std::optional((*old_loop.extent + factor - 1) / factor) : std::nullopt;
    inner.var = names.inner;
    inner.path = old_loop.path + "." + (names.inner.empty() ? "~" + std::to_string(stage_.splits.size()) : names.inner);
    inner.extent = factor;
    // Both halves inherit what the loop was marked as.
    for (const Loop& half : {outer, inner}) {
        if (auto legal = has_fitting_extent(half, half.kind); !legal) { return legal; }
    }
    stage_.splits.push_back(
        {SplitRecord::Kind::split, old_loop.path, outer.path, inner.path, factor, resolved, state_.directives});
    auto& loops = stage_.nest.loops;
    const auto at = std::ranges::find(loops, old_loop.path, &Loop::path);
    *at = std::move(outer);
    loops.insert(at, std::move(inner));
    return {};
}

Result<void> NestDirectives::split(const Split& split) {
    if (split.inner.empty()) { return refuse(ref_, "a new loop needs a name"); }
    return split_loop({split.old_var, split.outer, split.inner}, split.factor, split.tail);
}

Result<void> NestDirectives::tile(const Tile& tile) {
    if (tile.x_inner.empty() || tile.y_inner.empty()) { return refuse(ref_, "a new loop needs a name"); }
    if (auto done = split_loop({tile.x, tile.x_outer, tile.x_inner}, tile.x_factor, tile.tail); !done) { return done; }
    if (auto done = split_loop({tile.y, tile.y_outer, tile.y_inner}, tile.y_factor, tile.tail); !done) { return done; }
    return reorder({tile.x_inner, tile.y_inner, tile.x_outer, tile.y_outer});
}

// --- order ----------------------------------------------------------------------------------------------------------

// Halide's reorder compares only the recurrence variables that the call names, and its fuse compares none; both can
// move one across another that is not named. The order that results is what counts here.
Result<void> NestDirectives::replace_order(std::vector<Loop> loops, const std::string& what) {
    if (ordered_paths(loops) != ordered_paths(stage_.nest.loops)) {
        if (!any_order_is_safe()) { return refuse(ref_, what + no_order); }
        reordered_floats_ = reordered_floats_ || (has_float_ && !facts_.is_const_assignment);
    }
    stage_.nest.loops = std::move(loops);
    return {};
}

Result<void> NestDirectives::reorder(const std::vector<std::string>& vars) {
    std::vector<std::size_t> places;
    for (const std::string& var : vars) {
        const Loop* loop = find(var);
        if (loop == nullptr) { return no_loop(var); }
        places.push_back(static_cast<std::size_t>(loop - stage_.nest.loops.data()));
    }
    std::vector<std::size_t> sorted = places;
    std::ranges::sort(sorted);
    if (std::ranges::adjacent_find(sorted) != sorted.end()) { return refuse(ref_, "reorder names a loop twice"); }
    std::vector<Loop> loops = stage_.nest.loops;
    for (std::size_t i = 0; i < places.size(); ++i) { loops[sorted[i]] = stage_.nest.loops[places[i]]; }
    return replace_order(std::move(loops), "reorder");
}

Result<void> NestDirectives::fuse(const Fuse& fuse) {
    const Loop* found_inner = find(fuse.inner);
    const Loop* found_outer = find(fuse.outer);
    if (found_inner == nullptr) { return no_loop(fuse.inner); }
    if (found_outer == nullptr) { return no_loop(fuse.outer); }
    if (fuse.fused.empty()) { return refuse(ref_, "a new loop needs a name"); }
    if (found_inner == found_outer) { return refuse(ref_, "fuse takes two different loops"); }
    // Halide does not look, but two loops of one name cannot be told apart by later directives.
    if (fuse.fused != fuse.inner && fuse.fused != fuse.outer && find(fuse.fused) != nullptr) {
        return refuse(ref_, "there is already a loop over \"" + fuse.fused + "\"");
    }
    const Loop inner = *found_inner, outer = *found_outer;
    // What the order becomes: the outer loop moves to just around the inner one.
    std::vector<Loop> moved = stage_.nest.loops;
    std::erase_if(moved, [&](const Loop& loop) { return loop.path == outer.path; });
    const auto at = std::ranges::find(moved, inner.path, &Loop::path) - moved.begin();
    moved.insert(moved.begin() + at + 1, outer);
    if (auto done = replace_order(std::move(moved), "fuse"); !done) { return done; }

    Loop fused = inner;  // its kind is that of the inner loop
    fused.var = fuse.fused;
    fused.path = inner.path + "." + fuse.fused;
    fused.is_rvar = inner.is_rvar || outer.is_rvar;
    fused.reorder_safe = inner.reorder_safe && outer.reorder_safe;
    fused.extent = std::nullopt;
    if (inner.extent && outer.extent) { fused.extent = *inner.extent * *outer.extent; }
    if (auto legal = has_fitting_extent(fused, fused.kind); !legal) { return legal; }
    // A parallel pure loop that takes in a recurrence variable: Halide does not look again.
    if (auto legal = may_run_at_once(fused, fused.kind); !legal) { return legal; }
    stage_.splits.push_back(
        {SplitRecord::Kind::fuse, fused.path, outer.path, inner.path, 0, Tail::automatic, state_.directives});
    auto& loops = stage_.nest.loops;
    loops[static_cast<std::size_t>(at)] = std::move(fused);
    loops.erase(loops.begin() + at + 1);
    return {};
}

// --- kinds of loops
// ---------------------------------------------------------------------------------------------------

// "marking var … as parallel or vectorized may introduce a race condition"
Result<void> NestDirectives::may_run_at_once(const Loop& loop, LoopKind kind) {
    if (!runs_at_once(kind) || !loop.is_rvar || loop.reorder_safe) { return {}; }
    const std::string name = "\"" + (loop.var.empty() ? loop.path : loop.var) + "\"";
    if (!stage_.nest.atomic) {
        return refuse(ref_, name +
                                " is a recurrence variable whose iterations depend on each other: "
                                "parallel or vectorized it needs atomic()");
    }
    // "Failed to call atomic() … since it can't prove associativity or commutativity of the operator"
    if (!any_order_is_safe()) {
        return refuse(ref_, "atomic() makes " + name + " safe only for an associative and commutative update");
    }
    reordered_floats_ = reordered_floats_ || (has_float_ && !facts_.is_const_assignment);
    return {};
}

// "Can only vectorize loops over a constant extent > 1", "Can only unroll for loops over a constant extent".
Result<void> NestDirectives::has_fitting_extent(const Loop& loop, LoopKind kind) const {
    if (kind == LoopKind::vectorized && (!loop.extent || *loop.extent < 2)) {
        return refuse(ref_, "only a loop of constant extent above 1 can be vectorized");
    }
    if (kind == LoopKind::unrolled && !loop.extent) {
        return refuse(ref_, "only a loop of constant extent can be unrolled");
    }
    return {};
}

Result<void> NestDirectives::set_kind(Loop& loop, LoopKind kind) {
    if (auto legal = has_fitting_extent(loop, kind); !legal) { return legal; }
    if (auto legal = may_run_at_once(loop, kind); !legal) { return legal; }
    if (auto legal = check_blend_race(ref_, stage_, loop, kind); !legal) { return legal; }
    loop.kind = kind;
    return {};
}

Result<void> NestDirectives::mark(const std::string& var, LoopKind kind) {
    Loop* loop = find(var);
    return loop == nullptr ? Result<void>(no_loop(var)) : set_kind(*loop, kind);
}

template <typename Mark>
Result<void> NestDirectives::split_and_mark(const Mark& mark_, LoopKind kind, bool mark_outer) {
    if (!mark_.factor) { return mark(mark_.var, kind); }
    if (auto done = split_loop({mark_.var, mark_.var, ""}, *mark_.factor, mark_.tail); !done) { return done; }
    if (mark_outer) { return mark(mark_.var, kind); }
    return set_kind(*std::ranges::find(stage_.nest.loops, stage_.splits.back().inner, &Loop::path), kind);
}

Result<void> NestDirectives::vectorize(const Vectorize& m) { return split_and_mark(m, LoopKind::vectorized, false); }
Result<void> NestDirectives::unroll(const Unroll& m) { return split_and_mark(m, LoopKind::unrolled, false); }
Result<void> NestDirectives::parallel(const Parallel& m) { return split_and_mark(m, LoopKind::parallel, true); }
Result<void> NestDirectives::serial(const Serial& m) { return mark(m.var, LoopKind::serial); }

// --- atomic, specialize
// -----------------------------------------------------------------------------------------------

Result<void> NestDirectives::atomic(const Atomic& atomic) {
    // The override is the user's word that the update is associative; where it is not, the result is undefined.
    const bool races_nowhere = std::ranges::all_of(facts_.rvar_is_pure, [](const auto& entry) { return entry.second; });
    if (atomic.override_associativity_test && !any_order_is_safe() && !races_nowhere) {
        return refuse(ref_, "atomic(true) would promise that an update is associative which is not");
    }
    stage_.nest.atomic = true;
    stage_.override_associativity = atomic.override_associativity_test;
    return {};
}

Result<void> NestDirectives::specialize(const Specialize& specialize) {
    if (ref_.specialization) { return refuse(ref_, "a specialization cannot be specialized again"); }
    if (stage_.computed_with) { return refuse(ref_, "a stage that is computed with another must not be specialized"); }
    // "Specialization conditions may not depend on any Vars or RVars."
    for (const std::string& name : sare::free_variables(specialize.condition)) {
        if (std::ranges::find(*state_.parameters, name) == state_.parameters->end()) {
            return refuse(ref_, "the condition depends on \"" + name + "\", which is not a parameter");
        }
    }
    // Halide would return the earlier specialization.
    if (std::ranges::find(stage_.conditions, specialize.condition) != stage_.conditions.end()) {
        return refuse(ref_, "there is already a specialization with this condition");
    }
    StageState branch = stage_;
    branch.conditions.clear();
    branch.specializations.clear();
    stage_.conditions.push_back(specialize.condition);
    stage_.specializations.push_back(std::move(branch));
    return {};
}

}  // namespace haruspex::schedule::halide
