#include "generators/schedule/halide/rfactor.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "generators/base/ensure.h"
#include "generators/sare/build.h"
#include "generators/sare/names.h"
#include "generators/sare/reduction_box.h"
#include "generators/sare/traverse.h"
#include "generators/schedule/halide/linear.h"

namespace haruspex::schedule::halide {
namespace {

using sare::RecurrenceVariable;
using sare::UpdateDefinition;

// An update with its recurrence variables split and fused as scheduled. They are named by the paths of their loops,
// which are not names of variables in a program.
struct SplitUpdate {
    std::vector<RecurrenceVariable> over;
    sare::Substitution substitution;  // the original recurrence variables in terms of `over`
    sare::Condition guards = sare::truth(true);
    std::vector<SplitRecord> other_splits;  // of pure variables
};

class UpdateSplitter {
public:
    UpdateSplitter(const StageRef& ref, const UpdateDefinition& update) : ref_(ref) {
        result_.over = update.over;
        for (const RecurrenceVariable& rvar : update.over) {
            result_.substitution.emplace(rvar.name, sare::variable(rvar.name));
        }
    }

    Result<SplitUpdate> run(const std::vector<SplitRecord>& splits) {
        for (const SplitRecord& record : splits) {
            auto done = record.kind == SplitRecord::Kind::split ? split(record) : fuse(record);
            if (!done) { return fail(std::move(done.error())); }
        }
        return std::move(result_);
    }

private:
    std::ptrdiff_t find(const std::string& path) const {
        const auto found = std::ranges::find(result_.over, path, &RecurrenceVariable::name);
        return found == result_.over.end() ? -1 : found - result_.over.begin();
    }

    void replace(const std::string& path, const sare::Index& by) {
        const sare::Substitution step{{path, by}};
        for (auto& [name, index] : result_.substitution) { index = sare::substitute(index, step); }
        result_.guards = sare::substitute(result_.guards, step);
    }

    Result<void> split(const SplitRecord& record) {
        const std::ptrdiff_t at = find(record.old_var);
        if (at < 0) {
            result_.other_splits.push_back(record);
            return {};
        }
        const RecurrenceVariable old = result_.over[static_cast<std::size_t>(at)];
        const sare::Index value = record.factor * sare::variable(record.outer) + sare::variable(record.inner) + old.min;
        replace(record.old_var, value);
        const auto extent = constant_value(old.extent);
        if (!extent || *extent % record.factor != 0) {
            result_.guards = result_.guards && sare::compare(sare::Relation::lt, value, old.min + old.extent);
        }
        result_.over[static_cast<std::size_t>(at)] = {record.inner, sare::constant(0), sare::constant(record.factor)};
        result_.over.insert(result_.over.begin() + at + 1,
                            {record.outer, sare::constant(0),
                             sare::floor_div(old.extent + sare::constant(record.factor - 1), record.factor)});
        return {};
    }

    Result<void> fuse(const SplitRecord& record) {
        const std::ptrdiff_t inner = find(record.inner), outer = find(record.outer);
        if (inner < 0 && outer < 0) {
            result_.other_splits.push_back(record);
            return {};
        }
        // Halide does not find a recurrence variable with the fused loop's name and gives up.
        if (inner < 0 || outer < 0) {
            return refuse(ref_, "a recurrence variable fused with a pure variable cannot be factored");
        }
        const RecurrenceVariable in = result_.over[static_cast<std::size_t>(inner)];
        const RecurrenceVariable out = result_.over[static_cast<std::size_t>(outer)];
        const auto extent = constant_value(in.extent);
        if (!extent || *extent < 1) {
            return refuse(ref_,
                          "recurrence variables fused over an inner extent that is no constant cannot be factored");
        }
        const sare::Index fused = sare::variable(record.old_var);
        replace(record.inner, sare::floor_mod(fused, *extent) + in.min);
        replace(record.outer, sare::floor_div(fused, *extent) + out.min);
        result_.over[static_cast<std::size_t>(outer)] = {record.old_var, sare::constant(0), *extent * out.extent};
        result_.over.erase(result_.over.begin() + inner);
        return {};
    }

    const StageRef& ref_;
    SplitUpdate result_;
};

value::Value neutral(value::BinaryOp op, value::Type type) {
    const auto reduction = std::ranges::find(value::all_reduction_ops, op, value::binary_op);
    ENSURE(reduction != value::all_reduction_ops.end(), "an operator that is proved to be associative has a reduction");
    return *value::neutral(*reduction, type);
}

// Valid program names for the paths among a function's recurrence variables; the same for the same function.
sare::Substitution names_of_paths(const sare::Function& function, const std::vector<std::string>& parameters) {
    std::set<std::string> taken(function.variables.begin(), function.variables.end());
    taken.insert(parameters.begin(), parameters.end());
    for (const UpdateDefinition& update : function.updates) {
        for (const RecurrenceVariable& rvar : update.over) { taken.insert(rvar.name); }
    }
    sare::Substitution names;
    for (const UpdateDefinition& update : function.updates) {
        for (const RecurrenceVariable& rvar : update.over) {
            if (sare::is_name(rvar.name) || names.contains(rvar.name)) { continue; }
            std::string name = rvar.name;
            // Between loops stands a ".", and "~" before the number of a loop without a name.
            std::ranges::replace_if(name, [](char c) { return c == '.' || c == '~'; }, '_');
            while (!sare::is_name(name) || !taken.insert(name).second) { name += "_"; }
            names.emplace(rvar.name, sare::variable(name));
        }
    }
    return names;
}

std::vector<RecurrenceVariable> renamed(std::vector<RecurrenceVariable> over, const sare::Substitution& names) {
    for (RecurrenceVariable& rvar : over) {
        const auto name = names.find(rvar.name);
        if (name != names.end()) { rvar.name = std::get<sare::IndexVariable>(name->second.node).name; }
    }
    return over;
}

sare::Function renamed(sare::Function function, const sare::Substitution& names) {
    for (UpdateDefinition& update : function.updates) {
        update.over = renamed(std::move(update.over), names);
        for (sare::Index& index : update.target) { index = sare::substitute(index, names); }
        for (sare::Expr& value : update.values) { value = sare::substitute(value, names); }
        update.where = sare::substitute(update.where, names);
    }
    return function;
}

class Cut {
public:
    Cut(ScheduleState& state, const StageRef& ref, const RFactor& action)
        : state_(state), ref_(ref), action_(action), tensor_(*state.find(ref.tensor)), stage_(*state.find(ref)) {}

    // An Error tells why the update cannot be factored; nothing is changed then.
    Result<void> run() {
        if (auto legal = check(); !legal) { return legal; }
        auto split = UpdateSplitter(ref_, update()).run(stage_.splits);
        if (!split) { return fail(std::move(split.error())); }
        split_ = std::move(*split);
        order_preserved();
        const sare::Function before = function();
        const sare::Substitution substitution = over_both_domains();
        TensorState intermediate = make_intermediate(substitution);
        make_merge(intermediate.facts->function.updates[0]);
        record(before, substitution, intermediate.facts->function);
        // The intermediate is realized just before the tensor that reads it.
        state_.tensors.insert(state_.tensors.begin() + (&tensor_ - state_.tensors.data()), std::move(intermediate));
        return {};
    }

private:
    const sare::Function& function() const { return tensor_.facts->function; }
    const UpdateDefinition& update() const { return function().updates[static_cast<std::size_t>(*ref_.update)]; }

    Result<void> check() const {
        const Associativity& operation = tensor_.facts->stages[stage_index(ref_)].operation;
        // "Failed to call rfactor() on … since it can't prove associativity of the operator". If a component does not
        // read its old value, Halide continues with a warning, and the merge overwrites cells that were not updated.
        if (!operation.associative || !operation.accumulates) {
            return refuse(ref_, "rfactor needs an update that is known to be associative");
        }
        if (ref_.specialization || !stage_.specializations.empty()) {
            return refuse(ref_, "a specialized update cannot be factored");
        }
        if (stage_.computed_with) { return refuse(ref_, "an update that is computed with another cannot be factored"); }
        if (action_.preserved.empty()) {
            return refuse(ref_, "rfactor must preserve at least one recurrence variable");
        }
        std::set<std::string> rvars, vars(function().variables.begin(), function().variables.end());
        for (const auto& [rvar, var] : action_.preserved) {
            const auto loop = std::ranges::find(stage_.nest.loops, rvar, &Loop::var);
            if (!rvars.insert(rvar).second) {
                return refuse(ref_, fmt::format("rfactor preserves \"{}\" twice", rvar));
            }
            // "can't rename the rvars … since it is already used in this Func's schedule elsewhere"
            const bool used = std::ranges::find(stage_.nest.loops, var, &Loop::var) != stage_.nest.loops.end();
            if (used || !vars.insert(var).second ||
                std::ranges::find(*state_.parameters, var) != state_.parameters->end()) {
                return refuse(ref_, fmt::format("the new variable \"{}\" is already used", var));
            }
            if (loop->kind != LoopKind::serial) {
                return refuse(ref_, fmt::format("the preserved loop \"{}\" must be serial", rvar));
            }
        }
        for (const Loop& loop : stage_.nest.loops) {
            // The intermediate inherits the loops but not atomic().
            if (loop.is_rvar && !loop.reorder_safe && loop.kind != LoopKind::serial &&
                loop.kind != LoopKind::unrolled) {
                return refuse(
                    ref_,
                    fmt::format("an update with the parallel recurrence variable \"{}\" cannot be factored", loop.var));
            }
        }
        return {};
    }

    // Sorts them in the order of the recurrence variables after splitting.
    void order_preserved() {
        for (const RecurrenceVariable& rvar : split_.over) {
            for (const auto& [name, var] : action_.preserved) {
                if (std::ranges::find(stage_.nest.loops, name, &Loop::var)->path == rvar.name) {
                    renamed_.emplace_back(rvar, var);
                }
            }
        }
        ENSURE(renamed_.size() == action_.preserved.size(),
               "every loop of a recurrence variable stems from its domain");
    }

    bool is_preserved(const std::string& path) const {
        return std::ranges::any_of(renamed_, [&](const auto& entry) { return entry.first.name == path; });
    }

    // The preserved recurrence variables as named in the intermediate.
    sare::Substitution preserved() const {
        sare::Substitution by;
        for (const auto& [rvar, var] : renamed_) { by.emplace(rvar.name, sare::variable(var)); }
        return by;
    }

    sare::Substitution over_both_domains() const {
        sare::Substitution result = split_.substitution;
        for (auto& [name, index] : result) { index = sare::substitute(index, preserved()); }
        return result;
    }

    void record(const sare::Function& before, const sare::Substitution& substitution,
                const sare::Function& intermediate) {
        const auto names = [&](const sare::Function& f) { return names_of_paths(f, *state_.parameters); };
        const auto number = static_cast<std::size_t>(*ref_.update);
        Factoring made{renamed(before, names(before)),
                       number,
                       renamed(intermediate, names(intermediate)),
                       renamed(function(), names(function())),
                       {}};
        for (std::size_t i = 0; i < before.updates[number].over.size(); ++i) {
            const sare::Index& index = substitution.at(before.updates[number].over[i].name);
            made.substitution.emplace(made.before.updates[number].over[i].name,
                                      sare::substitute(index, names(intermediate)));
        }
        state_.factorings.push_back(std::move(made));
    }

    TensorState make_intermediate(const sare::Substitution& names) const {
        sare::Function made;
        made.name = action_.intermediate;
        made.types = function().types;
        made.variables = function().variables;
        UpdateDefinition accumulate;
        for (const auto& [rvar, var] : renamed_) { made.variables.push_back(var); }
        for (const RecurrenceVariable& rvar : split_.over) {
            if (!is_preserved(rvar.name)) { accumulate.over.push_back(rvar); }
        }
        for (const sare::Index& index : update().target) {
            accumulate.target.push_back(sare::substitute(index, names));
        }
        for (const auto& [rvar, var] : renamed_) { accumulate.target.push_back(sare::variable(var)); }
        accumulate.where = sare::substitute(update().where, names) && sare::substitute(split_.guards, preserved());
        for (std::size_t k = 0; k < made.types.size(); ++k) {
            const auto op = std::get<sare::Binary>(update().values[k].node).op;
            made.values.push_back({sare::Literal{neutral(op, made.types[k])}});
            accumulate.values.push_back(
                sare::map_accesses(sare::substitute(update().values[k], names), [&](const sare::Access& access) {
                    if (access.tensor != function().name) { return access; }
                    return sare::Access{made.name, accumulate.target, access.component};
                }));
        }
        made.updates.push_back(std::move(accumulate));

        TensorState tensor = initial_tensor(find_facts(made));
        StageState& stage = tensor.stages[1];
        stage.splits = split_.other_splits;
        stage.nest.loops.clear();
        for (Loop loop : stage_.nest.loops) {
            const auto renamed =
                std::ranges::find_if(renamed_, [&](const auto& e) { return e.first.name == loop.path; });
            if (renamed != renamed_.end()) {
                loop = Loop{.var = renamed->second, .extent = std::nullopt, .path = renamed->second};
            }
            stage.nest.loops.push_back(std::move(loop));
        }
        return tensor;
    }

    void make_merge(const UpdateDefinition& accumulate) {
        sare::Function merged = function();
        UpdateDefinition& merge = merged.updates[static_cast<std::size_t>(*ref_.update)];
        std::vector<sare::Index> cell, source;
        for (const std::string& variable : merged.variables) { cell.push_back(sare::variable(variable)); }
        source = cell;
        merge.over.clear();
        sare::Substitution back;
        for (const auto& [rvar, var] : renamed_) {
            merge.over.push_back(rvar);
            source.push_back(sare::variable(rvar.name));
            back.emplace(var, sare::variable(rvar.name));
        }
        merge.target = cell;
        merge.where = sare::truth(true);
        for (const sare::Condition& conjunct : sare::conjuncts(accumulate.where)) {
            const std::set<std::string> free = sare::free_variables(conjunct);
            const bool is_hoisted = std::ranges::none_of(
                accumulate.over, [&](const RecurrenceVariable& rvar) { return free.contains(rvar.name); });
            if (is_hoisted) { merge.where = merge.where && sare::substitute(conjunct, back); }
        }
        for (std::size_t k = 0; k < merge.values.size(); ++k) {
            const auto op = std::get<sare::Binary>(merge.values[k].node).op;
            const int component = static_cast<int>(k);
            merge.values[k] = {sare::Binary{op, sare::Expr{sare::Access{merged.name, cell, component}},
                                            sare::Expr{sare::Access{action_.intermediate, source, component}}}};
        }
        tensor_.facts = find_facts(merged);

        const StageFacts& facts = tensor_.facts->stages[stage_index(ref_)];
        std::vector<Loop> loops;
        for (Loop loop : stage_.nest.loops) {
            if (loop.is_rvar && !is_preserved(loop.path)) { continue; }
            // Halide keeps its knowledge of the recurrence variable, which the merge may have made untrue.
            if (loop.is_rvar && loop.reorder_safe && !facts.rvar_is_pure.at(loop.path)) {
                loop.reorder_safe = false;
                loop.taken_for_safe = true;
            }
            loops.push_back(std::move(loop));
        }
        for (const std::string& variable : merged.variables) {
            if (std::ranges::find(update_variables_, variable) == update_variables_.end()) {
                loops.push_back({.var = variable, .extent = std::nullopt, .path = variable});
            }
        }
        stage_.nest.loops = std::move(loops);
        stage_.splits = split_.other_splits;
    }

    ScheduleState& state_;
    const StageRef& ref_;
    const RFactor& action_;
    TensorState& tensor_;
    StageState& stage_;
    const std::vector<std::string> update_variables_ = tensor_.facts->stages[stage_index(ref_)].pure_variables;
    SplitUpdate split_;
    std::vector<std::pair<RecurrenceVariable, std::string>> renamed_;  // preserved, with the new variable
};

}  // namespace

Result<void> apply_rfactor(ScheduleState& state, const StageRef& ref, const RFactor& action) {
    // "rfactor() must be called on an update definition"
    if (!ref.update) { return refuse(ref, "rfactor applies only to update definitions"); }
    if (ref.specialization) { return refuse(ref, "a specialized update cannot be factored"); }
    if (state.find(action.intermediate) != nullptr ||
        std::ranges::find(state.input_names, action.intermediate) != state.input_names.end()) {
        return refuse(ref, fmt::format("there is already a tensor \"{}\"", action.intermediate));
    }
    const auto& loops = state.find(ref)->nest.loops;
    for (const auto& [rvar, var] : action.preserved) {
        const auto loop = std::ranges::find(loops, rvar, &Loop::var);
        // "can't perform rfactor() on … since it is not in the reduction domain"
        if (loop == loops.end() || !loop->is_rvar) {
            return refuse(ref, fmt::format("there is no loop over a recurrence variable \"{}\"", rvar));
        }
    }
    if (state.find(ref.tensor)->facts->has_float) { state.reorders_float_reductions = true; }
    // After these broken rules Halide's loops may differ from our model's.
    const bool is_followed = std::ranges::none_of(state.broken, [](const BrokenRule& broken) {
        return broken.rule == Rule::distinct_names || broken.rule == Rule::positive_factor;
    });
    const auto cut =
        is_followed ? Cut(state, ref, action).run() : refuse(ref, "the loops of the factored update have no names");
    if (cut) { return {}; }
    state.broken.push_back({Rule::factored_update, state.directives, cut.error().message});
    state.is_followed = false;
    return {};
}

}  // namespace haruspex::schedule::halide
