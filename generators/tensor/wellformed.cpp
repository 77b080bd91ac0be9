#include "generators/tensor/wellformed.h"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "generators/base/ensure.h"
#include "generators/sare/build.h"
#include "generators/sare/expr_check.h"
#include "generators/sare/limits.h"
#include "generators/tensor/print.h"

namespace haruspex::tensor {

namespace {

using Kind = Subject::Kind;

std::unexpected<Fault> fault(Flaw flaw, const Subject& subject, std::string message) {
    return std::unexpected(Fault{flaw, subject, std::move(message)});
}

bool has(const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

std::string already_declared(const std::string& name) {
    return fmt::format("\"{}\" is already declared; expected a new name", name);
}

Checked check_header(const Program& program) {
    if (!is_name(program.name)) {
        return fault(Flaw::not_a_name, {}, fmt::format("expected the program's name, found \"{}\"", program.name));
    }
    std::vector<std::string> seen;
    for (const std::string& parameter : program.parameters) {
        if (!is_name(parameter)) {
            return fault(Flaw::not_a_name, {}, fmt::format("expected a parameter's name, found \"{}\"", parameter));
        }
        if (has(seen, parameter)) { return fault(Flaw::redeclared, {}, already_declared(parameter)); }
        seen.push_back(parameter);
    }
    const auto sound = sare::check_condition(program.assumptions, program.parameters);
    if (!sound) { return fault(Flaw::malformed_assumptions, {Kind::assumptions}, sound.error()); }
    return {};
}

}  // namespace

Checked s_var(const Program& program, const Declaration& declaration, std::size_t number, const Extents& extents,
              Context& context) {
    const Subject subject{Kind::declaration, number};
    if (!is_name(declaration.name)) {
        return fault(Flaw::not_a_name, subject,
                     fmt::format("expected a variable's name, found \"{}\"", declaration.name));
    }
    if (context.contains(declaration.name) || has(program.parameters, declaration.name)) {
        return fault(Flaw::redeclared, subject, already_declared(declaration.name));
    }
    if (declaration.element == value::Type::boolean) {
        return fault(Flaw::element_has_no_algebra, subject, "expected elements that are numbers, found bool");
    }
    if (declaration.extents.size() > static_cast<std::size_t>(sare::max_rank)) {
        return fault(
            Flaw::too_large, subject,
            fmt::format("expected at most {} dimensions, found {}", sare::max_rank, declaration.extents.size()));
    }
    for (std::size_t d = 0; d < declaration.extents.size(); ++d) {
        const sare::Index& extent = declaration.extents[d];
        const Subject place{Kind::extent, number, d};
        const auto sound = sare::check_index(extent, program.parameters);
        if (!sound) { return fault(Flaw::malformed_extent, place, sound.error()); }
        if (!extents.is_positive(extent)) {
            return fault(Flaw::extent_not_positive, place,
                         fmt::format("expected an extent that is at least 1 for all parameters, found {}",
                                     print_extent(extent)));
        }
    }
    context.emplace(declaration.name, TensorType{declaration.element, declaration.extents});
    return {};
}

Checked ok_stmt(const Statement& statement, std::size_t number, const Context& context, const Extents& extents) {
    const Subject subject{Kind::statement, number};
    const auto target = context.find(statement.target);
    if (target == context.end()) {
        std::vector<std::string> names;
        for (const auto& [name, type] : context) { names.push_back(name); }
        return fault(Flaw::assigns_undeclared, subject,
                     fmt::format("\"{}\" is assigned but not declared; expected {}", statement.target,
                                 names.empty() ? "a declaration of it" : "one of " + sare::list(names)));
    }
    if (depth(statement.value) > sare::max_depth) {
        return fault(Flaw::too_large, subject,
                     fmt::format("an expression is nested too deeply; expected at most {} levels", sare::max_depth));
    }
    const auto type = type_of(statement.value, context, extents);
    if (!type) {
        const ExprFault& found = type.error();
        return fault(found.mismatch.flaw, {Kind::expression, number, found.node}, found.mismatch.message);
    }
    if (type->element != target->second.element || !extents.are_equal(type->extents, target->second.extents)) {
        return fault(Flaw::assigns_other_type, subject,
                     fmt::format("expected a value of the type of \"{}\", {}, found {}", statement.target,
                                 to_string(target->second), to_string(*type)));
    }
    return {};
}

Checked find_fault(const Program& program) {
    if (Checked checked = check_header(program); !checked) { return checked; }
    const Extents extents = extents_of(program);
    if (!extents.has_any()) {
        return fault(Flaw::malformed_assumptions, {Kind::assumptions},
                     "no parameters satisfy the assumptions; expected some that do");
    }
    Context context;
    for (std::size_t d = 0; d < program.declarations.size(); ++d) {
        if (Checked checked = s_var(program, program.declarations[d], d, extents, context); !checked) {
            return checked;
        }
    }
    for (std::size_t s = 0; s < program.statements.size(); ++s) {
        if (Checked checked = ok_stmt(program.statements[s], s, context, extents); !checked) { return checked; }
    }
    return {};
}

Result<void> check(const Program& program) {
    if (const Checked checked = find_fault(program); !checked) { return fail(to_error(checked.error())); }
    return {};
}

Context context_of(const Program& program) {
    Context context;
    for (const Declaration& declaration : program.declarations) {
        const bool is_new =
            context.emplace(declaration.name, TensorType{declaration.element, declaration.extents}).second;
        ENSURE(is_new, "a well-formed program declares each variable once");
    }
    return context;
}

Extents extents_of(const Program& program) { return Extents(program.parameters, program.assumptions); }

Result<Context> context_at(const Program& program, const Sizes& parameters) {
    for (const std::string& parameter : program.parameters) {
        if (!parameters.contains(parameter)) { return fail("expected a value of parameter \"" + parameter + "\""); }
    }
    const auto holds = sare::try_evaluate(program.assumptions, parameters);
    if (!holds || !*holds) { return fail("expected parameters that satisfy the program's assumptions"); }
    Context context;
    for (const auto& [name, type] : context_of(program)) {
        TensorType at{type.element, {}};
        for (const sare::Index& extent : type.extents) {
            const auto value = sare::try_evaluate(extent, parameters);
            if (!value) { return fail(fmt::format("expected extents of \"{}\" that fit 64 bits", name)); }
            at.extents.push_back(sare::constant(*value));
        }
        context.emplace(name, std::move(at));
    }
    return context;
}

}  // namespace haruspex::tensor
