#include <algorithm>
#include <optional>
#include <set>

#include "generators/sare/build.h"
#include "generators/sare/traverse.h"
#include "generators/schedule/language.h"
#include "reports/minimize/pass.h"
#include "reports/minimize/size.h"

// Passes that replace an expression, index or condition by a smaller one, or an operator by a plainer one.
namespace haruspex::minimize {
namespace {

using sare::Condition;
using sare::Expr;
using sare::Index;

sare::TensorTypes types_of(const Draft& draft) {
    sare::TensorTypes types;
    for (const sare::Input& input : draft.algorithm.inputs) { types[input.name] = {input.type}; }
    for (const sare::Function& function : draft.algorithm.functions) { types[function.name] = function.types; }
    return types;
}

// Adds the outermost expressions of the type inside this one.
void add_inner(Expr& expr, value::Type type, const sare::TensorTypes& types, std::vector<Expr>& found) {
    const auto* reduce = std::get_if<sare::Reduce>(&expr.node);
    const sare::Substitution by = reduce == nullptr ? sare::Substitution() : outside(*reduce);
    std::vector<Expr> inner;
    for (Expr* operand : operands(expr)) {
        if (sare::type_of(*operand, types) == type) {
            inner.push_back(*operand);
        } else {
            add_inner(*operand, type, types, inner);
        }
    }
    for (const Expr& e : inner) { found.push_back(by.empty() ? e : sare::substitute(e, by)); }
}

std::vector<Expr> simpler(Expr& expr, const sare::TensorTypes& types) {
    std::vector<Expr> found;
    if (std::holds_alternative<sare::Literal>(expr.node)) { return found; }
    const value::Type type = sare::type_of(expr, types);
    found.push_back(one(type));
    if (type == value::Type::boolean) { found.push_back({sare::Literal{value::Value::boolean(false)}}); }
    for (const std::string& name : sare::free_variables(expr)) { found.push_back(varying(type, name)); }
    add_inner(expr, type, types, found);
    return found;
}

// Returns the plain operator that takes the same operands and gives the same type.
std::optional<value::BinaryOp> plain(const sare::Binary& binary, const sare::TensorTypes& types) {
    if (is_plain(binary.op)) { return std::nullopt; }
    const value::Type operands = sare::type_of(*binary.a, types);
    const auto result = value::result_type(binary.op, operands, sare::type_of(*binary.b, types));
    for (const value::BinaryOp op : {value::BinaryOp::add, value::BinaryOp::logical_and, value::BinaryOp::eq}) {
        if (result && value::result_type(op, operands, operands) == result) { return op; }
    }
    return std::nullopt;
}

std::vector<Index> simpler(Index& index) {
    std::vector<Index> found;
    if (std::holds_alternative<sare::IndexConstant>(index.node) ||
        std::holds_alternative<sare::IndexVariable>(index.node)) {
        return found;
    }
    for (const std::string& name : sare::free_variables(index)) { found.push_back(sare::variable(name)); }
    found.push_back(sare::constant(0));
    for (const Index* operand : operands(index)) {
        if (std::ranges::find(found, *operand) == found.end()) { found.push_back(*operand); }
    }
    return found;
}

std::vector<Condition> simpler(Condition& condition) {
    std::vector<Condition> found;
    if (std::holds_alternative<sare::Truth>(condition.node)) { return found; }
    found.push_back(sare::truth(true));
    for (const Condition* operand : operands(condition)) { found.push_back(*operand); }
    return found;
}

// Returns the bool expressions in the definition of a function of one component, and the conditions of its indices.
std::vector<Expr> truths_in(const sare::Function& function, const sare::TensorTypes& types) {
    Draft alone;
    alone.algorithm.functions = {function};
    const Places all = places(alone);
    std::vector<Expr> found;
    for (const Expr* expr : all.exprs) {
        if (sare::type_of(*expr, types) == value::Type::boolean) { found.push_back(*expr); }
    }
    for (const Index* index : all.indices) {
        const auto* select = std::get_if<sare::IndexSelect>(&index->node);
        if (select != nullptr) { found.push_back({sare::Guard{*select->condition}}); }
    }
    return found;
}

// Adds the parts of an expression that depend on cells that it reads.
void add_reading(Expr& expr, std::set<const Expr*>& found) {
    bool reads = false;
    sare::for_each_access(expr, [&](const auto&, const auto&) { reads = true; });
    if (!reads) { return; }
    found.insert(&expr);
    for (Expr* operand : operands(expr)) { add_reading(*operand, found); }
}

}  // namespace

void replace_expressions(const Draft& draft, const Propose& propose) {
    Draft original = draft;
    const sare::TensorTypes types = types_of(draft);
    const Places all = places(original);
    for (std::size_t i = 0; i < all.exprs.size(); ++i) {
        for (Expr& expr : simpler(*all.exprs[i], types)) {
            Draft changed = draft;
            *places(changed).exprs[i] = std::move(expr);
            propose(std::move(changed));
        }
    }
}

// Reduces a function to a choice by one condition: the condition may be all that the finding needs, whatever the type.
void keep_choices(const Draft& draft, const Propose& propose) {
    const sare::TensorTypes types = types_of(draft);
    for (std::size_t f = draft.algorithm.functions.size(); f-- > 0;) {
        const sare::Function& function = draft.algorithm.functions[f];
        if (function.types.size() > 1 || !function.updates.empty()) { continue; }
        for (const Expr& truth : truths_in(function, types)) {
            Draft changed = draft;
            sare::Function& chosen = changed.algorithm.functions[f];
            const value::Type plainest = schedule::plain_integer(schedule::language(draft.c.compiler));
            const auto number = [&](std::int64_t n) { return Expr{sare::Literal{value::Value::integer(plainest, n)}}; };
            chosen.types = {plainest};
            chosen.values = {Expr{sare::Select{truth, number(1), number(2)}}};
            remove_unreachable(changed, draft);
            propose(std::move(changed));
        }
    }
}

// Gives an output of one cell several cells, with values that vary by themselves. These are simpler than one cell that
// varies by the inputs it reads.
void lay_out_scalars(const Draft& draft, const Propose& propose) {
    const std::string variable = "x";
    const sare::TensorTypes types = types_of(draft);
    for (std::size_t f = 0; f < draft.algorithm.functions.size(); ++f) {
        const sare::Function& function = draft.algorithm.functions[f];
        const auto& outputs = draft.algorithm.outputs;
        const bool is_output = std::ranges::find(outputs, function.name, &sare::Output::tensor) != outputs.end();
        if (!is_output || !function.variables.empty() || !function.updates.empty()) { continue; }
        Draft spread = draft;
        add_dimension(spread, function.name, variable, {sare::constant(0), sare::constant(enough)});
        std::set<const Expr*> reading;
        for (Expr& value : spread.algorithm.functions[f].values) { add_reading(value, reading); }
        const Places all = places(spread);
        for (std::size_t i = 0; i < all.exprs.size(); ++i) {
            if (!reading.contains(all.exprs[i])) { continue; }
            Draft changed = spread;
            *places(changed).exprs[i] = varying(sare::type_of(*all.exprs[i], types), variable);
            propose(std::move(changed));
        }
    }
}

void simplify_operators(const Draft& draft, const Propose& propose) {
    Draft original = draft;
    const sare::TensorTypes types = types_of(draft);
    const Places all = places(original);
    for (std::size_t i = 0; i < all.exprs.size(); ++i) {
        const auto* binary = std::get_if<sare::Binary>(&all.exprs[i]->node);
        const auto op = binary == nullptr ? std::nullopt : plain(*binary, types);
        if (!op) { continue; }
        Draft changed = draft;
        std::get<sare::Binary>(places(changed).exprs[i]->node).op = *op;
        propose(std::move(changed));
    }
}

void replace_indices(const Draft& draft, const Propose& propose) {
    Draft original = draft;
    const Places all = places(original);
    for (std::size_t i = 0; i < all.indices.size(); ++i) {
        for (Index& index : simpler(*all.indices[i])) {
            Draft changed = draft;
            *places(changed).indices[i] = std::move(index);
            propose(std::move(changed));
        }
    }
}

void replace_conditions(const Draft& draft, const Propose& propose) {
    Draft original = draft;
    const Places all = places(original);
    for (std::size_t i = 0; i < all.conditions.size(); ++i) {
        for (Condition& condition : simpler(*all.conditions[i])) {
            Draft changed = draft;
            *places(changed).conditions[i] = std::move(condition);
            propose(std::move(changed));
        }
    }
}

}  // namespace haruspex::minimize
