#include "harness/sched/traverse.h"

#include <algorithm>

namespace haruspex::sched {

namespace {

using Names = std::set<std::string>;

// Adds the names that occur free in an expression.
void collect(const Expr& expr, Names& names) {
    // Names that a binder does not bind are free around it too.
    const auto around = [&](const std::string& bound, const Expr& scope) {
        Names inside;
        collect(scope, inside);
        inside.erase(bound);
        names.merge(inside);
    };
    if (const auto* n = std::get_if<LaneReduce>(&expr.node)) {
        around(n->lanes.variable, *n->body);
    } else if (const auto* n = std::get_if<LetIn>(&expr.node)) {
        collect(*n->value, names);
        around(n->name, *n->body);
    } else if (const auto* n = std::get_if<LetValueIn>(&expr.node)) {
        if (n->lanes) {
            around(n->lanes->variable, *n->value);
        } else {
            collect(*n->value, names);
        }
        around(n->name, *n->body);
    } else {
        if (const auto* n = std::get_if<Variable>(&expr.node)) { names.insert(n->name); }
        if (const auto* n = std::get_if<ValueVariable>(&expr.node)) { names.insert(n->name); }
        if (const auto* n = std::get_if<Load>(&expr.node)) { names.insert(n->array); }
        for_each_part(expr, [&](const Expr& part) { collect(part, names); });
    }
}

class Substituter {
public:
    explicit Substituter(Substitution variables) : variables_(std::move(variables)) {
        for (const auto& [name, replacement] : variables_) { collect(replacement, put_in_); }
    }

    void apply(Expr& expr) const {
        if (auto* n = std::get_if<Variable>(&expr.node)) {
            const auto found = variables_.find(n->name);
            if (found != variables_.end()) { expr = Expr(found->second); }
        } else if (auto* n = std::get_if<LaneReduce>(&expr.node)) {
            below_variable(n->lanes.variable, *n->body);
        } else if (auto* n = std::get_if<LetIn>(&expr.node)) {
            apply(*n->value);
            below_variable(n->name, *n->body);
        } else if (auto* n = std::get_if<LetValueIn>(&expr.node)) {
            if (n->lanes) {
                below_variable(n->lanes->variable, *n->value);
            } else {
                apply(*n->value);
            }
            below_value(n->name, *n->body);
        } else {
            if (auto* n = std::get_if<ValueVariable>(&expr.node)) {
                const auto found = values_.find(n->name);
                if (found != values_.end()) { n->name = found->second; }
            }
            for_each_part(expr, [&](Expr& part) { apply(part); });
        }
    }

private:
    // Inside a binder's scope, its name means the bound variable, which is renamed if necessary.
    void below_variable(std::string& name, Expr& scope) const {
        Substituter inner = hiding(name);
        if (inner.would_capture(name, scope)) {
            const std::string fresh = inner.fresh_name(name, scope);
            inner.variables_.emplace(name, Expr{Variable{fresh}});
            name = fresh;
        }
        inner.apply(scope);
    }
    void below_value(std::string& name, Expr& scope) const {
        Substituter inner = hiding(name);
        if (inner.would_capture(name, scope)) {
            const std::string fresh = inner.fresh_name(name, scope);
            inner.values_.emplace(name, fresh);
            name = fresh;
        }
        inner.apply(scope);
    }

    Substituter hiding(const std::string& name) const {
        Substituter inner = *this;
        inner.variables_.erase(name);
        inner.values_.erase(name);
        return inner;
    }

    bool would_capture(const std::string& name, const Expr& scope) const {
        if (!put_in_.contains(name)) { return false; }
        const Names free = free_names(scope);
        return std::any_of(free.begin(), free.end(),
                           [&](const std::string& n) { return variables_.contains(n) || values_.contains(n); });
    }

    // Returns a name that is free neither in the scope nor in the replacements, and notes it as used.
    std::string fresh_name(const std::string& name, const Expr& scope) {
        const Names free = free_names(scope);
        int number = 0;
        std::string fresh;
        do { fresh = name + "$" + std::to_string(++number); } while (free.contains(fresh) || put_in_.contains(fresh));
        put_in_.insert(fresh);
        return fresh;
    }

    Substitution variables_;
    std::map<std::string, std::string> values_;  // renamed value-lets
    Names put_in_;                               // names that are free in the replacements
};

}  // namespace

int depth(const Expr& expr) {
    int deepest = 0;
    for_each_part(expr, [&](const Expr& part) { deepest = std::max(deepest, depth(part)); });
    return 1 + deepest;
}

std::set<std::string> free_names(const Expr& expr) {
    Names names;
    collect(expr, names);
    return names;
}

std::set<std::string> arrays_read(const Expr& expr) {
    Names arrays;
    for_each_expr(expr, [&](const Expr& e) {
        if (const auto* load = std::get_if<Load>(&e.node)) { arrays.insert(load->array); }
    });
    return arrays;
}

bool is_of_head(const Stmt& statement) {
    if (!std::holds_alternative<Let>(statement.node) && !std::holds_alternative<LetValue>(statement.node) &&
        !std::holds_alternative<Assert>(statement.node)) {
        return false;
    }
    bool reads = false;
    for_each_part(statement, [&](const Expr& part) { reads = reads || !arrays_read(part).empty(); });
    return !reads;
}

Expr substitute(Expr expr, const Substitution& replacements) {
    Substituter(replacements).apply(expr);
    return expr;
}

Program erase_prophecies(Program program) {
    for_each_statement(program.body, [](Stmt& stmt) {
        if (auto* assign = std::get_if<Assign>(&stmt.node)) {
            for (Write& write : assign->writes) { write.prophecy.reset(); }
        }
    });
    return program;
}

}  // namespace haruspex::sched
