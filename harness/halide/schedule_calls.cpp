#include "harness/halide/schedule_calls.h"

#include <algorithm>
#include <optional>
#include <tuple>

#include "generators/base/ensure.h"
#include "generators/base/overload.h"
#include "generators/schedule/halide/text.h"
#include "harness/halide/expressions.h"
#include "harness/halide/version.h"

namespace haruspex::halide {
namespace {

using namespace schedule::halide;
using Halide::Var;
using Halide::VarOrRVar;

// Identifies a definition or one of its specialisations: function, definition (0 is the pure one), specialisation or
// -1.
using StageKey = std::tuple<std::string, int, int>;

StageKey key_of(const StageRef& stage) {
    return {stage.tensor, stage.update ? *stage.update + 1 : 0, stage.specialization.value_or(-1)};
}

Halide::TailStrategy tail_of(Tail tail) {
    if (!vocabulary.has(tail)) { throw NotExpressible("Halide " + version_text() + " lacks this tail strategy"); }
    return tail_strategy(tail);
}

Halide::LoopAlignStrategy alignment(Align align) {
    switch (align) {
        case Align::automatic: return Halide::LoopAlignStrategy::Auto;
        case Align::start: return Halide::LoopAlignStrategy::AlignStart;
        case Align::end: return Halide::LoopAlignStrategy::AlignEnd;
        case Align::none: return Halide::LoopAlignStrategy::NoAlign;
    }
    ENSURE(false, "unknown alignment");
}

Halide::PrefetchBoundStrategy bound_of(FetchBound bound) {
    switch (bound) {
        case FetchBound::guard_with_if: return Halide::PrefetchBoundStrategy::GuardWithIf;
        case FetchBound::clamp: return Halide::PrefetchBoundStrategy::Clamp;
        case FetchBound::non_faulting: return Halide::PrefetchBoundStrategy::NonFaulting;
    }
    ENSURE(false, "unknown bound of a prefetch");
}

class Scheduler {
public:
    explicit Scheduler(Program& program) : program_(program) {
        for (const auto& [stage, loops] : program.loops) { loops_[{stage.first, stage.second, -1}] = loops; }
        for (const auto& [name, param] : program.parameters) { scope_.bind(name, param); }
    }

    void apply(const Directive& directive) {
        here_ = key_of(directive.stage);
        if (!vocabulary.has(directive.action)) {
            throw NotExpressible("Halide " + version_text() + " has no " + std::string(action_name(directive.action)));
        }
        std::visit([&](const auto& action) { call(directive.stage, action); }, directive.action);
    }

private:
    Halide::Func& func(const std::string& name) const {
        const auto found = program_.funcs.find(name);
        if (found == program_.funcs.end()) {
            throw NotExpressible("the schedule names " + name + ", which is no function");
        }
        return found->second;
    }

    Halide::Stage stage(const StageRef& ref) const {
        if (ref.specialization) {
            const auto found = specializations_.find(key_of(ref));
            if (found == specializations_.end()) {
                throw NotExpressible("the schedule names a specialisation that is not there");
            }
            return found->second;
        }
        Halide::Func& f = func(ref.tensor);
        if (!ref.update) { return f; }
        if (*ref.update >= f.num_update_definitions()) {
            throw NotExpressible("the schedule names an update of " + ref.tensor + " that is not there");
        }
        return f.update(*ref.update);
    }

    // Returns a loop variable of a stage. An unknown one is passed on as a Var, for Halide to refuse.
    VarOrRVar loop(const StageKey& key, const std::string& name) const {
        const auto loops = loops_.find(key);
        if (loops != loops_.end()) {
            const auto found = loops->second.find(name);
            if (found != loops->second.end()) { return found->second; }
        }
        return Var(name);
    }
    VarOrRVar loop(const std::string& name) const { return loop(here_, name); }
    std::vector<VarOrRVar> loops(const std::vector<std::string>& names) const {
        std::vector<VarOrRVar> found;
        for (const std::string& name : names) { found.push_back(loop(name)); }
        return found;
    }

    // Declares a variable that a directive on this stage introduces, of the same kind as its sources.
    VarOrRVar introduce(const std::string& name, bool is_rvar) {
        const VarOrRVar made = is_rvar ? VarOrRVar(Halide::RVar(name)) : VarOrRVar(Var(name));
        loops_[here_].insert_or_assign(name, made);
        return made;
    }

    Halide::LoopLevel level(const LoopLevel& l) const {
        const VarOrRVar var = loop({l.stage.tensor, l.stage.update ? *l.stage.update + 1 : 0, -1}, l.var);
        // compute_at and store_at find a loop by function and name in any stage; a level that names a stage matches
        // none.
        return {func(l.stage.tensor), var};
    }

    std::vector<Var> vars(const std::vector<std::string>& names) const { return {names.begin(), names.end()}; }

    void call(const StageRef& s, const Split& a) {
        const VarOrRVar old = loop(a.old_var);
        const VarOrRVar outer = introduce(a.outer, old.is_rvar);
        const VarOrRVar inner = introduce(a.inner, old.is_rvar);
        stage(s).split(old, outer, inner, static_cast<int>(a.factor), tail_of(a.tail));
    }
    void call(const StageRef& s, const Tile& a) {
        const VarOrRVar x = loop(a.x);
        const VarOrRVar y = loop(a.y);
        const VarOrRVar xo = introduce(a.x_outer, x.is_rvar);
        const VarOrRVar yo = introduce(a.y_outer, y.is_rvar);
        const VarOrRVar xi = introduce(a.x_inner, x.is_rvar);
        const VarOrRVar yi = introduce(a.y_inner, y.is_rvar);
        stage(s).tile(x, y, xo, yo, xi, yi, static_cast<int>(a.x_factor), static_cast<int>(a.y_factor),
                      tail_of(a.tail));
    }
    void call(const StageRef& s, const Fuse& a) {
        const VarOrRVar inner = loop(a.inner);
        const VarOrRVar outer = loop(a.outer);
        stage(s).fuse(inner, outer, introduce(a.fused, inner.is_rvar || outer.is_rvar));
    }
    void call(const StageRef& s, const Reorder& a) { stage(s).reorder(loops(a.vars)); }
    void call(const StageRef& s, const Vectorize& a) {
        if (a.factor) {
            stage(s).vectorize(loop(a.var), static_cast<int>(*a.factor), tail_of(a.tail));
        } else {
            stage(s).vectorize(loop(a.var));
        }
    }
    void call(const StageRef& s, const Unroll& a) {
        if (a.factor) {
            stage(s).unroll(loop(a.var), static_cast<int>(*a.factor), tail_of(a.tail));
        } else {
            stage(s).unroll(loop(a.var));
        }
    }
    void call(const StageRef& s, const Parallel& a) {
        if (a.factor) {
            stage(s).parallel(loop(a.var), static_cast<int>(*a.factor), tail_of(a.tail));
        } else {
            stage(s).parallel(loop(a.var));
        }
    }
    void call(const StageRef& s, const Serial& a) { stage(s).serial(loop(a.var)); }
    void call(const StageRef& s, const Partition& a) { set_partitioning(stage(s), {loop(a.var)}, a.policy); }
    void call(const StageRef& s, const NeverPartition& a) {
        set_partitioning(stage(s), loops(a.vars), Partitioning::never);
    }
    void call(const StageRef& s, const AlwaysPartition& a) {
        set_partitioning(stage(s), loops(a.vars), Partitioning::always);
    }
    void call(const StageRef& s, const NeverPartitionAll&) { never_partition_all(stage(s)); }
    void call(const StageRef& s, const AlwaysPartitionAll&) { always_partition_all(stage(s)); }
    void call(const StageRef& s, const Prefetch& a) {
        const int offset = static_cast<int>(a.offset);
        const auto input = std::ranges::find(program_.inputs, a.tensor, &Input::name);
        if (input == program_.inputs.end()) {
            stage(s).prefetch(func(a.tensor), loop(a.at), loop(a.from), offset, bound_of(a.bound));
        } else {
            stage(s).prefetch(input->param, loop(a.at), loop(a.from), offset, bound_of(a.bound));
        }
    }
    void call(const StageRef& s, const ComputeRoot&) { func(s.tensor).compute_root(); }
    void call(const StageRef& s, const ComputeInline&) { func(s.tensor).compute_inline(); }
    void call(const StageRef& s, const ComputeAt& a) { func(s.tensor).compute_at(level(a.level)); }
    void call(const StageRef& s, const StoreRoot&) { func(s.tensor).store_root(); }
    void call(const StageRef& s, const StoreAt& a) { func(s.tensor).store_at(level(a.level)); }
    void call(const StageRef& s, const HoistStorage& a) { hoist_storage(func(s.tensor), level(a.level)); }
    void call(const StageRef& s, const HoistStorageRoot&) { hoist_storage(func(s.tensor), Halide::LoopLevel::root()); }
    void call(const StageRef& s, const Bound& a) {
        func(s.tensor).bound(Var(a.var), index_expr(a.min, scope_), index_expr(a.extent, scope_));
    }
    void call(const StageRef& s, const BoundExtent& a) {
        func(s.tensor).bound_extent(Var(a.var), index_expr(a.extent, scope_));
    }
    void call(const StageRef& s, const AlignBounds& a) {
        func(s.tensor).align_bounds(Var(a.var), static_cast<int>(a.modulus), static_cast<int>(a.remainder));
    }
    void call(const StageRef& s, const ReorderStorage& a) { func(s.tensor).reorder_storage(vars(a.vars)); }
    void call(const StageRef& s, const FoldStorage& a) {
        func(s.tensor).fold_storage(Var(a.var), static_cast<int>(a.factor), a.forward);
    }
    void call(const StageRef& s, const AlignStorage& a) {
        func(s.tensor).align_storage(Var(a.var), static_cast<int>(a.alignment));
    }
    void call(const StageRef& s, const RingBuffer& a) { ring_buffer(func(s.tensor), static_cast<int>(a.extent)); }
    void call(const StageRef& s, const Specialize& a) {
        if (s.specialization) { throw NotExpressible("specialisation of a specialisation"); }
        const int number = specialization_counts_[here_]++;
        StageKey made = here_;
        std::get<2>(made) = number;
        specializations_.insert_or_assign(made, stage(s).specialize(condition_expr(a.condition, scope_)));
        // A specialisation starts from the schedule so far.
        loops_[made] = loops_[here_];
    }
    void call(const StageRef& s, const Atomic& a) { stage(s).atomic(a.override_associativity_test); }
    void call(const StageRef& s, const RFactor& a) {
        if (!s.update) { throw NotExpressible("rfactor of a pure definition"); }
        std::vector<std::pair<Halide::RVar, Var>> preserved;
        LoopVariables update_loops = loops_[here_];
        // The intermediate's pure variables are the function's own and the new ones, regardless of later splits.
        LoopVariables pure_loops = program_.loops.at({s.tensor, 0});
        for (const auto& [old_name, new_name] : a.preserved) {
            const VarOrRVar old = loop(old_name);
            preserved.emplace_back(old.is_rvar ? old.rvar : Halide::RVar(old_name), Var(new_name));
            update_loops.erase(old_name);
            update_loops.insert_or_assign(new_name, VarOrRVar(Var(new_name)));
            pure_loops.insert_or_assign(new_name, VarOrRVar(Var(new_name)));
        }
        const Halide::Func intermediate = stage(s).rfactor(preserved);
        program_.funcs.insert_or_assign(a.intermediate, intermediate);
        program_.types.insert_or_assign(a.intermediate, program_.types.at(s.tensor));
        program_.loops[{a.intermediate, 0}] = pure_loops;
        loops_[{a.intermediate, 0, -1}] = pure_loops;
        loops_[{a.intermediate, 1, -1}] = update_loops;
    }
    void call(const StageRef& s, const ComputeWith& a) {
        const StageKey parent{a.level.stage.tensor, a.level.stage.update ? *a.level.stage.update + 1 : 0, -1};
        stage(s).compute_with(stage(a.level.stage), loop(parent, a.level.var), alignment(a.align));
    }
    void call(const StageRef& s, const Async&) { func(s.tensor).async(); }

    Program& program_;
    Scope scope_;
    StageKey here_;  // of the directive being applied
    std::map<StageKey, LoopVariables> loops_;
    std::map<StageKey, Halide::Stage> specializations_;
    std::map<StageKey, int> specialization_counts_;
};

}  // namespace

void apply_schedule(Program& program, const schedule::halide::Schedule& schedule) {
    Scheduler scheduler(program);
    for (const Directive& directive : schedule.directives) { scheduler.apply(directive); }
    // Halide warns of updates that might have been forgotten, and its warnings would be the last words of a crash.
    for (auto& [name, func] : program.funcs) {
        for (int n = 0; n < func.num_update_definitions(); ++n) {
            if (!func.function().update(n).schedule().touched()) { func.update(n).unscheduled(); }
        }
    }
}

}  // namespace haruspex::halide
