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
#include "generators/schedule/halide/draw_shared_loops.h"
#include "generators/schedule/halide/draw_stage.h"
#include "generators/schedule/halide/drawing.h"

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
        : d_(choices, policy, algorithm, vocabulary), cost_(inlined_reads(algorithm)) {}

    Schedule draw() {
        // rfactor first: it makes tensors that are then scheduled like any other.
        for (const sare::Function& function : d_.algorithm.functions) { draw_rfactors(d_, function); }
        std::vector<std::string> tensors = d_.admission.tensors();
        std::ranges::reverse(tensors);  // consumers first: producers are computed at their loops
        companions_ = draw_companions(d_, tensors);
        for (const std::string& tensor : tensors) { draw_tensor(tensor); }
        share_loops_of_companions(d_, companions_);
        draw_compute_with(d_, tensors);
        if (d_.choices.boolean(d_.policy.interleave_per_mille)) { interleave(); }
        while (!d_.is_complete()) { remove_incomplete(d_.schedule, d_.algorithm, d_.vocabulary); }
        draw_prefetches();
        return d_.schedule;
    }

private:
    // --- Placement ---

    void draw_tensor(const std::string& tensor) {
        if (companions_.contains(tensor)) {
            if (!d_.admission.is_output(tensor)) { d_.propose({tensor, {}, {}}, ComputeRoot{}); }
            return;
        }
        if (!d_.admission.is_output(tensor)) {
            place(tensor);
            if (d_.vocabulary.has(HoistStorage{})) { hoist(tensor); }
        }
        if (d_.admission.is_inlined(tensor)) { return; }
        draw_bounds(tensor);
        for (const StageRef& stage : d_.admission.stages(tensor)) { draw_stage(d_, stage); }
        draw_storage(tensor);
        if (d_.choices.boolean(d_.policy.async_per_mille) && !async_.contains(tensor)) {
            d_.propose({tensor, {}, {}}, Async{});
        }
    }

    void place(const std::string& tensor) {
        const StageRef pure{tensor, {}, {}};
        auto weights = d_.policy.placement;
        const auto found = cost_.find(tensor);
        if (found != cost_.end() && found->second > most_inlined_reads) {
            weights[static_cast<std::size_t>(Placement::inlined)] = 0;
            weights[static_cast<std::size_t>(Placement::automatic)] = 0;
        }
        if (d_.choices.boolean(d_.policy.line_buffer_per_mille) && place_as_line_buffer(tensor)) { return; }
        const bool any = std::ranges::any_of(weights, [](int w) { return w > 0; });
        const auto placement = any ? static_cast<Placement>(d_.choices.weighted(weights)) : Placement::root;
        switch (placement) {
            case Placement::automatic: return;
            case Placement::inlined: d_.propose(pure, ComputeInline{}); return;
            case Placement::root: d_.propose(pure, ComputeRoot{}); return;
            case Placement::at: break;
        }
        const auto levels = d_.admission.compute_levels(tensor);
        if (levels.empty() || !d_.propose(pure, ComputeAt{d_.choices.one_of(levels)})) {
            d_.propose(pure, ComputeRoot{});
            return;
        }
        if (!d_.choices.boolean(d_.policy.store_level_per_mille)) { return; }
        const auto stores = d_.admission.store_levels(tensor);
        if (stores.empty() || d_.choices.boolean(d_.policy.store_root_per_mille)) {
            d_.propose(pure, StoreRoot{});
        } else {
            d_.propose(pure, StoreAt{d_.choices.one_of(stores)});
        }
    }

    // Allocates the tensor's storage further outside, with copies or without.
    void hoist(const std::string& tensor) {
        const StageRef pure{tensor, {}, {}};
        const auto levels = d_.admission.hoist_levels(tensor);
        if (levels.empty() || !d_.choices.boolean(d_.policy.hoist_storage_per_mille)) { return; }
        const std::optional<LoopLevel>& level = d_.choices.one_of(levels);
        const bool is_hoisted = level ? d_.propose(pure, HoistStorage{*level}) : d_.propose(pure, HoistStorageRoot{});
        if (!is_hoisted || !d_.choices.boolean(d_.policy.ring_buffer_per_mille)) { return; }
        d_.propose(pure, RingBuffer{d_.choices.integer(1, 4, 2)});
        if (d_.choices.boolean(d_.policy.async_ring_per_mille) && d_.propose(pure, Async{})) { async_.insert(tensor); }
    }

    // Computes the tensor at a loop of its reader, stores it outside and folds it along that loop, if the schedule so
    // far admits this.
    bool place_as_line_buffer(const std::string& tensor) {
        const StageRef pure{tensor, {}, {}};
        auto levels = d_.admission.compute_levels(tensor);
        d_.choices.shuffle(levels);
        const Drawing::Saved before = d_.saved();
        for (const LoopLevel& level : levels) {
            if (d_.propose(pure, ComputeAt{level})) {
                const auto stores = d_.admission.store_levels(tensor);
                const bool stored = stores.empty() || d_.choices.boolean(d_.policy.line_buffer_root_per_mille)
                                        ? d_.propose(pure, StoreRoot{})
                                        : d_.propose(pure, StoreAt{d_.choices.one_of(stores)});
                if (stored && fold(tensor)) { return true; }
            }
            d_.restore(before);
        }
        return false;
    }

    // --- Functions as a whole ---

    void draw_bounds(const std::string& tensor) {
        const sare::Function* function = d_.function_of(tensor);
        if (function == nullptr || function->variables.empty()) { return; }
        const StageRef pure{tensor, {}, {}};
        const auto d = static_cast<std::size_t>(
            d_.choices.integer(0, static_cast<std::int64_t>(function->variables.size()) - 1, 0));
        const std::string& var = function->variables[d];
        const auto output = std::ranges::find(d_.algorithm.outputs, tensor, &sare::Output::tensor);
        const bool is_output = output != d_.algorithm.outputs.end();
        if (!is_output && d_.choices.boolean(d_.policy.bound_internal_per_mille)) { bound_internal(tensor, d); }
        if (is_output) {
            // The box of an output is known, so its bounds can be promised; constant extents make more schedules
            // possible.
            const bool constant = std::holds_alternative<sare::IndexConstant>(output->box[d].extent.node);
            const int factor = constant ? 4 : 1;
            if (d_.choices.boolean(std::min(900, d_.policy.bound_per_mille * factor))) {
                d_.propose(pure, Bound{var, output->box[d].min, output->box[d].extent});
            } else if (d_.choices.boolean(std::min(900, d_.policy.bound_extent_per_mille * factor))) {
                d_.propose(pure, BoundExtent{var, output->box[d].extent});
            }
        }
        if (d_.choices.boolean(is_output ? d_.policy.align_output_bounds_per_mille
                                         : d_.policy.align_bounds_per_mille)) {
            const std::int64_t modulus = d_.choices.one_of(std::array<std::int64_t, 4>{2, 4, 8, 3});
            const bool has_remainder = d_.choices.boolean(d_.policy.align_remainder_per_mille);
            d_.propose(pure, AlignBounds{var, modulus, has_remainder ? d_.choices.integer(0, modulus - 1, 0) : 0});
        }
        if (function->variables.size() > 1 && d_.choices.boolean(d_.policy.reorder_storage_per_mille)) {
            auto order = function->variables;
            d_.choices.shuffle(order);
            d_.propose(pure, ReorderStorage{order});
        }
    }

    // Promises of a tensor that is not an output what its readers require of it, or a little more.
    void bound_internal(const std::string& tensor, std::size_t dimension) {
        const auto required = d_.admission.required(tensor, d_.algorithm.outputs);
        if (required.empty() || !required[dimension]) { return; }
        const std::string& var = d_.function_of(tensor)->variables[dimension];
        sare::Index extent = required[dimension]->extent;
        if (d_.choices.boolean(d_.policy.wider_bound_per_mille)) {
            extent = extent + sare::constant(d_.choices.integer(1, 3, 1));
        }
        if (d_.choices.boolean(d_.policy.bound_internal_extent_per_mille)) {
            d_.propose({tensor, {}, {}}, BoundExtent{var, extent});
        } else {
            d_.propose({tensor, {}, {}}, Bound{var, required[dimension]->min, extent});
        }
    }

    void draw_storage(const std::string& tensor) {
        // The storage of an output is the caller's.
        if (d_.admission.is_output(tensor)) { return; }
        if (d_.choices.boolean(d_.policy.fold_storage_per_mille)) { fold(tensor); }
        align(tensor);
    }

    bool fold(const std::string& tensor) {
        const sare::Function* function = d_.function_of(tensor);
        if (function == nullptr || function->variables.empty()) { return false; }
        auto vars = function->variables;
        d_.choices.shuffle(vars);
        // Few factors and directions are admitted, so all are tried, beginning with a drawn one.
        constexpr std::array<std::int64_t, 6> factors{4, 8, 3, 6, 16, 2};
        const auto start = static_cast<std::size_t>(d_.choices.integer(0, factors.size() - 1, 0));
        const bool forward = !d_.choices.boolean(d_.policy.backward_fold_per_mille);
        for (const std::string& var : vars) {
            for (std::size_t i = 0; i < factors.size(); ++i) {
                const std::int64_t factor = factors[(start + i) % factors.size()];
                if (d_.propose({tensor, {}, {}}, FoldStorage{var, factor, forward})) { return true; }
                if (d_.propose({tensor, {}, {}}, FoldStorage{var, factor, !forward})) { return true; }
            }
        }
        return false;
    }

    void align(const std::string& tensor) {
        const sare::Function* function = d_.function_of(tensor);
        if (function == nullptr || function->variables.empty()) { return; }
        if (!d_.choices.boolean(d_.policy.align_storage_per_mille)) { return; }
        const std::string& var = d_.choices.one_of(function->variables);
        d_.propose({tensor, {}, {}}, AlignStorage{var, d_.draw_factor()});
    }

    // --- The whole schedule ---

    // The schedule is complete: what a prefetch asks of it can be told. Halide warns of one without effect.
    void draw_prefetches() {
        Admission complete_one(d_.algorithm, d_.vocabulary);
        for (const Directive& directive : d_.schedule.directives) {
            ENSURE(complete_one.apply(directive).has_value(), "a schedule that is admitted");
        }
        d_.admission = std::move(complete_one);
        for (const std::string& tensor : d_.admission.tensors()) {
            if (d_.admission.is_inlined(tensor)) { continue; }
            for (const StageRef& stage : d_.admission.stages(tensor)) {
                if (d_.choices.boolean(d_.policy.prefetch_per_mille)) { draw_prefetch(stage); }
            }
        }
    }

    void draw_prefetch(const StageRef& stage) {
        std::vector<std::string> fetched = d_.admission.reads(stage), loops;
        std::erase_if(fetched, [&](const std::string& tensor) { return d_.admission.is_inlined(tensor); });
        for (const Loop& loop : d_.admission.nest(stage).loops) {
            if (!loop.var.empty()) { loops.push_back(loop.var); }
        }
        if (fetched.empty() || loops.empty()) { return; }
        const std::string& tensor = d_.choices.one_of(fetched);
        const auto at = static_cast<std::size_t>(d_.choices.integer(0, static_cast<std::int64_t>(loops.size()) - 1, 0));
        std::size_t from = at;
        if (d_.choices.boolean(d_.policy.far_prefetch_per_mille)) {
            const auto outermost = static_cast<std::int64_t>(loops.size()) - 1;
            from = static_cast<std::size_t>(d_.choices.integer(static_cast<std::int64_t>(at), outermost));
        }
        const std::int64_t offset = d_.choices.integer(0, 8, 1);
        const auto bound = static_cast<FetchBound>(d_.choices.weighted(d_.policy.fetch_bound));
        const Drawing::Saved before = d_.saved();
        if (d_.propose(stage, Prefetch{tensor, loops[at], loops[from], offset, bound}) && !d_.is_complete()) {
            d_.restore(before);
        }
    }

    // Interleaves the directives of different tensors; those of one tensor keep their order.
    void interleave() {
        std::map<std::string, std::vector<Directive>> queues;
        std::vector<std::string> draws;
        for (const Directive& directive : d_.schedule.directives) {
            // rfactor's intermediate exists only after its directive.
            if (std::holds_alternative<RFactor>(directive.action) ||
                std::holds_alternative<ComputeWith>(directive.action)) {
                return;
            }
            queues[directive.stage.tensor].push_back(directive);
            draws.push_back(directive.stage.tensor);
        }
        d_.choices.shuffle(draws);
        std::map<std::string, std::size_t> next;
        Schedule mixed;
        for (const std::string& tensor : draws) { mixed.directives.push_back(queues[tensor][next[tensor]++]); }
        if (admits(d_.algorithm, mixed, d_.vocabulary)) { d_.schedule = std::move(mixed); }
    }

    Drawing d_;
    std::map<std::string, std::int64_t> cost_;
    std::set<std::string> async_;  // by a ring buffer
    std::set<std::string> companions_;
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
