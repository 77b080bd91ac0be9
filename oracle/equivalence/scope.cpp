#include "oracle/equivalence/scope.h"

#include <limits>

#include "generators/affine/coalesce.h"
#include "generators/affine/division.h"
#include "generators/affine/gist.h"
#include "generators/affine/parameters.h"
#include "generators/affine/sets.h"
#include "generators/base/ensure.h"
#include "generators/base/overload.h"
#include "harness/sched/text.h"
#include "oracle/equivalence/unsupported.h"

namespace haruspex::equivalence {
namespace {

using namespace sched;

template <typename Meaning, typename Names>
const Meaning& meaning(const Names& names, const std::string& name) {
    const auto found = names.find(name);
    ENSURE(found != names.end() && std::holds_alternative<Meaning>(found->second),
           "of a well-typed program, every name is in scope: " + name);
    return std::get<Meaning>(found->second);
}

isl::set either(const isl::set& condition, const isl::set& if_true, const isl::set& if_false) {
    return condition.intersect(if_true).unite(condition.complement().intersect(if_false));
}

}  // namespace

const ArrayInScope& Scope::array(const std::string& name) const { return meaning<ArrayInScope>(names_, name); }
const ValueInScope& Scope::value(const std::string& name) const { return meaning<ValueInScope>(names_, name); }

void Scope::define(const std::string& name, const Expr& expr) {
    if (is_condition(expr)) {
        names_.insert_or_assign(name, condition(expr));
    } else {
        names_.insert_or_assign(name, affine::coalesced(affine::gist(index(expr), known_)));
    }
}

Scope Scope::with(const LetIn& let) const {
    Scope inner = *this;
    inner.define(let.name, *let.value);
    return inner;
}

std::optional<std::int64_t> Scope::number(const Expr& expr) const {
    const auto values = affine::range(index(expr).intersect_params(known_));
    return values && values->low == values->high ? std::optional(values->low) : std::nullopt;
}

isl::pw_aff Scope::product(const IndexBinary& n, const Expr& expr) const {
    if (const auto factor = number(*n.b)) { return index(*n.a).scale(static_cast<long>(*factor)); }
    if (const auto factor = number(*n.a)) { return index(*n.b).scale(static_cast<long>(*factor)); }
    throw Unsupported("product of indices: " + print(expr));
}

// Euclidean division; division by zero gives zero.
isl::pw_aff Scope::divided(const IndexBinary& n, const Expr& expr) const {
    const auto divisor = number(*n.b);
    if (!divisor) { throw Unsupported("division of indices: " + print(expr)); }
    const isl::pw_aff dividend = index(*n.a);
    if (*divisor == 0) { return affine::constant(ctx(), 0); }
    if (*divisor == std::numeric_limits<std::int64_t>::min()) {
        throw Unsupported("division of indices: " + print(expr));
    }
    const affine::Division division = affine::divided(dividend, *divisor < 0 ? -*divisor : *divisor, known_);
    if (n.op == IndexOp::mod) { return division.remainder; }
    return *divisor < 0 ? division.quotient.neg() : division.quotient;
}

isl::pw_aff Scope::index(const Expr& expr) const {
    return std::visit(
        Overload{[&](const Integer& n) { return affine::constant(ctx(), n.value); },
                 [&](const Variable& n) { return meaning<isl::pw_aff>(names_, n.name); },
                 [&](const IndexBinary& n) {
                     switch (n.op) {
                         case IndexOp::add: return index(*n.a).add(index(*n.b));
                         case IndexOp::sub: return index(*n.a).sub(index(*n.b));
                         case IndexOp::min: return index(*n.a).min(index(*n.b));
                         case IndexOp::max: return index(*n.a).max(index(*n.b));
                         case IndexOp::mul: return product(n, expr);
                         case IndexOp::div:
                         case IndexOp::mod: return divided(n, expr);
                     }
                     raise_internal_error(__FILE__, __LINE__, "no such index operator");
                 },
                 [&](const Select& n) {
                     const isl::set holds = condition(*n.condition);
                     return index(*n.if_true)
                         .intersect_domain(holds)
                         .union_add(index(*n.if_false).intersect_domain(holds.complement()));
                 },
                 [&](const LetIn& n) { return with(n).index(*n.body); },
                 [&](const auto&) -> isl::pw_aff { throw Unsupported("index that depends on data: " + print(expr)); }},
        expr.node);
}

isl::set Scope::condition(const Expr& expr) const {
    return std::visit(
        Overload{[&](const Truth& n) { return n.value ? affine::everywhere(ctx()) : affine::nowhere(ctx()); },
                 [&](const Variable& n) { return meaning<isl::set>(names_, n.name); },
                 [&](const Comparison& n) {
                     if (is_condition(*n.a)) {
                         const isl::set a = condition(*n.a), b = condition(*n.b);
                         const isl::set same = either(a, b, b.complement());
                         return n.relation == Relation::eq ? same : same.complement();
                     }
                     const isl::pw_aff a = index(*n.a), b = index(*n.b);
                     switch (n.relation) {
                         case Relation::lt: return a.lt_set(b);
                         case Relation::le: return a.le_set(b);
                         case Relation::eq: return a.eq_set(b);
                         case Relation::ne: return a.ne_set(b);
                         case Relation::gt: return a.gt_set(b);
                         case Relation::ge: return a.ge_set(b);
                     }
                     raise_internal_error(__FILE__, __LINE__, "no such relation");
                 },
                 [&](const And& n) { return condition(*n.a).intersect(condition(*n.b)); },
                 [&](const Or& n) { return condition(*n.a).unite(condition(*n.b)); },
                 [&](const Not& n) { return condition(*n.a).complement(); },
                 [&](const Guard& n) { return condition(*n.condition); },
                 [&](const Select& n) {
                     return either(condition(*n.condition), condition(*n.if_true), condition(*n.if_false));
                 },
                 [&](const LetIn& n) { return with(n).condition(*n.body); },
                 [&](const auto&) -> isl::set { throw Unsupported("condition that depends on data: " + print(expr)); }},
        expr.node);
}

bool Scope::is_condition(const Expr& expr) const {
    return std::visit(
        Overload{[](const Truth&) { return true; }, [](const Comparison&) { return true; },
                 [](const And&) { return true; }, [](const Or&) { return true; }, [](const Not&) { return true; },
                 [](const Guard&) { return true; },
                 [&](const Variable& n) { return std::holds_alternative<isl::set>(names_.at(n.name)); },
                 [&](const Select& n) { return is_condition(*n.condition) && is_condition(*n.if_true); },
                 [&](const LetIn& n) { return with(n).is_condition(*n.body); }, [](const auto&) { return false; }},
        expr.node);
}

}  // namespace haruspex::equivalence
