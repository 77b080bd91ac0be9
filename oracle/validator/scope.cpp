#include "oracle/validator/scope.h"

#include "generators/affine/parameters.h"
#include "generators/base/ensure.h"
#include "generators/base/overload.h"
#include "harness/sched/text.h"

namespace haruspex::validator {
namespace {

using namespace sched;

[[noreturn]] void not_affine(const char* what, const Expr& expr) {
    throw Unsupported(std::string(what) + ": " + sched::print(expr));
}

// The number that it is, if it is the same everywhere.
std::optional<long> constant_of(const isl::pw_aff& index) {
    if (!index.isa_aff()) { return std::nullopt; }
    const isl::aff aff = index.as_aff();
    if (!aff.is_cst()) { return std::nullopt; }
    const isl::val value = aff.constant_val();
    if (!value.is_int() || value.abs().gt(isl::val(index.ctx(), 1L << 30))) { return std::nullopt; }
    return value.num_si();
}

}  // namespace

Scope::Scope(isl::ctx ctx) : context_(affine::everywhere(ctx)) {}

std::string Scope::declare_variable(const std::string& name) {
    const int times = taken_[name]++;
    const std::string unique = times == 0 ? name : name + "'" + std::to_string(times);
    entries_[name] = {affine::parameter(ctx(), unique), {}, {}, {}};
    return unique;
}

std::string Scope::unique_array_name(const std::string& name) const {
    const auto found = taken_.find(name);
    return found == taken_.end() ? name : name + "'" + std::to_string(found->second);
}

void Scope::define(const std::string& name, const isl::pw_aff& index) { entries_[name] = {index, {}, {}, {}}; }

void Scope::declare(const std::string& name, ArrayInScope array) {
    ++taken_[name];
    entries_[name] = {{}, {}, std::move(array), {}};
}

void Scope::declare(const std::string& name, ValueInScope value) {
    // The value is a family over this name for as long as it may be read.
    if (value.lane) { ++taken_[value.lane->substr(0, value.lane->find('\''))]; }
    entries_[name] = {{}, {}, {}, std::move(value)};
}

const Scope::Entry& Scope::entry(const std::string& name) const {
    const auto found = entries_.find(name);
    ENSURE(found != entries_.end(), "a name out of scope: " + name);
    return found->second;
}

const ArrayInScope& Scope::array(const std::string& name) const {
    const auto& array = entry(name).array;
    ENSURE(array, name + " is no array");
    return *array;
}

const ValueInScope& Scope::value(const std::string& name) const {
    const auto& value = entry(name).value;
    ENSURE(value, name + " is no value");
    return *value;
}

bool Scope::has_array(const std::string& name) const {
    const auto found = entries_.find(name);
    return found != entries_.end() && found->second.array;
}

isl::pw_aff Scope::constant(std::int64_t value) const { return affine::constant(ctx(), value); }

std::optional<long> Scope::constant_of(const Expr& expr) const { return validator::constant_of(index(expr)); }

isl::pw_aff Scope::index(const Expr& expr) const {
    return std::visit(Overload{[&](const Integer& n) { return constant(n.value); },
                               [&](const Variable& n) {
                                   const auto& index = entry(n.name).index;
                                   ENSURE(index, n.name + " is no index");
                                   return *index;
                               },
                               [&](const IndexBinary& n) {
                                   const isl::pw_aff a = index(*n.a);
                                   const isl::pw_aff b = index(*n.b);
                                   switch (n.op) {
                                       case IndexOp::add: return a.add(b);
                                       case IndexOp::sub: return a.sub(b);
                                       case IndexOp::min: return a.min(b);
                                       case IndexOp::max: return a.max(b);
                                       case IndexOp::mul: {
                                           if (const auto factor = validator::constant_of(b)) {
                                               return a.scale(*factor);
                                           }
                                           if (const auto factor = validator::constant_of(a)) {
                                               return b.scale(*factor);
                                           }
                                           not_affine("product of indices", expr);
                                       }
                                       case IndexOp::div:
                                       case IndexOp::mod: {
                                           const auto divisor = validator::constant_of(b);
                                           if (!divisor) { not_affine("division of indices", expr); }
                                           // By zero both give zero.
                                           if (*divisor == 0) { return constant(0); }
                                           const long size = std::abs(*divisor);
                                           if (n.op == IndexOp::mod) { return a.mod(size); }
                                           const isl::pw_aff quotient = a.scale_down(size).floor();
                                           return *divisor > 0 ? quotient : quotient.neg();
                                       }
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
                               [&](const auto&) -> isl::pw_aff { not_affine("index that depends on data", expr); }},
                      expr.node);
}

isl::set Scope::condition(const Expr& expr) const {
    const isl::set all = affine::everywhere(ctx());
    return std::visit(Overload{[&](const Truth& n) { return n.value ? all : all.complement(); },
                               [&](const Variable& n) {
                                   const auto& condition = entry(n.name).condition;
                                   ENSURE(condition, n.name + " is no condition");
                                   return *condition;
                               },
                               [&](const Comparison& n) {
                                   if (is_condition(*n.a)) {
                                       const isl::set a = condition(*n.a), b = condition(*n.b);
                                       const isl::set differ = a.subtract(b).unite(b.subtract(a));
                                       return n.relation == sare::Relation::ne ? differ : differ.complement();
                                   }
                                   const isl::pw_aff a = index(*n.a), b = index(*n.b);
                                   switch (n.relation) {
                                       case sare::Relation::lt: return a.lt_set(b);
                                       case sare::Relation::le: return a.le_set(b);
                                       case sare::Relation::eq: return a.eq_set(b);
                                       case sare::Relation::ne: return a.ne_set(b);
                                       case sare::Relation::gt: return a.gt_set(b);
                                       case sare::Relation::ge: return a.ge_set(b);
                                   }
                                   raise_internal_error(__FILE__, __LINE__, "no such relation");
                               },
                               [&](const And& n) { return condition(*n.a).intersect(condition(*n.b)); },
                               [&](const Or& n) { return condition(*n.a).unite(condition(*n.b)); },
                               [&](const Not& n) { return condition(*n.a).complement(); },
                               [&](const Select& n) {
                                   const isl::set holds = condition(*n.condition);
                                   return holds.intersect(condition(*n.if_true))
                                       .unite(holds.complement().intersect(condition(*n.if_false)));
                               },
                               [&](const LetIn& n) { return with(n).condition(*n.body); },
                               // A guard is written where a bool is asked for, and may be nothing but a condition.
                               [&](const Guard& n) { return condition(*n.condition); },
                               [&](const auto&) -> isl::set { not_affine("condition that depends on data", expr); }},
                      expr.node);
}

bool Scope::is_condition(const Expr& expr) const {
    return std::visit(
        Overload{[](const Truth&) { return true; }, [](const Comparison&) { return true; },
                 [](const And&) { return true; }, [](const Or&) { return true; }, [](const Not&) { return true; },
                 [&](const Variable& n) { return entry(n.name).condition.has_value(); },
                 [&](const Select& n) { return is_condition(*n.if_true); },
                 [&](const LetIn& n) { return with(n).is_condition(*n.body); }, [](const auto&) { return false; }},
        expr.node);
}

void Scope::define(const std::string& name, const Expr& value) {
    if (is_condition(value)) {
        entries_[name] = {{}, condition(value), {}, {}};
    } else {
        entries_[name] = {index(value), {}, {}, {}};
    }
}

Scope Scope::with(const LetIn& let) const {
    Scope inner = *this;
    inner.define(let.name, *let.value);
    return inner;
}

}  // namespace haruspex::validator
