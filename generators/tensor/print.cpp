#include "generators/tensor/print.h"

#include <fmt/core.h>

#include "generators/base/overload.h"
#include "generators/sare/build.h"
#include "generators/sare/print.h"

namespace haruspex::tensor {

namespace {

bool is_binary(const Expr& expr) {
    return std::holds_alternative<Elementwise>(expr.node) || std::holds_alternative<Outer>(expr.node);
}

std::string enclosed(const Expr& expr) { return "(" + print(expr) + ")"; }

// A right operand is a variable or stands in parentheses, since operators associate to the left.
std::string right(const Expr& expr) {
    return std::holds_alternative<Variable>(expr.node) ? print(expr) : enclosed(expr);
}

bool is_sum(ElementOp op) { return op == ElementOp::add || op == ElementOp::sub; }

// Whether the left operand reads well without parentheses, which it never needs: it continues a chain.
bool continues(const Expr& left, const Elementwise& of) {
    const auto* n = std::get_if<Elementwise>(&left.node);
    return n != nullptr && (n->op == of.op || (is_sum(n->op) && is_sum(of.op)));
}

std::string left(const Expr& expr, bool bare) { return is_binary(expr) && !bare ? enclosed(expr) : print(expr); }

std::string print(Pair pair) { return fmt::format("[{} {}]", pair.first, pair.second); }

}  // namespace

std::string print_extent(const sare::Index& extent) {
    const auto* constant = std::get_if<sare::IndexConstant>(&extent.node);
    const bool bare =
        constant != nullptr ? constant->value >= 0 : std::holds_alternative<sare::IndexVariable>(extent.node);
    return bare ? sare::print(extent) : "(" + sare::print(extent) + ")";
}

std::string print(const Expr& expr) {
    return std::visit(
        Overload{[](const Variable& n) { return n.name; },
                 [](const Elementwise& n) {
                     return fmt::format("{} {} {}", left(*n.a, continues(*n.a, n)), spelling(n.op), right(*n.b));
                 },
                 [](const Outer& n) {
                     return fmt::format("{} # {}", left(*n.a, std::holds_alternative<Outer>(n.a->node)), right(*n.b));
                 },
                 [](const Contraction& n) { return fmt::format("{} . {}", left(*n.a, false), print(n.dimensions)); },
                 [](const Transposition& n) { return fmt::format("{} ^ {}", left(*n.a, false), print(n.dimensions)); }},
        expr.node);
}

std::string print(const Program& program) {
    std::string text;
    const bool assumes = program.assumptions != sare::truth(true);
    if (program.name != default_name || !program.parameters.empty() || assumes) {
        std::string parameters;
        for (const std::string& parameter : program.parameters) {
            parameters += (parameters.empty() ? "" : ", ") + parameter;
        }
        text += fmt::format("program {}({})", program.name, parameters);
        if (assumes) { text += " assuming " + sare::print(program.assumptions); }
        text += "\n";
    }
    for (const Declaration& d : program.declarations) {
        std::string extents;
        for (const sare::Index& extent : d.extents) { extents += (extents.empty() ? "" : " ") + print_extent(extent); }
        text += fmt::format("var {}{}{} : {}[{}]\n", d.input ? "input " : "", d.output ? "output " : "", d.name,
                            value::name(d.element), extents);
    }
    for (const Statement& s : program.statements) { text += fmt::format("{} = {}\n", s.target, print(s.value)); }
    return text;
}

}  // namespace haruspex::tensor
