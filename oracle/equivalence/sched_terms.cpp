#include "oracle/equivalence/sched_terms.h"

#include "generators/affine/parameters.h"
#include "generators/base/ensure.h"
#include "generators/base/overload.h"
#include "harness/sched/text.h"
#include "oracle/equivalence/normal_form.h"
#include "oracle/equivalence/unsupported.h"

namespace haruspex::equivalence {
namespace {

using namespace sched;

// Folds of more lanes would make terms that match nothing.
constexpr std::int64_t most_lanes = 256;

}  // namespace

isl::map SchedTerms::cell(const ArrayInScope& array, const std::vector<Expr>& indices, NodeId node,
                          const Scope& scope) const {
    std::vector<isl::pw_aff> values;
    for (const std::string& variable : array.around) { values.push_back(affine::parameter(graph_.ctx(), variable)); }
    for (const Expr& index : indices) { values.push_back(scope.index(index)); }
    return graph_.over(node, variables_, values).set_range_tuple(array.tuple);
}

TermId SchedTerms::load(const std::string& array, const std::vector<Expr>& indices, NodeId node) const {
    return load({array, indices, std::nullopt}, node, scope_).first;
}

SchedTerms::Typed SchedTerms::load(const Load& load, NodeId node, const Scope& scope) const {
    const ArrayInScope& array = scope.array(load.array);
    MemoryRead read{node, array.array, cell(array, load.indices, node, scope), {}, {}, {}};
    if (load.guard) {
        read.cell = read.cell->intersect_domain(graph_.over(node, variables_, scope.condition(**load.guard)));
    }
    const ReadId id = graph_.memory().add_read(std::move(read));
    hooks_.reads(id);
    return {graph_.add({Read{id}, node}), array.type};
}

SchedTerms::Typed SchedTerms::variable(const ValueVariable& variable, NodeId node, const Scope& scope) const {
    const ValueInScope& value = scope.value(variable.name);
    std::vector<isl::pw_aff> from;
    for (std::size_t d = 0; d < value.variables.size(); ++d) {
        from.push_back(value.lane == d ? scope.index(**variable.lane)
                                       : affine::parameter(graph_.ctx(), value.variables[d]));
    }
    const Node& source = graph_.node(value.node);
    MemoryRead read{node, {}, {}, {}, value.node, {}};
    const isl::map lanes = graph_.over(node, variables_, from).set_range_tuple(source.tuple);
    read.direct = lanes.intersect_range(source.domain);
    if (value.lane) {
        const isl::set beyond = lanes.domain().subtract(read.direct->domain());
        if (!beyond.is_empty()) { hooks_.beyond_lanes(beyond); }
    }
    return {graph_.add({Read{graph_.memory().add_read(std::move(read))}, node}), value.type};
}

SchedTerms::Typed SchedTerms::fold(const LaneReduce& reduce, NodeId node, const Scope& scope) const {
    if (reduce.lanes.count > most_lanes) {
        throw Unsupported("reduction of more than " + std::to_string(most_lanes) +
                          " lanes: " + sched::print(*reduce.body));
    }
    std::optional<Typed> sum;
    for (std::int64_t lane = 0; lane < reduce.lanes.count; ++lane) {
        Scope inner = scope;
        inner.define(reduce.lanes.variable, affine::constant(graph_.ctx(), lane));
        const Typed next = typed(*reduce.body, node, inner);
        const Operator op{value::binary_op(reduce.op), next.second};
        sum = sum ? Typed{apply(graph_, node, op, {sum->first, next.first}), next.second} : next;
    }
    return *sum;
}

SchedTerms::Typed SchedTerms::guard(const Expr& condition, NodeId node, const Scope& scope) const {
    if (const auto* denoted = std::get_if<IntegerOf>(&condition.node)) { return typed(*denoted->a, node, scope); }
    if (const auto* negated = std::get_if<Not>(&condition.node)) {
        const Operator op{value::UnaryOp::logical_not, value::Type::boolean};
        return {apply(graph_, node, op, {guard(*negated->a, node, scope).first}), value::Type::boolean};
    }
    return {graph_.add({Guard{graph_.over(node, variables_, scope.condition(condition))}, node}), value::Type::boolean};
}

SchedTerms::Typed SchedTerms::embed(const sched::Embed& embed, NodeId node, const Scope& scope) const {
    // The integer that a value denotes, at a type, is the value converted.
    if (const auto* denoted = std::get_if<IntegerOf>(&embed.index->node)) {
        const auto [a, type] = typed(*denoted->a, node, scope);
        // Half of the numbers of a u64 are no indices: they leave 64 bits.
        if (type == value::Type::u64) {
            throw Unsupported("the integer of a u64 as a value: " + sched::print(*denoted->a));
        }
        return {apply(graph_, node, {Conversion{embed.type}, type}, {a}), embed.type};
    }
    return {
        graph_.add({equivalence::Embed{embed.type, graph_.over(node, variables_, {scope.index(*embed.index)})}, node}),
        embed.type};
}

TermId SchedTerms::choice(const Expr& condition, NodeId node, const Scope& scope) const {
    if (scope.is_condition(condition) || std::holds_alternative<IntegerOf>(condition.node)) {
        return guard(condition, node, scope).first;
    }
    return typed(condition, node, scope).first;
}

SchedTerms::Typed SchedTerms::select(const Select& select, NodeId node, const Scope& scope) const {
    const TermId condition = choice(*select.condition, node, scope);
    const auto [a, type] = typed(*select.if_true, node, scope);
    const TermId b = typed(*select.if_false, node, scope).first;
    return {apply(graph_, node, {Choice{}, type}, {condition, a, b}), type};
}

SchedTerms::Typed SchedTerms::typed(const Expr& expr, NodeId node, const Scope& scope) const {
    const auto inner = [&](const Expr& part) { return typed(part, node, scope); };
    return std::visit(
        Overload{[&](const sched::Literal& n) {
                     return Typed{graph_.add({equivalence::Literal{n.value}, node}), n.value.type()};
                 },
                 [&](const sched::Embed& n) { return embed(n, node, scope); },
                 [&](const sched::Guard& n) { return guard(*n.condition, node, scope); },
                 [&](const Load& n) { return load(n, node, scope); },
                 [&](const ValueVariable& n) { return variable(n, node, scope); },
                 [&](const Unary& n) {
                     const auto [a, type] = inner(*n.a);
                     return Typed{apply(graph_, node, {n.op, type}, {a}), *value::result_type(n.op, type)};
                 },
                 [&](const Binary& n) {
                     const auto [a, type] = inner(*n.a);
                     const TermId b = inner(*n.b).first;
                     return Typed{apply(graph_, node, {n.op, type}, {a, b}), *value::result_type(n.op, type, type)};
                 },
                 [&](const Cast& n) {
                     const auto [a, type] = inner(*n.a);
                     return Typed{apply(graph_, node, {Conversion{n.type}, type}, {a}), n.type};
                 },
                 [&](const Select& n) { return select(n, node, scope); },
                 [&](const LaneReduce& n) { return fold(n, node, scope); },
                 [&](const LetIn& n) {
                     Scope below = scope;
                     below.define(n.name, *n.value);
                     return typed(*n.body, node, below);
                 },
                 [&](const LetValueIn& n) {
                     Scope below = scope;
                     below.declare(n.name, hooks_.bind(scope, n.lanes, n.type, *n.value));
                     return typed(*n.body, node, below);
                 },
                 [&](const auto&) -> Typed { throw Unsupported("value: " + sched::print(expr)); }},
        expr.node);
}

}  // namespace haruspex::equivalence
