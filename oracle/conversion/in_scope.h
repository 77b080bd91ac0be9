#pragma once

#include <functional>

#include "harness/sched/normal_form.h"
#include "harness/sched/syntax.h"

namespace haruspex::conversion {

// Visits every expression in the statements, innermost first, while the forms know what is defined where it stands; the
// visitor may replace it. No name in the statements hides another.
using VisitExpr = std::function<void(sched::Expr&)>;
void for_each_in_scope(sched::Block& statements, sched::NormalForms& forms, const VisitExpr& visit);
// And every statement, between its own expressions and the statements in it.
using VisitStatement = std::function<void(sched::Stmt&)>;
void for_each_in_scope(sched::Block& statements, sched::NormalForms& forms, const VisitExpr& visit,
                       const VisitStatement& visit_statement);

// Quotients and remainders of indices alone, with the normal forms of their operands.
using VisitDivision =
    std::function<void(sched::Expr& division, const sched::Polynomial& dividend, const sched::Polynomial& divisor)>;
void for_each_division(sched::Block& statements, sched::NormalForms& forms, const VisitDivision& visit);

}  // namespace haruspex::conversion
