#include "oracle/validator/scope/scope.h"

#include <cstdlib>
#include <functional>
#include <limits>

#include "generators/affine/coalesce.h"
#include "generators/affine/gist.h"
#include "generators/affine/parameters.h"
#include "generators/base/ensure.h"
#include "generators/base/overload.h"
#include "harness/sched/text.h"

namespace haruspex::validator {
namespace {

using namespace sched;

[[noreturn]] void not_affine(const char* what, const Expr& expr) { throw Unsupported(what, sched::print(expr)); }

// A factor or divisor with this many values or more is not split by value.
constexpr std::int64_t most_values = 16;

// The number that an index is, if isl writes it as a constant of at most 2^30.
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

// Whether two affine indices are the same expression, whatever the order of their parameters.
bool are_alike(const isl::pw_aff& a, const isl::pw_aff& b) { return plain_constant(a.sub(b)) == 0; }

// Σ over the values v of an index: `at(v)`, where the index is v.
isl::pw_aff by_value(const isl::pw_aff& index, const affine::Interval& values,
                     const std::function<isl::pw_aff(std::int64_t)>& at) {
    isl::pw_aff result = at(values.low).intersect_domain(affine::nowhere(index.ctx()));
    for (std::int64_t v = values.low; v <= values.high; ++v) {
        const isl::set here = index.eq_set(affine::constant(index.ctx(), v));
        result = result.union_add(at(v).intersect_domain(here));
    }
    return affine::coalesced(result);
}

// Returns the object cached under a text; computes it by make() if there is none.
template <typename T, typename Make>
const T& remembered(std::map<std::string, T>& known, const std::string& text, Make make) {
    const auto found = known.find(text);
    return found != known.end() ? found->second : known.emplace(text, make()).first->second;
}

}  // namespace

Scope::Scope(isl::ctx ctx)
    : state_(std::make_shared<State>(Variables{affine::everywhere(ctx), affine::everywhere(ctx), {}, {}})) {}

template <typename Change>
void Scope::apply(const std::string& name, Change change) {
    const auto found = state_->changed.find(name);
    if (found != state_->changed.end()) {
        state_ = found->second;
        return;
    }
    const auto next = std::make_shared<State>(state_->variables);
    change(next->variables);
    state_->changed.emplace(name, next);
    state_ = next;
}

void Scope::assume(const isl::set& condition) {
    const std::uint32_t hash = affine::hash(condition);
    const auto [first, past] = state_->assumed.equal_range(hash);
    for (auto known = first; known != past; ++known) {
        if (!affine::is_written_alike(known->second.first, condition)) { continue; }
        state_ = known->second.second;
        return;
    }
    const auto next = std::make_shared<State>(state_->variables);
    Variables& variables = next->variables;
    variables.context = variables.context.intersect(condition);
    variables.known = variables.known.intersect(condition);
    state_->assumed.emplace(hash, std::pair(condition, next));
    state_ = next;
}

void Scope::define(const std::string& name, const Meaning& meaning, const std::string& change) {
    arrays_.erase(name);
    values_.erase(name);
    apply(change, [&](Variables& variables) { variables.meanings[name] = meaning; });
}

void Scope::hide(const std::string& name) {
    if (!state_->variables.meanings.contains(name)) { return; }
    apply("hide " + name, [&](Variables& variables) { variables.meanings.erase(name); });
}

std::string Scope::declare_variable(const std::string& name) {
    const int times = taken_[name]++;
    const std::string unique = times == 0 ? name : name + "'" + std::to_string(times);
    define(name, {affine::parameter(ctx(), unique), {}}, "variable " + name + " " + unique);
    return unique;
}

std::string Scope::unique_array_name(const std::string& name) const {
    const auto found = taken_.find(name);
    return found == taken_.end() ? name : name + "'" + std::to_string(found->second);
}

void Scope::define(const std::string& name, const isl::pw_aff& index) {
    define(name, {index, {}}, "index " + name + " " + affine::to_string(index));
}

void Scope::declare(const std::string& name, ArrayInScope array) {
    ++taken_[name];
    hide(name);
    values_.erase(name);
    arrays_.insert_or_assign(name, std::move(array));
}

void Scope::declare(const std::string& name, ValueInScope value) {
    // The value is a family over this lane's name, which stays taken for as long as the value may be read.
    if (value.lane) { ++taken_[value.lane->substr(0, value.lane->find('\''))]; }
    hide(name);
    arrays_.erase(name);
    values_.insert_or_assign(name, std::move(value));
}

const Scope::Meaning& Scope::meaning(const std::string& name) const {
    const auto found = state_->variables.meanings.find(name);
    ENSURE(found != state_->variables.meanings.end(), "no index and no condition in scope: " + name);
    return found->second;
}

const ArrayInScope& Scope::array(const std::string& name) const {
    const auto found = arrays_.find(name);
    ENSURE(found != arrays_.end(), "no array in scope: " + name);
    return found->second;
}

const ValueInScope& Scope::value(const std::string& name) const {
    const auto found = values_.find(name);
    ENSURE(found != values_.end(), "no value in scope: " + name);
    return found->second;
}

bool Scope::has_array(const std::string& name) const { return arrays_.contains(name); }

bool Scope::has_value(const std::string& name) const { return values_.contains(name); }

isl::pw_aff Scope::constant(std::int64_t value) const { return affine::constant(ctx(), value); }

heap::Location Scope::location(const std::string& name, const std::vector<Expr>& indices) const {
    const ArrayInScope& array = this->array(name);
    std::string text = array.unique_name;
    for (const std::int64_t stride : array.strides) { text += " " + std::to_string(stride); }
    for (const Expr& expr : indices) { text += ", " + sched::print(expr); }
    return remembered(state_->locations, text, [&] {
        if (!array.strides.empty()) { return location(array, index(indices.at(0))); }
        std::vector<isl::pw_aff> coordinates;
        for (const Expr& expr : indices) { coordinates.push_back(index(expr)); }
        return heap::location(ctx(), array.unique_name, coordinates);
    });
}

heap::Location Scope::location(const ArrayInScope& array, const isl::pw_aff& linear) const {
    if (array.strides.empty()) { return heap::location(ctx(), array.unique_name, {linear}); }
    std::vector<isl::pw_aff> coordinates(array.strides.size(), linear);
    isl::pw_aff rest = linear;
    for (std::size_t d = array.strides.size(); d-- > 1;) {
        const affine::Division division = affine::divided(rest, array.strides[d], known());
        coordinates[d] = division.quotient;
        rest = division.remainder;
    }
    coordinates[0] = rest;
    return heap::location(ctx(), array.unique_name, coordinates);
}

std::optional<affine::Interval> Scope::range(const isl::pw_aff& index) const {
    const auto values = affine::range(index.intersect_params(known()));
    std::int64_t width = 0;
    const bool is_known = values && !__builtin_sub_overflow(values->high, values->low, &width) && width < most_values &&
                          values->high < std::numeric_limits<std::int64_t>::max();
    return is_known ? values : std::nullopt;
}

std::optional<std::int64_t> Scope::constant_of(const Expr& expr) const { return constant_in(index(expr), known()); }

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

// Euclidean quotient or remainder; by zero both are zero.
isl::pw_aff Scope::divided(IndexOp op, const isl::pw_aff& a, const isl::pw_aff& b, const Expr& expr) const {
    const auto by = [&](std::int64_t divisor) {
        if (divisor == 0) { return constant(0); }
        if (divisor == std::numeric_limits<std::int64_t>::min()) { not_affine("division of indices", expr); }
        const affine::Division division = affine::divided(a, std::abs(divisor), known());
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
    if (known().is_disjoint(a.gt_set(b))) { return a; }
    if (known().is_disjoint(b.gt_set(a))) { return b; }
    const isl::pw_aff difference = a.sub(b), opposite = difference.neg();
    for (const Known& part : state_->variables.parts) {
        if (part.condition) { continue; }
        if (are_alike(part.difference, difference)) { return b.add(part.value); }
        if (are_alike(part.difference, opposite)) { return a.add(part.value); }
    }
    return a.min(b);
}

isl::pw_aff Scope::chosen(const isl::set& condition, const isl::pw_aff& if_true, const isl::pw_aff& if_false) const {
    const isl::pw_aff choice =
        simplified(if_true.intersect_domain(condition).union_add(if_false.intersect_domain(condition.complement())));
    if (choice.isa_aff() || !if_true.isa_aff() || !if_false.isa_aff()) { return choice; }
    const isl::pw_aff difference = if_true.sub(if_false);
    for (const Known& part : state_->variables.parts) {
        const bool is_same = part.condition && are_alike(part.difference, difference) &&
                             affine::is_written_alike(*part.condition, condition);
        if (is_same) { return if_false.add(part.value); }
    }
    return choice;
}

std::optional<Scope::Known> Scope::part_of(const Expr& expr, const isl::pw_aff& value) const {
    if (const auto* n = std::get_if<LetIn>(&expr.node)) { return with(*n).part_of(*n->body, value); }
    if (const auto* n = std::get_if<Select>(&expr.node)) {
        const isl::pw_aff a = index(*n->if_true), b = index(*n->if_false);
        if (!a.isa_aff() || !b.isa_aff()) { return std::nullopt; }
        return Known{condition(*n->condition), a.sub(b), value.sub(b)};
    }
    const auto* n = std::get_if<IndexBinary>(&expr.node);
    if (n == nullptr) { return std::nullopt; }
    const isl::pw_aff a = index(*n->a), b = index(*n->b);
    switch (n->op) {
        case IndexOp::min:
            return a.isa_aff() && b.isa_aff() ? std::optional(Known{{}, a.sub(b), value.sub(b)}) : std::nullopt;
        case IndexOp::max:  // b - min(b - a, 0)
            return a.isa_aff() && b.isa_aff() ? std::optional(Known{{}, b.sub(a), b.sub(value)}) : std::nullopt;
        case IndexOp::add:
            if (b.isa_aff()) { return part_of(*n->a, value.sub(b)); }
            return a.isa_aff() ? part_of(*n->b, value.sub(a)) : std::nullopt;
        case IndexOp::sub:
            if (b.isa_aff()) { return part_of(*n->a, value.add(b)); }
            return a.isa_aff() ? part_of(*n->b, a.sub(value)) : std::nullopt;
        case IndexOp::mul:
        case IndexOp::div:
        case IndexOp::mod: return std::nullopt;
    }
    raise_internal_error(__FILE__, __LINE__, "no such index operator");
}

isl::pw_aff Scope::simplified(const isl::pw_aff& index) const {
    return index.isa_aff() ? index : affine::coalesced(affine::narrowed(index, known()));
}

isl::pw_aff Scope::index(const Expr& expr) const {
    if (const auto* n = std::get_if<Integer>(&expr.node)) { return constant(n->value); }
    if (const auto* n = std::get_if<Variable>(&expr.node)) {
        const auto& index = meaning(n->name).index;
        ENSURE(index, n->name + " is no index");
        return *index;
    }
    return remembered(state_->indices, sched::print(expr), [&] { return found_index(expr); });
}

isl::pw_aff Scope::simplified(const Expr& expr) const {
    return remembered(state_->simplified, sched::print(expr), [&] { return simplified(index(expr)); });
}

isl::pw_aff Scope::found_index(const Expr& expr) const {
    return std::visit(Overload{[&](const IndexBinary& n) {
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
                                   const isl::pw_aff if_true = index(*n.if_true);
                                   return chosen(condition(*n.condition), if_true, index(*n.if_false));
                               },
                               [&](const LetIn& n) { return with(n).index(*n.body); },
                               [&](const auto&) -> isl::pw_aff { not_affine("index that depends on data", expr); }},
                      expr.node);
}

isl::set Scope::condition(const Expr& expr) const {
    if (const auto* n = std::get_if<Truth>(&expr.node)) {
        return n->value ? affine::everywhere(ctx()) : affine::nowhere(ctx());
    }
    if (const auto* n = std::get_if<Variable>(&expr.node)) {
        const auto& condition = meaning(n->name).condition;
        ENSURE(condition, n->name + " is no condition");
        return *condition;
    }
    return remembered(state_->conditions, sched::print(expr), [&] { return found_condition(expr); });
}

isl::set Scope::found_condition(const Expr& expr) const {
    return std::visit(Overload{[&](const Comparison& n) {
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
                               // A guard stands where a bool is expected, and may be a mere condition.
                               [&](const Guard& n) { return condition(*n.condition); },
                               [&](const auto&) -> isl::set { not_affine("condition that depends on data", expr); }},
                      expr.node);
}

bool Scope::is_condition(const Expr& expr) const {
    return std::visit(
        Overload{[](const Truth&) { return true; }, [](const Comparison&) { return true; },
                 [](const And&) { return true; }, [](const Or&) { return true; }, [](const Not&) { return true; },
                 [&](const Variable& n) { return meaning(n.name).condition.has_value(); },
                 [&](const Select& n) { return is_condition(*n.if_true); },
                 [&](const LetIn& n) { return with(n).is_condition(*n.body); }, [](const auto&) { return false; }},
        expr.node);
}

void Scope::substitute(const std::string& name, const Expr& value) {
    const std::string change = "let " + name + " = " + sched::print(value);
    if (is_condition(value)) {
        define(name, {{}, condition(value)}, change);
    } else {
        define(name, {simplified(value), {}}, change);
    }
}

void Scope::define(const std::string& name, const Expr& value) {
    if (is_condition(value)) { return substitute(name, value); }
    const isl::pw_aff index = simplified(value);
    if (index.isa_aff()) { return substitute(name, value); }
    const Scope before = *this;
    const std::string parameter = declare_variable(name);
    apply("variable = " + sched::print(value), [&](Variables& variables) {
        const auto part = before.part_of(value, affine::parameter(ctx(), parameter));
        if (part) { variables.parts.push_back(*part); }
        const isl::set definition = index.bind(affine::identifier(ctx(), parameter));
        variables.lets.push_back({parameter, definition});
        variables.known = variables.known.intersect(definition.intersect(variables.known).unshifted_simple_hull());
    });
}

Scope Scope::with(const LetIn& let) const {
    Scope inner = *this;
    inner.substitute(let.name, *let.value);
    return inner;
}

}  // namespace haruspex::validator
