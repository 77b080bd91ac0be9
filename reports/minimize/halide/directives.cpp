#include <algorithm>
#include <optional>

#include "generators/base/overload.h"
#include "reports/minimize/halide/loops.h"
#include "reports/minimize/halide/passes.h"
#include "reports/minimize/numbers.h"

// Passes over directives.
namespace haruspex::minimize::halide {
namespace {

using namespace schedule::halide;

Schedule without(Schedule schedule, std::size_t directive) {
    schedule.directives.erase(schedule.directives.begin() + static_cast<std::ptrdiff_t>(directive));
    return schedule;
}

// Pairs of an old and a new name of a loop.
using Renaming = std::vector<std::pair<std::string, std::string>>;

// Returns the loops that could replace those that a directive makes.
std::vector<Renaming> joins(const Action& action) {
    if (const auto* a = std::get_if<Split>(&action)) { return {{{a->outer, a->old_var}}, {{a->inner, a->old_var}}}; }
    if (const auto* a = std::get_if<Tile>(&action)) {
        return {{{a->x_outer, a->x}, {a->y_outer, a->y}}, {{a->x_inner, a->x}, {a->y_inner, a->y}}};
    }
    if (const auto* a = std::get_if<Fuse>(&action)) { return {{{a->fused, a->inner}}, {{a->fused, a->outer}}}; }
    return {};
}

// Merges a split and a mark of one of its loops: vectorize(x, 8) for a split of x whose inner loop is vectorized.
std::optional<Action> merged(const Split& split, const Action& mark) {
    const auto with_factor = [&](auto action, const std::string& marked) -> std::optional<Action> {
        if (action.factor || action.var != marked) { return std::nullopt; }
        action.var = split.old_var;
        action.factor = split.factor;
        action.tail = split.tail;
        return action;
    };
    if (const auto* a = std::get_if<Vectorize>(&mark)) { return with_factor(*a, split.inner); }
    if (const auto* a = std::get_if<Unroll>(&mark)) { return with_factor(*a, split.inner); }
    if (const auto* a = std::get_if<Parallel>(&mark)) { return with_factor(*a, split.outer); }
    return std::nullopt;
}

// Proposes the split at `at` and every mark of one of its loops as one directive.
void propose_merged(const Draft& draft, const Schedule& before, std::size_t at, const Propose& propose) {
    const auto& directives = before.directives;
    const auto* split = std::get_if<Split>(&directives[at].action);
    for (std::size_t i = at + 1; split != nullptr && i < directives.size(); ++i) {
        const auto action =
            directives[i].stage == directives[at].stage ? merged(*split, directives[i].action) : std::nullopt;
        if (!action) { continue; }
        Schedule schedule = without(before, i);
        schedule.directives[at].action = *action;
        const bool inner_is_left = std::holds_alternative<Parallel>(*action);
        rename_loop(schedule, at + 1, directives[at].stage, inner_is_left ? split->inner : split->outer,
                    split->old_var);
        propose(with_schedule(draft, std::move(schedule)));
    }
}

template <typename Mark>
std::vector<Action> simpler_mark(const Mark& mark) {
    std::vector<Action> found;
    if (!mark.factor) { return found; }
    Mark bare = mark;
    bare.factor.reset();
    bare.tail = Tail::automatic;
    found.push_back(bare);
    if (mark.tail != Tail::automatic) {
        Mark plain = mark;
        plain.tail = Tail::automatic;
        found.push_back(plain);
    }
    for (const std::int64_t factor : smaller(*mark.factor, 2)) {
        Mark less = mark;
        less.factor = factor;
        found.push_back(less);
    }
    return found;
}

std::vector<Action> simpler_split(const Split& split) {
    std::vector<Action> found;
    if (split.tail != Tail::automatic) {
        found.push_back(Split{split.old_var, split.outer, split.inner, split.factor, Tail::automatic});
    }
    for (const std::int64_t factor : smaller(split.factor, 2)) {
        found.push_back(Split{split.old_var, split.outer, split.inner, factor, split.tail});
    }
    return found;
}

std::vector<Action> simpler_tile(const Tile& tile) {
    std::vector<Action> found{Split{tile.x, tile.x_outer, tile.x_inner, tile.x_factor, tile.tail},
                              Split{tile.y, tile.y_outer, tile.y_inner, tile.y_factor, tile.tail}};
    const auto with = [&](auto&& change) {
        Tile changed = tile;
        change(changed);
        found.push_back(changed);
    };
    if (tile.tail != Tail::automatic) {
        with([](Tile& t) { t.tail = Tail::automatic; });
    }
    for (const std::int64_t factor : smaller(tile.x_factor, 2)) {
        with([&](Tile& t) { t.x_factor = factor; });
    }
    for (const std::int64_t factor : smaller(tile.y_factor, 2)) {
        with([&](Tile& t) { t.y_factor = factor; });
    }
    return found;
}

template <typename Order>
std::vector<Action> simpler_order(const Order& order) {
    std::vector<Action> found;
    for (std::size_t i = 0; order.vars.size() > 2 && i < order.vars.size(); ++i) {
        Order fewer = order;
        fewer.vars.erase(fewer.vars.begin() + static_cast<std::ptrdiff_t>(i));
        found.push_back(fewer);
    }
    return found;
}

std::vector<Action> simpler_rfactor(const RFactor& rfactor) {
    std::vector<Action> found;
    for (std::size_t i = 0; rfactor.preserved.size() > 1 && i < rfactor.preserved.size(); ++i) {
        RFactor fewer = rfactor;
        fewer.preserved.erase(fewer.preserved.begin() + static_cast<std::ptrdiff_t>(i));
        found.push_back(fewer);
    }
    return found;
}

std::vector<Action> simpler_alignment(const AlignBounds& align) {
    std::vector<Action> found;
    if (align.remainder != 0) { found.push_back(AlignBounds{align.var, align.modulus, 0}); }
    for (const std::int64_t modulus : smaller(align.modulus, 2)) {
        found.push_back(AlignBounds{align.var, modulus, align.remainder % modulus});
    }
    return found;
}

std::vector<Action> simpler_fold(const FoldStorage& fold) {
    std::vector<Action> found;
    if (!fold.forward) { found.push_back(FoldStorage{fold.var, fold.factor, true}); }
    for (const std::int64_t factor : smaller(fold.factor, 1)) {
        found.push_back(FoldStorage{fold.var, factor, fold.forward});
    }
    return found;
}

std::vector<Action> simpler_padding(const AlignStorage& align) {
    std::vector<Action> found;
    for (const std::int64_t alignment : smaller(align.alignment, 2)) {
        found.push_back(AlignStorage{align.var, alignment});
    }
    return found;
}

// Of several loops, one less; of one, the call that names it alone.
template <typename Several>
std::vector<Action> simpler_partition(const Several& several, Partitioning policy) {
    if (several.vars.size() == 1) { return {Partition{several.vars.front(), policy}}; }
    std::vector<Action> found;
    for (std::size_t i = 0; i < several.vars.size(); ++i) {
        Several fewer = several;
        fewer.vars.erase(fewer.vars.begin() + static_cast<std::ptrdiff_t>(i));
        found.push_back(fewer);
    }
    return found;
}

std::vector<Action> simpler_prefetch(const Prefetch& prefetch) {
    std::vector<Action> found;
    const auto with = [&](auto&& change) {
        Prefetch changed = prefetch;
        change(changed);
        found.push_back(changed);
    };
    if (prefetch.bound != FetchBound::guard_with_if) {
        with([](Prefetch& p) { p.bound = FetchBound::guard_with_if; });
    }
    if (prefetch.from != prefetch.at) {
        with([](Prefetch& p) { p.from = p.at; });
        with([](Prefetch& p) { p.at = p.from; });
    }
    for (const std::int64_t offset : smaller(prefetch.offset, 0)) {
        with([&](Prefetch& p) { p.offset = offset; });
    }
    return found;
}

std::vector<Action> simpler_ring(const RingBuffer& ring) {
    std::vector<Action> found;
    for (const std::int64_t extent : smaller(ring.extent, 1)) { found.push_back(RingBuffer{extent}); }
    return found;
}

std::vector<Action> simpler(const Action& action) {
    using Actions = std::vector<Action>;
    return std::visit(
        Overload{[](const Split& a) { return simpler_split(a); }, [](const Tile& a) { return simpler_tile(a); },
                 [](const Vectorize& a) { return simpler_mark(a); }, [](const Unroll& a) { return simpler_mark(a); },
                 [](const Parallel& a) { return simpler_mark(a); }, [](const Reorder& a) { return simpler_order(a); },
                 [](const ReorderStorage& a) { return simpler_order(a); },
                 [](const ComputeAt&) { return Actions{ComputeRoot{}}; },
                 [](const StoreAt&) { return Actions{StoreRoot{}}; },
                 [](const NeverPartition& a) { return simpler_partition(a, Partitioning::never); },
                 [](const AlwaysPartition& a) { return simpler_partition(a, Partitioning::always); },
                 [](const Prefetch& a) { return simpler_prefetch(a); },
                 [](const HoistStorage&) { return Actions{HoistStorageRoot{}}; },
                 [](const RingBuffer& a) { return simpler_ring(a); }, [](const Partition&) { return Actions{}; },
                 [](const NeverPartitionAll&) { return Actions{}; },
                 [](const AlwaysPartitionAll&) { return Actions{}; }, [](const HoistStorageRoot&) { return Actions{}; },
                 [](const Bound& a) { return Actions{BoundExtent{a.var, a.extent}}; },
                 [](const AlignBounds& a) { return simpler_alignment(a); },
                 [](const FoldStorage& a) { return simpler_fold(a); },
                 [](const AlignStorage& a) { return simpler_padding(a); },
                 [](const Atomic& a) { return a.override_associativity_test ? Actions{Atomic{}} : Actions{}; },
                 [](const RFactor& a) { return simpler_rfactor(a); },
                 [](const ComputeWith& a) {
                     return a.align == Align::automatic ? Actions{} : Actions{ComputeWith{a.level, Align::automatic}};
                 },
                 [](const Fuse&) { return Actions{}; }, [](const Serial&) { return Actions{}; },
                 [](const ComputeRoot&) { return Actions{}; }, [](const ComputeInline&) { return Actions{}; },
                 [](const StoreRoot&) { return Actions{}; }, [](const BoundExtent&) { return Actions{}; },
                 // Other passes change its condition (places()).
                 [](const Specialize&) { return Actions{}; }, [](const Async&) { return Actions{}; }},
        action);
}

}  // namespace

void join_loops(const Draft& draft, const Propose& propose) {
    const Schedule before = typed(draft.c.schedule);
    const auto& directives = before.directives;
    for (std::size_t i = directives.size(); i-- > 0;) {
        propose_merged(draft, before, i, propose);
        for (const Renaming& renaming : joins(directives[i].action)) {
            Schedule schedule = without(before, i);
            for (const auto& [name, by] : renaming) { rename_loop(schedule, i, directives[i].stage, name, by); }
            propose(with_schedule(draft, std::move(schedule)));
        }
    }
}

void drop_specializations(const Draft& draft, const Propose& propose) {
    // Directives of a specialization become directives of the stage. A stage's specializations are numbered in order.
    const Schedule before = typed(draft.c.schedule);
    const auto& directives = before.directives;
    for (std::size_t i = 0; i < directives.size(); ++i) {
        if (!std::holds_alternative<Specialize>(directives[i].action)) { continue; }
        const auto number = std::count_if(
            directives.begin(), directives.begin() + static_cast<std::ptrdiff_t>(i), [&](const Directive& other) {
                return other.stage == directives[i].stage && std::holds_alternative<Specialize>(other.action);
            });
        Schedule schedule = without(before, i);
        for (Directive& directive : schedule.directives) {
            StageRef general = directive.stage;
            general.specialization.reset();
            if (general != directives[i].stage || directive.stage.specialization.value_or(-1) < number) { continue; }
            if (*directive.stage.specialization == number) {
                directive.stage = general;
            } else {
                --*directive.stage.specialization;
            }
        }
        propose(with_schedule(draft, std::move(schedule)));
    }
}

void simplify_directives(const Draft& draft, const Propose& propose) {
    const Schedule before = typed(draft.c.schedule);
    const auto& directives = before.directives;
    for (std::size_t i = 0; i < directives.size(); ++i) {
        for (Action& action : simpler(directives[i].action)) {
            Schedule schedule = before;
            schedule.directives[i].action = std::move(action);
            propose(with_schedule(draft, std::move(schedule)));
        }
        if (directives[i].stage.specialization) {
            Schedule schedule = before;
            schedule.directives[i].stage.specialization.reset();
            propose(with_schedule(draft, std::move(schedule)));
        }
    }
}

}  // namespace haruspex::minimize::halide
