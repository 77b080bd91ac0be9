#include "oracle/conversion/denoted.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "harness/sched/operators.h"
#include "harness/sched/traverse.h"
#include "harness/transform/indices.h"
#include "oracle/conversion/definitions.h"

namespace haruspex::conversion {
namespace {

using sched::Expr;
using sched::IndexOp;

Expr binary(IndexOp op, Expr a, Expr b) { return {sched::IndexBinary{op, std::move(a), std::move(b)}}; }

bool is_of_index_type(value::Type type, Denotable widest) {
    return type == value::Type::i32 || (type == value::Type::i64 && widest == Denotable::of_64_bits);
}

// --- The greatest of an index over lanes --------------------------------------------------------------------------

// How an index bends as a function of a variable; what does neither is linear.
struct Bend {
    bool up = false, down = false;  // not concave, not convex
    static Bend any() { return {true, true}; }
    Bend flipped() const { return {down, up}; }
    Bend with(Bend other) const { return {up || other.up, down || other.down}; }
};

// The expression has no lets.
Bend bend(const Expr& expr, const std::string& variable) {
    if (!sched::free_names(expr).contains(variable)) { return {}; }
    if (std::holds_alternative<sched::Variable>(expr.node)) { return {}; }
    const auto* n = std::get_if<sched::IndexBinary>(&expr.node);
    if (n == nullptr) { return Bend::any(); }
    const Bend a = bend(*n->a, variable), b = bend(*n->b, variable);
    const auto* factor = std::get_if<sched::Integer>(&n->a->node);
    switch (n->op) {
        case IndexOp::add: return a.with(b);
        case IndexOp::sub: return a.with(b.flipped());
        case IndexOp::mul:
            if (factor == nullptr) { factor = std::get_if<sched::Integer>(&n->b->node); }
            if (factor == nullptr) { return Bend::any(); }
            return factor->value >= 0 ? a.with(b) : a.with(b).flipped();
        case IndexOp::max: return a.with(b).with({true, false});
        case IndexOp::min: return a.with(b).with({false, true});
        default: return Bend::any();
    }
}

// Of what is convex the greatest is at one of the ends.
Expr extremum(IndexOp op, const sched::Lanes& lanes, const Expr& index) {
    const Expr body = without_lets(index);
    const Bend bends = bend(body, lanes.variable);
    const bool is_at_ends = op == IndexOp::max ? !bends.down : !bends.up;
    const std::int64_t step = is_at_ends ? std::max<std::int64_t>(lanes.count - 1, 1) : 1;
    std::optional<Expr> result;
    for (std::int64_t lane = 0; lane < lanes.count; lane += step) {
        Expr here = transform::tidied(sched::substitute(body, {{lanes.variable, Expr{sched::Integer{lane}}}}));
        result = result ? binary(op, std::move(*result), std::move(here)) : std::move(here);
    }
    return std::move(*result);
}

// --- Values as indices --------------------------------------------------------------------------------------------

std::optional<Expr> index_of(const Expr& value, Denotable widest) {
    if (const auto* literal = std::get_if<sched::Literal>(&value.node)) {
        if (!is_of_index_type(literal->value.type(), widest) || !literal->value.is_defined()) { return std::nullopt; }
        return Expr{sched::Integer{literal->value.as_signed()}};
    }
    if (const auto* embed = std::get_if<sched::Embed>(&value.node)) {
        return is_of_index_type(embed->type, widest) ? std::optional(*embed->index) : std::nullopt;
    }
    if (const auto* n = std::get_if<sched::Binary>(&value.node)) {
        const auto op = sched::index_operator(n->op);
        auto a = index_of(*n->a, widest), b = index_of(*n->b, widest);
        return op && a && b ? std::optional(binary(*op, std::move(*a), std::move(*b))) : std::nullopt;
    }
    if (const auto* n = std::get_if<sched::LaneReduce>(&value.node)) {
        const bool is_max = n->op == value::ReductionOp::max;
        const auto body = is_max || n->op == value::ReductionOp::min ? index_of(*n->body, widest) : std::nullopt;
        if (!body || n->lanes.count < 1) { return std::nullopt; }
        return extremum(is_max ? IndexOp::max : IndexOp::min, n->lanes, *body);
    }
    return std::nullopt;
}

// Indices by themselves: nothing in them is a value that reads memory.
std::optional<Expr> pure_index_of(const Expr& value, Denotable widest) {
    auto index = index_of(value, widest);
    if (!index) { return std::nullopt; }
    bool is_pure = sched::arrays_read(*index).empty();
    sched::for_each_expr(
        *index, [&](const Expr& e) { is_pure = is_pure && !std::holds_alternative<sched::ValueVariable>(e.node); });
    return is_pure ? std::move(index) : std::nullopt;
}

class Denoting {
public:
    explicit Denoting(Denotable widest) : widest_(widest) {}

    void block(sched::Block& statements) {
        const auto outside = indices_;
        for (sched::Stmt& statement : statements) {
            sched::for_each_part(statement, [&](Expr& part) { denote(part); });
            if (const auto* let = std::get_if<sched::LetValue>(&statement.node)) {
                indices_.erase(let->name);
                auto index = !let->lanes && is_of_index_type(let->type, widest_) ? pure_index_of(let->value, widest_)
                                                                                 : std::nullopt;
                if (index) {
                    indices_.emplace(let->name, let->type);
                    statement.node = sched::Let{std::string(let->name), std::move(*index)};
                }
            }
            sched::for_each_block(statement, [&](sched::Block& inner) { block(inner); });
        }
        indices_ = outside;
    }

private:
    void denote(Expr& expr) const {
        sched::for_each_part(expr, [&](Expr& part) { denote(part); });
        if (const auto* variable = std::get_if<sched::ValueVariable>(&expr.node)) {
            const auto index = indices_.find(variable->name);
            if (index == indices_.end()) { return; }
            expr = {sched::Embed{index->second, Expr{sched::Variable{index->first}}}};
        } else if (const auto* denoted = std::get_if<sched::Denoted>(&expr.node)) {
            if (auto index = pure_index_of(*denoted->a, widest_)) { expr = std::move(*index); }
        } else if (const auto* n = std::get_if<sched::Binary>(&expr.node)) {
            const auto relation = sched::relation(n->op);
            auto a = relation ? pure_index_of(*n->a, widest_) : std::nullopt,
                 b = relation ? pure_index_of(*n->b, widest_) : std::nullopt;
            if (!a || !b) { return; }
            expr = {sched::Guard{Expr{sched::Comparison{*relation, std::move(*a), std::move(*b)}}}};
        }
    }

    Denotable widest_;
    std::map<std::string, value::Type> indices_;  // value-lets that have become lets of indices
};

}  // namespace

void denote_indices(sched::Block& statements, Denotable widest) { Denoting(widest).block(statements); }

}  // namespace haruspex::conversion
