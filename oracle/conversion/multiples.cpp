#include "oracle/conversion/multiples.h"

#include <optional>
#include <utility>

#include "harness/sched/normal_form.h"
#include "harness/sched/polynomials.h"
#include "harness/sched/reify.h"
#include "harness/transform/indices.h"
#include "oracle/conversion/delinearisation.h"
#include "oracle/conversion/in_scope.h"

namespace haruspex::conversion {
namespace {

using sched::Expr;
using sched::Polynomial;
using sched::Polynomials;

Expr integer(std::int64_t n) { return {sched::Integer{n}}; }

Expr select(sare::Relation relation, const Expr& a, const Expr& b, Expr if_true, Expr if_false) {
    return {sched::Select{Expr{sched::Comparison{relation, a, b}}, std::move(if_true), std::move(if_false)}};
}

Expr of_multiple(sched::IndexOp op, const Expr& quotient, const Expr& divisor) {
    if (op == sched::IndexOp::mod) { return integer(0); }
    return select(sare::Relation::eq, divisor, integer(0), integer(0), quotient);
}

Expr of_one_less(sched::IndexOp op, const Expr& quotient, const Expr& divisor) {
    const auto binary = [](sched::IndexOp by, Expr a, Expr b) {
        return Expr{sched::IndexBinary{by, std::move(a), std::move(b)}};
    };
    const Expr one = integer(1), zero = integer(0);
    const bool is_quotient = op == sched::IndexOp::div;
    Expr if_positive = binary(sched::IndexOp::sub, is_quotient ? quotient : divisor, one);
    Expr if_negative =
        is_quotient ? binary(sched::IndexOp::add, quotient, one) : binary(sched::IndexOp::sub, integer(-1), divisor);
    return select(sare::Relation::lt, zero, divisor, std::move(if_positive),
                  select(sare::Relation::lt, divisor, zero, std::move(if_negative), zero));
}

}  // namespace

void divide_multiples(sched::Program& program) {
    sched::Atoms atoms;
    const Polynomials polynomials(atoms);
    sched::NormalForms forms(atoms);
    for_each_division(program.body, forms, [&](Expr& expr, const Polynomial& dividend, const Polynomial& divisor) {
        if (Polynomials::as_constant(divisor)) { return; }
        const auto parts = coordinates(dividend, {divisor}, polynomials);
        const auto rest = parts ? Polynomials::as_constant((*parts)[0]) : std::nullopt;
        if (rest != 0 && rest != -1) { return; }
        const auto quotient = sched::index_of((*parts)[1], atoms), by = sched::index_of(divisor, atoms);
        if (!quotient || !by) { return; }
        const sched::IndexOp op = std::get<sched::IndexBinary>(expr.node).op;
        expr = transform::tidied(rest == 0 ? of_multiple(op, *quotient, *by) : of_one_less(op, *quotient, *by));
    });
}

}  // namespace haruspex::conversion
