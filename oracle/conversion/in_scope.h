#pragma once

#include <functional>

#include "harness/sched/normal_form.h"
#include "harness/sched/syntax.h"

namespace haruspex::conversion {

// Visits every expression in the statements, innermost first; the visitor may replace it. During a visit, `forms` holds
// the definitions in scope there. No name in the statements hides another.
using VisitExpr = std::function<void(sched::Expr&)>;
void for_each_in_scope(sched::Block& statements, sched::NormalForms& forms, const VisitExpr& visit);
// Also visits every statement, after its own expressions and before the statements inside.
using VisitStatement = std::function<void(sched::Stmt&)>;
void for_each_in_scope(sched::Block& statements, sched::NormalForms& forms, const VisitExpr& visit,
                       const VisitStatement& visit_statement);

// Visits only the quotients and remainders of indices, with the normal forms of their operands.
using VisitDivision =
    std::function<void(sched::Expr& division, const sched::Polynomial& dividend, const sched::Polynomial& divisor)>;
void for_each_division(sched::Block& statements, sched::NormalForms& forms, const VisitDivision& visit);

}  // namespace haruspex::conversion
