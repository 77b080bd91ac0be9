#include "generators/schedule/halide/schedule_builder.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "generators/base/ensure.h"
#include "generators/sare/build.h"
#include "generators/sare/traverse.h"
#include "generators/schedule/halide/admission.h"
#include "generators/schedule/halide/text.h"

namespace haruspex::schedule::halide {
namespace {

// The number of reads of inputs that an inlined function may unfold to; beyond it the function must be stored.
// Otherwise compile time is exponential in the depth of inlining.
constexpr std::int64_t most_inlined_reads = 16;

std::map<std::string, std::int64_t> inlined_reads(const sare::Algorithm& algorithm) {
    std::map<std::string, std::int64_t> cost;
    for (const sare::Input& input : algorithm.inputs) { cost[input.name] = 1; }
    for (const sare::Function& function : algorithm.functions) {
        std::int64_t total = 1;
        const auto add = [&](const sare::Expr& e) {
            sare::for_each_access(e, [&](const sare::Access& a, const std::vector<const sare::Reduce*>&) {
                const auto found = cost.find(a.tensor);
                if (found != cost.end()) { total = std::min<std::int64_t>(total + found->second, 100000); }
            });
        };
        for (const sare::Expr& e : function.values) { add(e); }
        // A function with updates is stored, so its readers pay one read each.
        cost[function.name] = function.updates.empty() ? total : 1;
    }
    return cost;
}

// Whether the loop's extent becomes a multiple of the factor: what is beyond the end is computed, and mostly stored.
bool rounds_up_the_loop(Tail tail) {
    return tail == Tail::round_up || tail == Tail::round_up_and_blend || tail == Tail::predicate_loads;
}

// Removes a directive that breaks the rule constant_extent, unless this is allowed, or else the last directive.
void remove_incomplete(Schedule& schedule, const sare::Algorithm& algorithm, Vocabulary vocabulary,
                       const Rules& allowed = {}) {
    // If a level names a loop that was removed with another directive, no rules are reported.
    const auto broken = broken_rules(algorithm, schedule, vocabulary);
    if (broken) {
        const auto mark = std::ranges::find_if(*broken, [&](const BrokenRule& one) {
            return one.rule == Rule::constant_extent && !allowed.contains(one.rule);
        });
        if (mark != broken->end()) {
            schedule.directives.erase(schedule.directives.begin() + static_cast<std::ptrdiff_t>(mark->directive));
            return;
        }
    }
    schedule.directives.pop_back();
}

class ScheduleBuilder {
public:
    ScheduleBuilder(Choices& choices, const Policy& policy, const sare::Algorithm& algorithm, Vocabulary vocabulary)
        : choices_(choices),
          policy_(policy),
          algorithm_(algorithm),
          vocabulary_(vocabulary),
          admission_(algorithm, vocabulary),
          cost_(inlined_reads(algorithm)) {}

    Schedule draw() {
        // rfactor first: it makes tensors that are then scheduled like any other.
        for (const sare::Function& function : algorithm_.functions) { draw_rfactors(function); }
        std::vector<std::string> tensors = admission_.tensors();
        std::ranges::reverse(tensors);  // consumers first: producers are computed at their loops
        draw_companions(tensors);
        for (const std::string& tensor : tensors) { draw_tensor(tensor); }
        share_loops_of_companions();
        draw_compute_with(tensors);
        if (choices_.boolean(policy_.interleave_per_mille)) { interleave(); }
        while (!complete()) { remove_incomplete(schedule_, algorithm_, vocabulary_); }
        draw_prefetches();
        return schedule_;
    }

private:
    bool complete() const {
        return schedule_.directives.empty() || admits(algorithm_, schedule_, vocabulary_).has_value();
    }

    bool propose(const StageRef& stage, Action action) {
        Directive directive{stage, std::move(action)};
        Admission next = admission_;
        if (!next.apply(directive) || !next.has_fitting_extents(stage.tensor)) { return false; }
        admission_ = std::move(next);
        schedule_.directives.push_back(std::move(directive));
        return true;
    }

    const sare::Function* function_of(const std::string& tensor) const {
        const auto found = std::ranges::find(algorithm_.functions, tensor, &sare::Function::name);
        return found == algorithm_.functions.end() ? nullptr : &*found;
    }

    // --- Placement ---

    void draw_tensor(const std::string& tensor) {
        if (companions_.contains(tensor)) {
            if (!admission_.is_output(tensor)) { propose({tensor, {}, {}}, ComputeRoot{}); }
            return;
        }
        if (!admission_.is_output(tensor)) {
            place(tensor);
            if (has(HoistStorage{})) { hoist(tensor); }
        }
        if (admission_.is_inlined(tensor)) { return; }
        draw_bounds(tensor);
        for (const StageRef& stage : admission_.stages(tensor)) { draw_stage(stage); }
        draw_storage(tensor);
        if (choices_.boolean(policy_.async_per_mille) && !async_.contains(tensor)) {
            propose({tensor, {}, {}}, Async{});
        }
    }

    void place(const std::string& tensor) {
        const StageRef pure{tensor, {}, {}};
        auto weights = policy_.placement;
        const auto found = cost_.find(tensor);
        if (found != cost_.end() && found->second > most_inlined_reads) {
            weights[static_cast<std::size_t>(Placement::inlined)] = 0;
            weights[static_cast<std::size_t>(Placement::automatic)] = 0;
        }
        if (choices_.boolean(policy_.line_buffer_per_mille) && place_as_line_buffer(tensor)) { return; }
        const bool any = std::ranges::any_of(weights, [](int w) { return w > 0; });
        const auto placement = any ? static_cast<Placement>(choices_.weighted(weights)) : Placement::root;
        switch (placement) {
            case Placement::automatic: return;
            case Placement::inlined: propose(pure, ComputeInline{}); return;
            case Placement::root: propose(pure, ComputeRoot{}); return;
            case Placement::at: break;
        }
        const auto levels = admission_.compute_levels(tensor);
        if (levels.empty() || !propose(pure, ComputeAt{choices_.one_of(levels)})) {
            propose(pure, ComputeRoot{});
            return;
        }
        if (!choices_.boolean(policy_.store_level_per_mille)) { return; }
        const auto stores = admission_.store_levels(tensor);
        if (stores.empty() || choices_.boolean(policy_.store_root_per_mille)) {
            propose(pure, StoreRoot{});
        } else {
            propose(pure, StoreAt{choices_.one_of(stores)});
        }
    }

    bool has(const Action& action) const { return vocabulary_.has(action); }

    // Allocates the tensor's storage further outside, with copies or without.
    void hoist(const std::string& tensor) {
        const StageRef pure{tensor, {}, {}};
        const auto levels = admission_.hoist_levels(tensor);
        if (levels.empty() || !choices_.boolean(policy_.hoist_storage_per_mille)) { return; }
        const std::optional<LoopLevel>& level = choices_.one_of(levels);
        const bool is_hoisted = level ? propose(pure, HoistStorage{*level}) : propose(pure, HoistStorageRoot{});
        if (!is_hoisted || !choices_.boolean(policy_.ring_buffer_per_mille)) { return; }
        propose(pure, RingBuffer{choices_.integer(1, 4, 2)});
        if (choices_.boolean(policy_.async_ring_per_mille) && propose(pure, Async{})) { async_.insert(tensor); }
    }

    // Computes the tensor at a loop of its reader, stores it outside and folds it along that loop, if the schedule so
    // far admits this.
    bool place_as_line_buffer(const std::string& tensor) {
        const StageRef pure{tensor, {}, {}};
        auto levels = admission_.compute_levels(tensor);
        choices_.shuffle(levels);
        const auto before = std::make_pair(admission_, schedule_);
        for (const LoopLevel& level : levels) {
            if (propose(pure, ComputeAt{level})) {
                const auto stores = admission_.store_levels(tensor);
                const bool stored = stores.empty() || choices_.boolean(policy_.line_buffer_root_per_mille)
                                        ? propose(pure, StoreRoot{})
                                        : propose(pure, StoreAt{choices_.one_of(stores)});
                if (stored && fold(tensor)) { return true; }
            }
            admission_ = before.first;
            schedule_ = before.second;
        }
        return false;
    }

    // --- Functions as a whole ---

    void draw_bounds(const std::string& tensor) {
        const sare::Function* function = function_of(tensor);
        if (function == nullptr || function->variables.empty()) { return; }
        const StageRef pure{tensor, {}, {}};
        const auto d =
            static_cast<std::size_t>(choices_.integer(0, static_cast<std::int64_t>(function->variables.size()) - 1, 0));
        const std::string& var = function->variables[d];
        const auto output = std::ranges::find(algorithm_.outputs, tensor, &sare::Output::tensor);
        const bool is_output = output != algorithm_.outputs.end();
        if (!is_output && choices_.boolean(policy_.bound_internal_per_mille)) { bound_internal(tensor, d); }
        if (is_output) {
            // The box of an output is known, so its bounds can be promised; constant extents make more schedules
            // possible.
            const bool constant = std::holds_alternative<sare::IndexConstant>(output->box[d].extent.node);
            const int factor = constant ? 4 : 1;
            if (choices_.boolean(std::min(900, policy_.bound_per_mille * factor))) {
                propose(pure, Bound{var, output->box[d].min, output->box[d].extent});
            } else if (choices_.boolean(std::min(900, policy_.bound_extent_per_mille * factor))) {
                propose(pure, BoundExtent{var, output->box[d].extent});
            }
        }
        if (choices_.boolean(is_output ? policy_.align_output_bounds_per_mille : policy_.align_bounds_per_mille)) {
            const std::int64_t modulus = choices_.one_of(std::array<std::int64_t, 4>{2, 4, 8, 3});
            const bool has_remainder = choices_.boolean(policy_.align_remainder_per_mille);
            propose(pure, AlignBounds{var, modulus, has_remainder ? choices_.integer(0, modulus - 1, 0) : 0});
        }
        if (function->variables.size() > 1 && choices_.boolean(policy_.reorder_storage_per_mille)) {
            auto order = function->variables;
            choices_.shuffle(order);
            propose(pure, ReorderStorage{order});
        }
    }

    // Promises of a tensor that is not an output what its readers require of it, or a little more.
    void bound_internal(const std::string& tensor, std::size_t dimension) {
        const auto required = admission_.required(tensor, algorithm_.outputs);
        if (required.empty() || !required[dimension]) { return; }
        const std::string& var = function_of(tensor)->variables[dimension];
        sare::Index extent = required[dimension]->extent;
        if (choices_.boolean(policy_.wider_bound_per_mille)) {
            extent = extent + sare::constant(choices_.integer(1, 3, 1));
        }
        if (choices_.boolean(policy_.bound_internal_extent_per_mille)) {
            propose({tensor, {}, {}}, BoundExtent{var, extent});
        } else {
            propose({tensor, {}, {}}, Bound{var, required[dimension]->min, extent});
        }
    }

    void draw_storage(const std::string& tensor) {
        // The storage of an output is the caller's.
        if (admission_.is_output(tensor)) { return; }
        if (choices_.boolean(policy_.fold_storage_per_mille)) { fold(tensor); }
        align(tensor);
    }

    bool fold(const std::string& tensor) {
        const sare::Function* function = function_of(tensor);
        if (function == nullptr || function->variables.empty()) { return false; }
        auto vars = function->variables;
        choices_.shuffle(vars);
        // Few factors and directions are admitted, so all are tried, beginning with a drawn one.
        constexpr std::array<std::int64_t, 6> factors{4, 8, 3, 6, 16, 2};
        const auto start = static_cast<std::size_t>(choices_.integer(0, factors.size() - 1, 0));
        const bool forward = !choices_.boolean(policy_.backward_fold_per_mille);
        for (const std::string& var : vars) {
            for (std::size_t i = 0; i < factors.size(); ++i) {
                const std::int64_t factor = factors[(start + i) % factors.size()];
                if (propose({tensor, {}, {}}, FoldStorage{var, factor, forward})) { return true; }
                if (propose({tensor, {}, {}}, FoldStorage{var, factor, !forward})) { return true; }
            }
        }
        return false;
    }

    void align(const std::string& tensor) {
        const sare::Function* function = function_of(tensor);
        if (function == nullptr || function->variables.empty()) { return; }
        if (!choices_.boolean(policy_.align_storage_per_mille)) { return; }
        const std::string& var = choices_.one_of(function->variables);
        propose({tensor, {}, {}}, AlignStorage{var, draw_factor()});
    }

    // --- One stage ---

    void draw_stage(const StageRef& stage) {
        const int atomic =
            admission_.is_output(stage.tensor) ? policy_.atomic_output_per_mille : policy_.atomic_per_mille;
        if (stage.update && choices_.boolean(atomic)) {
            propose(stage, Atomic{choices_.boolean(policy_.unchecked_atomic_per_mille)});
        }
        draw_padding(stage);
        draw_whole_tile(stage);
        if (stage.update && choices_.boolean(policy_.vectors_over_both_per_mille)) { vectorize_both(stage); }
        if (choices_.boolean(policy_.split_marked_per_mille)) { split_marked(stage); }
        std::size_t count = choices_.weighted(policy_.loop_directives);
        const bool are_many = choices_.boolean(policy_.many_directives_per_mille);
        if (are_many) { count = static_cast<std::size_t>(choices_.integer(8, 14)); }
        const int attempts = are_many ? 8 : 3;
        for (std::size_t i = 0; i < count; ++i) {
            for (int attempt = 0; attempt < attempts; ++attempt) {
                if (draw_loop_directive(stage)) { break; }
            }
        }
        if (!algorithm_.parameters.empty() && choices_.boolean(policy_.specialize_per_mille)) {
            draw_specialization(stage);
        }
        if (has(Partition{})) { draw_partition(stage); }
    }

    void draw_partition(const StageRef& stage) {
        const auto& loops = admission_.nest(stage).loops;
        const std::vector<bool> may_be = admission_.may_always_be_partitioned(stage);
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
        if (are_all_certain && choices_.boolean(policy_.always_partition_all_per_mille)) {
            propose(stage, AlwaysPartitionAll{});
            return;
        }
        if (vars.empty() || !choices_.boolean(policy_.partition_per_mille)) { return; }
        const auto policy = static_cast<Partitioning>(choices_.weighted(policy_.partitioning));
        if (policy == Partitioning::never && choices_.boolean(policy_.never_partition_all_per_mille)) {
            propose(stage, NeverPartitionAll{});
            return;
        }
        std::vector<std::string>& chosen = policy == Partitioning::always ? certain : vars;
        if (chosen.empty()) { return; }
        if (policy == Partitioning::automatic || !choices_.boolean(policy_.several_partitions_per_mille)) {
            propose(stage, Partition{choices_.one_of(chosen), policy});
            return;
        }
        choices_.shuffle(chosen);
        chosen.resize(static_cast<std::size_t>(choices_.integer(1, static_cast<std::int64_t>(chosen.size()))));
        if (policy == Partitioning::never) {
            propose(stage, NeverPartition{chosen});
        } else {
            propose(stage, AlwaysPartition{chosen});
        }
    }

    // Splits a loop over a dimension with a tail that rounds it up. Any factor will do, but where the extent is known one
    // that does not divide it.
    void draw_padding(const StageRef& stage) {
        if (admission_.is_output(stage.tensor) || !choices_.boolean(policy_.padded_per_mille)) { return; }
        constexpr int attempts = 8;
        for (int attempt = 0; attempt < attempts; ++attempt) {
            std::vector<Loop> loops = admission_.nest(stage).loops;
            std::erase_if(loops, [](const Loop& loop) { return loop.is_rvar; });
            if (loops.empty()) { return; }
            const Loop& loop = choices_.one_of(loops);
            const std::int64_t factor = draw_factor(policy_.padded_factor);
            auto tails = policy_.tail;
            for (std::size_t i = 0; i < tails.size(); ++i) {
                const auto tail = static_cast<Tail>(i);
                if (!vocabulary_.has(tail) || !rounds_up_the_loop(tail)) { tails[i] = 0; }
            }
            const bool any = std::ranges::any_of(tails, [](int weight) { return weight > 0; });
            const Tail tail = any ? static_cast<Tail>(choices_.weighted(tails)) : Tail::round_up;
            const auto form = choices_.weighted(policy_.padded_loop);
            const bool divides = loop.extent && *loop.extent % factor == 0;
            if (divides || !affords(stage, factor, form < 2)) { continue; }
            const std::string& var = loop.var;
            const bool is_proposed = form == 0   ? propose(stage, Vectorize{var, factor, tail})
                                     : form == 1 ? propose(stage, Unroll{var, factor, tail})
                                                 : propose(stage, Split{var, var + "o", var + "i", factor, tail});
            if (is_proposed) { return; }
        }
    }

    struct Saved {
        Admission admission;
        Schedule schedule;
    };
    Saved saved() const { return {admission_, schedule_}; }
    void restore(Saved before) {
        admission_ = std::move(before.admission);
        schedule_ = std::move(before.schedule);
    }

    // Vectorizes a loop over recurrence variables and one over pure variables.
    void vectorize_both(const StageRef& stage) {
        Saved before = saved();
        std::vector<Loop> loops = admission_.nest(stage).loops;
        std::erase_if(loops, [](const Loop& loop) { return loop.var.empty() || loop.kind != LoopKind::serial; });
        choices_.shuffle(loops);
        const auto over_rvar = std::ranges::find(loops, true, &Loop::is_rvar);
        const auto over_pure = std::ranges::find(loops, false, &Loop::is_rvar);
        if (over_rvar == loops.end() || over_pure == loops.end()) { return; }
        if (!over_rvar->reorder_safe && !admission_.nest(stage).atomic && !propose(stage, Atomic{})) { return; }
        const std::int64_t width = choices_.integer(2, 4, 4);
        const bool done = vectorize(stage, *over_rvar, width, Tail::guard_with_if) &&
                          vectorize(stage, *over_pure, choices_.integer(2, 4, 4), draw_tail(stage));
        if (!done) { restore(std::move(before)); }
    }

    // As a whole if that makes few copies, or else by the factor.
    bool vectorize(const StageRef& stage, const Loop& loop, std::int64_t factor, Tail tail) {
        const bool is_small = loop.extent && *loop.extent > 1 && *loop.extent <= factor;
        if (is_small) { return propose(stage, Vectorize{loop.var, {}, Tail::automatic}); }
        return affords(stage, factor, true) && propose(stage, Vectorize{loop.var, factor, tail});
    }

    // Splits a loop after it was vectorized or unrolled.
    void split_marked(const StageRef& stage) {
        Saved before = saved();
        std::vector<Loop> loops = admission_.nest(stage).loops;
        std::erase_if(loops, [](const Loop& loop) { return loop.var.empty() || loop.kind != LoopKind::serial; });
        if (loops.empty()) { return; }
        const std::string var = choices_.one_of(loops).var;
        constexpr std::array<std::int64_t, 4> factors{8, 4, 6, 16};
        const std::int64_t factor = choices_.one_of(factors);
        if (!affords(stage, factor, true)) { return; }
        const std::string outer = var + "o", inner = var + "i";
        const bool unrolls = choices_.boolean(policy_.unrolled_tile_per_mille);
        const std::int64_t again = choices_.integer(2, factor / 2, 2);
        const bool done = propose(stage, Split{var, outer, inner, factor, draw_tail(stage)}) &&
                          (unrolls ? propose(stage, Unroll{inner, {}, Tail::automatic})
                                   : propose(stage, Vectorize{inner, {}, Tail::automatic})) &&
                          propose(stage, Split{inner, inner + "o", inner + "i", again, draw_tail(stage)});
        if (!done) { restore(std::move(before)); }
    }

    // Vectorises or unrolls a whole loop whose extent is constant because the tensor is computed inside a tile of its
    // reader.
    void draw_whole_tile(const StageRef& stage) {
        const auto& loops = admission_.nest(stage).loops;
        const auto extents = admission_.extents(stage);
        std::vector<std::string> vectors, copies;
        for (std::size_t i = 0; i < loops.size(); ++i) {
            if (loops[i].extent || !extents[i] || loops[i].kind != LoopKind::serial) { continue; }
            const std::int64_t iterations = extents[i]->iterations;
            if (volume(stage).copies * iterations > policy_.most_copies) { continue; }
            if (extents[i]->is_exact && iterations > 1) { vectors.push_back(loops[i].var); }
            if (iterations <= 8) { copies.push_back(loops[i].var); }
        }
        if (vectors.empty() && copies.empty()) { return; }
        if (!choices_.boolean(policy_.whole_tile_per_mille)) { return; }
        const bool unrolls = vectors.empty() || (!copies.empty() && choices_.boolean(policy_.unrolled_tile_per_mille));
        if (unrolls) {
            propose(stage, Unroll{choices_.one_of(copies), {}, Tail::automatic});
        } else if (may_vectorize(stage)) {
            propose(stage, Vectorize{choices_.one_of(vectors), {}, Tail::automatic});
        }
    }

    void draw_specialization(const StageRef& stage) {
        const sare::Index parameter = sare::variable(choices_.one_of(algorithm_.parameters));
        constexpr std::array relations{sare::Relation::ge, sare::Relation::eq, sare::Relation::lt};
        const sare::Index bound = sare::constant(choices_.integer(1, 20, 8));
        const sare::Condition condition = sare::compare(choices_.one_of(relations), parameter, bound);
        if (!propose(stage, Specialize{condition})) { return; }
        StageRef branch = stage;
        branch.specialization = 0;
        for (int i = 0; i < 2; ++i) { draw_loop_directive(branch); }
    }

    std::int64_t draw_factor() { return draw_factor(policy_.factor); }
    std::int64_t draw_factor(const Weights<6>& weights) {
        constexpr std::array<std::int64_t, 6> factors{2, 3, 4, 5, 8, 16};
        return factors[choices_.weighted(weights)];
    }

    Tail draw_tail(const StageRef& stage) {
        auto weights = policy_.tail;
        const bool may_round_up = policy_.rounds_outputs_up || !admission_.is_output(stage.tensor);
        for (std::size_t i = 0; i < weights.size(); ++i) {
            const auto tail = static_cast<Tail>(i);
            // In updates the automatic tail rounds up.
            const bool rounds_up = rounds_up_the_loop(tail) || (stage.update && tail == Tail::automatic);
            if (!vocabulary_.has(tail) || (rounds_up && !may_round_up)) { weights[i] = 0; }
        }
        if (!may_round_up && std::ranges::all_of(weights, [](int w) { return w == 0; })) { return Tail::guard_with_if; }
        if (std::ranges::all_of(weights, [](int w) { return w == 0; })) { return Tail::automatic; }
        return static_cast<Tail>(choices_.weighted(weights));
    }

    // The products of a stage's constant loop extents: copies of its code (lanes and unrolled bodies), and cells that a
    // rounded-up tile computes.
    struct Volume {
        std::int64_t copies = 1, tile = 1;
        int vectorized = 0;
    };

    Volume volume(const StageRef& stage) const {
        Volume v;
        const auto& loops = admission_.nest(stage).loops;
        for (std::size_t i = 0; i < loops.size(); ++i) {
            const Loop& loop = loops[i];
            const bool is_copied = loop.kind == LoopKind::vectorized || loop.kind == LoopKind::unrolled;
            if (loop.kind == LoopKind::vectorized) { ++v.vectorized; }
            std::optional<std::int64_t> extent = loop.extent;
            if (!extent && is_copied) {
                if (const auto tile = admission_.extents(stage)[i]) { extent = tile->iterations; }
            }
            if (!extent) { continue; }
            v.tile *= *extent;
            if (is_copied) { v.copies *= *extent; }
        }
        return v;
    }

    // Whether the stage stays cheap to compile and run after a split by the factor, whose loop may copy its body.
    bool affords(const StageRef& stage, std::int64_t factor, bool copies) const {
        const Volume v = volume(stage);
        return v.tile * factor <= policy_.most_tile_cells && (!copies || v.copies * factor <= policy_.most_copies);
    }

    bool may_vectorize(const StageRef& stage) {
        return volume(stage).vectorized == 0 || choices_.boolean(policy_.second_vector_loop_per_mille);
    }

    bool draw_loop_directive(const StageRef& stage) {
        const auto& loops = admission_.nest(stage).loops;
        std::vector<std::string> vars;
        for (const Loop& loop : loops) { vars.push_back(loop.var); }
        if (vars.empty()) { return false; }
        const std::string& var = choices_.one_of(vars);
        switch (static_cast<LoopForm>(choices_.weighted(policy_.loop))) {
            case LoopForm::split: {
                const std::int64_t factor = draw_factor();
                return affords(stage, factor, false) &&
                       propose(stage, Split{var, var + "o", var + "i", factor, draw_tail(stage)});
            }
            case LoopForm::tile: {
                if (vars.size() < 2) { return false; }
                const std::string& other = choices_.one_of(vars);
                if (other == var) { return false; }
                const std::int64_t x_factor = draw_factor();
                const std::int64_t y_factor = draw_factor();
                return affords(stage, x_factor * y_factor, false) &&
                       propose(stage, Tile{var, other, var + "o", other + "o", var + "i", other + "i", x_factor,
                                           y_factor, draw_tail(stage)});
            }
            case LoopForm::fuse: {
                // Adjacent loops fuse best; Halide accepts any pair.
                if (vars.size() < 2) { return false; }
                const auto i =
                    static_cast<std::size_t>(choices_.integer(0, static_cast<std::int64_t>(vars.size()) - 2, 0));
                const std::size_t j =
                    choices_.boolean(policy_.fused_neighbours_per_mille)
                        ? i + 1
                        : static_cast<std::size_t>(choices_.integer(0, static_cast<std::int64_t>(vars.size()) - 1, 0));
                if (i == j) { return false; }
                return propose(stage, Fuse{vars[i], vars[j], vars[i] + "_" + vars[j]});
            }
            case LoopForm::reorder: {
                if (vars.size() < 2) { return false; }
                std::vector<std::string> order = vars;
                choices_.shuffle(order);
                // Naming only some of the loops leaves the others where they are.
                const auto keep = static_cast<std::size_t>(choices_.integer(2, static_cast<std::int64_t>(order.size()),
                                                                            static_cast<std::int64_t>(order.size())));
                order.resize(keep);
                return propose(stage, Reorder{order});
            }
            case LoopForm::vectorize: {
                // Choose a loop of constant extent, so that the vector has a width.
                std::vector<std::string> constant;
                for (const Loop& loop : loops) {
                    if (loop.kind == LoopKind::serial && loop.extent &&
                        volume(stage).copies * *loop.extent <= policy_.most_copies) {
                        constant.push_back(loop.var);
                    }
                }
                if (constant.empty() || !may_vectorize(stage)) { return false; }
                return propose(stage, Vectorize{choices_.one_of(constant), {}, Tail::automatic});
            }
            case LoopForm::vectorize_by: {
                const std::int64_t factor = draw_factor();
                return affords(stage, factor, true) && may_vectorize(stage) &&
                       propose(stage, Vectorize{var, factor, draw_tail(stage)});
            }
            case LoopForm::unroll: {
                std::vector<std::string> constant;
                for (const Loop& loop : loops) {
                    if (loop.kind == LoopKind::serial && loop.extent && *loop.extent <= 8 &&
                        volume(stage).copies * *loop.extent <= policy_.most_copies) {
                        constant.push_back(loop.var);
                    }
                }
                if (constant.empty()) { return false; }
                return propose(stage, Unroll{choices_.one_of(constant), {}, Tail::automatic});
            }
            case LoopForm::unroll_by: {
                const std::int64_t factor = std::min<std::int64_t>(draw_factor(), 5);
                return affords(stage, factor, true) && propose(stage, Unroll{var, factor, draw_tail(stage)});
            }
            case LoopForm::parallel: return propose(stage, Parallel{var, {}, Tail::automatic});
            case LoopForm::parallel_by: {
                const std::int64_t factor = draw_factor();
                return affords(stage, factor, false) && propose(stage, Parallel{var, factor, draw_tail(stage)});
            }
            case LoopForm::serial: return propose(stage, Serial{var});
        }
        return false;
    }

    // --- Directives with structural demands ---

    void draw_rfactors(const sare::Function& function) {
        for (std::size_t u = 0; u < function.updates.size(); ++u) {
            const auto& over = function.updates[u].over;
            if (over.empty() || !choices_.boolean(policy_.rfactor_per_mille)) { continue; }
            draw_rfactor({function.name, static_cast<int>(u), {}},
                         function.name + "_intm" + (u == 0 ? "" : std::to_string(u)));
        }
    }

    void draw_rfactor(const StageRef& stage, const std::string& intermediate) {
        Saved before = saved();
        if (choices_.boolean(policy_.late_rfactor_per_mille)) {
            choices_.sequence(1, 3, policy_.another_before_rfactor_per_mille,
                              [&](std::size_t) { draw_loop_directive(stage); });
        }
        std::vector<std::string> loops;
        for (const Loop& loop : admission_.nest(stage).loops) {
            if (loop.is_rvar && loop.kind == LoopKind::serial && !loop.var.empty()) { loops.push_back(loop.var); }
        }
        if (loops.empty()) { return; }
        std::string preserved = choices_.one_of(loops);
        if (choices_.boolean(policy_.split_rfactor_per_mille)) {
            const std::int64_t factor = draw_factor();
            const std::string outer = preserved + "o", inner = preserved + "i";
            if (!propose(stage, Split{preserved, outer, inner, factor, Tail::automatic})) { return; }
            preserved = choices_.boolean(policy_.outer_rfactor_per_mille) ? outer : inner;
        }
        if (!propose(stage, RFactor{{{preserved, "u"}}, intermediate})) { restore(std::move(before)); }
    }

    // --- Shared loops ---

    // The tensors that the tensor reads, directly or not.
    std::set<std::string> read_by(const std::string& tensor) const {
        std::set<std::string> known;
        std::vector<std::string> open{tensor};
        while (!open.empty()) {
            const sare::Function* function = function_of(open.back());
            open.pop_back();
            if (function == nullptr) { continue; }
            const auto note = [&](const sare::Expr& e) {
                sare::for_each_access(e, [&](const sare::Access& a, const auto&) {
                    if (known.insert(a.tensor).second) { open.push_back(a.tensor); }
                });
            };
            for (const sare::Expr& e : function->values) { note(e); }
            for (const sare::UpdateDefinition& update : function->updates) {
                for (const sare::Expr& e : update.values) { note(e); }
            }
        }
        return known;
    }

    void draw_companions(const std::vector<std::string>& tensors) {
        if (tensors.size() < 2 || !choices_.boolean(policy_.companions_per_mille)) { return; }
        std::vector<std::pair<std::string, std::string>> pairs;
        for (std::size_t i = 0; i < tensors.size() && i < most_companions; ++i) {
            const std::set<std::string> read = read_by(tensors[i]);
            for (std::size_t j = 0; j < tensors.size() && j < most_companions; ++j) {
                if (i == j || function_of(tensors[i]) == nullptr || function_of(tensors[j]) == nullptr) { continue; }
                const std::size_t updates =
                    function_of(tensors[i])->updates.size() + function_of(tensors[j])->updates.size();
                const bool depend = read.contains(tensors[j]) || read_by(tensors[j]).contains(tensors[i]);
                if (updates > 0 && !depend) { pairs.emplace_back(tensors[i], tensors[j]); }
            }
        }
        if (pairs.empty()) { return; }
        const auto& [first, second] = choices_.one_of(pairs);
        companions_ = {first, second};
    }

    void share_loops_of_companions() {
        if (companions_.empty()) { return; }
        std::vector<StageRef> stages, others;
        for (const StageRef& stage : admission_.stages(*companions_.begin())) { stages.push_back(stage); }
        for (const StageRef& stage : admission_.stages(*companions_.rbegin())) { others.push_back(stage); }
        if (choices_.boolean(policy_.swapped_companions_per_mille)) { std::swap(stages, others); }
        choices_.shuffle(stages);
        choices_.shuffle(others);
        std::size_t shared = 0;
        for (const StageRef& stage : stages) {
            for (const StageRef& with : others) {
                if (!stage.update && !with.update) { continue; }
                if (compute_with(stage, with)) {
                    ++shared;
                    break;
                }
            }
            if (shared == 2) { return; }
        }
    }

    // Tries the loops of `with` in a drawn order.
    bool compute_with(const StageRef& stage, const StageRef& with) {
        std::vector<std::string> vars;
        for (const Loop& loop : admission_.nest(with).loops) {
            if (!loop.is_rvar && !loop.var.empty()) { vars.push_back(loop.var); }
        }
        choices_.shuffle(vars);
        constexpr std::array aligns{Align::automatic, Align::start, Align::end, Align::none};
        for (const std::string& var : vars) {
            Saved before = saved();
            const auto align = aligns[choices_.weighted(policy_.align)];
            // Only a complete schedule shows whether two stages may share their loops.
            if (!propose(stage, ComputeWith{{with, var}, align})) { continue; }
            if (complete()) { return true; }
            restore(std::move(before));
        }
        return false;
    }

    void draw_compute_with(const std::vector<std::string>& tensors) {
        // Each proposal is checked as a complete schedule: of many tensors only some pairs are tried.
        const auto pairs = static_cast<int>(tensors.size() * tensors.size());
        const int per_mille = std::min(policy_.compute_with_per_mille, 1000 * policy_.most_compute_with / pairs);
        for (std::size_t i = 0; i < tensors.size(); ++i) {
            for (std::size_t j = 0; j < tensors.size(); ++j) {
                if (i == j || admission_.is_inlined(tensors[i]) || admission_.is_inlined(tensors[j])) { continue; }
                if (!choices_.boolean(per_mille)) { continue; }
                const StageRef stage{tensors[i], {}, {}};
                const StageRef with{tensors[j], {}, {}};
                const auto& loops = admission_.nest(with).loops;
                if (loops.empty()) { continue; }
                const Loop& loop = choices_.one_of(loops);
                constexpr std::array aligns{Align::automatic, Align::start, Align::end, Align::none};
                const auto align = aligns[choices_.weighted(policy_.align)];
                const auto before = std::make_pair(admission_, schedule_);
                // Only a complete schedule shows whether two stages may share their loops.
                if (propose(stage, ComputeWith{{with, loop.var}, align}) && !complete()) {
                    admission_ = before.first;
                    schedule_ = before.second;
                }
            }
        }
    }

    // The schedule is complete: what a prefetch asks of it can be told. Halide warns of one without effect.
    void draw_prefetches() {
        Admission complete_one(algorithm_, vocabulary_);
        for (const Directive& directive : schedule_.directives) {
            ENSURE(complete_one.apply(directive).has_value(), "a schedule that is admitted");
        }
        admission_ = std::move(complete_one);
        for (const std::string& tensor : admission_.tensors()) {
            if (admission_.is_inlined(tensor)) { continue; }
            for (const StageRef& stage : admission_.stages(tensor)) {
                if (choices_.boolean(policy_.prefetch_per_mille)) { draw_prefetch(stage); }
            }
        }
    }

    void draw_prefetch(const StageRef& stage) {
        std::vector<std::string> fetched = admission_.reads(stage), loops;
        std::erase_if(fetched, [&](const std::string& tensor) { return admission_.is_inlined(tensor); });
        for (const Loop& loop : admission_.nest(stage).loops) {
            if (!loop.var.empty()) { loops.push_back(loop.var); }
        }
        if (fetched.empty() || loops.empty()) { return; }
        const std::string& tensor = choices_.one_of(fetched);
        const auto at = static_cast<std::size_t>(choices_.integer(0, static_cast<std::int64_t>(loops.size()) - 1, 0));
        std::size_t from = at;
        if (choices_.boolean(policy_.far_prefetch_per_mille)) {
            const auto outermost = static_cast<std::int64_t>(loops.size()) - 1;
            from = static_cast<std::size_t>(choices_.integer(static_cast<std::int64_t>(at), outermost));
        }
        const std::int64_t offset = choices_.integer(0, 8, 1);
        const auto bound = static_cast<FetchBound>(choices_.weighted(policy_.fetch_bound));
        const auto before = std::make_pair(admission_, schedule_);
        if (propose(stage, Prefetch{tensor, loops[at], loops[from], offset, bound}) && !complete()) {
            admission_ = before.first;
            schedule_ = before.second;
        }
    }

    // Interleaves the directives of different tensors; those of one tensor keep their order.
    void interleave() {
        std::map<std::string, std::vector<Directive>> queues;
        std::vector<std::string> draws;
        for (const Directive& d : schedule_.directives) {
            // rfactor's intermediate exists only after its directive.
            if (std::holds_alternative<RFactor>(d.action) || std::holds_alternative<ComputeWith>(d.action)) { return; }
            queues[d.stage.tensor].push_back(d);
            draws.push_back(d.stage.tensor);
        }
        choices_.shuffle(draws);
        std::map<std::string, std::size_t> next;
        Schedule mixed;
        for (const std::string& tensor : draws) { mixed.directives.push_back(queues[tensor][next[tensor]++]); }
        if (admits(algorithm_, mixed, vocabulary_)) { schedule_ = std::move(mixed); }
    }

    Choices& choices_;
    const Policy& policy_;
    const sare::Algorithm& algorithm_;
    Vocabulary vocabulary_;
    Admission admission_;
    std::map<std::string, std::int64_t> cost_;
    std::set<std::string> async_;  // by a ring buffer
    std::set<std::string> companions_;
    static constexpr std::size_t most_companions = 8;  // of the tensors, how many are looked at
    Schedule schedule_;
};

}  // namespace

Schedule draw_schedule(Choices& choices, const Policy& policy, const sare::Algorithm& algorithm,
                       Vocabulary vocabulary) {
    return ScheduleBuilder(choices, policy, algorithm, vocabulary).draw();
}

Schedule without(const sare::Algorithm& algorithm, const Schedule& schedule, const std::vector<std::size_t>& dropped,
                 Vocabulary vocabulary, const Rules& allowed) {
    const auto is_allowed = [&](const BrokenRules& broken) {
        return std::ranges::all_of(broken, [&](const auto& one) { return allowed.contains(one.rule); });
    };
    Admission admission(algorithm, vocabulary);
    Schedule kept;
    for (std::size_t i = 0; i < schedule.directives.size(); ++i) {
        if (std::ranges::find(dropped, i) != dropped.end()) { continue; }
        const Directive& directive = schedule.directives[i];
        Admission next = admission;
        const bool is_taken = allowed.empty() ? next.apply(directive).has_value()
                                              : next.take(directive).has_value() && is_allowed(next.broken_so_far());
        if (!is_taken) { continue; }
        admission = std::move(next);
        kept.directives.push_back(directive);
    }
    const auto is_complete = [&] {
        const auto broken = broken_rules(algorithm, kept, vocabulary);
        return broken && is_allowed(*broken);
    };
    while (!kept.directives.empty() && !is_complete()) { remove_incomplete(kept, algorithm, vocabulary, allowed); }
    return kept;
}

}  // namespace haruspex::schedule::halide
