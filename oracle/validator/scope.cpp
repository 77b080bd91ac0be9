#include "oracle/validator/scope.h"

#include <cstdlib>
#include <functional>

#include "generators/affine/gist.h"
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

// A factor or a divisor with more values is not split into them.
constexpr std::int64_t most_values = 16;

// The number that it is, if that can be seen.
std::optional<std::int64_t> plain_constant(const isl::pw_aff& index) {
    if (!index.isa_aff()) { return std::nullopt; }
    const isl::aff aff = index.as_aff();
    if (!aff.is_cst()) { return std::nullopt; }
    const isl::val value = aff.constant_val();
    if (!value.is_int() || value.abs().gt(isl::val(index.ctx(), 1L << 30))) { return std::nullopt; }
    return value.num_si();
}

std::optional<std::int64_t> constant_in(const isl::pw_aff& index, const isl::set& context) {
    if (const auto constant = plain_constant(index)) { return constant; }
    const auto values = affine::range(index.intersect_params(context));
    return values && values->low == values->high ? std::optional(values->low) : std::nullopt;
}

// Σ over the values v of an index: what `at` makes of v, where the index is v.
isl::pw_aff by_value(const isl::pw_aff& index, const affine::Interval& values,
                     const std::function<isl::pw_aff(std::int64_t)>& at) {
    isl::pw_aff result = at(values.low).intersect_domain(affine::nowhere(index.ctx()));
    for (std::int64_t v = values.low; v <= values.high; ++v) {
        const isl::set here = index.eq_set(affine::constant(index.ctx(), v));
        result = result.union_add(at(v).intersect_domain(here));
    }
    return result.coalesce();
}

}  // namespace

Scope::Scope(isl::ctx ctx) : context_(affine::everywhere(ctx)), known_(context_) {}

void Scope::assume(const isl::set& condition) {
    context_ = context_.intersect(condition);
    known_ = known_.intersect(condition);
}

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

heap::Location Scope::location(const std::string& name, const std::vector<Expr>& indices) const {
    const ArrayInScope& array = this->array(name);
    if (!array.strides.empty()) { return location(array, index(indices.at(0))); }
    std::vector<isl::pw_aff> coordinates;
    for (const Expr& expr : indices) { coordinates.push_back(index(expr)); }
    return heap::location(ctx(), array.unique_name, coordinates);
}

heap::Location Scope::location(const ArrayInScope& array, const isl::pw_aff& linear) const {
    if (array.strides.empty()) { return heap::location(ctx(), array.unique_name, {linear}); }
    std::vector<isl::pw_aff> coordinates(array.strides.size(), linear);
    isl::pw_aff rest = linear;
    for (std::size_t d = array.strides.size(); d-- > 1;) {
        const affine::Division division = affine::divided(rest, array.strides[d], known_);
        coordinates[d] = division.quotient;
        rest = division.remainder;
    }
    coordinates[0] = rest;
    return heap::location(ctx(), array.unique_name, coordinates);
}

std::optional<affine::Interval> Scope::range(const isl::pw_aff& index) const {
    const auto values = affine::range(index.intersect_params(known_));
    return values && values->high - values->low < most_values ? values : std::nullopt;
}

std::optional<std::int64_t> Scope::constant_of(const Expr& expr) const { return constant_in(index(expr), known_); }

isl::pw_aff Scope::product(const isl::pw_aff& a, const isl::pw_aff& b, const Expr& expr) const {
    for (const auto& [factor, other] : {std::pair{b, a}, {a, b}}) {
        if (const auto number = plain_constant(factor)) { return other.scale(static_cast<long>(*number)); }
    }
    const auto as = range(a), bs = range(b);
    if (!as && !bs) { not_affine("product of indices", expr); }
    const bool is_first = as && (!bs || as->high - as->low < bs->high - bs->low);
    const isl::pw_aff& other = is_first ? b : a;
    return by_value(is_first ? a : b, is_first ? *as : *bs,
                    [&](std::int64_t v) { return other.scale(static_cast<long>(v)); });
}

// Euclidean, by zero both give zero.
isl::pw_aff Scope::divided(IndexOp op, const isl::pw_aff& a, const isl::pw_aff& b, const Expr& expr) const {
    const auto by = [&](std::int64_t divisor) {
        if (divisor == 0) { return constant(0); }
        const affine::Division division = affine::divided(a, std::abs(divisor), known_);
        if (op == IndexOp::mod) { return division.remainder; }
        return divisor > 0 ? division.quotient : division.quotient.neg();
    };
    if (const auto number = plain_constant(b)) { return by(*number); }
    const auto values = range(b);
    if (!values) { not_affine("division of indices", expr); }
    return by_value(b, *values, by);
}

isl::pw_aff Scope::least(const isl::pw_aff& a, const isl::pw_aff& b) const {
    if (!a.isa_aff() || !b.isa_aff()) { return simplified(a.min(b)); }
    if (known_.is_disjoint(a.gt_set(b))) { return a; }
    if (known_.is_disjoint(b.gt_set(a))) { return b; }
    return a.min(b);
}

isl::pw_aff Scope::simplified(const isl::pw_aff& index) const {
    return index.isa_aff() ? index : affine::gist(index, known_).coalesce();
}

isl::pw_aff Scope::index(const Expr& expr) const {
    return std::visit(
        Overload{[&](const Integer& n) { return constant(n.value); },
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
                         case IndexOp::min: return least(a, b);
                         case IndexOp::max: return least(a.neg(), b.neg()).neg();
                         case IndexOp::mul: return product(a, b, expr);
                         case IndexOp::div:
                         case IndexOp::mod: return divided(n.op, a, b, expr);
                     }
                     raise_internal_error(__FILE__, __LINE__, "no such index operator");
                 },
                 [&](const Select& n) {
                     const isl::set holds = condition(*n.condition);
                     return simplified(index(*n.if_true)
                                           .intersect_domain(holds)
                                           .union_add(index(*n.if_false).intersect_domain(holds.complement())));
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

void Scope::substitute(const std::string& name, const Expr& value) {
    if (is_condition(value)) {
        entries_[name] = {{}, condition(value), {}, {}};
    } else {
        entries_[name] = {simplified(index(value)), {}, {}, {}};
    }
}

void Scope::define(const std::string& name, const Expr& value) {
    substitute(name, value);
    const std::optional<isl::pw_aff> index = entries_[name].index;
    if (!index || index->isa_aff()) { return; }
    const std::string parameter = declare_variable(name);
    const isl::set definition = index->bind(affine::identifier(ctx(), parameter));
    lets_.push_back({parameter, definition});
    known_ = known_.intersect(definition.intersect(known_).unshifted_simple_hull());
}

Scope Scope::with(const LetIn& let) const {
    Scope inner = *this;
    inner.substitute(let.name, *let.value);
    return inner;
}

}  // namespace haruspex::validator
