#include "generators/random/exactness.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "generators/base/ensure.h"
#include "generators/base/overload.h"
#include "generators/random/operations.h"
#include "generators/sare/build.h"
#include "generators/value/range.h"

namespace haruspex::random {
namespace {

using sare::Expr;
using value::BinaryOp;
using value::Range;
using value::Type;
using value::Value;

// The known values of an expression: a range, or (strict floats) any float of the type.
struct Known {
    Type type;
    std::optional<Range> range;
    // Of a type whose overflow is undefined: the value, or one that a compiler may move into a sum in its place, may
    // lack the headroom. min(x, y + c) - c may become min(x - c, y).
    bool is_near_end = false;
};

using KnownTensors = std::map<std::string, std::vector<Known>>;

// A result of the analysis: nullopt if some operation may be undefined or inexact.
using Found = std::optional<Known>;

Expr literal(Type type, std::int64_t v) { return {sare::Literal{Value::integer(type, v)}}; }

// Small enough for a product of four to stay inside i32 with its headroom.
constexpr std::int64_t limit = 60;

// An expression of the same type whose values are small and, for floats, integral.
Expr limited(Expr e, Type type, bool is_near_end = false) {
    if (type == Type::boolean) { return e; }
    // A clamp would make one value of all that are near an end.
    if (is_near_end) { return binary(BinaryOp::mod, std::move(e), literal(type, limit + 1)); }
    if (value::is_unsigned_integer(type)) { return binary(BinaryOp::min, std::move(e), literal(type, limit)); }
    Expr clamped =
        binary(BinaryOp::max, binary(BinaryOp::min, std::move(e), literal(type, limit)), literal(type, -limit));
    if (value::is_integer(type)) { return clamped; }
    // Truncation drops the fraction bits that multiplications pile up.
    return {sare::Cast{type, Expr{sare::Cast{Type::i16, std::move(clamped)}}}};
}

// The possible values of a limited integer; nullopt for a float, whose values only an analysis bounds.
std::optional<Range> limits(Type type) {
    if (type == Type::boolean || value::is_float(type)) { return std::nullopt; }
    return Range{type, value::is_unsigned_integer(type) ? 0 : -limit, limit, 0};
}

// The operand of an accumulation that runs `steps` times: small enough for the sum or product to stay exact.
Expr accumulation_operand(Expr e, BinaryOp op, Type type) {
    Expr small = limited(std::move(e), type);
    if (op != BinaryOp::mul) { return small; }
    return binary(BinaryOp::max, binary(BinaryOp::min, std::move(small), literal(type, 1)),
                  literal(type, value::is_unsigned_integer(type) ? 0 : -1));
}

class Analysis {
public:
    explicit Analysis(const ExactnessContext& context) : context_(context) {
        for (const auto& [name, domain] : context.inputs) {
            const Type type = domain.range.type;
            const bool any = value::is_float(type) && (domain.special_values || context.strict_float);
            tensors_[name] = {any ? Known{type, std::nullopt} : with_range(domain.range)};
        }
    }

    std::vector<Known>& tensor(const std::string& name) { return tensors_[name]; }
    // Accumulations with more steps count as inexact.
    void limit_steps(std::int64_t most) { most_steps_ = most; }

    // The values of an expression; with `repair`, changes the expression until they are all exact.
    Found visit(Expr& expr, const Intervals& variables, bool repair) {
        return std::visit([&](auto& node) { return visit_node(expr, node, variables, repair); }, expr.node);
    }

    bool acceptable(const Range& range) const {
        return value::wraps(range.type) || range.type == Type::boolean || value::headroom(range) >= required_headroom;
    }

    Known with_range(const Range& range, bool is_near_end = false) const {
        return {range.type, range, value::overflow_is_undefined(range.type) && (is_near_end || !acceptable(range))};
    }

private:
    // A result that may be summed up again.
    Found known(const std::optional<Range>& range) const {
        if (!range || !acceptable(*range)) { return std::nullopt; }
        return Known{range->type, range};
    }
    // A result that may be near an end of its type, if no float is.
    Found defined(const std::optional<Range>& range, bool is_near_end = false) const {
        if (!range || (value::is_float(range->type) && !acceptable(*range))) { return std::nullopt; }
        return with_range(*range, is_near_end);
    }

    static Known top(Type type) {
        if (value::is_float(type)) { return {type, std::nullopt}; }
        return {type, value::full_range(type)};
    }

    Found visit_node(Expr&, const sare::Literal& node, const Intervals&, bool) {
        const Type type = node.value.type();
        if (value::is_float(type) && context_.strict_float) { return top(type); }
        return with_range(value::range_of(node.value));
    }
    Found visit_node(Expr&, const sare::Guard&, const Intervals&, bool) { return top(Type::boolean); }
    Found visit_node(Expr& self, const sare::Embed& node, const Intervals& variables, bool repair) {
        const Interval interval = evaluate(node.index, variables);
        if (interval.is_empty()) { return Known{node.type, value::range_of(Value::integer(node.type, 0))}; }
        if (value::is_float(node.type) && context_.strict_float) { return top(node.type); }
        const Range index{Type::i32, interval.low, interval.high, 0};
        if (const Found found = known(value::cast(node.type, index))) { return found; }
        return replace(self, literal(node.type, 1), variables, repair);
    }
    Found visit_node(Expr&, const sare::Access& node, const Intervals&, bool) {
        return tensors_.at(node.tensor).at(static_cast<std::size_t>(node.component));
    }

    Found visit_node(Expr& self, sare::Unary& node, const Intervals& variables, bool repair) {
        const Found a = visit(*node.a, variables, repair);
        if (!a) { return std::nullopt; }
        if (!a->range) { return top(*value::result_type(node.op, a->type)); }
        if (const Found found = unary(node.op, *a)) { return found; }
        if (!repair) { return std::nullopt; }
        Expr limit = limited(*node.a, a->type, a->is_near_end);
        node.a = std::move(limit);
        const Found small = visit(*node.a, variables, false);
        if (small && small->range) {
            if (const Found found = unary(node.op, *small)) { return found; }
        }
        return replace(self, literal(*value::result_type(node.op, a->type), 1), variables, repair);
    }

    Found visit_node(Expr& self, sare::Binary& node, const Intervals& variables, bool repair) {
        const Found a = visit(*node.a, variables, repair);
        const Found b = visit(*node.b, variables, repair);
        if (!a || !b) { return std::nullopt; }
        const Type type = *value::result_type(node.op, a->type, b->type);
        if (const Found found = combine(node, *a, *b)) { return found; }
        if (!repair) { return std::nullopt; }
        const bool shift = node.op == BinaryOp::shift_left || node.op == BinaryOp::shift_right;
        if (!a->range || !b->range) {
            node.op = BinaryOp::add;  // min, max and mod are not accepted on arbitrary floats; sums are
        } else if (shift) {
            node.b = literal(b->type, 2);
        } else if (value::is_float(a->type) && (node.op == BinaryOp::div || node.op == BinaryOp::mod)) {
            node.op = BinaryOp::div;
            node.b = literal(b->type, 4);
        } else {
            node.b = limited(*node.b, b->type, b->is_near_end);
        }
        if (const Found found = again(node, variables)) { return found; }
        node.a = limited(*node.a, a->type, a->is_near_end);
        if (const Found found = again(node, variables)) { return found; }
        return replace(self, literal(type, 1), variables, repair);
    }

    Found visit_node(Expr& self, sare::Select& node, const Intervals& variables, bool repair) {
        const Found c = visit(*node.condition, variables, repair);
        const Found a = visit(*node.if_true, variables, repair);
        const Found b = visit(*node.if_false, variables, repair);
        if (!a || !b || !c) { return std::nullopt; }
        if (!a->range || !b->range) { return top(a->type); }
        const bool is_near_end = a->is_near_end || b->is_near_end;
        if (const Found found = defined(value::select(*c->range, *a->range, *b->range), is_near_end)) { return found; }
        if (!repair) { return std::nullopt; }
        node.if_true = limited(*node.if_true, a->type);
        node.if_false = limited(*node.if_false, a->type);
        const Found p = visit(*node.if_true, variables, false);
        const Found q = visit(*node.if_false, variables, false);
        if (p && q && p->range && q->range) {
            if (const Found found = defined(value::select(*c->range, *p->range, *q->range))) { return found; }
        }
        return replace(self, literal(a->type, 1), variables, repair);
    }

    Found visit_node(Expr& self, sare::Cast& node, const Intervals& variables, bool repair) {
        const Found a = visit(*node.a, variables, repair);
        if (!a) { return std::nullopt; }
        if (const Found found = convert(node.type, *a)) { return found; }
        if (!repair) { return std::nullopt; }
        if (!a->range) {
            // Converts any float to an integer: no limiter makes a NaN convertible, but a comparison with a number is
            // defined.
            Expr below = binary(BinaryOp::lt, *node.a, literal(a->type, 2));
            return replace(self, Expr{sare::Select{std::move(below), literal(node.type, 1), literal(node.type, 3)}},
                           variables, repair);
        }
        node.a = limited(*node.a, a->type, a->is_near_end);
        const Found small = visit(*node.a, variables, false);
        if (small) {
            if (const Found found = convert(node.type, *small)) { return found; }
        }
        return replace(self, literal(node.type, 1), variables, repair);
    }

    Found visit_node(Expr& self, sare::Reduce& node, const Intervals& variables, bool repair) {
        const Intervals inner = reduction_variables(node, variables);
        std::int64_t count = 1;
        for (const std::string& name : node.variables) {
            const Interval i = inner.at(name);
            count = std::min(count * (i.is_empty() ? 0 : i.high - i.low + 1), std::int64_t{1} << 31);
        }
        const Found body = visit(*node.body, inner, repair);
        if (!body) { return std::nullopt; }
        if (const Found found = fold(node, *body, count)) { return found; }
        if (!repair) { return std::nullopt; }
        node.body = accumulation_operand(*node.body, value::binary_op(node.op), body->type);
        const Found small = visit(*node.body, inner, false);
        if (small) {
            if (const Found found = fold(node, *small, count)) { return found; }
        }
        return replace(self, literal(body->type, 1), variables, repair);
    }

    Found fold(const sare::Reduce& node, const Known& body, std::int64_t count) {
        const auto neutral = value::neutral(node.op, body.type);
        ENSURE(neutral.has_value(), "a reduction's operator fits its type");
        const BinaryOp op = value::binary_op(node.op);
        if (!body.range) { return op == BinaryOp::min || op == BinaryOp::max ? std::nullopt : Found{top(body.type)}; }
        // The neutral element of min and max is an extreme value of the type; it is never combined with itself.
        if (op == BinaryOp::min || op == BinaryOp::max) { return count > 0 ? Found{body} : std::nullopt; }
        if (count > most_steps_) { return std::nullopt; }
        Found total = Known{body.type, value::range_of(*neutral)};
        for (std::int64_t i = 0; i < count && total; ++i) {
            const Found next = combine(op, *total, body);
            if (!next) { return std::nullopt; }
            const Range joined = value::join(*total->range, *next->range);
            if (joined == *total->range) { break; }
            total = Known{body.type, joined};
        }
        return total;
    }

    static bool is_literal(const Known& a) { return a.range->low == a.range->high && !a.is_near_end; }

    Found unary(value::UnaryOp op, const Known& a) const {
        const auto range = value::apply(op, *a.range);
        if (op != value::UnaryOp::negate) { return defined(range); }
        return a.is_near_end ? std::nullopt : known(range);
    }

    Found combine(BinaryOp op, const Known& a, const Known& b) {
        const Type type = *value::result_type(op, a.type, b.type);
        if (!a.range || !b.range) {
            // min and max of a NaN are undefined, and mod is not accepted either; IEEE defines the others.
            if (op == BinaryOp::min || op == BinaryOp::max || op == BinaryOp::mod) { return std::nullopt; }
            return top(type);
        }
        const auto range = value::apply(op, *a.range, *b.range);
        switch (op) {
            case BinaryOp::add:
            case BinaryOp::sub:
            case BinaryOp::mul:
            case BinaryOp::shift_left: return a.is_near_end || b.is_near_end ? std::nullopt : known(range);
            // Clamped by numbers alone, a value is what the range says.
            case BinaryOp::min:
            case BinaryOp::max: {
                const bool is_clamp = is_literal(a) || is_literal(b);
                return defined(range, !is_clamp && (a.is_near_end || b.is_near_end));
            }
            default: return defined(range);
        }
    }

    // Compilers move terms of sums from one side of a comparison to the other: c < a + b becomes c - a < b. What they
    // compute inline may be a sum.
    Found combine(const sare::Binary& node, const Known& a, const Known& b) {
        const bool compares = node.op >= BinaryOp::eq && node.op <= BinaryOp::ge;
        const bool is_near_end = a.is_near_end || b.is_near_end;
        if (compares && is_near_end && !(is_no_sum(*node.a) && is_no_sum(*node.b))) { return std::nullopt; }
        return combine(node.op, a, b);
    }

    bool is_no_sum(const Expr& e) const {
        if (std::holds_alternative<sare::Literal>(e.node)) { return true; }
        const auto* access = std::get_if<sare::Access>(&e.node);
        return access != nullptr && context_.inputs.contains(access->tensor);
    }

    Found convert(Type to, const Known& a) {
        if (a.range && !(value::is_float(to) && context_.strict_float)) { return defined(value::cast(to, *a.range)); }
        if (value::is_float(to) || to == Type::boolean) { return top(to); }
        return std::nullopt;
    }

    Found again(sare::Binary& node, const Intervals& variables) {
        const Found a = visit(*node.a, variables, false);
        const Found b = visit(*node.b, variables, false);
        return a && b ? combine(node, *a, *b) : std::nullopt;
    }

    Found replace(Expr& self, Expr by, const Intervals& variables, bool repair) {
        if (!repair) { return std::nullopt; }
        // `self` owns the node that is being visited: the caller's references become invalid here.
        self = std::move(by);
        return visit(self, variables, false);
    }

    const ExactnessContext& context_;
    KnownTensors tensors_;
    std::int64_t most_steps_ = std::numeric_limits<std::int64_t>::max();
};

Known joined(const Known& a, const Known& b) {
    if (!a.range || !b.range) { return {a.type, std::nullopt}; }
    return {a.type, value::join(*a.range, *b.range), a.is_near_end || b.is_near_end};
}

bool same(const std::vector<Known>& a, const std::vector<Known>& b) {
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (a[i].range != b[i].range || a[i].is_near_end != b[i].is_near_end) { return false; }
    }
    return true;
}

class Repair {
public:
    Repair(sare::Algorithm& algorithm, const ExactnessContext& context)
        : algorithm_(algorithm),
          context_(context),
          regions_(infer_regions(algorithm, context.parameters)),
          analysis_(context) {}

    void run() {
        for (sare::Function& function : algorithm_.functions) {
            const auto& region = regions_.touched.at(function.name);
            const Intervals variables = pure_variables(function, region, context_.parameters);
            std::vector<Known> state;
            for (Expr& value : function.values) { state.push_back(exact(value, variables)); }
            analysis_.tensor(function.name) = state;
            for (sare::UpdateDefinition& update : function.updates) {
                run_update(function, update, update_variables(function, update, region, context_.parameters));
            }
        }
    }

    // Whether no repair is needed.
    bool holds() {
        // A person's sizes may be of any magnitude. The analysis of this many steps takes a second, and steps() counts
        // no further.
        constexpr std::int64_t most_steps = (1 << 20) - 1;
        analysis_.limit_steps(most_steps);
        for (sare::Function& function : algorithm_.functions) {
            const auto& region = regions_.touched.at(function.name);
            const Intervals variables = pure_variables(function, region, context_.parameters);
            std::vector<Known> state;
            for (Expr& value : function.values) {
                const Found found = analysis_.visit(value, variables, false);
                if (!found) { return false; }
                state.push_back(*found);
            }
            analysis_.tensor(function.name) = state;
            for (sare::UpdateDefinition& update : function.updates) {
                if (steps(update, context_.parameters) > most_steps) { return false; }
                if (!repeat(function, update, update_variables(function, update, region, context_.parameters))) {
                    return false;
                }
            }
        }
        return true;
    }

private:
    Known exact(Expr& value, const Intervals& variables) {
        const Found found = analysis_.visit(value, variables, true);
        ENSURE(found.has_value(), "every expression can be made exact");
        return *found;
    }

    void run_update(const sare::Function& function, sare::UpdateDefinition& update, const Intervals& variables) {
        if (iterate(function, update, variables)) { return; }
        // Keep the form of an accumulation, f = f op e, and limit e; associativity survives.
        for (Expr& value : update.values) {
            auto* node = std::get_if<sare::Binary>(&value.node);
            if (node == nullptr) { continue; }
            const Type type = function.types[static_cast<std::size_t>(&value - update.values.data())];
            const auto* a = std::get_if<sare::Access>(&node->a->node);
            const auto* b = std::get_if<sare::Access>(&node->b->node);
            if (a != nullptr && a->tensor == function.name) {
                node->b = accumulation_operand(*node->b, node->op, type);
            } else if (b != nullptr && b->tensor == function.name) {
                node->a = accumulation_operand(*node->a, node->op, type);
            }
        }
        if (iterate(function, update, variables)) { return; }
        // Bound the values themselves: then one pass covers any number of steps.
        std::vector<Known>& state = analysis_.tensor(function.name);
        for (std::size_t c = 0; c < update.values.size(); ++c) {
            update.values[c] = limited(std::move(update.values[c]), function.types[c]);
            const Known saved = state[c];
            // The range of a clamped integer, given directly: analysing the clamp of an arbitrary integer would lack
            // headroom.
            if (const auto range = limits(function.types[c])) {
                state[c] = joined(saved, {function.types[c], range});
                continue;
            }
            Expr probe = limited(Expr{sare::Access{function.name, {}, static_cast<int>(c)}}, function.types[c]);
            state[c] = {function.types[c], widest(function.types[c])};
            if (const Found bound = analysis_.visit(probe, variables, false)) {
                state[c] = joined(saved, *bound);
            } else {
                state[c] = {function.types[c], std::nullopt};
            }
        }
        const std::vector<Known> assumed = state;
        for (Expr& value : update.values) {
            const Known result = exact(value, variables);
            const auto c = static_cast<std::size_t>(&value - update.values.data());
            state[c] = joined(assumed[c], result);
        }
        if (!same(assumed, state)) { iterate_or_freeze(function, update, variables); }
    }

    // Any value that may reach a limiter: the headroom rule bounds floats before they get here.
    static std::optional<Range> widest(Type type) {
        if (!value::is_float(type)) { return value::full_range(type); }
        return Range{type, -(1 << 20), 1 << 20, 0};
    }

    // The repair changed a value after its bound was assumed: iterate from the values known now, or else make it
    // constant.
    void iterate_or_freeze(const sare::Function& function, sare::UpdateDefinition& update, const Intervals& variables) {
        if (iterate(function, update, variables)) { return; }
        for (std::size_t c = 0; c < update.values.size(); ++c) { update.values[c] = literal(function.types[c], 1); }
        ENSURE(iterate(function, update, variables), "a constant update is exact");
    }

    // Repairs the update's values for a single step, so that a step can fail only because of accumulation; then
    // repeat().
    bool iterate(const sare::Function& function, sare::UpdateDefinition& update, const Intervals& variables) {
        for (Expr& value : update.values) { exact(value, variables); }
        return repeat(function, update, variables);
    }

    // Runs the update's steps on ranges until they are stable; false, with the old state, if a step is inexact.
    bool repeat(const sare::Function& function, sare::UpdateDefinition& update, const Intervals& variables) {
        std::vector<Known>& state = analysis_.tensor(function.name);
        const std::vector<Known> before = state;
        const std::int64_t rounds = std::max<std::int64_t>(steps(update, context_.parameters), 1);
        for (std::int64_t i = 0; i < rounds; ++i) {
            std::vector<Known> next = state;
            for (std::size_t c = 0; c < update.values.size(); ++c) {
                const Found found = analysis_.visit(update.values[c], variables, false);
                if (!found) {
                    state = before;
                    return false;
                }
                next[c] = joined(state[c], *found);
                if (next[c].range && value::is_float(function.types[c]) && !analysis_.acceptable(*next[c].range)) {
                    state = before;
                    return false;
                }
            }
            if (same(next, state)) { break; }
            state = std::move(next);
        }
        return true;
    }

    sare::Algorithm& algorithm_;
    const ExactnessContext& context_;
    Regions regions_;
    Analysis analysis_;
};

}  // namespace

void make_exact(sare::Algorithm& algorithm, const ExactnessContext& context) { Repair(algorithm, context).run(); }

bool is_exact(sare::Algorithm algorithm, const ExactnessContext& context) { return Repair(algorithm, context).holds(); }

}  // namespace haruspex::random
