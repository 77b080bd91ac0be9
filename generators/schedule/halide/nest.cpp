#include "generators/schedule/halide/nest.h"

#include <fmt/core.h>

#include <algorithm>

#include "generators/sare/traverse.h"
#include "generators/schedule/halide/tails.h"
#include "generators/schedule/halide/text.h"

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

// Whether all pairs of loops that have changed places are pairs of named loops.
bool have_changed_places(const std::vector<std::string>& before, const std::vector<std::string>& after,
                         const std::vector<std::string>& named) {
    const auto is_named = [&](const std::string& path) { return std::ranges::find(named, path) != named.end(); };
    for (std::size_t i = 0; i < before.size(); ++i) {
        for (std::size_t j = i + 1; j < before.size(); ++j) {
            const auto first = std::ranges::find(after, before[i]), second = std::ranges::find(after, before[j]);
            if (second < first && !(is_named(before[i]) && is_named(before[j]))) { return false; }
        }
    }
    return true;
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
    return refuse(ref_, fmt::format("there is no loop over \"{}\"", var));
}

// --- split ----------------------------------------------------------------------------------------------------------

// An Error when this version does not have the tail.
Result<void> NestDirectives::check_tail(const Loop& old_loop, std::int64_t factor, Tail tail) {
    const std::string name = fmt::format("\"{}\"", tail_name(tail));
    if (!state_.vocabulary.has(tail)) {
        return refuse(ref_, fmt::format("{} is not known to Halide {}", name, state_.vocabulary.version));
    }
    // "When splitting Var … the tail strategy must be GuardWithIf, Predicate, or Auto" (splits of RVars are exact).
    if (old_loop.is_rvar && tail != Tail::guard_with_if && tail != Tail::predicate) {
        breaks(Rule::recurrence_tail,
               name + " may not split a recurrence variable: only GuardWithIf and Predicate may");
    }
    // "ShiftInwards is not a legal tail strategy for update definitions".
    if (is_update() && tail == Tail::shift_inwards) {
        breaks(Rule::shifted_update,
               "ShiftInwards is not legal in an update definition, because it would recompute cells");
    }
    const bool divides = old_loop.extent && *old_loop.extent % factor == 0;
    const bool leaves = rounding_leaves_the_dimension(stage_, old_loop.path);
    // "Can't use TailStrategy::RoundUp … It may redundantly recompute some values". Halide checks only RoundUp, but
    // rounded stores without the loads they need (PredicateLoads) recompute just as well.
    if (is_update() && !leaves && (tail == Tail::round_up || tail == Tail::predicate_loads)) {
        breaks(tail == Tail::round_up ? Rule::rounded_update : Rule::unread_stores,
               name + " of an inner loop would recompute cells of an update definition");
    }
    // "Only legal for innermost splits": PredicateLoads stores the values computed beyond the end; these stores must
    // not hit cells that another iteration computes.
    if (tail == Tail::predicate_loads && !divides && (!leaves || stems_from_shift_or_fuse(stage_, old_loop.path))) {
        breaks(Rule::unread_stores,
               "with PredicateLoads this loop would store values that are computed without their loads");
    }
    if (is_blend(tail)) {
        for (const std::string& words : misuses_of_blend_tail(stage_, old_loop, divides, leaves, tail)) {
            breaks(Rule::blended_race, words);
        }
    }
    return {};
}

Result<void> NestDirectives::split_loop(const Names& names, std::int64_t factor, Tail tail) {
    // "Split factors must be strictly positive"
    if (factor < 1) {
        breaks(Rule::positive_factor, "a split factor must be positive");
        factor = 1;
    }
    const Loop* found = find(names.old_var);
    if (found == nullptr) { return no_loop(names.old_var); }
    const Loop old_loop = *found;
    if (names.outer.empty()) { return refuse(ref_, "a new loop needs a name"); }
    if (names.outer == names.inner) {
        breaks(Rule::distinct_names, "the two loops of a split must have different names");
    }
    for (const std::string& name : {names.outer, names.inner}) {
        // "can't create var … because … is already used in this Func's schedule elsewhere"
        if (name != names.old_var && find(name) != nullptr) {
            breaks(Rule::distinct_names, fmt::format("there is already a loop over \"{}\"", name));
        }
    }
    for (const SplitRecord& split : stage_.splits) {
        if (split.inner == old_loop.path &&
            (split.tail == Tail::predicate_loads || split.tail == Tail::predicate_stores)) {
            breaks(Rule::predicated_split,
                   "the inner loop of a split with PredicateLoads or PredicateStores may not be split");
        }
    }
    const Tail resolved = resolve_tail(stage_, is_update(), old_loop, factor, tail);
    if (auto known = check_tail(old_loop, factor, resolved); !known) { return known; }

    Loop outer = old_loop, inner = old_loop;
    outer.var = names.outer;
    outer.path = old_loop.path + "." + names.outer;
    outer.extent = old_loop.extent ? std::optional((*old_loop.extent + factor - 1) / factor) : std::nullopt;
    inner.var = names.inner;
    inner.path = old_loop.path + "." + (names.inner.empty() ? "~" + std::to_string(stage_.splits.size()) : names.inner);
    inner.extent = factor;
    stage_.splits.push_back({SplitRecord::Kind::split, old_loop.path, outer.path, inner.path, factor, old_loop.extent,
                             resolved, state_.directives});
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
// move one across an unnamed one. The resulting order is decisive here. `named` are the paths of the variables that
// Halide compares.
void NestDirectives::replace_order(std::vector<Loop> loops, const std::string& what,
                                   const std::vector<std::string>& named) {
    const std::vector<std::string> before = ordered_paths(stage_.nest.loops), after = ordered_paths(loops);
    if (before != after) {
        if (!any_order_is_safe()) {
            // For a tuple, a property that Halide proves may be untrue.
            const bool is_looked_at = !is_tuple_ && have_changed_places(before, after, named);
            breaks(is_looked_at ? Rule::recurrence_order : Rule::unnoticed_order, what + no_order);
        }
        reordered_floats_ = reordered_floats_ || (has_float_ && !facts_.is_const_assignment);
    }
    stage_.nest.loops = std::move(loops);
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
    if (std::ranges::adjacent_find(sorted) != sorted.end()) {
        breaks(Rule::distinct_loops, "reorder names a loop twice");
        return {};
    }
    std::vector<Loop> loops = stage_.nest.loops;
    std::vector<std::string> named;
    for (std::size_t i = 0; i < places.size(); ++i) {
        const Loop& loop = stage_.nest.loops[places[i]];
        if (!loop.taken_for_safe) { named.push_back(loop.path); }
        loops[sorted[i]] = loop;
    }
    replace_order(std::move(loops), "reorder", named);
    return {};
}

Result<void> NestDirectives::fuse(const Fuse& fuse) {
    const Loop* found_inner = find(fuse.inner);
    const Loop* found_outer = find(fuse.outer);
    if (found_inner == nullptr) { return no_loop(fuse.inner); }
    if (found_outer == nullptr) { return no_loop(fuse.outer); }
    if (fuse.fused.empty()) { return refuse(ref_, "a new loop needs a name"); }
    if (found_inner == found_outer) {
        breaks(Rule::distinct_loops, "fuse needs two different loops");
        find(fuse.inner)->var = fuse.fused;
        return {};
    }
    // Halide does not check this, but later directives cannot distinguish two loops of one name.
    if (fuse.fused != fuse.inner && fuse.fused != fuse.outer && find(fuse.fused) != nullptr) {
        breaks(Rule::distinct_names, fmt::format("there is already a loop over \"{}\"", fuse.fused));
    }
    const Loop inner = *found_inner, outer = *found_outer;
    // The new order: the outer loop moves to just around the inner one.
    std::vector<Loop> moved = stage_.nest.loops;
    std::erase_if(moved, [&](const Loop& loop) { return loop.path == outer.path; });
    const auto at = std::ranges::find(moved, inner.path, &Loop::path) - moved.begin();
    moved.insert(moved.begin() + at + 1, outer);
    replace_order(std::move(moved), "fuse", {});

    Loop fused = inner;  // its kind is that of the inner loop
    fused.var = fuse.fused;
    fused.path = inner.path + "." + fuse.fused;
    fused.is_rvar = inner.is_rvar || outer.is_rvar;
    fused.reorder_safe = inner.reorder_safe && outer.reorder_safe;
    fused.taken_for_safe = inner.taken_for_safe || outer.taken_for_safe;
    fused.extent = std::nullopt;
    if (inner.extent && outer.extent) { fused.extent = *inner.extent * *outer.extent; }
    // Halide does not check again whether a parallel pure loop takes in a recurrence variable.
    check_race(fused, fused.kind, false);
    stage_.splits.push_back(
        {SplitRecord::Kind::fuse, fused.path, outer.path, inner.path, 0, {}, Tail::automatic, state_.directives});
    auto& loops = stage_.nest.loops;
    loops[static_cast<std::size_t>(at)] = std::move(fused);
    loops.erase(loops.begin() + at + 1);
    return {};
}

// --- kinds of loops -------------------------------------------------------------------------------------------------

// "marking var … as parallel or vectorized may introduce a race condition". `is_looked_at`: whether Halide checks it.
void NestDirectives::check_race(const Loop& loop, LoopKind kind, bool is_looked_at) {
    if (!runs_at_once(kind) || !loop.is_rvar || loop.reorder_safe) { return; }
    const std::string name = fmt::format("\"{}\"", loop.var.empty() ? loop.path : loop.var);
    const auto broken = [&](bool is_noticed) {
        return is_looked_at && is_noticed && !loop.taken_for_safe ? Rule::dependent_iterations : Rule::unnoticed_race;
    };
    if (!stage_.nest.atomic) {
        breaks(broken(true), name +
                                 " is a recurrence variable whose iterations depend on each other: "
                                 "parallel or vectorized it needs atomic()");
    } else if (!any_order_is_safe()) {
        // "Failed to call atomic() … since it can't prove associativity or commutativity of the operator". For a tuple,
        // a property that Halide proves may be untrue.
        breaks(broken(!is_tuple_ && !stage_.override_associativity),
               fmt::format("atomic() makes {} safe only for an associative and commutative update", name));
    }
    reordered_floats_ = reordered_floats_ || (has_float_ && !facts_.is_const_assignment);
}

void NestDirectives::set_kind(Loop& loop, LoopKind kind) {
    check_race(loop, kind, true);
    for (const std::string& words : races_with_blend_tail(stage_, loop, kind)) { breaks(Rule::blended_race, words); }
    loop.kind = kind;
    loop.marked_by = state_.directives;
}

Result<void> NestDirectives::mark(const std::string& var, LoopKind kind) {
    Loop* loop = find(var);
    if (loop == nullptr) { return no_loop(var); }
    set_kind(*loop, kind);
    return {};
}

template <typename Mark>
Result<void> NestDirectives::split_and_mark(const Mark& mark_, LoopKind kind, bool mark_outer) {
    if (!mark_.factor) { return mark(mark_.var, kind); }
    if (auto done = split_loop({mark_.var, mark_.var, ""}, *mark_.factor, mark_.tail); !done) { return done; }
    if (mark_outer) { return mark(mark_.var, kind); }
    set_kind(*std::ranges::find(stage_.nest.loops, stage_.splits.back().inner, &Loop::path), kind);
    return {};
}

Result<void> NestDirectives::vectorize(const Vectorize& m) { return split_and_mark(m, LoopKind::vectorized, false); }
Result<void> NestDirectives::unroll(const Unroll& m) { return split_and_mark(m, LoopKind::unrolled, false); }
Result<void> NestDirectives::parallel(const Parallel& m) { return split_and_mark(m, LoopKind::parallel, true); }
Result<void> NestDirectives::serial(const Serial& m) { return mark(m.var, LoopKind::serial); }

// --- partition, prefetch --------------------------------------------------------------------------------------------

// Both loops of a later split, and a fused loop, keep what was said of the loop, as in Halide.
Result<void> NestDirectives::partition(const std::vector<std::string>& vars, Partitioning policy) {
    for (const std::string& var : vars) {
        Loop* loop = find(var);
        if (loop == nullptr) { return no_loop(var); }
        set_partitioning(*loop, policy);
    }
    return {};
}

Result<void> NestDirectives::partition_all(Partitioning policy) {
    for (Loop& loop : stage_.nest.loops) { set_partitioning(loop, policy); }
    return {};
}

void NestDirectives::set_partitioning(Loop& loop, Partitioning policy) {
    const bool is_always = policy == Partitioning::always;
    loop.always_partitioned_by = is_always ? std::optional(state_.directives) : std::nullopt;
}

// Halide looks for the loops when it lowers the program. Of two calls for one tensor and loop it keeps the last.
Result<void> NestDirectives::prefetch(const Prefetch& prefetch) {
    const auto& inputs = state_.input_names;
    if (state_.find(prefetch.tensor) == nullptr && std::ranges::find(inputs, prefetch.tensor) == inputs.end()) {
        return refuse(ref_, fmt::format("there is no tensor or input \"{}\" to fetch", prefetch.tensor));
    }
    std::erase_if(stage_.prefetches, [&](const PrefetchState& known) {
        return known.prefetch.tensor == prefetch.tensor && known.prefetch.at == prefetch.at;
    });
    stage_.prefetches.push_back({prefetch, state_.directives});
    return {};
}

// --- atomic, specialize ---------------------------------------------------------------------------------------------

Result<void> NestDirectives::atomic(const Atomic& atomic) {
    // The override is the user's promise that the update is associative; if it is not, the result is undefined.
    const bool races_nowhere = std::ranges::all_of(facts_.rvar_is_pure, [](const auto& entry) { return entry.second; });
    if (atomic.override_associativity_test && !any_order_is_safe() && !races_nowhere) {
        breaks(Rule::false_atomic, "atomic(true) promises that the update is associative, which it is not");
    }
    stage_.nest.atomic = true;
    stage_.override_associativity = atomic.override_associativity_test;
    return {};
}

Result<void> NestDirectives::specialize(const Specialize& specialize) {
    if (ref_.specialization) { return refuse(ref_, "a specialization cannot be specialized again"); }
    if (stage_.computed_with) {
        // Halide checks pure definitions only.
        breaks(is_update() ? Rule::unnoticed_sharing : Rule::shared_loops,
               "a stage that is computed with another must not be specialized");
    }
    // "Specialization conditions may not depend on any Vars or RVars."
    for (const std::string& name : sare::free_variables(specialize.condition)) {
        if (std::ranges::find(*state_.parameters, name) == state_.parameters->end()) {
            return refuse(ref_, fmt::format("the condition depends on \"{}\", which is not a parameter", name));
        }
    }
    // Halide would return the earlier specialization.
    if (std::ranges::find(stage_.conditions, specialize.condition) != stage_.conditions.end()) {
        breaks(Rule::distinct_conditions, "there is already a specialization with this condition");
    }
    StageState branch = stage_;
    branch.conditions.clear();
    branch.specializations.clear();
    stage_.conditions.push_back(specialize.condition);
    stage_.specializations.push_back(std::move(branch));
    stage_.specialize_directive = state_.directives;
    return {};
}

}  // namespace haruspex::schedule::halide
