#include <algorithm>

#include "generators/sare/build.h"
#include "generators/sare/traverse.h"
#include "reports/minimize/pass.h"
#include "reports/minimize/reducer.h"

// Passes over dimensions, recurrence variables, parameters and inputs.
namespace haruspex::minimize {
namespace {

using sare::Access;
using sare::Expr;
using sare::Function;

template <typename T>
void erase_at(std::vector<T>& values, std::size_t at) {
    values.erase(values.begin() + static_cast<std::ptrdiff_t>(at));
}

void substitute_in(sare::UpdateDefinition& update, const sare::Substitution& by) {
    for (sare::Index& index : update.target) { index = sare::substitute(index, by); }
    for (Expr& value : update.values) { value = sare::substitute(value, by); }
    update.where = sare::substitute(update.where, by);
}

void erase_index(Draft& draft, const std::string& tensor, std::size_t dimension) {
    for (Function& function : draft.algorithm.functions) {
        change_values(function, [&](Expr& value) {
            value = sare::map_accesses(value, [&](Access access) {
                if (access.tensor == tensor) { erase_at(access.indices, dimension); }
                return access;
            });
        });
    }
}

// Fixes a dimension: of an output at the first cell that is requested, of other functions at 0.
void propose_function(const Draft& draft, std::size_t f, std::size_t dimension, const Propose& propose) {
    Draft changed = draft;
    Function& function = changed.algorithm.functions[f];
    const std::string variable = function.variables[dimension];
    sare::Index value = sare::constant(0);
    for (sare::Output& output : changed.algorithm.outputs) {
        if (output.tensor != function.name) { continue; }
        value = output.box[dimension].min;
        erase_at(output.box, dimension);
    }
    const sare::Substitution by{{variable, value}};
    erase_at(function.variables, dimension);
    for (Expr& pure : function.values) { pure = sare::substitute(pure, by); }
    for (sare::UpdateDefinition& update : function.updates) {
        erase_at(update.target, dimension);
        substitute_in(update, by);
    }
    erase_index(changed, function.name, dimension);
    reducer(draft.c.compiler).forget_variable(changed.c.schedule, function.name, std::nullopt, variable);
    propose(std::move(changed));
}

void substitute_everywhere(Draft& draft, const sare::Substitution& by) {
    for (sare::Function& function : draft.algorithm.functions) {
        for (Expr& value : function.values) { value = sare::substitute(value, by); }
        for (sare::UpdateDefinition& update : function.updates) {
            for (sare::RecurrenceVariable& variable : update.over) {
                variable.min = sare::substitute(variable.min, by);
                variable.extent = sare::substitute(variable.extent, by);
            }
            substitute_in(update, by);
        }
    }
    for (sare::Output& output : draft.algorithm.outputs) {
        for (sare::Span& span : output.box) {
            span = {sare::substitute(span.min, by), sare::substitute(span.extent, by)};
        }
    }
    const Reducer& schedules = reducer(draft.c.compiler);
    for (sare::Index* index : schedules.indices(draft.c.schedule)) { *index = sare::substitute(*index, by); }
    for (sare::Condition* condition : schedules.conditions(draft.c.schedule)) {
        *condition = sare::substitute(*condition, by);
    }
    draft.algorithm.assumptions = sare::substitute(draft.algorithm.assumptions, by);
}

// Replaces indices and conditions that have become constant by their values.
void fold(Draft& draft) {
    Places all = places(draft);
    // Parents first: everything below a folded one is gone.
    for (std::size_t i = 0; i < all.indices.size(); ++i) {
        sare::Index& index = *all.indices[i];
        if (std::holds_alternative<sare::IndexConstant>(index.node) || !sare::free_variables(index).empty()) {
            continue;
        }
        if (const auto value = sare::try_evaluate(index, {})) {
            index = sare::constant(*value);
            all = places(draft);
        }
    }
    for (std::size_t i = 0; i < all.conditions.size(); ++i) {
        sare::Condition& condition = *all.conditions[i];
        if (std::holds_alternative<sare::Truth>(condition.node) || !sare::free_variables(condition).empty()) {
            continue;
        }
        if (const auto value = sare::try_evaluate(condition, {})) {
            condition = sare::truth(*value);
            all = places(draft);
        }
    }
    // The conjunction of a condition and true is the condition.
    if (const auto* both = std::get_if<sare::And>(&draft.algorithm.assumptions.node)) {
        const sare::Condition joined = *both->a && *both->b;
        draft.algorithm.assumptions = joined;
    }
}

Draft without_parameters(const Draft& draft, const std::vector<std::string>& names) {
    Draft changed = draft;
    sare::Substitution by;
    for (const std::string& name : names) {
        by[name] = sare::constant(draft.c.sizes.at(name));
        std::erase(changed.algorithm.parameters, name);
        changed.c.sizes.erase(name);
    }
    substitute_everywhere(changed, by);
    fold(changed);
    return changed;
}

}  // namespace

void drop_dimensions(const Draft& draft, const Propose& propose) {
    const auto& functions = draft.algorithm.functions;
    for (std::size_t f = functions.size(); f-- > 0;) {
        for (std::size_t d = functions[f].variables.size(); d-- > 0;) { propose_function(draft, f, d, propose); }
    }
    for (std::size_t i = 0; i < draft.algorithm.inputs.size(); ++i) {
        for (std::size_t d = static_cast<std::size_t>(draft.algorithm.inputs[i].rank); d-- > 0;) {
            Draft changed = draft;
            --changed.algorithm.inputs[i].rank;
            erase_index(changed, changed.algorithm.inputs[i].name, d);
            propose(std::move(changed));
        }
    }
}

void drop_recurrence_variables(const Draft& draft, const Propose& propose) {
    const auto& functions = draft.algorithm.functions;
    for (std::size_t f = functions.size(); f-- > 0;) {
        for (std::size_t u = functions[f].updates.size(); u-- > 0;) {
            for (std::size_t r = functions[f].updates[u].over.size(); r-- > 0;) {
                Draft changed = draft;
                Function& function = changed.algorithm.functions[f];
                sare::UpdateDefinition& update = function.updates[u];
                const sare::RecurrenceVariable variable = update.over[r];
                erase_at(update.over, r);
                substitute_in(update, {{variable.name, variable.min}});
                reducer(draft.c.compiler)
                    .forget_variable(changed.c.schedule, function.name, static_cast<int>(u), variable.name);
                propose(std::move(changed));
            }
        }
    }
}

void drop_parameters(const Draft& draft, const Propose& propose) {
    const auto& parameters = draft.algorithm.parameters;
    if (parameters.size() > 1) { propose(without_parameters(draft, parameters)); }
    for (std::size_t i = parameters.size(); i-- > 0;) { propose(without_parameters(draft, {parameters[i]})); }
}

void merge_inputs(const Draft& draft, const Propose& propose) {
    const auto& inputs = draft.algorithm.inputs;
    for (std::size_t b = inputs.size(); b-- > 1;) {
        for (std::size_t a = 0; a < b; ++a) {
            if (inputs[a].type != inputs[b].type || inputs[a].rank != inputs[b].rank) { continue; }
            Draft changed = draft;
            replace_accesses(changed, inputs[b].name,
                             [&](const Access& access) { return Expr{Access{inputs[a].name, access.indices, 0}}; });
            propose(std::move(changed));
        }
    }
}

}  // namespace haruspex::minimize
