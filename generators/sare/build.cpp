#include "generators/sare/build.h"

#include <algorithm>
#include <optional>
#include <set>

#include "generators/base/ensure.h"
#include "generators/base/overload.h"
#include "generators/sare/traverse.h"
#include "generators/sare/typing.h"

namespace haruspex::sare {

namespace {

std::optional<std::int64_t> known(const Index& index) {
    if (const auto* c = std::get_if<IndexConstant>(&index.node)) { return c->value; }
    return std::nullopt;
}

std::optional<bool> known(const Condition& condition) {
    if (const auto* t = std::get_if<Truth>(&condition.node)) { return t->value; }
    return std::nullopt;
}

std::optional<std::int64_t> exact_add(std::int64_t a, std::int64_t b) {
    std::int64_t r = 0;
    return __builtin_add_overflow(a, b, &r) ? std::nullopt : std::optional(r);
}

std::optional<std::int64_t> exact_sub(std::int64_t a, std::int64_t b) {
    std::int64_t r = 0;
    return __builtin_sub_overflow(a, b, &r) ? std::nullopt : std::optional(r);
}

std::optional<std::int64_t> exact_mul(std::int64_t a, std::int64_t b) {
    std::int64_t r = 0;
    return __builtin_mul_overflow(a, b, &r) ? std::nullopt : std::optional(r);
}

std::int64_t remainder_of(std::int64_t a, std::int64_t divisor) {
    const std::int64_t r = a % divisor;
    return r < 0 ? r + divisor : r;
}

std::int64_t quotient_of(std::int64_t a, std::int64_t divisor) { return a / divisor - (a % divisor < 0 ? 1 : 0); }

bool holds(Relation relation, std::int64_t a, std::int64_t b) {
    switch (relation) {
        case Relation::lt: return a < b;
        case Relation::le: return a <= b;
        case Relation::eq: return a == b;
        case Relation::ne: return a != b;
        case Relation::gt: return a > b;
        case Relation::ge: return a >= b;
    }
    raise_internal_error(__FILE__, __LINE__, "no such relation");
}

// An unused name: the base with the first number that makes it new.
std::string fresh(const std::string& base, const std::set<std::string>& taken) {
    for (int i = 1;; ++i) {
        std::string name = base + "_" + std::to_string(i);
        if (!taken.contains(name)) { return name; }
    }
}

// Substitutes below a reduction: its variables are not replaced, and are renamed where they would capture.
Expr substitute_reduce(const Reduce& n, const Substitution& by) {
    Substitution inside = by;
    for (const std::string& name : n.variables) { inside.erase(name); }
    std::set<std::string> taken;
    for (const auto& [name, index] : inside) {
        taken.insert(name);
        taken.merge(free_variables(index));
    }
    std::set<std::string> used = free_variables(n.domain);
    used.merge(free_variables(*n.body));
    std::vector<std::string> variables = n.variables;
    for (std::string& name : variables) {
        if (!taken.contains(name)) { continue; }
        std::set<std::string> avoid = taken;
        avoid.insert(used.begin(), used.end());
        avoid.insert(variables.begin(), variables.end());
        const std::string renamed = fresh(name, avoid);
        inside.emplace(name, variable(renamed));
        taken.insert(renamed);
        name = renamed;
    }
    return Expr{Reduce{n.op, variables, substitute(n.domain, inside), substitute(*n.body, inside)}};
}

}  // namespace

Index constant(std::int64_t value) { return Index{IndexConstant{value}}; }

Index variable(std::string name) { return Index{IndexVariable{std::move(name)}}; }
std::vector<Index> as_indices(const std::vector<std::string>& names) {
    std::vector<Index> indices;
    for (const std::string& name : names) { indices.push_back(variable(name)); }
    return indices;
}

Index operator+(const Index& a, const Index& b) {
    const auto x = known(a);
    const auto y = known(b);
    if (x && y) {
        if (const auto sum = exact_add(*x, *y)) { return constant(*sum); }
    }
    if (x == 0) { return b; }
    if (y == 0) { return a; }
    return Index{IndexBinary{IndexOp::add, a, b}};
}

Index operator-(const Index& a, const Index& b) {
    const auto x = known(a);
    const auto y = known(b);
    if (x && y) {
        if (const auto difference = exact_sub(*x, *y)) { return constant(*difference); }
    }
    if (y == 0) { return a; }
    return Index{IndexBinary{IndexOp::sub, a, b}};
}

Index operator*(std::int64_t factor, const Index& a) {
    if (const auto x = known(a)) {
        if (const auto product = exact_mul(factor, *x)) { return constant(*product); }
    }
    if (factor == 0) { return constant(0); }
    if (factor == 1) { return a; }
    return Index{IndexScale{factor, a}};
}

Index floor_div(const Index& a, std::int64_t divisor) {
    ENSURE(divisor > 0, "an index is divided by a positive integer");
    if (const auto x = known(a)) { return constant(quotient_of(*x, divisor)); }
    if (divisor == 1) { return a; }
    return Index{IndexDiv{a, divisor}};
}

Index floor_mod(const Index& a, std::int64_t divisor) {
    ENSURE(divisor > 0, "an index is divided by a positive integer");
    if (const auto x = known(a)) { return constant(remainder_of(*x, divisor)); }
    if (divisor == 1) { return constant(0); }
    return Index{IndexMod{a, divisor}};
}

Index min(const Index& a, const Index& b) {
    const auto x = known(a);
    const auto y = known(b);
    if (x && y) { return constant(std::min(*x, *y)); }
    return Index{IndexBinary{IndexOp::min, a, b}};
}

Index max(const Index& a, const Index& b) {
    const auto x = known(a);
    const auto y = known(b);
    if (x && y) { return constant(std::max(*x, *y)); }
    return Index{IndexBinary{IndexOp::max, a, b}};
}

Index select(const Condition& condition, const Index& if_true, const Index& if_false) {
    if (const auto c = known(condition)) { return *c ? if_true : if_false; }
    return Index{IndexSelect{condition, if_true, if_false}};
}

Condition truth(bool value) { return Condition{Truth{value}}; }

Condition compare(Relation relation, const Index& a, const Index& b) {
    const auto x = known(a);
    const auto y = known(b);
    if (x && y) { return truth(holds(relation, *x, *y)); }
    return Condition{Comparison{relation, a, b}};
}

Condition operator&&(const Condition& a, const Condition& b) {
    if (const auto x = known(a)) { return *x ? b : a; }
    if (const auto y = known(b)) { return *y ? a : b; }
    return Condition{And{a, b}};
}

Condition operator||(const Condition& a, const Condition& b) {
    if (const auto x = known(a)) { return *x ? a : b; }
    if (const auto y = known(b)) { return *y ? b : a; }
    return Condition{Or{a, b}};
}

Condition operator!(const Condition& a) {
    if (const auto x = known(a)) { return truth(!*x); }
    return Condition{Not{a}};
}

Index substitute(const Index& index, const Substitution& by) {
    const auto sub = [&](const Box<Index>& i) { return substitute(*i, by); };
    return std::visit(Overload{[&](const IndexConstant&) { return index; },
                               [&](const IndexVariable& n) {
                                   const auto found = by.find(n.name);
                                   return found == by.end() ? index : found->second;
                               },
                               [&](const IndexBinary& n) {
                                   switch (n.op) {
                                       case IndexOp::add: return sub(n.a) + sub(n.b);
                                       case IndexOp::sub: return sub(n.a) - sub(n.b);
                                       case IndexOp::min: return min(sub(n.a), sub(n.b));
                                       case IndexOp::max: return max(sub(n.a), sub(n.b));
                                   }
                                   raise_internal_error(__FILE__, __LINE__, "no such index operator");
                               },
                               [&](const IndexScale& n) { return n.factor * sub(n.a); },
                               [&](const IndexDiv& n) { return floor_div(sub(n.a), n.divisor); },
                               [&](const IndexMod& n) { return floor_mod(sub(n.a), n.divisor); },
                               [&](const IndexSelect& n) {
                                   return select(substitute(*n.condition, by), sub(n.if_true), sub(n.if_false));
                               }},
                      index.node);
}

Condition substitute(const Condition& condition, const Substitution& by) {
    return std::visit(
        Overload{[&](const Truth&) { return condition; },
                 [&](const Comparison& n) { return compare(n.relation, substitute(n.a, by), substitute(n.b, by)); },
                 [&](const And& n) { return substitute(*n.a, by) && substitute(*n.b, by); },
                 [&](const Or& n) { return substitute(*n.a, by) || substitute(*n.b, by); },
                 [&](const Not& n) { return !substitute(*n.a, by); }},
        condition.node);
}

Expr substitute(const Expr& expr, const Substitution& by) {
    const auto sub = [&](const Box<Expr>& e) { return Box<Expr>(substitute(*e, by)); };
    return std::visit(
        Overload{[&](const Literal&) { return expr; },
                 [&](const Embed& n) { return Expr{Embed{n.type, substitute(n.index, by)}}; },
                 [&](const Guard& n) { return Expr{Guard{substitute(n.condition, by)}}; },
                 [&](const Access& n) {
                     Access access{n.tensor, {}, n.component};
                     for (const Index& index : n.indices) { access.indices.push_back(substitute(index, by)); }
                     return Expr{std::move(access)};
                 },
                 [&](const Unary& n) { return Expr{Unary{n.op, sub(n.a)}}; },
                 [&](const Binary& n) { return Expr{Binary{n.op, sub(n.a), sub(n.b)}}; },
                 [&](const Select& n) { return Expr{Select{sub(n.condition), sub(n.if_true), sub(n.if_false)}}; },
                 [&](const Cast& n) { return Expr{Cast{n.type, sub(n.a)}}; },
                 [&](const Reduce& n) { return substitute_reduce(n, by); }},
        expr.node);
}

std::optional<std::int64_t> try_evaluate(const Index& index, const Environment& environment) {
    using Value = std::optional<std::int64_t>;
    const auto value = [&](const Box<Index>& i) { return try_evaluate(*i, environment); };
    return std::visit(Overload{[](const IndexConstant& n) -> Value { return n.value; },
                               [&](const IndexVariable& n) -> Value {
                                   const auto found = environment.find(n.name);
                                   ENSURE(found != environment.end(), "variable " + n.name + " has no value");
                                   return found->second;
                               },
                               [&](const IndexBinary& n) -> Value {
                                   const Value a = value(n.a);
                                   const Value b = value(n.b);
                                   if (!a || !b) { return std::nullopt; }
                                   switch (n.op) {
                                       case IndexOp::add: return exact_add(*a, *b);
                                       case IndexOp::sub: return exact_sub(*a, *b);
                                       case IndexOp::min: return std::min(*a, *b);
                                       case IndexOp::max: return std::max(*a, *b);
                                   }
                                   raise_internal_error(__FILE__, __LINE__, "no such index operator");
                               },
                               [&](const IndexScale& n) -> Value {
                                   const Value a = value(n.a);
                                   return a ? exact_mul(n.factor, *a) : a;
                               },
                               [&](const IndexDiv& n) -> Value {
                                   const Value a = value(n.a);
                                   return a ? Value(quotient_of(*a, n.divisor)) : a;
                               },
                               [&](const IndexMod& n) -> Value {
                                   const Value a = value(n.a);
                                   return a ? Value(remainder_of(*a, n.divisor)) : a;
                               },
                               [&](const IndexSelect& n) -> Value {
                                   const std::optional<bool> c = try_evaluate(*n.condition, environment);
                                   if (!c) { return std::nullopt; }
                                   return *c ? value(n.if_true) : value(n.if_false);
                               }},
                      index.node);
}

std::optional<bool> try_evaluate(const Condition& condition, const Environment& environment) {
    using Value = std::optional<bool>;
    return std::visit(Overload{[](const Truth& n) -> Value { return n.value; },
                               [&](const Comparison& n) -> Value {
                                   const auto a = try_evaluate(n.a, environment);
                                   const auto b = try_evaluate(n.b, environment);
                                   return a && b ? Value(holds(n.relation, *a, *b)) : std::nullopt;
                               },
                               [&](const And& n) -> Value {
                                   const Value a = try_evaluate(*n.a, environment);
                                   return a == true ? try_evaluate(*n.b, environment) : a;
                               },
                               [&](const Or& n) -> Value {
                                   const Value a = try_evaluate(*n.a, environment);
                                   return a == false ? try_evaluate(*n.b, environment) : a;
                               },
                               [&](const Not& n) -> Value {
                                   const Value a = try_evaluate(*n.a, environment);
                                   return a ? Value(!*a) : a;
                               }},
                      condition.node);
}

std::int64_t evaluate(const Index& index, const Environment& environment) {
    const auto value = try_evaluate(index, environment);
    ENSURE(value.has_value(), "an index exceeds 64 bits");
    return *value;
}

bool evaluate(const Condition& condition, const Environment& environment) {
    const auto value = try_evaluate(condition, environment);
    ENSURE(value.has_value(), "an index exceeds 64 bits");
    return *value;
}

value::Type type_of(const Expr& expr, const TensorTypes& types) {
    const auto type = [&](const Box<Expr>& e) { return type_of(*e, types); };
    const auto checked = [](Typed typed) {
        ENSURE(typed.has_value(), "ill-typed expression: " + typed.error());
        return *typed;
    };
    return std::visit(Overload{[](const Literal& n) { return n.value.type(); }, [](const Embed& n) { return n.type; },
                               [](const Guard&) { return value::Type::boolean; },
                               [&](const Access& n) {
                                   const auto found = types.find(n.tensor);
                                   ENSURE(found != types.end(), "no tensor " + n.tensor);
                                   return checked(type_component(n.tensor, found->second, n.component));
                               },
                               [&](const Unary& n) { return checked(type_unary(n.op, type(n.a))); },
                               [&](const Binary& n) { return checked(type_binary(n.op, type(n.a), type(n.b))); },
                               [&](const Select& n) {
                                   return checked(type_select(type(n.condition), type(n.if_true), type(n.if_false)));
                               },
                               [](const Cast& n) { return n.type; },
                               [&](const Reduce& n) { return checked(type_reduce(n.op, type(n.body))); }},
                      expr.node);
}

TensorTypes tensor_types(const Sare& sare) {
    TensorTypes types;
    for (const Input& input : sare.inputs) { types[input.name] = {input.type}; }
    for (const Tensor& tensor : sare.tensors) { types[tensor.name] = tensor.types; }
    return types;
}

}  // namespace haruspex::sare
