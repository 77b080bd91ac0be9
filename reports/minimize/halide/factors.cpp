#include <algorithm>
#include <optional>

#include "generators/sare/build.h"
#include "generators/sare/traverse.h"
#include "reports/minimize/halide/loops.h"
#include "reports/minimize/halide/passes.h"

// A pass that drops an rfactor, or writes its intermediate as a function of the program.
namespace haruspex::minimize::halide {
namespace {

using sare::Access;
using sare::Expr;
using sare::Function;
using sare::UpdateDefinition;
using namespace schedule::halide;

bool reads(const Expr& expr, const std::string& tensor) {
    bool found = false;
    sare::for_each_access(expr, [&](const Access& access, const auto&) { found |= access.tensor == tensor; });
    return found;
}

// Returns the operand that an accumulation adds in each step: the one that does not read the function.
const Expr* addend(const Expr& value, const std::string& tensor) {
    const auto* binary = std::get_if<sare::Binary>(&value.node);
    if (binary == nullptr || reads(*binary->a, tensor) == reads(*binary->b, tensor)) { return nullptr; }
    return reads(*binary->a, tensor) ? &*binary->b : &*binary->a;
}

// Returns a function of the values that the update adds, over its own variables and the preserved ones. Recurrence
// variables that are not preserved stay at their minimum.
std::optional<Function> made_at_once(const Function& function, const UpdateDefinition& update, const RFactor& rfactor) {
    Function made{rfactor.intermediate, function.types, function.variables, {}, {}};
    sare::Substitution by;
    for (const sare::RecurrenceVariable& variable : update.over) { by[variable.name] = variable.min; }
    for (const auto& [loop, name] : rfactor.preserved) {
        // A loop that a split made is not a loop of the program.
        if (!by.contains(loop)) { return std::nullopt; }
        by[loop] = sare::variable(name);
        made.variables.push_back(name);
    }
    for (const Expr& value : update.values) {
        const Expr* added = addend(value, function.name);
        if (added == nullptr) { return std::nullopt; }
        made.values.push_back(sare::substitute(*added, by));
    }
    return made;
}

// The same function in steps, as rfactor makes it: over the recurrence variables that are not preserved.
Function made_in_steps(const Function& function, const UpdateDefinition& update, const RFactor& rfactor) {
    Function made{rfactor.intermediate, function.types, function.variables, {}, {update}};
    UpdateDefinition& step = made.updates.front();
    sare::Substitution by;
    std::vector<sare::Index> preserved;
    for (const auto& [loop, name] : rfactor.preserved) {
        by[loop] = sare::variable(name);
        made.variables.push_back(name);
        preserved.push_back(sare::variable(name));
        std::erase_if(step.over, [&](const sare::RecurrenceVariable& variable) { return variable.name == loop; });
    }
    for (const value::Type type : function.types) { made.values.push_back(one(type)); }
    for (Expr& value : step.values) {
        value = sare::map_accesses(sare::substitute(value, by), [&](Access access) {
            if (access.tensor == function.name) {
                access.tensor = rfactor.intermediate;
                access.indices.insert(access.indices.end(), preserved.begin(), preserved.end());
            }
            return access;
        });
    }
    for (sare::Index& index : step.target) { index = sare::substitute(index, by); }
    step.target.insert(step.target.end(), preserved.begin(), preserved.end());
    step.where = sare::substitute(step.where, by);
    return made;
}

// Returns the update that adds up the cells of the intermediate.
UpdateDefinition merge(const Function& function, const UpdateDefinition& update, const RFactor& rfactor) {
    UpdateDefinition merged = update;
    std::erase_if(merged.over, [&](const sare::RecurrenceVariable& variable) {
        return std::ranges::none_of(rfactor.preserved, [&](const auto& pair) { return pair.first == variable.name; });
    });
    std::vector<sare::Index> cell;
    for (const std::string& variable : function.variables) { cell.push_back(sare::variable(variable)); }
    std::vector<sare::Index> source = cell;
    for (const auto& [loop, name] : rfactor.preserved) { source.push_back(sare::variable(loop)); }
    for (std::size_t k = 0; k < merged.values.size(); ++k) {
        const int component = static_cast<int>(k);
        merged.values[k] = {sare::Binary{std::get<sare::Binary>(update.values[k].node).op,
                                         Expr{Access{function.name, cell, component}},
                                         Expr{Access{rfactor.intermediate, source, component}}}};
    }
    merged.target = cell;
    merged.where = sare::truth(true);
    return merged;
}

// Returns the draft with the function in place of an rfactor's intermediate. The schedule is that of the draft.
Draft with_intermediate(const Draft& draft, Schedule schedule, std::size_t directive, const Function& made) {
    Draft changed = draft;
    const StageRef stage = schedule.directives[directive].stage;
    const auto rfactor = std::get<RFactor>(schedule.directives[directive].action);
    auto& functions = changed.algorithm.functions;
    const auto function = std::ranges::find(functions, stage.tensor, &Function::name);
    UpdateDefinition& update = function->updates[static_cast<std::size_t>(*stage.update)];
    update = merge(*function, update, rfactor);
    functions.insert(function, made);
    schedule.directives.erase(schedule.directives.begin() + static_cast<std::ptrdiff_t>(directive));
    return with_schedule(std::move(changed), std::move(schedule));
}

// Returns the schedule without the rfactor: directives of its intermediate's update become directives of the update.
Schedule without_factor(Schedule schedule, std::size_t directive) {
    auto& left = schedule.directives;
    const StageRef update = left[directive].stage;
    const auto rfactor = std::get<RFactor>(left[directive].action);
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(directive));
    const StageRef intermediate{rfactor.intermediate, 0, std::nullopt};
    for (const auto& [loop, name] : rfactor.preserved) { rename_loop(schedule, directive, intermediate, name, loop); }
    for (Directive& later : left) {
        if (later.stage == intermediate) { later.stage = update; }
        LoopLevel* level = level_of(later.action);
        if (level != nullptr && level->stage == intermediate) { level->stage = update; }
    }
    return schedule;
}

}  // namespace

void write_out_factors(const Draft& draft, const Propose& propose) {
    const Schedule before = typed(draft.c.schedule);
    const auto& directives = before.directives;
    for (std::size_t i = 0; i < directives.size(); ++i) {
        const auto* rfactor = std::get_if<RFactor>(&directives[i].action);
        if (rfactor == nullptr) { continue; }
        propose(with_schedule(draft, without_factor(before, i)));
        const Function* function = find_function(draft, directives[i].stage.tensor);
        // The intermediate of another rfactor is not a function of the program.
        if (function == nullptr) { continue; }
        const UpdateDefinition& update = function->updates[static_cast<std::size_t>(*directives[i].stage.update)];
        const auto made = made_at_once(*function, update, *rfactor);
        if (!made) { continue; }
        // The function that was accumulated in steps now has only a pure definition.
        Schedule at_once = before;
        for (Directive& directive : at_once.directives) {
            if (directive.stage.tensor == rfactor->intermediate) { directive.stage.update.reset(); }
        }
        propose(with_intermediate(draft, std::move(at_once), i, *made));
        propose(with_intermediate(draft, before, i, made_in_steps(*function, update, *rfactor)));
    }
}

}  // namespace haruspex::minimize::halide
