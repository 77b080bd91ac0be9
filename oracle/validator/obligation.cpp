#include "oracle/validator/obligation.h"

#include "generators/affine/sets.h"
#include "generators/base/ensure.h"
#include "harness/sched/text.h"

namespace haruspex::validator {

std::string_view name(Kind kind) {
    switch (kind) {
        case Kind::bounds_read: return "bounds_read";
        case Kind::bounds_write: return "bounds_write";
        case Kind::freed: return "freed";
        case Kind::input_written: return "input_written";
        case Kind::uninit: return "uninit";
        case Kind::lanes: return "lanes";
        case Kind::race_read_write: return "race_read_write";
        case Kind::race_write_write: return "race_write_write";
        case Kind::value: return "value";
        case Kind::coverage: return "coverage";
        case Kind::assertion: return "assertion";
        case Kind::vacuous: return "vacuous";
    }
    raise_internal_error(__FILE__, __LINE__, "no such kind of obligation");
}

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
