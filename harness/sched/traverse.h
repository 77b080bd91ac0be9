#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <variant>

#include "generators/base/overload.h"
#include "harness/sched/syntax.h"

// Walks over expressions and statements.
namespace haruspex::sched {

// Visits the direct parts of an expression, in textual order.
template <typename Visit>
void for_each_part(const Expr& expr, Visit&& visit) {
    const auto both = [&](const auto& n) {
        visit(*n.a);
        visit(*n.b);
    };
    const auto maybe = [&](const std::optional<Box<Expr>>& part) {
        if (part) { visit(**part); }
    };
    std::visit(Overload{[](const Integer&) {},
                        [](const Truth&) {},
                        [](const Variable&) {},
                        [&](const IndexBinary& n) { both(n); },
                        [&](const Comparison& n) { both(n); },
                        [&](const And& n) { both(n); },
                        [&](const Or& n) { both(n); },
                        [&](const Not& n) { visit(*n.a); },
                        [&](const IntegerOf& n) { visit(*n.a); },
                        [](const Literal&) {},
                        [&](const Embed& n) { visit(*n.index); },
                        [&](const Guard& n) { visit(*n.condition); },
                        [&](const ValueVariable& n) { maybe(n.lane); },
                        [&](const Load& n) {
                            for (const Expr& index : n.indices) { visit(index); }
                            maybe(n.guard);
                        },
                        [&](const TensorAccess& n) {
                            for (const Expr& index : n.indices) { visit(index); }
                        },
                        [&](const Unary& n) { visit(*n.a); },
                        [&](const Binary& n) { both(n); },
                        [&](const Cast& n) { visit(*n.a); },
                        [&](const Select& n) {
                            visit(*n.condition);
                            visit(*n.if_true);
                            visit(*n.if_false);
                        },
                        [&](const LaneReduce& n) { visit(*n.body); },
                        [&](const LetIn& n) {
                            visit(*n.value);
                            visit(*n.body);
                        },
                        [&](const LetValueIn& n) {
                            visit(*n.value);
                            visit(*n.body);
                        }},
               expr.node);
}
// The same, for modifying the parts.
template <typename Visit>
void for_each_part(Expr& expr, Visit&& visit) {
    for_each_part(std::as_const(expr), [&](const Expr& part) { visit(const_cast<Expr&>(part)); });
}

// Visits the expression and all its subexpressions, parents first.
template <typename Visit>
void for_each_expr(const Expr& expr, Visit&& visit) {
    visit(expr);
    for_each_part(expr, [&](const Expr& part) { for_each_expr(part, visit); });
}

// Visits the expressions of a statement in textual order, prophecies included, but not those of statements inside its
// blocks.
template <typename Visit>
void for_each_part(const Stmt& stmt, Visit&& visit) {
    const auto maybe = [&](const std::optional<Expr>& part) {
        if (part) { visit(*part); }
    };
    std::visit(Overload{[&](const Let& s) { visit(s.value); }, [&](const LetValue& s) { visit(s.value); },
                        [&](const Allocate& s) {
                            for (const Dimension& d : s.dimensions) {
                                visit(d.extent);
                                visit(d.min);
                                maybe(d.stride);
                            }
                            maybe(s.condition);
                        },
                        [](const Free&) {},
                        [&](const Assign& s) {
                            maybe(s.condition);
                            for (const Write& w : s.writes) {
                                for (const Expr& index : w.indices) { visit(index); }
                                maybe(w.prophecy);
                                if (w.accumulation) {
                                    for (const Expr& index : w.accumulation->reduced) { visit(index); }
                                }
                                visit(w.value);
                            }
                        },
                        [&](const If& s) { visit(s.condition); },
                        [&](const For& s) {
                            visit(s.min);
                            visit(s.extent);
                        },
                        [&](const Assert& s) { visit(s.condition); }, [](const Atomic&) {}, [](const Accumulate&) {},
                        [&](const Semaphore& s) { visit(s.units); }, [&](const Acquire& s) { visit(s.units); },
                        [&](const Release& s) { visit(s.units); }, [](const Fork&) {}},
               stmt.node);
}
template <typename Visit>
void for_each_part(Stmt& stmt, Visit&& visit) {
    for_each_part(std::as_const(stmt), [&](const Expr& part) { visit(const_cast<Expr&>(part)); });
}

// Visits the blocks of a statement, in textual order.
template <typename Visit>
void for_each_block(const Stmt& stmt, Visit&& visit) {
    std::visit(Overload{[](const Let&) {}, [](const LetValue&) {}, [](const Allocate&) {}, [](const Free&) {},
                        [](const Assign&) {}, [](const Assert&) {},
                        [&](const If& s) {
                            visit(s.then);
                            visit(s.otherwise);
                        },
                        [&](const For& s) { visit(s.body); }, [&](const Atomic& s) { visit(s.body); },
                        [&](const Accumulate& s) { visit(s.body); }, [](const Semaphore&) {}, [](const Acquire&) {},
                        [](const Release&) {},
                        [&](const Fork& s) {
                            visit(s.first);
                            visit(s.second);
                        }},
               stmt.node);
}
template <typename Visit>
void for_each_block(Stmt& stmt, Visit&& visit) {
    for_each_block(std::as_const(stmt), [&](const Block& block) { visit(const_cast<Block&>(block)); });
}

// Visits all statements of a block, and the statements inside these, in textual order.
template <typename Visit>
void for_each_statement(const Block& block, Visit&& visit) {
    for (const Stmt& stmt : block) {
        visit(stmt);
        for_each_block(stmt, [&](const Block& inner) { for_each_statement(inner, visit); });
    }
}
template <typename Visit>
void for_each_statement(Block& block, Visit&& visit) {
    for (Stmt& stmt : block) {
        visit(stmt);
        for_each_block(stmt, [&](Block& inner) { for_each_statement(inner, visit); });
    }
}

// Returns the number of nodes on the longest path from the root: an integer has depth 1.
int depth(const Expr& expr);

// Returns the variables, value-lets and arrays that occur free. Tensors do not count.
std::set<std::string> free_names(const Expr& expr);
// Returns the arrays that the expression reads.
std::set<std::string> arrays_read(const Expr& expr);

// Whether the statement may stand in the head of a program: it is a let or an assertion, and reads no memory. If such a
// statement fails in the head, it fails before the program has any effect.
bool is_of_head(const Stmt& statement);

// Replaces all free occurrences of the variables at once. Value-lets and arrays are not replaced. A binder that would
// capture a name in a replacement is renamed.
using Substitution = std::map<std::string, Expr>;
Expr substitute(Expr expr, const Substitution& replacements);

// Returns the program without the prophecies of its writes.
Program erase_prophecies(Program program);

}  // namespace haruspex::sched
