#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>

#include "generators/base/overload.h"
#include "generators/base/sizes.h"
#include "harness/sched/syntax.h"
#include "harness/sched/traverse.h"

namespace haruspex::test {

// Computes only the indices of a program, and records the least and the greatest integer computed. Data is unknown:
// both branches of a condition on data are taken, and an index that depends on data is not recorded.
class IndexMachine {
public:
    explicit IndexMachine(Sizes parameters) : variables_(std::move(parameters)) {}

    // Returns false if an assertion about indices fails, which ends the program.
    bool run(const sched::Block& block) {
        return std::ranges::all_of(block, [&](const sched::Stmt& statement) { return run(statement); });
    }
    std::int64_t least() const { return least_; }
    std::int64_t greatest() const { return greatest_; }

private:
    struct Number {
        bool is_known = false;
        std::int64_t value = 0;  // 1 for a condition that holds
    };

    Number note(std::int64_t value) {
        least_ = std::min(least_, value);
        greatest_ = std::max(greatest_, value);
        return {true, value};
    }

    static std::int64_t floor_mod(std::int64_t a, std::int64_t b) {
        if (b == 0) { return 0; }
        const std::int64_t rest = a % b;
        return rest < 0 ? rest + (b < 0 ? -b : b) : rest;
    }

    static std::int64_t apply(sched::IndexOp op, std::int64_t a, std::int64_t b) {
        switch (op) {
            case sched::IndexOp::add: return a + b;
            case sched::IndexOp::sub: return a - b;
            case sched::IndexOp::mul: return a * b;
            case sched::IndexOp::div: return b == 0 ? 0 : (a - floor_mod(a, b)) / b;
            case sched::IndexOp::mod: return floor_mod(a, b);
            case sched::IndexOp::min: return std::min(a, b);
            case sched::IndexOp::max: return std::max(a, b);
        }
        return 0;
    }

    static bool holds(sare::Relation relation, std::int64_t a, std::int64_t b) {
        switch (relation) {
            case sare::Relation::lt: return a < b;
            case sare::Relation::le: return a <= b;
            case sare::Relation::eq: return a == b;
            case sare::Relation::ne: return a != b;
            case sare::Relation::gt: return a > b;
            case sare::Relation::ge: return a >= b;
        }
        return false;
    }

    Number look(const sched::Expr& expr) {
        return std::visit(
            Overload{[&](const sched::Integer& n) { return note(n.value); },
                     [&](const sched::Truth& n) { return Number{true, n.value ? 1 : 0}; },
                     [&](const sched::Variable& n) {
                         const auto found = variables_.find(n.name);
                         return found == variables_.end() ? Number{} : note(found->second);
                     },
                     [&](const sched::IndexBinary& n) {
                         const Number a = look(*n.a), b = look(*n.b);
                         return a.is_known && b.is_known ? note(apply(n.op, a.value, b.value)) : Number{};
                     },
                     [&](const sched::Comparison& n) {
                         const Number a = look(*n.a), b = look(*n.b);
                         return a.is_known && b.is_known ? Number{true, holds(n.relation, a.value, b.value) ? 1 : 0}
                                                         : Number{};
                     },
                     [&](const sched::And& n) {
                         const Number a = look(*n.a), b = look(*n.b);
                         return a.is_known && b.is_known ? Number{true, a.value * b.value} : Number{};
                     },
                     [&](const sched::Or& n) {
                         const Number a = look(*n.a), b = look(*n.b);
                         return a.is_known && b.is_known ? Number{true, std::max(a.value, b.value)} : Number{};
                     },
                     [&](const sched::Not& n) {
                         const Number a = look(*n.a);
                         return a.is_known ? Number{true, 1 - a.value} : Number{};
                     },
                     [&](const sched::Select& n) {
                         const Number condition = look(*n.condition), a = look(*n.if_true), b = look(*n.if_false);
                         return condition.is_known ? (condition.value != 0 ? a : b) : Number{};
                     },
                     [&](const sched::LetIn& n) {
                         bind(n.name, look(*n.value));
                         return look(*n.body);
                     },
                     [&](const sched::LaneReduce& n) {
                         over_lanes(n.lanes, [&] { look(*n.body); });
                         return Number{};
                     },
                     [&](const sched::LetValueIn& n) {
                         over_lanes(n.lanes, [&] { look(*n.value); });
                         return look(*n.body);
                     },
                     [&](const auto&) {
                         sched::for_each_part(expr, [&](const sched::Expr& part) { look(part); });
                         return Number{};
                     }},
            expr.node);
    }

    void bind(const std::string& name, Number number) {
        if (number.is_known) {
            variables_[name] = number.value;
        } else {
            variables_.erase(name);
        }
    }

    template <typename Work>
    void over_lanes(const std::optional<sched::Lanes>& lanes, Work work) {
        for (std::int64_t lane = 0; lane < (lanes ? lanes->count : 1); ++lane) {
            if (lanes) { bind(lanes->variable, note(lane)); }
            work();
        }
    }

    bool run(const sched::Stmt& statement) {
        bool goes_on = true;
        std::visit(Overload{[&](const sched::Let& s) { bind(s.name, look(s.value)); },
                            [&](const sched::LetValue& s) { over_lanes(s.lanes, [&] { look(s.value); }); },
                            [&](const sched::Allocate& s) {
                                Number cells = note(1);
                                for (const sched::Dimension& dimension : s.dimensions) {
                                    const Number extent = look(dimension.extent);
                                    look(dimension.min);
                                    cells =
                                        cells.is_known && extent.is_known ? note(cells.value * extent.value) : Number{};
                                }
                                if (s.condition) { look(*s.condition); }
                            },
                            [&](const sched::Assign& s) {
                                over_lanes(s.lanes, [&] {
                                    if (s.condition) { look(*s.condition); }
                                    for (const sched::Write& write : s.writes) {
                                        for (const sched::Expr& index : write.indices) { look(index); }
                                        look(write.value);
                                    }
                                });
                            },
                            [&](const sched::If& s) {
                                const Number condition = look(s.condition);
                                if (!condition.is_known || condition.value != 0) { goes_on = run(s.then); }
                                if (goes_on && (!condition.is_known || condition.value == 0)) {
                                    goes_on = run(s.otherwise);
                                }
                            },
                            [&](const sched::For& s) {
                                const Number min = look(s.min), extent = look(s.extent);
                                if (!min.is_known || !extent.is_known) { return; }
                                const Number end = note(min.value + extent.value);
                                for (std::int64_t i = min.value; i < end.value && goes_on; ++i) {
                                    bind(s.variable, note(i));
                                    goes_on = run(s.body);
                                }
                            },
                            [&](const sched::Assert& s) {
                                const Number condition = look(s.condition);
                                goes_on = !condition.is_known || condition.value != 0;
                            },
                            [&](const auto&) {
                                sched::for_each_part(statement, [&](const sched::Expr& part) { look(part); });
                                sched::for_each_block(
                                    statement, [&](const sched::Block& inner) { goes_on = goes_on && run(inner); });
                            }},
                   statement.node);
        return goes_on;
    }

    Sizes variables_;
    std::int64_t least_ = 0, greatest_ = 0;
};

}  // namespace haruspex::test
