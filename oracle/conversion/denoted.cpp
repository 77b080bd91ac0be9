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
#include "oracle/conversion/index_range.h"

namespace haruspex::conversion {
namespace {

using sched::Expr;
using sched::IndexOp;

Expr binary(IndexOp op, Expr a, Expr b) { return {sched::IndexBinary{op, std::move(a), std::move(b)}}; }

// --- The maximum of an index over lanes ---------------------------------------------------------------------------

// The curvature of an index as a function of a variable; neither up nor down means linear.
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

// A convex function has its maximum at one of the ends.
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

// The index that an integer value computes, and the value's type.
struct Reading {
    Expr index;
    value::Type type;
    bool is_widened = false;  // casts to 64 bits are in it
};

// Gives a variable a range, or none, until the end of the scope.
class Bound {
public:
    Bound(IndexRanges& ranges, const std::string& name, const std::optional<IndexRange>& range)
        : ranges_(ranges), name_(name), before_(ranges.extract(name)) {
        if (range) { ranges_.emplace(name_, *range); }
    }
    Bound(IndexRanges& ranges, const sched::Lanes& lanes)
        : Bound(ranges, lanes.variable, IndexRange{0, lanes.count - 1}) {}
    Bound(const Bound&) = delete;
    Bound& operator=(const Bound&) = delete;
    ~Bound() {
        ranges_.erase(name_);
        if (before_) { ranges_.insert(std::move(before_)); }
    }

private:
    IndexRanges& ranges_;
    std::string name_;
    IndexRanges::node_type before_;
};

class Denoting {
public:
    explicit Denoting(Denotable widest) : widest_(widest) {}

    void block(sched::Block& statements) {
        const auto indices_outside = indices_;
        const auto ranges_outside = ranges_;
        for (sched::Stmt& statement : statements) {
            {
                const auto* lanes = lanes_of(statement);
                std::optional<Bound> bound;
                if (lanes != nullptr) { bound.emplace(ranges_, *lanes); }
                sched::for_each_part(statement, [&](Expr& part) { denote(part); });
            }
            if (const auto* let = std::get_if<sched::LetValue>(&statement.node)) {
                indices_.erase(let->name);
                auto reading = let->lanes ? std::nullopt : pure_reading_of(let->value);
                if (reading) {
                    indices_.emplace(let->name, reading->type);
                    statement.node = sched::Let{std::string(let->name), std::move(reading->index)};
                }
            }
            // A name that is out of scope may have had a range.
            if (const auto* let = std::get_if<sched::Let>(&statement.node)) {
                ranges_.insert_or_assign(let->name, range_of(let->value, ranges_));
            } else if (const auto* loop = std::get_if<sched::For>(&statement.node)) {
                ranges_.erase(loop->variable);
            }
            sched::for_each_block(statement, [&](sched::Block& inner) { block(inner); });
        }
        indices_ = indices_outside;
        ranges_ = ranges_outside;
    }

private:
    // --- Readings of values as indices --------------------------------------------------------------------------

    // Values of i32 and i64 that leave their types are undefined, so a defined value equals its index. The other types
    // wrap; their index must be known to be one of the type's values. Unsigned 32- and 64-bit values need not fit the
    // machine's indices.
    bool is_read(value::Type type) const {
        if (!value::is_integer(type)) { return false; }
        if (value::bits(type) < 32) { return true; }
        return value::is_signed_integer(type) && (value::bits(type) == 32 || widest_ == Denotable::of_64_bits);
    }
    std::optional<Reading> reading(Expr index, value::Type type, bool is_widened = false) const {
        const bool must_fit = value::wraps(type);
        if (!is_read(type) || (must_fit && !lies_within(range_of(index, ranges_), type))) { return std::nullopt; }
        return Reading{std::move(index), type, is_widened};
    }

    std::optional<Reading> reading_of(const Expr& value) {
        if (const auto* literal = std::get_if<sched::Literal>(&value.node)) {
            if (!value::is_integer(literal->value.type()) || !literal->value.is_defined()) { return std::nullopt; }
            const auto number = static_cast<std::int64_t>(value::range_of(literal->value).low);
            return reading(Expr{sched::Integer{number}}, literal->value.type());
        }
        if (const auto* embed = std::get_if<sched::Embed>(&value.node)) { return reading(*embed->index, embed->type); }
        if (const auto* n = std::get_if<sched::Binary>(&value.node)) {
            const auto op = sched::index_operator(n->op);
            if (!op) { return std::nullopt; }
            auto a = reading_of(*n->a), b = reading_of(*n->b);
            if (!a || !b) { return std::nullopt; }
            const bool is_widened = a->is_widened || b->is_widened;
            return reading(binary(*op, std::move(a->index), std::move(b->index)), a->type, is_widened);
        }
        if (const auto* n = std::get_if<sched::Cast>(&value.node)) {
            auto a = reading_of(*n->a);
            if (!a || !is_read(n->type)) { return std::nullopt; }
            // The value of `a` lies in its own type; if the new type does not include all of that, the index must be
            // known to lie in it.
            const value::Range from = value::full_range(a->type), to = value::full_range(n->type);
            const bool is_wider = to.low <= from.low && from.high <= to.high;
            if (!is_wider && !lies_within(range_of(a->index, ranges_), n->type)) { return std::nullopt; }
            const bool is_widened = value::bits(n->type) > 32 && (a->is_widened || a->type != n->type);
            return Reading{std::move(a->index), n->type, is_widened};
        }
        if (const auto* n = std::get_if<sched::LaneReduce>(&value.node)) {
            const bool is_max = n->op == value::ReductionOp::max;
            if ((!is_max && n->op != value::ReductionOp::min) || n->lanes.count < 1) { return std::nullopt; }
            const Bound lane(ranges_, n->lanes);
            auto body = reading_of(*n->body);
            if (!body) { return std::nullopt; }
            return Reading{extremum(is_max ? IndexOp::max : IndexOp::min, n->lanes, body->index), body->type,
                           body->is_widened};
        }
        return std::nullopt;
    }

    // The reading of a value as an index, if no part of it is a value that reads memory.
    std::optional<Reading> pure_reading_of(const Expr& value) {
        auto result = reading_of(value);
        if (!result) { return std::nullopt; }
        bool is_pure = sched::arrays_read(result->index).empty();
        sched::for_each_expr(result->index, [&](const Expr& e) {
            is_pure = is_pure && !std::holds_alternative<sched::ValueVariable>(e.node);
        });
        // Casts to 64 bits occur where 32 would not do, in products: a product of indices is not affine (premises.h).
        return is_pure && !result->is_widened ? std::move(result) : std::nullopt;
    }

    // --- Expressions --------------------------------------------------------------------------------------------

    void denote(Expr& expr) {
        {
            std::optional<Bound> bound;
            if (const auto* fold = std::get_if<sched::LaneReduce>(&expr.node)) {
                bound.emplace(ranges_, fold->lanes);
            } else if (const auto* family = std::get_if<sched::LetValueIn>(&expr.node); family && family->lanes) {
                bound.emplace(ranges_, *family->lanes);
            } else if (const auto* let = std::get_if<sched::LetIn>(&expr.node)) {
                bound.emplace(ranges_, let->name, std::nullopt);
            }
            sched::for_each_part(expr, [&](Expr& part) { denote(part); });
        }
        if (const auto* variable = std::get_if<sched::ValueVariable>(&expr.node)) {
            const auto index = indices_.find(variable->name);
            if (index == indices_.end()) { return; }
            expr = {sched::Embed{index->second, Expr{sched::Variable{index->first}}}};
        } else if (const auto* denoted = std::get_if<sched::IntegerOf>(&expr.node)) {
            if (auto index = pure_reading_of(*denoted->a)) { expr = std::move(index->index); }
        } else if (const auto* n = std::get_if<sched::Binary>(&expr.node)) {
            const auto relation = sched::relation(n->op);
            auto a = relation ? pure_reading_of(*n->a) : std::nullopt,
                 b = relation ? pure_reading_of(*n->b) : std::nullopt;
            if (!a || !b) { return; }
            sched::Comparison comparison{*relation, std::move(a->index), std::move(b->index)};
            const auto truth = decided(comparison, ranges_);
            expr = {sched::Guard{truth ? Expr{sched::Truth{*truth}}
                                       : Expr{without_clamps(std::move(comparison), ranges_)}}};
        }
    }

    static const sched::Lanes* lanes_of(const sched::Stmt& statement) {
        const auto in = [](const std::optional<sched::Lanes>& lanes) { return lanes ? &*lanes : nullptr; };
        if (const auto* assign = std::get_if<sched::Assign>(&statement.node)) { return in(assign->lanes); }
        if (const auto* let = std::get_if<sched::LetValue>(&statement.node)) { return in(let->lanes); }
        return nullptr;
    }

    Denotable widest_;
    std::map<std::string, value::Type> indices_;  // value-lets that have become lets of indices
    IndexRanges ranges_;                          // of the variables in scope
};

}  // namespace

void denote_indices(sched::Block& statements, Denotable widest) { Denoting(widest).block(statements); }

}  // namespace haruspex::conversion
