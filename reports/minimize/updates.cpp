#include <algorithm>
#include <iterator>

#include "generators/sare/build.h"
#include "generators/sare/traverse.h"
#include "reports/minimize/pass.h"
#include "reports/minimize/reducer.h"

// Passes over the updates of tensors.
namespace haruspex::minimize {
namespace {

using sare::Access;
using sare::Expr;
using sare::Function;

// Removes some updates of a function. Directives count updates: numbers after the removed ones move down.
Draft without(const Draft& before, std::size_t f, std::size_t first, std::size_t count) {
    Draft changed = before;
    Function& function = changed.algorithm.functions[f];
    const auto begin = function.updates.begin() + static_cast<std::ptrdiff_t>(first);
    function.updates.erase(begin, begin + static_cast<std::ptrdiff_t>(count));
    reducer(before.c.compiler).forget_updates(changed.c.schedule, function.name, first, count);
    return changed;
}

// Returns the values that an update leaves after one step on the values of the pure definition.
std::vector<Expr> step(const Function& function, const sare::UpdateDefinition& update, const sare::Substitution& at) {
    std::vector<Expr> values;
    for (const Expr& value : update.values) {
        values.push_back(with_accesses(sare::substitute(value, at), function.name, [&](const Access& access) {
            sare::Substitution by;
            for (std::size_t i = 0; i < function.variables.size(); ++i) {
                by[function.variables[i]] = access.indices[i];
            }
            return sare::substitute(function.values[static_cast<std::size_t>(access.component)], by);
        }));
    }
    return values;
}

std::vector<Expr> first_step(const Function& function, const sare::UpdateDefinition& update) {
    sare::Substitution first;
    for (const sare::RecurrenceVariable& variable : update.over) { first[variable.name] = variable.min; }
    return step(function, update, first);
}

// Returns values for the function without its updates, other than its pure definition: the result of each update, or a
// different value in each cell along one dimension.
std::vector<std::vector<Expr>> values_without_updates(const Function& function) {
    std::vector<std::vector<Expr>> found;
    for (const sare::UpdateDefinition& update : function.updates) { found.push_back(first_step(function, update)); }
    for (const std::string& variable : function.variables) {
        std::vector<Expr> values;
        std::ranges::transform(function.types, std::back_inserter(values),
                               [&](value::Type type) { return varying(type, variable); });
        found.push_back(std::move(values));
    }
    return found;
}

// Returns the draft with the function's updates replaced: each step of one update has a cell of its own.
Draft with_cells_of_steps(const Draft& before, std::size_t f, std::size_t u) {
    const Function& function = before.algorithm.functions[f];
    const sare::UpdateDefinition& update = function.updates[u];
    Draft changed = without(before, f, 0, function.updates.size());
    changed.algorithm.functions[f].values = step(function, update, {});
    for (const sare::RecurrenceVariable& variable : update.over) {
        add_dimension(changed, function.name, variable.name, {variable.min, variable.extent});
    }
    reducer(before.c.compiler).write_out_guards(changed.c.schedule, function.name);
    return changed;
}

// Lets outputs of one cell that read the function read one cell after the other along one of its dimensions, from the
// cell that they read or from the first. Updates may fill much of a memory, but one cell that is read needs little more
// than itself.
std::vector<Draft> with_cells_of_readers(const Draft& before, const Function& function) {
    std::vector<Draft> found;
    const std::string variable = "x";
    const auto add = [&](const std::string& reader, std::size_t d, bool from_first) {
        Draft changed = before;
        add_dimension(changed, reader, variable, {sare::constant(0), sare::constant(enough)});
        Function& changed_reader = *std::ranges::find(changed.algorithm.functions, reader, &Function::name);
        change_values(changed_reader, [&](Expr& value) {
            value = sare::map_accesses(value, [&](Access access) {
                if (access.tensor != function.name) { return access; }
                const sare::Index x = sare::variable(variable);
                access.indices[d] = from_first ? x : x + access.indices[d];
                return access;
            });
        });
        found.push_back(std::move(changed));
    };
    for (const sare::Output& output : before.algorithm.outputs) {
        const Function& reader = *find_function(before, output.tensor);
        if (!reader.variables.empty() || !reader.updates.empty()) { continue; }
        for (std::size_t d = 0; d < function.variables.size(); ++d) {
            add(reader.name, d, true);
            add(reader.name, d, false);
        }
    }
    return found;
}

}  // namespace

void drop_updates(const Draft& draft, const Propose& propose) {
    const auto& functions = draft.algorithm.functions;
    for (std::size_t f = functions.size(); f-- > 0;) {
        const std::size_t count = functions[f].updates.size();
        if (count > 1) { propose(without(draft, f, 0, count)); }
        for (std::size_t u = count; u-- > 0;) { propose(without(draft, f, u, 1)); }
    }
}

// Replaces updates of a function. They give it memory of its own, but a schedule can do the same: a bug of memory does
// not need the updates.
void do_without_updates(const Draft& draft, const Propose& propose) {
    const auto& functions = draft.algorithm.functions;
    for (std::size_t f = functions.size(); f-- > 0;) {
        const Function& function = functions[f];
        if (function.updates.empty()) { continue; }
        const auto propose_with = [&](const std::vector<Expr>& values, const Draft& before) {
            Draft changed = without(before, f, 0, function.updates.size());
            changed.algorithm.functions[f].values = values;
            propose(std::move(changed));
        };
        // Loops of a function without memory are not scheduled.
        Draft placed = draft;
        place(placed, function.name);
        Draft moved = placed;
        reducer(draft.c.compiler).move_to_definition(moved.c.schedule, function.name);
        propose_with(function.values, placed);
        propose_with(function.values, moved);
        for (const std::vector<Expr>& values : values_without_updates(function)) {
            propose_with(values, draft);
            propose_with(values, placed);
            propose_with(values, moved);
            for (const Draft& read : with_cells_of_readers(placed, function)) { propose_with(values, read); }
        }
        for (std::size_t u = 0; u < function.updates.size(); ++u) {
            if (!function.updates[u].over.empty()) { propose(with_cells_of_steps(moved, f, u)); }
        }
    }
}

}  // namespace haruspex::minimize
