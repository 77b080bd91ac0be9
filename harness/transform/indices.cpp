#include "harness/transform/indices.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "generators/base/ensure.h"
#include "generators/base/overload.h"
#include "generators/sare/build.h"
#include "generators/sare/traverse.h"

namespace haruspex::transform {

using sare::Condition;
using sare::Index;
using sched::Expr;

namespace {

// A sum of atoms with their factors, in order of first occurrence.
struct Linear {
    std::vector<std::pair<Index, std::int64_t>> terms;
    std::int64_t constant = 0;
    bool is_beyond = false;  // a number in it, or its negation, leaves 64 bits: the sum is invalid

    void add(const Linear& other, std::int64_t factor) {
        is_beyond = is_beyond || other.is_beyond;
        for (const auto& [atom, f] : other.terms) {
            auto found = std::ranges::find_if(terms, [&](const auto& term) { return term.first == atom; });
            if (found == terms.end()) { found = terms.emplace(terms.end(), atom, 0); }
            add_product(found->second, f, factor);
        }
        add_product(constant, other.constant, factor);
    }
    void add_product(std::int64_t& sum, std::int64_t a, std::int64_t b) {
        std::int64_t product = 0;
        is_beyond = is_beyond || __builtin_mul_overflow(a, b, &product) || __builtin_add_overflow(sum, product, &sum) ||
                    sum == std::numeric_limits<std::int64_t>::min();
    }
    void drop_zeros() {
        std::erase_if(terms, [](const auto& term) { return term.second == 0; });
    }
};

Linear number(std::int64_t n) { return {{}, n, n == std::numeric_limits<std::int64_t>::min()}; }
Linear atom(Index index) { return {{{std::move(index), 1}}, 0}; }

Index rebuilt(const Linear& linear) {
    std::optional<Index> sum;
    for (const bool positive : {true, false}) {
        for (const auto& [a, f] : linear.terms) {
            if ((f > 0) != positive) { continue; }
            if (!sum) {
                sum = f * a;
            } else {
                sum = positive ? *sum + f * a : *sum - (-f) * a;
            }
        }
    }
    if (!sum) { return sare::constant(linear.constant); }
    return linear.constant < 0 ? *sum - sare::constant(-linear.constant) : *sum + sare::constant(linear.constant);
}

Condition simplified_condition(const Condition& condition);

Linear linear(const Index& index);

Linear extremum(const sare::IndexBinary& n) {
    Linear a = linear(*n.a);
    Linear b = linear(*n.b);
    Linear difference = a;
    difference.add(b, -1);
    difference.drop_zeros();
    const bool is_min = n.op == sare::IndexOp::min;
    if (difference.is_beyond) { return atom(is_min ? sare::min(*n.a, *n.b) : sare::max(*n.a, *n.b)); }
    if (difference.terms.empty()) { return (difference.constant <= 0) == is_min ? a : b; }
    return atom(is_min ? sare::min(rebuilt(a), rebuilt(b)) : sare::max(rebuilt(a), rebuilt(b)));
}

Linear linear(const Index& index) {
    Linear result = std::visit(Overload{[](const sare::IndexConstant& n) { return number(n.value); },
                                        [&](const sare::IndexVariable&) { return atom(index); },
                                        [](const sare::IndexBinary& n) {
                                            if (n.op == sare::IndexOp::min || n.op == sare::IndexOp::max) {
                                                return extremum(n);
                                            }
                                            Linear sum = linear(*n.a);
                                            sum.add(linear(*n.b), n.op == sare::IndexOp::add ? 1 : -1);
                                            return sum;
                                        },
                                        [](const sare::IndexScale& n) {
                                            Linear product;
                                            product.add(linear(*n.a), n.factor);
                                            return product;
                                        },
                                        [](const sare::IndexDiv& n) {
                                            const Index quotient = sare::floor_div(simplified(*n.a), n.divisor);
                                            const auto* c = std::get_if<sare::IndexConstant>(&quotient.node);
                                            return c != nullptr ? number(c->value) : atom(quotient);
                                        },
                                        [](const sare::IndexMod& n) {
                                            const Index rest = sare::floor_mod(simplified(*n.a), n.divisor);
                                            const auto* c = std::get_if<sare::IndexConstant>(&rest.node);
                                            return c != nullptr ? number(c->value) : atom(rest);
                                        },
                                        [](const sare::IndexSelect& n) {
                                            return atom(sare::select(simplified_condition(*n.condition),
                                                                     simplified(*n.if_true), simplified(*n.if_false)));
                                        }},
                               index.node);
    result.drop_zeros();
    return result;
}

Condition simplified_condition(const Condition& condition) {
    return std::visit(
        Overload{[&](const sare::Truth&) { return condition; },
                 [](const sare::Comparison& n) { return sare::compare(n.relation, simplified(n.a), simplified(n.b)); },
                 [](const sare::And& n) { return simplified_condition(*n.a) && simplified_condition(*n.b); },
                 [](const sare::Or& n) { return simplified_condition(*n.a) || simplified_condition(*n.b); },
                 [](const sare::Not& n) { return !simplified_condition(*n.a); }},
        condition.node);
}

std::optional<Index> binary_index(const sched::IndexBinary& n) {
    const auto a = to_index(*n.a);
    if (!a) { return std::nullopt; }
    const auto b = to_index(*n.b);
    if (!b) { return std::nullopt; }
    switch (n.op) {
        case sched::IndexOp::add: return *a + *b;
        case sched::IndexOp::sub: return *a - *b;
        case sched::IndexOp::min: return sare::min(*a, *b);
        case sched::IndexOp::max: return sare::max(*a, *b);
        case sched::IndexOp::mul:
            if (const auto y = constant_of(*b)) { return *y * *a; }
            if (const auto x = constant_of(*a)) { return *x * *b; }
            return std::nullopt;
        case sched::IndexOp::div:
        case sched::IndexOp::mod: {
            const auto y = constant_of(*b);
            if (!y || *y <= 0) { return std::nullopt; }
            return n.op == sched::IndexOp::div ? sare::floor_div(*a, *y) : sare::floor_mod(*a, *y);
        }
    }
    return std::nullopt;
}

}  // namespace

Index simplified(const Index& index) {
    const Linear found = linear(index);
    return found.is_beyond ? index : rebuilt(found);
}

std::optional<std::int64_t> constant_of(const Index& index) {
    const Linear found = linear(index);
    return found.terms.empty() && !found.is_beyond ? std::optional(found.constant) : std::nullopt;
}

std::optional<std::int64_t> coefficient(const Index& index, const std::string& variable) {
    const Linear found = linear(index);
    if (found.is_beyond) { return std::nullopt; }
    std::int64_t factor = 0;
    for (const auto& [a, f] : found.terms) {
        if (a == sare::variable(variable)) {
            factor = f;
        } else if (sare::free_variables(a).contains(variable)) {
            return std::nullopt;
        }
    }
    return factor;
}

Expr to_code(const Index& index) {
    const auto binary = [](sched::IndexOp op, Expr a, Expr b) {
        return Expr{sched::IndexBinary{op, std::move(a), std::move(b)}};
    };
    return std::visit(
        Overload{[](const sare::IndexConstant& n) { return Expr{sched::Integer{n.value}}; },
                 [](const sare::IndexVariable& n) { return Expr{sched::Variable{n.name}}; },
                 [&](const sare::IndexBinary& n) {
                     switch (n.op) {
                         case sare::IndexOp::add: return binary(sched::IndexOp::add, to_code(*n.a), to_code(*n.b));
                         case sare::IndexOp::sub: return binary(sched::IndexOp::sub, to_code(*n.a), to_code(*n.b));
                         case sare::IndexOp::min: return binary(sched::IndexOp::min, to_code(*n.a), to_code(*n.b));
                         case sare::IndexOp::max: return binary(sched::IndexOp::max, to_code(*n.a), to_code(*n.b));
                     }
                     raise_internal_error(__FILE__, __LINE__, "no such index operator");
                 },
                 [&](const sare::IndexScale& n) {
                     return binary(sched::IndexOp::mul, Expr{sched::Integer{n.factor}}, to_code(*n.a));
                 },
                 [&](const sare::IndexDiv& n) {
                     return binary(sched::IndexOp::div, to_code(*n.a), Expr{sched::Integer{n.divisor}});
                 },
                 [&](const sare::IndexMod& n) {
                     return binary(sched::IndexOp::mod, to_code(*n.a), Expr{sched::Integer{n.divisor}});
                 },
                 [](const sare::IndexSelect& n) {
                     return Expr{sched::Select{to_code(*n.condition), to_code(*n.if_true), to_code(*n.if_false)}};
                 }},
        index.node);
}

Expr to_code(const Condition& condition) {
    return std::visit(Overload{[](const sare::Truth& n) { return Expr{sched::Truth{n.value}}; },
                               [](const sare::Comparison& n) {
                                   return Expr{sched::Comparison{n.relation, to_code(n.a), to_code(n.b)}};
                               },
                               [](const sare::And& n) { return Expr{sched::And{to_code(*n.a), to_code(*n.b)}}; },
                               [](const sare::Or& n) { return Expr{sched::Or{to_code(*n.a), to_code(*n.b)}}; },
                               [](const sare::Not& n) { return Expr{sched::Not{to_code(*n.a)}}; }},
                      condition.node);
}

std::optional<Index> to_index(const Expr& expr) {
    if (const auto* n = std::get_if<sched::Integer>(&expr.node)) { return sare::constant(n->value); }
    if (const auto* n = std::get_if<sched::Variable>(&expr.node)) { return sare::variable(n->name); }
    if (const auto* n = std::get_if<sched::IndexBinary>(&expr.node)) { return binary_index(*n); }
    if (const auto* n = std::get_if<sched::Select>(&expr.node)) {
        const auto condition = to_condition(*n->condition);
        const auto a = to_index(*n->if_true);
        const auto b = to_index(*n->if_false);
        if (condition && a && b) { return sare::select(*condition, *a, *b); }
    }
    return std::nullopt;
}

std::optional<Condition> to_condition(const Expr& expr) {
    const auto both = [](const auto& n) -> std::optional<std::pair<Condition, Condition>> {
        auto a = to_condition(*n.a);
        auto b = to_condition(*n.b);
        if (!a || !b) { return std::nullopt; }
        return std::pair{std::move(*a), std::move(*b)};
    };
    if (const auto* n = std::get_if<sched::Truth>(&expr.node)) { return sare::truth(n->value); }
    if (const auto* n = std::get_if<sched::Guard>(&expr.node)) { return to_condition(*n->condition); }
    if (const auto* n = std::get_if<sched::Comparison>(&expr.node)) {
        const auto a = to_index(*n->a);
        const auto b = to_index(*n->b);
        return a && b ? std::optional(sare::compare(n->relation, *a, *b)) : std::nullopt;
    }
    if (const auto* n = std::get_if<sched::And>(&expr.node)) {
        const auto parts = both(*n);
        return parts ? std::optional(parts->first && parts->second) : std::nullopt;
    }
    if (const auto* n = std::get_if<sched::Or>(&expr.node)) {
        const auto parts = both(*n);
        return parts ? std::optional(parts->first || parts->second) : std::nullopt;
    }
    if (const auto* n = std::get_if<sched::Not>(&expr.node)) {
        const auto a = to_condition(*n->a);
        return a ? std::optional(!*a) : std::nullopt;
    }
    return std::nullopt;
}

Expr tidied(Expr expr) {
    if (std::holds_alternative<sched::IndexBinary>(expr.node)) {
        if (const auto index = to_index(expr)) { return to_code(simplified(*index)); }
    }
    sched::for_each_part(expr, [](Expr& part) { part = tidied(std::move(part)); });
    return expr;
}

void tidy(sched::Stmt& stmt) {
    sched::for_each_part(stmt, [](Expr& part) { part = tidied(std::move(part)); });
}

void substitute(sched::Block& block, const sched::Substitution& replacements) {
    sched::for_each_statement(block, [&](sched::Stmt& stmt) {
        sched::for_each_part(stmt,
                             [&](Expr& part) { part = tidied(sched::substitute(std::move(part), replacements)); });
    });
}

}  // namespace haruspex::transform
