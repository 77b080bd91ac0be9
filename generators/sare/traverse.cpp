#include "generators/sare/traverse.h"

#include <algorithm>

#include "generators/base/overload.h"

namespace haruspex::sare {

namespace {

using Names = std::set<std::string>;

void collect(const Index& index, Names& names);

void collect(const Condition& condition, Names& names) {
    std::visit(Overload{[](const Truth&) {},
                        [&](const Comparison& c) {
                            collect(c.a, names);
                            collect(c.b, names);
                        },
                        [&](const And& n) {
                            collect(*n.a, names);
                            collect(*n.b, names);
                        },
                        [&](const Or& n) {
                            collect(*n.a, names);
                            collect(*n.b, names);
                        },
                        [&](const Not& n) { collect(*n.a, names); }},
               condition.node);
}

void collect(const Index& index, Names& names) {
    std::visit(
        Overload{[](const IndexConstant&) {}, [&](const IndexVariable& n) { names.insert(n.name); },
                 [&](const IndexBinary& n) {
                     collect(*n.a, names);
                     collect(*n.b, names);
                 },
                 [&](const IndexScale& n) { collect(*n.a, names); }, [&](const IndexDiv& n) { collect(*n.a, names); },
                 [&](const IndexMod& n) { collect(*n.a, names); },
                 [&](const IndexSelect& n) {
                     collect(*n.condition, names);
                     collect(*n.if_true, names);
                     collect(*n.if_false, names);
                 }},
        index.node);
}

void collect(const Expr& expr, Names& names) {
    std::visit(Overload{[](const Literal&) {}, [&](const Embed& n) { collect(n.index, names); },
                        [&](const Guard& n) { collect(n.condition, names); },
                        [&](const Access& n) {
                            for (const Index& index : n.indices) { collect(index, names); }
                        },
                        [&](const Unary& n) { collect(*n.a, names); },
                        [&](const Binary& n) {
                            collect(*n.a, names);
                            collect(*n.b, names);
                        },
                        [&](const Select& n) {
                            collect(*n.condition, names);
                            collect(*n.if_true, names);
                            collect(*n.if_false, names);
                        },
                        [&](const Cast& n) { collect(*n.a, names); },
                        [&](const Reduce& n) {
                            Names inside;
                            collect(n.domain, inside);
                            collect(*n.body, inside);
                            for (const std::string& bound : n.variables) { inside.erase(bound); }
                            names.merge(inside);
                        }},
               expr.node);
}

// Calls access and reduce (either may be null) at the nodes of their kind, parents first.
struct Walker {
    const AccessVisitor* access;
    const ReduceVisitor* reduce;
    std::vector<const Reduce*> around = {};

    void walk(const Expr& expr) {
        std::visit(Overload{[](const Literal&) {}, [](const Embed&) {}, [](const Guard&) {},
                            [&](const Access& n) {
                                if (access != nullptr) { (*access)(n, around); }
                            },
                            [&](const Unary& n) { walk(*n.a); },
                            [&](const Binary& n) {
                                walk(*n.a);
                                walk(*n.b);
                            },
                            [&](const Select& n) {
                                walk(*n.condition);
                                walk(*n.if_true);
                                walk(*n.if_false);
                            },
                            [&](const Cast& n) { walk(*n.a); },
                            [&](const Reduce& n) {
                                if (reduce != nullptr) { (*reduce)(n, around); }
                                around.push_back(&n);
                                walk(*n.body);
                                around.pop_back();
                            }},
                   expr.node);
    }
};

void collect_operands(const Expr& expr, value::BinaryOp op, std::vector<const Expr*>& operands) {
    const auto* binary = std::get_if<Binary>(&expr.node);
    if (binary == nullptr || binary->op != op) {
        operands.push_back(&expr);
        return;
    }
    collect_operands(*binary->a, op, operands);
    collect_operands(*binary->b, op, operands);
}

}  // namespace

std::set<std::string> free_variables(const Index& index) {
    Names names;
    collect(index, names);
    return names;
}

std::set<std::string> free_variables(const Condition& condition) {
    Names names;
    collect(condition, names);
    return names;
}

std::set<std::string> free_variables(const Expr& expr) {
    Names names;
    collect(expr, names);
    return names;
}

void for_each_access(const Expr& expr, const AccessVisitor& visit) { Walker{&visit, nullptr}.walk(expr); }

void for_each_reduction(const Expr& expr, const ReduceVisitor& visit) { Walker{nullptr, &visit}.walk(expr); }

Expr map_operands(const Expr& expr, const std::function<Expr(const Expr&)>& replace) {
    const auto map = [&](const Box<Expr>& e) { return Box<Expr>(replace(*e)); };
    // Braces evaluate left to right.
    return std::visit(
        Overload{[](const Literal& n) { return Expr{n}; }, [](const Embed& n) { return Expr{n}; },
                 [](const Guard& n) { return Expr{n}; }, [](const Access& n) { return Expr{n}; },
                 [&](const Unary& n) { return Expr{Unary{n.op, map(n.a)}}; },
                 [&](const Binary& n) { return Expr{Binary{n.op, map(n.a), map(n.b)}}; },
                 [&](const Select& n) { return Expr{Select{map(n.condition), map(n.if_true), map(n.if_false)}}; },
                 [&](const Cast& n) { return Expr{Cast{n.type, map(n.a)}}; },
                 [&](const Reduce& n) { return Expr{Reduce{n.op, n.variables, n.domain, map(n.body)}}; }},
        expr.node);
}

Expr map_accesses(const Expr& expr, const std::function<Access(const Access&)>& replace) {
    if (const auto* access = std::get_if<Access>(&expr.node)) { return Expr{replace(*access)}; }
    return map_operands(expr, [&](const Expr& e) { return map_accesses(e, replace); });
}

std::vector<const Expr*> operands_of(const Expr& expr, value::BinaryOp op) {
    std::vector<const Expr*> operands;
    collect_operands(expr, op, operands);
    return operands;
}

int depth(const Index& index) {
    return 1 + std::visit(Overload{[](const IndexConstant&) { return 0; }, [](const IndexVariable&) { return 0; },
                                   [](const IndexBinary& n) { return std::max(depth(*n.a), depth(*n.b)); },
                                   [](const IndexScale& n) { return depth(*n.a); },
                                   [](const IndexDiv& n) { return depth(*n.a); },
                                   [](const IndexMod& n) { return depth(*n.a); },
                                   [](const IndexSelect& n) {
                                       return std::max({depth(*n.condition), depth(*n.if_true), depth(*n.if_false)});
                                   }},
                          index.node);
}

int depth(const Condition& condition) {
    return 1 + std::visit(Overload{[](const Truth&) { return 0; },
                                   [](const Comparison& n) { return std::max(depth(n.a), depth(n.b)); },
                                   [](const And& n) { return std::max(depth(*n.a), depth(*n.b)); },
                                   [](const Or& n) { return std::max(depth(*n.a), depth(*n.b)); },
                                   [](const Not& n) { return depth(*n.a); }},
                          condition.node);
}

int depth(const Expr& expr) {
    return 1 + std::visit(Overload{[](const Literal&) { return 0; }, [](const Embed& n) { return depth(n.index); },
                                   [](const Guard& n) { return depth(n.condition); },
                                   [](const Access& n) {
                                       int deepest = 0;
                                       for (const Index& index : n.indices) {
                                           deepest = std::max(deepest, depth(index));
                                       }
                                       return deepest;
                                   },
                                   [](const Unary& n) { return depth(*n.a); },
                                   [](const Binary& n) { return std::max(depth(*n.a), depth(*n.b)); },
                                   [](const Select& n) {
                                       return std::max({depth(*n.condition), depth(*n.if_true), depth(*n.if_false)});
                                   },
                                   [](const Cast& n) { return depth(*n.a); },
                                   [](const Reduce& n) { return std::max(depth(n.domain), depth(*n.body)); }},
                          expr.node);
}

}  // namespace haruspex::sare
