#include "oracle/conversion/in_scope.h"

#include "harness/sched/traverse.h"
#include "oracle/conversion/definitions.h"

namespace haruspex::conversion {
namespace {

using sched::Expr;

void visit_parts(Expr& expr, sched::NormalForms& forms, const VisitExpr& visit) {
    const auto inside = [&](const auto& define, Expr& body) {
        forms.enter();
        define();
        visit_parts(body, forms, visit);
        forms.leave();
    };
    if (auto* let = std::get_if<sched::LetIn>(&expr.node)) {
        visit_parts(*let->value, forms, visit);
        inside([&] { forms.define(let->name, *let->value); }, *let->body);
    } else if (auto* value = std::get_if<sched::LetValueIn>(&expr.node)) {
        visit_parts(*value->value, forms, visit);
        inside([&] { forms.define(value->name, value->lanes, *value->value); }, *value->body);
    } else {
        sched::for_each_part(expr, [&](Expr& part) { visit_parts(part, forms, visit); });
    }
    visit(expr);
}

}  // namespace

void for_each_in_scope(sched::Block& statements, sched::NormalForms& forms, const VisitExpr& visit,
                       const VisitStatement& visit_statement) {
    forms.enter();
    for (sched::Stmt& statement : statements) {
        sched::for_each_part(statement, [&](Expr& part) { visit_parts(part, forms, visit); });
        visit_statement(statement);
        define(forms, statement);
        sched::for_each_block(statement,
                              [&](sched::Block& inner) { for_each_in_scope(inner, forms, visit, visit_statement); });
    }
    forms.leave();
}

void for_each_in_scope(sched::Block& statements, sched::NormalForms& forms, const VisitExpr& visit) {
    for_each_in_scope(statements, forms, visit, [](sched::Stmt&) {});
}

void for_each_division(sched::Block& statements, sched::NormalForms& forms, const VisitDivision& visit) {
    for_each_in_scope(statements, forms, [&](Expr& expr) {
        const auto* division = std::get_if<sched::IndexBinary>(&expr.node);
        if (division != nullptr && (division->op == sched::IndexOp::div || division->op == sched::IndexOp::mod)) {
            visit(expr, forms.of(*division->a), forms.of(*division->b));
        }
    });
}

}  // namespace haruspex::conversion
