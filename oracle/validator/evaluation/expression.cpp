#include "oracle/validator/evaluation/expression.h"

#include <algorithm>

#include "generators/affine/parameters.h"
#include "generators/base/ensure.h"
#include "generators/base/overload.h"
#include "harness/sched/text.h"
#include "harness/sched/traverse.h"

namespace haruspex::validator {
namespace {

using heap::Template;
using namespace sched;

// Programs are well-typed; prophecies only as far as that can be told without the tensors' types.
void expect(bool has_type, const Expr& expr) {
    if (!has_type) { throw Unsupported("a prophecy of operands that do not fit", sched::print(expr)); }
}

value::Type loaded_type(const Load& load, const Scope& scope) { return scope.array(load.array).type; }

}  // namespace

Scope with_lane(const Scope& scope, const std::string& variable, std::int64_t lane) {
    Scope inner = scope;
    inner.define(variable, scope.constant(lane));
    return inner;
}

heap::Value at_lane(const heap::Value& family, const std::string& lane, const isl::pw_aff& index) {
    return affine::project_out(family.intersect_params(index.bind(affine::identifier(family.ctx(), lane))), lane);
}

heap::Value Expressions::literal(const value::Value& value, const Scope& scope) const {
    const Template expr = value.is_uninit() ? templates_.uninit(value.type()) : templates_.literal(value);
    return heap::value(scope.ctx(), expr, {});
}

heap::Value Expressions::truth(const isl::set& condition, const Scope& scope) const {
    const auto side = [&](bool b, const isl::set& where) {
        return literal(value::Value::boolean(b), scope).intersect_params(where);
    };
    return side(true, condition).unite(side(false, condition.complement()));
}

// A condition or a bool.
heap::Value Expressions::condition(const Expr& expr, const Scope& scope, const heap::Memory& memory) const {
    return scope.is_condition(expr) ? truth(scope.condition(expr), scope) : evaluate(expr, scope, memory);
}

heap::Value Expressions::load(const Load& n, const Scope& scope, const heap::Memory& memory) const {
    heap::Location location = scope.location(n.array, n.indices);
    if (n.guard) { location = location.intersect_params(scope.condition(**n.guard)); }
    const heap::Memory::Held held =
        memory.at(scope.array(n.array).unique_name, location, scope.context(), scope.known(),
                  [&](const isl::set& environments) { return scope.are_possible(environments); });
    if (held.missing.is_empty()) { return held.value; }
    const heap::Value uninit = literal(value::Value::uninit(loaded_type(n, scope)), scope);
    return held.value.unite(uninit.intersect_params(held.missing));
}

heap::Value Expressions::variable(const ValueVariable& n, const Scope& scope) const {
    const ValueInScope& let = scope.value(n.name);
    if (!let.value) { throw Unsupported("a prophecy that mentions a value", n.name); }
    if (!n.lane) { return (*let.value)(); }
    const heap::Value found = at_lane((*let.value)(), *let.lane, scope.index(**n.lane));
    // A lane that does not exist holds Uninit.
    const isl::set missing = scope.context().subtract(heap::environments(found));
    if (missing.is_empty()) { return found; }
    return found.unite(literal(value::Value::uninit(let.type), scope).intersect_params(missing));
}

heap::Value Expressions::evaluate(const Expr& expr, const Scope& scope, const heap::Memory& memory) const {
    const auto part = [&](const Box<Expr>& e) { return evaluate(*e, scope, memory); };
    return std::visit(
        Overload{
            [&](const Literal& n) { return literal(n.value, scope); },
            [&](const Embed& n) { return heap::value(scope.ctx(), templates_.embed(n.type), {scope.index(*n.index)}); },
            [&](const Guard& n) { return truth(scope.condition(*n.condition), scope); },
            [&](const ValueVariable& n) { return variable(n, scope); },
            [&](const Load& n) { return load(n, scope, memory); },
            [&](const TensorAccess& n) {
                const auto tensor = tensors_.find(n.tensor);
                if (tensor == tensors_.end()) {
                    throw Unsupported("a prophecy of a tensor that there is none", n.tensor);
                }
                const TensorSignature& signature = tensor->second;
                if (n.indices.size() != signature.rank ||
                    static_cast<std::size_t>(n.component) >= signature.types.size()) {
                    throw Unsupported("a prophecy that does not fit its tensor", sched::print(expr));
                }
                std::vector<isl::pw_aff> indices;
                for (const Expr& index : n.indices) { indices.push_back(scope.index(index)); }
                const value::Type type = signature.types[static_cast<std::size_t>(n.component)];
                return heap::value(scope.ctx(), templates_.cell(n.tensor, n.component, type, signature.rank), indices);
            },
            [&](const Unary& n) {
                return heap::lift(part(n.a), [&](Template a) {
                    expect(value::result_type(n.op, templates_.type(a)).has_value(), expr);
                    return templates_.apply(n.op, a);
                });
            },
            [&](const Binary& n) {
                return heap::lift(part(n.a), part(n.b), [&](Template a, Template b) {
                    expect(value::result_type(n.op, templates_.type(a), templates_.type(b)).has_value(), expr);
                    return templates_.apply(n.op, a, b);
                });
            },
            [&](const Cast& n) {
                return heap::lift(part(n.a), [&](Template a) { return templates_.cast(n.type, a); });
            },
            [&](const Select& n) {
                return heap::lift(
                    condition(*n.condition, scope, memory), part(n.if_true), part(n.if_false),
                    [&](Template c, Template a, Template b) {
                        expect(templates_.type(c) == value::Type::boolean && templates_.type(a) == templates_.type(b),
                               expr);
                        return templates_.select(c, a, b);
                    });
            },
            [&](const LaneReduce& n) {
                const value::BinaryOp op = value::binary_op(n.op);
                heap::Value sum = evaluate(*n.body, with_lane(scope, n.lanes.variable, 0), memory);
                for (std::int64_t lane = 1; lane < n.lanes.count; ++lane) {
                    sum = heap::lift(sum, evaluate(*n.body, with_lane(scope, n.lanes.variable, lane), memory),
                                     [&](Template a, Template b) { return templates_.apply(op, a, b); });
                }
                return sum;
            },
            [&](const LetIn& n) { return evaluate(*n.body, scope.with(n), memory); },
            [&](const LetValueIn& n) {
                Scope inner = scope;
                inner.declare(n.name, family(n.name, n.lanes, n.type, *n.value, scope, memory));
                return evaluate(*n.body, inner, memory);
            },
            [&](const Variable&) { return truth(scope.condition(expr), scope); },
            [&](const auto&) -> heap::Value {
                if (scope.is_condition(expr)) { return truth(scope.condition(expr), scope); }
                throw Unsupported("value", sched::print(expr));
            }},
        expr.node);
}

ValueInScope Expressions::family(const std::string& name, const std::optional<Lanes>& lanes, value::Type type,
                                 const Expr& value, const Scope& scope, const heap::Memory& memory) const {
    ValueInScope result{type, {}, 1, {}, {}};
    Scope inner = scope;
    std::optional<isl::set> range;
    if (lanes) {
        // Lanes of families outlive the scope of their variable, and so have a name that no variable has.
        result.lane = inner.declare_variable(name + "@" + lanes->variable);
        result.lanes = lanes->count;
        const isl::pw_aff index = inner.index({Variable{name + "@" + lanes->variable}});
        inner.define(lanes->variable, index);
        range = index.ge_set(inner.constant(0)).intersect(index.lt_set(inner.constant(lanes->count)));
        inner.assume(*range);
    }
    const auto all_lanes = [inner, range, expressions = *this](const Expr& of, const heap::Memory& in) {
        const heap::Value found = expressions.evaluate(of, inner, in);
        return range ? found.intersect_params(*range) : found;
    };
    // Lets that are evaluated later hold those before them, one within the other; beyond this number they are evaluated
    // now.
    constexpr std::size_t most_held = 2'000;
    if (scope.values() >= most_held) {
        result.value = Lazy<heap::Value>(all_lanes(value, memory));
        return result;
    }
    result.let = std::make_shared<const ValueLet>(value, lanes, scope, memory, reads_written_out(value, scope));
    const auto when_asked = [let = result.let, all_lanes] { return all_lanes(let->value, let->memory); };
    result.value = Lazy<heap::Value>(std::function(when_asked));
    return result;
}

std::uint64_t Expressions::reads_written_out(const Expr& expr, const Scope& scope) const {
    constexpr std::uint64_t most = 1'000;
    std::uint64_t reads = 0;
    for_each_expr(expr, [&](const Expr& e) {
        const auto* let = std::get_if<ValueVariable>(&e.node);
        const bool is_outside = let != nullptr && scope.has_value(let->name);
        if (std::holds_alternative<Load>(e.node)) { ++reads; }
        if (is_outside && scope.value(let->name).let) { reads += scope.value(let->name).let->reads; }
        reads = std::min(reads, most);
    });
    return reads;
}

heap::Value Expressions::prophecy(const Expr& expr, const Scope& scope) const {
    return evaluate(expr, scope, heap::Memory(scope.ctx()));
}

Reads Expressions::reads(const Expr& expr, const Scope& scope) const {
    Reads reads{{}, affine::nowhere(scope.ctx())};
    collect(expr, scope, reads);
    return reads;
}

void Expressions::collect(const Expr& expr, const Scope& scope, Reads& reads) const {
    const auto every_lane = [&](const Lanes& lanes, const Expr& body) {
        Scope inner = scope;
        const std::string variable = inner.declare_variable(lanes.variable);
        const isl::pw_aff lane = affine::parameter(scope.ctx(), variable);
        inner.assume(lane.ge_set(scope.constant(0)).intersect(lane.lt_set(scope.constant(lanes.count))));
        const Reads of_one = this->reads(body, inner);
        for (const Read& read : of_one.of_memory) {
            reads.of_memory.push_back({read.array, affine::project_out(read.location, variable),
                                       affine::project_out(read.environments, variable)});
        }
        reads.beyond_lanes = reads.beyond_lanes.unite(affine::project_out(of_one.beyond_lanes, variable));
    };
    std::visit(
        Overload{
            [&](const Load& n) {
                isl::set where = scope.context();
                if (n.guard) { where = where.intersect(scope.condition(**n.guard)); }
                reads.of_memory.push_back({n.array, scope.location(n.array, n.indices).intersect_params(where), where});
            },
            // The reads of a family belong to the let where it stands.
            [&](const ValueVariable& n) {
                if (!n.lane) { return; }
                const isl::pw_aff lane = scope.index(**n.lane);
                const isl::set within =
                    lane.ge_set(scope.constant(0)).intersect(lane.lt_set(scope.constant(scope.value(n.name).lanes)));
                reads.beyond_lanes = reads.beyond_lanes.unite(scope.context().subtract(within));
            },
            [](const TensorAccess&) {}, [&](const LaneReduce& n) { every_lane(n.lanes, *n.body); },
            [&](const LetIn& n) { collect(*n.body, scope.with(n), reads); },
            [&](const LetValueIn& n) {
                if (n.lanes) {
                    every_lane(*n.lanes, *n.value);
                } else {
                    collect(*n.value, scope, reads);
                }
                Scope inner = scope;
                inner.declare(n.name, ValueInScope{n.type, {}, n.lanes ? n.lanes->count : 1, {}, {}});
                collect(*n.body, inner, reads);
            },
            [&](const auto&) { for_each_part(expr, [&](const Expr& part) { collect(part, scope, reads); }); }},
        expr.node);
}

}  // namespace haruspex::validator
