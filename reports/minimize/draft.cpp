#include "reports/minimize/draft.h"

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

#include "generators/base/overload.h"
#include "generators/sare/build.h"
#include "generators/sare/staging.h"
#include "generators/sare/structure.h"
#include "generators/sare/traverse.h"
#include "reports/minimize/reducer.h"

namespace haruspex::minimize {
namespace {

using sare::Condition;
using sare::Expr;
using sare::Index;

// Adds the places of a tree, parents first.
class Collector {
public:
    explicit Collector(Places& places) : places_(places) {}

    void add(Expr& expr) {
        places_.exprs.push_back(&expr);
        if (auto* embed = std::get_if<sare::Embed>(&expr.node)) { add(embed->index); }
        if (auto* guard = std::get_if<sare::Guard>(&expr.node)) { add(guard->condition); }
        if (auto* access = std::get_if<sare::Access>(&expr.node)) {
            for (Index& index : access->indices) { add(index); }
        }
        if (auto* reduce = std::get_if<sare::Reduce>(&expr.node)) { add(reduce->domain); }
        for (Expr* operand : operands(expr)) { add(*operand); }
    }
    void add(Index& index) {
        places_.indices.push_back(&index);
        if (auto* select = std::get_if<sare::IndexSelect>(&index.node)) { add(*select->condition); }
        for (Index* operand : operands(index)) { add(*operand); }
    }
    void add(Condition& condition) {
        places_.conditions.push_back(&condition);
        if (auto* comparison = std::get_if<sare::Comparison>(&condition.node)) {
            add(comparison->a);
            add(comparison->b);
        }
        for (Condition* operand : operands(condition)) { add(*operand); }
    }
    void add(sare::UpdateDefinition& update) {
        for (sare::RecurrenceVariable& variable : update.over) {
            add(variable.min);
            add(variable.extent);
        }
        for (Index& index : update.target) { add(index); }
        for (Expr& value : update.values) { add(value); }
        add(update.where);
    }

private:
    Places& places_;
};

std::set<std::string> reachable(const Draft& draft) {
    std::set<std::string> found;
    for (const sare::Output& output : draft.algorithm.outputs) { found.insert(output.tensor); }
    // Functions come before their readers.
    for (auto function = draft.algorithm.functions.rbegin(); function != draft.algorithm.functions.rend(); ++function) {
        if (found.contains(function->name)) { found.merge(tensors_read_by(*function)); }
    }
    return found;
}

void remove_unread_inputs(Draft& draft) {
    std::set<std::string> read;
    for (const sare::Function& function : draft.algorithm.functions) { read.merge(tensors_read_by(function)); }
    std::erase_if(draft.algorithm.inputs, [&](const sare::Input& input) { return !read.contains(input.name); });
    std::erase_if(draft.c.inputs, [&](const auto& input) { return !read.contains(input.first); });
}

}  // namespace

Result<Draft> take_apart(const cases::Case& c) {
    auto algorithm = sare::unstage(c.sare);
    if (!algorithm) { return fail(algorithm.error()); }
    Draft draft{std::move(*algorithm), c};
    draft.c.sare = {};
    return draft;
}

std::optional<cases::Case> put_together(Draft draft, const schedule::Language& language,
                                        const schedule::RuleNames& allowed) {
    remove_unread_inputs(draft);
    if (!sare::check_structure(draft.algorithm)) { return std::nullopt; }
    if (!sare::try_evaluate(draft.algorithm.assumptions, draft.c.sizes).value_or(false)) { return std::nullopt; }
    draft.c.schedule = language.without(draft.algorithm, draft.c.schedule, {}, allowed);
    draft.c.sare = sare::stage(draft.algorithm);
    return std::move(draft.c);
}

std::vector<Expr*> operands(Expr& expr) {
    using Operands = std::vector<Expr*>;
    return std::visit(
        Overload{[](sare::Literal&) { return Operands{}; }, [](sare::Embed&) { return Operands{}; },
                 [](sare::Guard&) { return Operands{}; }, [](sare::Access&) { return Operands{}; },
                 [](sare::Unary& n) { return Operands{&*n.a}; }, [](sare::Binary& n) { return Operands{&*n.a, &*n.b}; },
                 [](sare::Select& n) { return Operands{&*n.condition, &*n.if_true, &*n.if_false}; },
                 [](sare::Cast& n) { return Operands{&*n.a}; }, [](sare::Reduce& n) { return Operands{&*n.body}; }},
        expr.node);
}

std::vector<Index*> operands(Index& index) {
    using Operands = std::vector<Index*>;
    return std::visit(
        Overload{[](sare::IndexConstant&) { return Operands{}; }, [](sare::IndexVariable&) { return Operands{}; },
                 [](sare::IndexBinary& n) { return Operands{&*n.a, &*n.b}; },
                 [](sare::IndexScale& n) { return Operands{&*n.a}; }, [](sare::IndexDiv& n) { return Operands{&*n.a}; },
                 [](sare::IndexMod& n) { return Operands{&*n.a}; },
                 [](sare::IndexSelect& n) { return Operands{&*n.if_true, &*n.if_false}; }},
        index.node);
}

std::vector<Condition*> operands(Condition& condition) {
    using Operands = std::vector<Condition*>;
    return std::visit(
        Overload{[](sare::Truth&) { return Operands{}; }, [](sare::Comparison&) { return Operands{}; },
                 [](sare::And& n) { return Operands{&*n.a, &*n.b}; },
                 [](sare::Or& n) { return Operands{&*n.a, &*n.b}; }, [](sare::Not& n) { return Operands{&*n.a}; }},
        condition.node);
}

Places places(Draft& draft) {
    Places found;
    Collector collector(found);
    collector.add(draft.algorithm.assumptions);
    for (sare::Function& function : draft.algorithm.functions) {
        for (Expr& value : function.values) { collector.add(value); }
        for (sare::UpdateDefinition& update : function.updates) { collector.add(update); }
    }
    for (sare::Output& output : draft.algorithm.outputs) {
        for (sare::Span& span : output.box) {
            collector.add(span.min);
            collector.add(span.extent);
        }
    }
    if (draft.c.schedule.directives.empty()) { return found; }
    const Reducer& schedules = reducer(draft.c.compiler);
    for (Index* index : schedules.indices(draft.c.schedule)) { collector.add(*index); }
    for (Condition* condition : schedules.conditions(draft.c.schedule)) { collector.add(*condition); }
    return found;
}

const sare::Function* find_function(const Draft& draft, const std::string& name) {
    const auto function = std::ranges::find(draft.algorithm.functions, name, &sare::Function::name);
    return function == draft.algorithm.functions.end() ? nullptr : &*function;
}

void change_values(sare::Function& function, const std::function<void(Expr&)>& change) {
    for (Expr& value : function.values) { change(value); }
    for (sare::UpdateDefinition& update : function.updates) {
        for (Expr& value : update.values) { change(value); }
    }
}

Expr with_accesses(const Expr& expr, const std::string& tensor,
                   const std::function<Expr(const sare::Access&)>& replace) {
    const auto* access = std::get_if<sare::Access>(&expr.node);
    if (access != nullptr) { return access->tensor == tensor ? replace(*access) : expr; }
    return sare::map_operands(expr, [&](const Expr& operand) { return with_accesses(operand, tensor, replace); });
}

void replace_accesses(Draft& draft, const std::string& tensor,
                      const std::function<Expr(const sare::Access&)>& replace) {
    for (sare::Function& function : draft.algorithm.functions) {
        if (function.name == tensor) { continue; }
        change_values(function, [&](Expr& value) { value = with_accesses(value, tensor, replace); });
    }
}

std::set<std::string> tensors_read_by(const sare::Function& function) {
    std::set<std::string> found;
    sare::Function copy = function;
    change_values(copy, [&](Expr& value) {
        sare::for_each_access(value, [&](const sare::Access& access, const auto&) { found.insert(access.tensor); });
    });
    found.erase(function.name);
    return found;
}

void add_dimension(Draft& draft, const std::string& name, const std::string& variable, const sare::Span& span) {
    for (sare::Function& function : draft.algorithm.functions) {
        if (function.name == name) { function.variables.push_back(variable); }
        change_values(function, [&](Expr& value) {
            value = sare::map_accesses(value, [&](sare::Access access) {
                if (access.tensor == name) { access.indices.push_back(span.min); }
                return access;
            });
        });
    }
    for (sare::Output& output : draft.algorithm.outputs) {
        if (output.tensor == name) { output.box.push_back(span); }
    }
}

void place(Draft& draft, const std::string& function) {
    const auto& outputs = draft.algorithm.outputs;
    const bool is_output = std::ranges::find(outputs, function, &sare::Output::tensor) != outputs.end();
    if (!is_output) { reducer(draft.c.compiler).place(draft.c.schedule, function); }
}

void remove_unreachable(Draft& draft, const Draft& before) {
    const std::set<std::string> then = reachable(before), now = reachable(draft);
    std::erase_if(draft.algorithm.functions, [&](const sare::Function& function) {
        return then.contains(function.name) && !now.contains(function.name);
    });
}

cases::InputDomain small_domain(value::Type type) { return {{type, 0, type == value::Type::boolean ? 1 : 7, 0}}; }

sare::Substitution outside(const sare::Reduce& reduction) {
    sare::Substitution by;
    for (const std::string& name : reduction.variables) { by[name] = sare::constant(0); }
    return by;
}

Expr one(value::Type type) {
    return Expr{
        sare::Literal{type == value::Type::boolean ? value::Value::boolean(true) : value::Value::integer(type, 1)}};
}

Expr varying(value::Type type, const std::string& variable) {
    const Index index = sare::variable(variable);
    if (type != value::Type::boolean) { return Expr{sare::Embed{type, index}}; }
    return Expr{sare::Guard{sare::compare(sare::Relation::le, index, sare::constant(0))}};
}

}  // namespace haruspex::minimize
