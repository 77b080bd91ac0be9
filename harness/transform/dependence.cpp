#include "harness/transform/dependence.h"

#include <algorithm>

#include "generators/base/overload.h"
#include "generators/sare/names.h"
#include "harness/sched/traverse.h"
#include "harness/transform/indices.h"

namespace haruspex::transform {

using namespace haruspex::sched;

namespace {

// The operands of a chain of one operator, left to right.
void operands_of(const Expr& expr, value::BinaryOp op, std::vector<const Expr*>& operands) {
    const auto* binary = std::get_if<Binary>(&expr.node);
    if (binary == nullptr || binary->op != op) {
        operands.push_back(&expr);
        return;
    }
    operands_of(*binary->a, op, operands);
    operands_of(*binary->b, op, operands);
}

}  // namespace

const TensorAccess* prophesied_by(const Write& write) {
    if (!write.prophecy) { return nullptr; }
    const auto* lanes = std::get_if<LaneReduce>(&write.prophecy->node);
    return std::get_if<TensorAccess>(lanes == nullptr ? &write.prophecy->node : &lanes->body->node);
}

std::optional<Accumulated> accumulated_by(const Write& write) {
    const TensorAccess* prophecy = prophesied_by(write);
    const auto* binary = std::get_if<Binary>(&write.value.node);
    if (prophecy == nullptr || binary == nullptr) { return std::nullopt; }
    const Expr own{Load{write.array, write.indices, std::nullopt}};
    std::size_t reads = 0;
    for_each_expr(write.value, [&](const Expr& part) {
        const auto* load = std::get_if<Load>(&part.node);
        reads += load != nullptr && load->array == write.array ? 1 : 0;
    });
    if (reads != 1) { return std::nullopt; }
    Accumulated result{prophecy->tensor, prophecy->component, binary->op};
    if (binary->op == value::BinaryOp::sub) {
        result.op = value::BinaryOp::add;
        return *binary->a == own ? std::optional(result) : std::nullopt;
    }
    std::vector<const Expr*> operands;
    operands_of(write.value, binary->op, operands);
    const bool has_own = std::ranges::any_of(operands, [&](const Expr* operand) { return *operand == own; });
    return has_own ? std::optional(result) : std::nullopt;
}

bool allows_any_order(const Accumulated& accumulated, const Workshop& workshop) {
    for (const sare::Function& f : workshop.algorithm.functions) {
        for (std::size_t s = 1; s <= f.updates.size(); ++s) {
            if (sare::stage_name(f.name, s) != accumulated.stage) { continue; }
            const auto component = static_cast<std::size_t>(accumulated.component);
            return component < f.types.size() && value::is_associative(accumulated.op, f.types[component], false);
        }
    }
    return false;
}

namespace {

class Collector {
public:
    // Returns false if an access is not affine.
    bool collect(const Block& block, Around around, std::vector<sare::Index> time) {
        for (std::size_t i = 0; i < block.size(); ++i) {
            std::vector<sare::Index> now = time;
            now.push_back(sare::constant(static_cast<std::int64_t>(i)));
            if (!collect(block[i], around, std::move(now))) { return false; }
            if (const auto* let = std::get_if<Let>(&block[i].node)) {
                const auto value = around.index(let->value);
                if (!value) { return false; }
                around.lets[let->name] = *value;
            }
        }
        return true;
    }

    bool collect(const Stmt& stmt, const Around& around, std::vector<sare::Index> time) {
        return std::visit(Overload{[](const Let&) { return true; },
                                   [&](const LetValue& s) { return !s.lanes && reads(s.value, around, time); },
                                   [](const Allocate&) { return true; }, [](const Free&) { return true; },
                                   [&](const Assign& s) { return assign(s, around, time); },
                                   [&](const If& s) {
                                       const auto condition = around.condition(s.condition);
                                       if (!condition) { return false; }
                                       Around then = around, otherwise = around;
                                       then.known = around.known && *condition;
                                       otherwise.known = around.known && !*condition;
                                       return collect(s.then, then, with(time, 0)) &&
                                              collect(s.otherwise, otherwise, with(time, 1));
                                   },
                                   [&](const For& s) {
                                       if (!around.index(s.min) || !around.index(s.extent)) { return false; }
                                       variables_.push_back(s.variable);
                                       std::vector<sare::Index> now = time;
                                       now.push_back(sare::variable(s.variable));
                                       const bool affine = collect(s.body, inside(around, s), std::move(now));
                                       variables_.pop_back();
                                       return affine;
                                   },
                                   [&](const Assert&) { return true; },
                                   [&](const Atomic& s) { return collect(s.body, around, time); },
                                   [&](const Accumulate& s) { return collect(s.body, around, time); },
                                   // Statements that run concurrently have no time.
                                   [](const Semaphore&) { return false; }, [](const Acquire&) { return false; },
                                   [](const Release&) { return false; }, [](const Fork&) { return false; }},
                          stmt.node);
    }

    std::vector<Touch> take() { return std::move(found_); }

private:
    static std::vector<sare::Index> with(std::vector<sare::Index> time, std::int64_t last) {
        time.push_back(sare::constant(last));
        return time;
    }

    bool assign(const Assign& s, Around around, const std::vector<sare::Index>& time) {
        if (s.lanes) { enter(*s.lanes, around); }
        if (s.condition) {
            const auto condition = around.condition(*s.condition);
            if (!condition) { return false; }
            around.known = around.known && *condition;
        }
        bool affine = true;
        for (const Write& write : s.writes) {
            const auto accumulated = accumulated_by(write);
            const std::size_t before = found_.size();
            affine = affine && !write.accumulation && touch(write.array, write.indices, true, around, with(time, 1)) &&
                     reads(write.value, around, time);
            for (std::size_t i = before; i < found_.size(); ++i) {
                if (found_[i].array == write.array) { found_[i].accumulated = accumulated; }
            }
        }
        if (s.lanes) { variables_.pop_back(); }
        return affine;
    }

    void enter(const Lanes& lanes, Around& around) {
        variables_.push_back(lanes.variable);
        const sare::Index lane = sare::variable(lanes.variable);
        around.known = around.known && sare::compare(sare::Relation::le, sare::constant(0), lane) &&
                       sare::compare(sare::Relation::lt, lane, sare::constant(lanes.count));
    }

    bool reads(const Expr& expr, const Around& around, const std::vector<sare::Index>& time) {
        if (std::holds_alternative<LetIn>(expr.node) || std::holds_alternative<LetValueIn>(expr.node)) { return false; }
        if (const auto* reduce = std::get_if<LaneReduce>(&expr.node)) {
            Around within = around;
            enter(reduce->lanes, within);
            const bool affine = reads(*reduce->body, within, time);
            variables_.pop_back();
            return affine;
        }
        bool affine = true;
        if (const auto* load = std::get_if<Load>(&expr.node)) {
            affine = !load->guard && touch(load->array, load->indices, false, around, with(time, 0));
        }
        for_each_part(expr, [&](const Expr& part) { affine = affine && reads(part, around, time); });
        return affine;
    }

    bool touch(const std::string& array, const std::vector<Expr>& indices, bool writes, const Around& around,
               std::vector<sare::Index> time) {
        Touch found{array, writes, variables_, around.known, {}, std::move(time)};
        for (const Expr& index : indices) {
            const auto i = around.index(index);
            if (!i) { return false; }
            found.cell.push_back(*i);
        }
        found_.push_back(std::move(found));
        return true;
    }

    std::vector<std::string> variables_;
    std::vector<Touch> found_;
};

}  // namespace

std::optional<std::vector<Touch>> touches(const Block& block, const Around& around) {
    Collector collector;
    if (!collector.collect(block, around, {})) { return std::nullopt; }
    return collector.take();
}

std::optional<std::vector<Touch>> touches(const Stmt& stmt, const Around& around) {
    Collector collector;
    if (!collector.collect(stmt, around, {})) { return std::nullopt; }
    return collector.take();
}

sare::Index marked(const std::string& variable, const std::string& mark) { return sare::variable(variable + mark); }

Touch marked(const Touch& touch, const std::string& mark) {
    sare::Substitution by;
    Touch result = touch;
    for (std::string& v : result.variables) {
        by.emplace(v, marked(v, mark));
        v += mark;
    }
    result.domain = sare::substitute(touch.domain, by);
    for (sare::Index& index : result.cell) { index = sare::substitute(index, by); }
    for (sare::Index& index : result.time) { index = sare::substitute(index, by); }
    return result;
}

sare::Condition same_cell(const Touch& a, const Touch& b) {
    sare::Condition same = sare::truth(true);
    for (std::size_t d = 0; d < a.cell.size(); ++d) {
        same = same && sare::compare(sare::Relation::eq, a.cell[d], b.cell[d]);
    }
    return same;
}

sare::Condition earlier(const Touch& a, const Touch& b) {
    sare::Condition result = sare::truth(false);
    sare::Condition even = sare::truth(true);
    for (std::size_t i = 0; i < std::min(a.time.size(), b.time.size()); ++i) {
        result = result || (even && sare::compare(sare::Relation::lt, a.time[i], b.time[i]));
        even = even && sare::compare(sare::Relation::eq, a.time[i], b.time[i]);
    }
    return result;
}

bool conflict(const Workshop& workshop, const std::vector<Touch>& first, const std::vector<Touch>& second,
              const sare::Condition& when, const std::set<std::string>& local, Dependences dependences) {
    for (const Touch& a : first) {
        if (local.contains(a.array)) { continue; }
        for (const Touch& b : second) {
            if (a.array != b.array || (!a.writes && !b.writes)) { continue; }
            if (dependences == Dependences::without_order_of_reductions && a.accumulated &&
                a.accumulated == b.accumulated && allows_any_order(*a.accumulated, workshop)) {
                continue;
            }
            const Touch x = marked(a, "'");
            const Touch y = marked(b, "\"");
            if (workshop.possible(x.domain && y.domain && same_cell(x, y) && when)) { return true; }
        }
    }
    return false;
}

}  // namespace haruspex::transform
