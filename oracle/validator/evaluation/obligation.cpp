#include "oracle/validator/evaluation/obligation.h"

#include "generators/affine/sets.h"
#include "generators/base/ensure.h"
#include "harness/sched/text.h"

namespace haruspex::validator {

Obligation& Obligations::add(Kind kind, const sched::Stmt& stmt, std::string rule, const Deferred<isl::set>& violations,
                             const Scope& scope) {
    const Deferred<isl::set> left([violations, scope] {
        const isl::set some = violations();
        return scope.are_possible(some) ? scope.resolved(some) : affine::nowhere(scope.ctx());
    });
    all_.push_back({kind, sched::headline(stmt), std::move(rule), left, {}});
    return all_.back();
}

void Obligations::add(Kind kind, const sched::Stmt& stmt, std::string rule, const Equation& equation,
                      const Scope& scope) {
    add(kind, stmt, std::move(rule),
        Equation{scope.resolved(equation.specification), scope.resolved(equation.implementation),
                 scope.resolved(equation.environments)});
}

Obligation& Obligations::add(Kind kind, const sched::Stmt& stmt, std::string rule, const Deferred<Equation>& equation) {
    all_.push_back({kind, sched::headline(stmt), std::move(rule), {}, equation});
    return all_.back();
}

}  // namespace haruspex::validator
