#include <algorithm>
#include <optional>

#include "generators/sare/build.h"
#include "generators/sare/traverse.h"
#include "reports/minimize/pass.h"

// What rfactor makes, written as a function of the program.
namespace haruspex::minimize {
namespace {

using sare::Access;
using sare::Expr;
using sare::Function;
using sare::UpdateDefinition;

bool reads(const Expr& expr, const std::string& tensor) {
    bool found = false;
    sare::for_each_access(expr, [&](const Access& access, const auto&) { found |= access.tensor == tensor; });
    return found;
}

// What an accumulation adds in each step: the operand that does not read the function.
const Expr* addend(const Expr& value, const std::string& tensor) {
    const auto* binary = std::get_if<sare::Binary>(&value.node);
    if (binary == nullptr || reads(*binary->a, tensor) == reads(*binary->b, tensor)) { return nullptr; }
    return reads(*binary->a, tensor) ? &*binary->b : &*binary->a;
}

// A function of what the update adds, over its own variables and the preserved ones. Recurrence variables that are not
// preserved stay at their beginning.
std::optional<Function> intermediate(const Function& function, const UpdateDefinition& update,
                                     const schedule::RFactor& rfactor) {
    Function made{rfactor.intermediate, function.types, function.variables, {}, {}};
    sare::Substitution by;
    for (const sare::RecurrenceVariable& variable : update.over) { by[variable.name] = variable.min; }
    for (const auto& [loop, name] : rfactor.preserved) {
        // A loop that a split has made is none of the program's.
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

// The update that adds up what the intermediate holds.
UpdateDefinition merge(const Function& function, const UpdateDefinition& update, const schedule::RFactor& rfactor) {
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

}  // namespace

void write_out_factors(const Draft& draft, const Propose& propose) {
    const auto& directives = draft.c.schedule.directives;
    for (std::size_t i = 0; i < directives.size(); ++i) {
        const auto* rfactor = std::get_if<schedule::RFactor>(&directives[i].action);
        if (rfactor == nullptr) { continue; }
        Draft changed = draft;
        auto& functions = changed.algorithm.functions;
        const auto function = std::ranges::find(functions, directives[i].stage.tensor, &Function::name);
        // What another rfactor makes is none of the program's functions.
        if (function == functions.end()) { continue; }
        UpdateDefinition& update = function->updates[static_cast<std::size_t>(*directives[i].stage.update)];
        auto made = intermediate(*function, update, *rfactor);
        if (!made) { continue; }
        update = merge(*function, update, *rfactor);
        functions.insert(function, std::move(*made));
        auto& left = changed.c.schedule.directives;
        left.erase(left.begin() + static_cast<std::ptrdiff_t>(i));
        // What is accumulated in steps is computed at once now.
        for (schedule::Directive& directive : left) {
            if (directive.stage.tensor == rfactor->intermediate) { directive.stage.update.reset(); }
        }
        propose(std::move(changed));
    }
}

}  // namespace haruspex::minimize
