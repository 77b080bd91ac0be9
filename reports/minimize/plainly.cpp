#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "generators/sare/build.h"
#include "generators/sare/traverse.h"
#include "generators/schedule/language.h"
#include "reports/minimize/pass.h"

// A pass over all definitions of a program.
namespace haruspex::minimize {
namespace {

using sare::Expr;

// Returns the accesses of an expression, each once.
std::vector<Expr> accesses_in(const Expr& expr) {
    std::vector<Expr> found;
    sare::for_each_access(expr, [&](const sare::Access& access, const std::vector<const sare::Reduce*>& around) {
        sare::Substitution by;
        for (const sare::Reduce* reduce : around) { by.merge(outside(*reduce)); }
        const Expr read = sare::substitute(Expr{access}, by);
        if (std::ranges::find(found, read) == found.end()) { found.push_back(read); }
    });
    return found;
}

Expr sum_of(const std::vector<Expr>& exprs) {
    Expr sum = exprs.front();
    for (std::size_t i = 1; i < exprs.size(); ++i) { sum = {sare::Binary{value::BinaryOp::add, sum, exprs[i]}}; }
    return sum;
}

bool has_reduction(sare::Function function) {
    bool has = false;
    change_values(function,
                  [&](Expr& value) { sare::for_each_reduction(value, [&](const auto&, const auto&) { has = true; }); });
    return has;
}

// Returns the sum of the accesses in the value. For a value without accesses: 1, or the number of the cell along
// `dimension` if that is given and the function has dimensions.
Expr sum_or_leaf(const Expr& value, value::Type type, const std::vector<std::string>& variables,
                 std::optional<std::size_t> dimension) {
    const std::vector<Expr> parts = accesses_in(value);
    if (!parts.empty()) { return sum_of(parts); }
    if (!dimension || variables.empty()) { return one(type); }
    return varying(type, variables[std::min(*dimension, variables.size() - 1)]);
}

Draft computed_plainly(const Draft& draft, std::optional<std::size_t> dimension) {
    const value::Type plainest = schedule::plain_integer(schedule::language(draft.c.compiler));
    Draft changed = draft;
    for (sare::Input& input : changed.algorithm.inputs) {
        if (input.type == plainest) { continue; }
        input.type = plainest;
        changed.c.inputs.at(input.name) = small_domain(input.type);
    }
    for (sare::Function& function : changed.algorithm.functions) {
        std::ranges::fill(function.types, plainest);
        for (Expr& value : function.values) { value = sum_or_leaf(value, plainest, function.variables, dimension); }
        for (sare::UpdateDefinition& update : function.updates) {
            for (Expr& value : update.values) { value = sum_or_leaf(value, plainest, {}, dimension); }
        }
    }
    return changed;
}

}  // namespace

// Makes every type the plainest, and every definition the sum of its accesses: a bug of loops, bounds or memory does not depend
// on the values. A reduction has memory; when it is removed, the schedule gives memory to the function that held it.
void compute_plainly(const Draft& draft, const Propose& propose) {
    const auto& functions = draft.algorithm.functions;
    std::size_t rank = 0;
    for (const sare::Function& function : functions) { rank = std::max(rank, function.variables.size()); }
    Draft placed = draft;
    for (const sare::Function& function : functions) {
        if (has_reduction(function)) { place(placed, function.name); }
    }
    const auto propose_from = [&](const Draft& before) {
        propose(computed_plainly(before, std::nullopt));
        for (std::size_t dimension = 0; dimension < rank; ++dimension) { propose(computed_plainly(before, dimension)); }
    };
    if (placed.c.schedule.directives.size() > draft.c.schedule.directives.size()) { propose_from(placed); }
    propose_from(draft);
}

}  // namespace haruspex::minimize
