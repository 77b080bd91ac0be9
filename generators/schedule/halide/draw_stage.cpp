#include "generators/schedule/halide/draw_stage.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "generators/sare/build.h"

namespace haruspex::schedule::halide {
namespace {

// Whether the loop's extent becomes a multiple of the factor: what is beyond the end is computed, and mostly stored.
bool rounds_up_the_loop(Tail tail) {
    return tail == Tail::round_up || tail == Tail::round_up_and_blend || tail == Tail::predicate_loads;
}

Tail draw_tail(Drawing& d, const StageRef& stage) {
    auto weights = d.policy.tail;
    const bool may_round_up = d.policy.rounds_outputs_up || !d.admission.is_output(stage.tensor);
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const auto tail = static_cast<Tail>(i);
        // In updates the automatic tail rounds up.
        const bool rounds_up = rounds_up_the_loop(tail) || (stage.update && tail == Tail::automatic);
        if (!d.vocabulary.has(tail) || (rounds_up && !may_round_up)) { weights[i] = 0; }
    }
    if (!may_round_up && std::ranges::all_of(weights, [](int w) { return w == 0; })) { return Tail::guard_with_if; }
    if (std::ranges::all_of(weights, [](int w) { return w == 0; })) { return Tail::automatic; }
    return static_cast<Tail>(d.choices.weighted(weights));
}

// The products of a stage's constant loop extents: copies of its code (lanes and unrolled bodies), and cells that a
// rounded-up tile computes.
struct Volume {
    std::int64_t copies = 1, tile = 1;
    int vectorized = 0;
};

Volume volume(const Drawing& d, const StageRef& stage) {
    Volume v;
    const auto& loops = d.admission.nest(stage).loops;
    for (std::size_t i = 0; i < loops.size(); ++i) {
        const Loop& loop = loops[i];
        const bool is_copied = loop.kind == LoopKind::vectorized || loop.kind == LoopKind::unrolled;
        if (loop.kind == LoopKind::vectorized) { ++v.vectorized; }
        std::optional<std::int64_t> extent = loop.extent;
        if (!extent && is_copied) {
            if (const auto tile = d.admission.extents(stage)[i]) { extent = tile->iterations; }
        }
        if (!extent) { continue; }
        v.tile *= *extent;
        if (is_copied) { v.copies *= *extent; }
    }
    return v;
}

// Whether the stage stays cheap to compile and run after a split by the factor, whose loop may copy its body.
bool affords(const Drawing& d, const StageRef& stage, std::int64_t factor, bool copies) {
    const Volume v = volume(d, stage);
    return v.tile * factor <= d.policy.most_tile_cells && (!copies || v.copies * factor <= d.policy.most_copies);
}

bool may_vectorize(Drawing& d, const StageRef& stage) {
    return volume(d, stage).vectorized == 0 || d.choices.boolean(d.policy.second_vector_loop_per_mille);
}

bool draw_loop_directive(Drawing& d, const StageRef& stage) {
    const auto& loops = d.admission.nest(stage).loops;
    std::vector<std::string> vars;
    for (const Loop& loop : loops) { vars.push_back(loop.var); }
    if (vars.empty()) { return false; }
    const std::string& var = d.choices.one_of(vars);
    switch (static_cast<LoopForm>(d.choices.weighted(d.policy.loop))) {
        case LoopForm::split: {
            const std::int64_t factor = d.draw_factor();
            return affords(d, stage, factor, false) &&
                   d.propose(stage, Split{var, var + "o", var + "i", factor, draw_tail(d, stage)});
        }
        case LoopForm::tile: {
            if (vars.size() < 2) { return false; }
            const std::string& other = d.choices.one_of(vars);
            if (other == var) { return false; }
            const std::int64_t x_factor = d.draw_factor();
            const std::int64_t y_factor = d.draw_factor();
            return affords(d, stage, x_factor * y_factor, false) &&
                   d.propose(stage, Tile{var, other, var + "o", other + "o", var + "i", other + "i", x_factor, y_factor,
                                         draw_tail(d, stage)});
        }
        case LoopForm::fuse: {
            // Adjacent loops fuse best; Halide accepts any pair.
            if (vars.size() < 2) { return false; }
            const auto i =
                static_cast<std::size_t>(d.choices.integer(0, static_cast<std::int64_t>(vars.size()) - 2, 0));
            const std::size_t j =
                d.choices.boolean(d.policy.fused_neighbours_per_mille)
                    ? i + 1
                    : static_cast<std::size_t>(d.choices.integer(0, static_cast<std::int64_t>(vars.size()) - 1, 0));
            if (i == j) { return false; }
            return d.propose(stage, Fuse{vars[i], vars[j], vars[i] + "_" + vars[j]});
        }
        case LoopForm::reorder: {
            if (vars.size() < 2) { return false; }
            std::vector<std::string> order = vars;
            d.choices.shuffle(order);
            // Naming only some of the loops leaves the others where they are.
            const auto keep = static_cast<std::size_t>(
                d.choices.integer(2, static_cast<std::int64_t>(order.size()), static_cast<std::int64_t>(order.size())));
            order.resize(keep);
            return d.propose(stage, Reorder{order});
        }
        case LoopForm::vectorize: {
            // Choose a loop of constant extent, so that the vector has a width.
            std::vector<std::string> constant;
            for (const Loop& loop : loops) {
                if (loop.kind == LoopKind::serial && loop.extent &&
                    volume(d, stage).copies * *loop.extent <= d.policy.most_copies) {
                    constant.push_back(loop.var);
                }
            }
            if (constant.empty() || !may_vectorize(d, stage)) { return false; }
            return d.propose(stage, Vectorize{d.choices.one_of(constant), {}, Tail::automatic});
        }
        case LoopForm::vectorize_by: {
            const std::int64_t factor = d.draw_factor();
            return affords(d, stage, factor, true) && may_vectorize(d, stage) &&
                   d.propose(stage, Vectorize{var, factor, draw_tail(d, stage)});
        }
        case LoopForm::unroll: {
            std::vector<std::string> constant;
            for (const Loop& loop : loops) {
                if (loop.kind == LoopKind::serial && loop.extent && *loop.extent <= 8 &&
                    volume(d, stage).copies * *loop.extent <= d.policy.most_copies) {
                    constant.push_back(loop.var);
                }
            }
            if (constant.empty()) { return false; }
            return d.propose(stage, Unroll{d.choices.one_of(constant), {}, Tail::automatic});
        }
        case LoopForm::unroll_by: {
            const std::int64_t factor = std::min<std::int64_t>(d.draw_factor(), 5);
            return affords(d, stage, factor, true) && d.propose(stage, Unroll{var, factor, draw_tail(d, stage)});
        }
        case LoopForm::parallel: return d.propose(stage, Parallel{var, {}, Tail::automatic});
        case LoopForm::parallel_by: {
            const std::int64_t factor = d.draw_factor();
            return affords(d, stage, factor, false) && d.propose(stage, Parallel{var, factor, draw_tail(d, stage)});
        }
        case LoopForm::serial: return d.propose(stage, Serial{var});
    }
    return false;
}

void draw_partition(Drawing& d, const StageRef& stage) {
    const auto& loops = d.admission.nest(stage).loops;
    const std::vector<bool> may_be = d.admission.may_always_be_partitioned(stage);
    std::vector<std::string> vars, certain;
    bool is_any_certain = false;
    for (std::size_t i = 0; i < loops.size(); ++i) {
        const bool is_copied = loops[i].kind == LoopKind::vectorized || loops[i].kind == LoopKind::unrolled;
        const bool is_certain = may_be[i] && !is_copied;
        is_any_certain = is_any_certain || is_certain;
        if (loops[i].var.empty()) { continue; }
        vars.push_back(loops[i].var);
        if (is_certain) { certain.push_back(loops[i].var); }
    }
    // Stages of which this is true are rare.
    const bool are_all_certain = is_any_certain && std::ranges::find(may_be, false) == may_be.end();
    if (are_all_certain && d.choices.boolean(d.policy.always_partition_all_per_mille)) {
        d.propose(stage, AlwaysPartitionAll{});
        return;
    }
    if (vars.empty() || !d.choices.boolean(d.policy.partition_per_mille)) { return; }
    const auto policy = static_cast<Partitioning>(d.choices.weighted(d.policy.partitioning));
    if (policy == Partitioning::never && d.choices.boolean(d.policy.never_partition_all_per_mille)) {
        d.propose(stage, NeverPartitionAll{});
        return;
    }
    std::vector<std::string>& chosen = policy == Partitioning::always ? certain : vars;
    if (chosen.empty()) { return; }
    if (policy == Partitioning::automatic || !d.choices.boolean(d.policy.several_partitions_per_mille)) {
        d.propose(stage, Partition{d.choices.one_of(chosen), policy});
        return;
    }
    d.choices.shuffle(chosen);
    chosen.resize(static_cast<std::size_t>(d.choices.integer(1, static_cast<std::int64_t>(chosen.size()))));
    if (policy == Partitioning::never) {
        d.propose(stage, NeverPartition{chosen});
    } else {
        d.propose(stage, AlwaysPartition{chosen});
    }
}

// Splits a loop over a dimension with a tail that rounds it up. Any factor will do, but where the extent is known one
// that does not divide it.
void draw_padding(Drawing& d, const StageRef& stage) {
    if (d.admission.is_output(stage.tensor) || !d.choices.boolean(d.policy.padded_per_mille)) { return; }
    constexpr int attempts = 8;
    for (int attempt = 0; attempt < attempts; ++attempt) {
        std::vector<Loop> loops = d.admission.nest(stage).loops;
        std::erase_if(loops, [](const Loop& loop) { return loop.is_rvar; });
        if (loops.empty()) { return; }
        const Loop& loop = d.choices.one_of(loops);
        const std::int64_t factor = d.draw_factor(d.policy.padded_factor);
        auto tails = d.policy.tail;
        for (std::size_t i = 0; i < tails.size(); ++i) {
            const auto tail = static_cast<Tail>(i);
            if (!d.vocabulary.has(tail) || !rounds_up_the_loop(tail)) { tails[i] = 0; }
        }
        const bool any = std::ranges::any_of(tails, [](int weight) { return weight > 0; });
        const Tail tail = any ? static_cast<Tail>(d.choices.weighted(tails)) : Tail::round_up;
        const auto form = d.choices.weighted(d.policy.padded_loop);
        const bool divides = loop.extent && *loop.extent % factor == 0;
        if (divides || !affords(d, stage, factor, form < 2)) { continue; }
        const std::string& var = loop.var;
        const bool is_proposed = form == 0   ? d.propose(stage, Vectorize{var, factor, tail})
                                 : form == 1 ? d.propose(stage, Unroll{var, factor, tail})
                                             : d.propose(stage, Split{var, var + "o", var + "i", factor, tail});
        if (is_proposed) { return; }
    }
}

// As a whole if that makes few copies, or else by the factor.
bool vectorize(Drawing& d, const StageRef& stage, const Loop& loop, std::int64_t factor, Tail tail) {
    const bool is_small = loop.extent && *loop.extent > 1 && *loop.extent <= factor;
    if (is_small) { return d.propose(stage, Vectorize{loop.var, {}, Tail::automatic}); }
    return affords(d, stage, factor, true) && d.propose(stage, Vectorize{loop.var, factor, tail});
}

// Vectorizes a loop over recurrence variables and one over pure variables.
void vectorize_both(Drawing& d, const StageRef& stage) {
    const Drawing::Saved before = d.saved();
    std::vector<Loop> loops = d.admission.nest(stage).loops;
    std::erase_if(loops, [](const Loop& loop) { return loop.var.empty() || loop.kind != LoopKind::serial; });
    d.choices.shuffle(loops);
    const auto over_rvar = std::ranges::find(loops, true, &Loop::is_rvar);
    const auto over_pure = std::ranges::find(loops, false, &Loop::is_rvar);
    if (over_rvar == loops.end() || over_pure == loops.end()) { return; }
    if (!over_rvar->reorder_safe && !d.admission.nest(stage).atomic && !d.propose(stage, Atomic{})) { return; }
    const std::int64_t width = d.choices.integer(2, 4, 4);
    const bool done = vectorize(d, stage, *over_rvar, width, Tail::guard_with_if) &&
                      vectorize(d, stage, *over_pure, d.choices.integer(2, 4, 4), draw_tail(d, stage));
    if (!done) { d.restore(before); }
}

// Splits a loop after it was vectorized or unrolled.
void split_marked(Drawing& d, const StageRef& stage) {
    const Drawing::Saved before = d.saved();
    std::vector<Loop> loops = d.admission.nest(stage).loops;
    std::erase_if(loops, [](const Loop& loop) { return loop.var.empty() || loop.kind != LoopKind::serial; });
    if (loops.empty()) { return; }
    const std::string var = d.choices.one_of(loops).var;
    constexpr std::array<std::int64_t, 4> factors{8, 4, 6, 16};
    const std::int64_t factor = d.choices.one_of(factors);
    if (!affords(d, stage, factor, true)) { return; }
    const std::string outer = var + "o", inner = var + "i";
    const bool unrolls = d.choices.boolean(d.policy.unrolled_tile_per_mille);
    const std::int64_t again = d.choices.integer(2, factor / 2, 2);
    const bool done = d.propose(stage, Split{var, outer, inner, factor, draw_tail(d, stage)}) &&
                      (unrolls ? d.propose(stage, Unroll{inner, {}, Tail::automatic})
                               : d.propose(stage, Vectorize{inner, {}, Tail::automatic})) &&
                      d.propose(stage, Split{inner, inner + "o", inner + "i", again, draw_tail(d, stage)});
    if (!done) { d.restore(before); }
}

// Vectorises or unrolls a whole loop whose extent is constant because the tensor is computed inside a tile of its
// reader.
void draw_whole_tile(Drawing& d, const StageRef& stage) {
    const auto& loops = d.admission.nest(stage).loops;
    const auto extents = d.admission.extents(stage);
    std::vector<std::string> vectors, copies;
    for (std::size_t i = 0; i < loops.size(); ++i) {
        if (loops[i].extent || !extents[i] || loops[i].kind != LoopKind::serial) { continue; }
        const std::int64_t iterations = extents[i]->iterations;
        if (volume(d, stage).copies * iterations > d.policy.most_copies) { continue; }
        if (extents[i]->is_exact && iterations > 1) { vectors.push_back(loops[i].var); }
        if (iterations <= 8) { copies.push_back(loops[i].var); }
    }
    if (vectors.empty() && copies.empty()) { return; }
    if (!d.choices.boolean(d.policy.whole_tile_per_mille)) { return; }
    const bool unrolls = vectors.empty() || (!copies.empty() && d.choices.boolean(d.policy.unrolled_tile_per_mille));
    if (unrolls) {
        d.propose(stage, Unroll{d.choices.one_of(copies), {}, Tail::automatic});
    } else if (may_vectorize(d, stage)) {
        d.propose(stage, Vectorize{d.choices.one_of(vectors), {}, Tail::automatic});
    }
}

void draw_specialization(Drawing& d, const StageRef& stage) {
    const sare::Index parameter = sare::variable(d.choices.one_of(d.algorithm.parameters));
    constexpr std::array relations{sare::Relation::ge, sare::Relation::eq, sare::Relation::lt};
    const sare::Index bound = sare::constant(d.choices.integer(1, 20, 8));
    const sare::Condition condition = sare::compare(d.choices.one_of(relations), parameter, bound);
    if (!d.propose(stage, Specialize{condition})) { return; }
    StageRef branch = stage;
    branch.specialization = 0;
    for (int i = 0; i < 2; ++i) { draw_loop_directive(d, branch); }
}

void draw_rfactor(Drawing& d, const StageRef& stage, const std::string& intermediate) {
    const Drawing::Saved before = d.saved();
    if (d.choices.boolean(d.policy.late_rfactor_per_mille)) {
        d.choices.sequence(1, 3, d.policy.another_before_rfactor_per_mille,
                           [&](std::size_t) { draw_loop_directive(d, stage); });
    }
    std::vector<std::string> loops;
    for (const Loop& loop : d.admission.nest(stage).loops) {
        if (loop.is_rvar && loop.kind == LoopKind::serial && !loop.var.empty()) { loops.push_back(loop.var); }
    }
    if (loops.empty()) { return; }
    std::string preserved = d.choices.one_of(loops);
    if (d.choices.boolean(d.policy.split_rfactor_per_mille)) {
        const std::int64_t factor = d.draw_factor();
        const std::string outer = preserved + "o", inner = preserved + "i";
        if (!d.propose(stage, Split{preserved, outer, inner, factor, Tail::automatic})) { return; }
        preserved = d.choices.boolean(d.policy.outer_rfactor_per_mille) ? outer : inner;
    }
    if (!d.propose(stage, RFactor{{{preserved, "u"}}, intermediate})) { d.restore(before); }
}

}  // namespace

void draw_stage(Drawing& d, const StageRef& stage) {
    const int atomic =
        d.admission.is_output(stage.tensor) ? d.policy.atomic_output_per_mille : d.policy.atomic_per_mille;
    if (stage.update && d.choices.boolean(atomic)) {
        d.propose(stage, Atomic{d.choices.boolean(d.policy.unchecked_atomic_per_mille)});
    }
    draw_padding(d, stage);
    draw_whole_tile(d, stage);
    if (stage.update && d.choices.boolean(d.policy.vectors_over_both_per_mille)) { vectorize_both(d, stage); }
    if (d.choices.boolean(d.policy.split_marked_per_mille)) { split_marked(d, stage); }
    std::size_t count = d.choices.weighted(d.policy.loop_directives);
    const bool are_many = d.choices.boolean(d.policy.many_directives_per_mille);
    if (are_many) { count = static_cast<std::size_t>(d.choices.integer(8, 14)); }
    const int attempts = are_many ? 8 : 3;
    for (std::size_t i = 0; i < count; ++i) {
        for (int attempt = 0; attempt < attempts; ++attempt) {
            if (draw_loop_directive(d, stage)) { break; }
        }
    }
    if (!d.algorithm.parameters.empty() && d.choices.boolean(d.policy.specialize_per_mille)) {
        draw_specialization(d, stage);
    }
    if (d.vocabulary.has(Partition{})) { draw_partition(d, stage); }
}

void draw_rfactors(Drawing& d, const sare::Function& function) {
    for (std::size_t u = 0; u < function.updates.size(); ++u) {
        const auto& over = function.updates[u].over;
        if (over.empty() || !d.choices.boolean(d.policy.rfactor_per_mille)) { continue; }
        draw_rfactor(d, {function.name, static_cast<int>(u), {}},
                     function.name + "_intm" + (u == 0 ? "" : std::to_string(u)));
    }
}

}  // namespace haruspex::schedule::halide
