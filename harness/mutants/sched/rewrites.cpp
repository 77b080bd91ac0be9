#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "generators/base/overload.h"
#include "harness/mutants/sched/changes.h"
#include "harness/sched/text.h"
#include "harness/sched/traverse.h"

namespace haruspex::mutants::sched {

using namespace haruspex::sched;

namespace {

Expr integer(std::int64_t n) { return {Integer{n}}; }
const std::int64_t* as_integer(const Expr& e) {
    const auto* n = std::get_if<Integer>(&e.node);
    return n != nullptr ? &n->value : nullptr;
}
bool has_successor(std::int64_t n, std::int64_t by) {
    std::int64_t sum = 0;
    return !__builtin_add_overflow(n, by, &sum);
}

// The index plus 1 or -1, as one would write it.
Expr shifted(const Expr& index, std::int64_t by) {
    if (const auto* n = as_integer(index); n != nullptr && has_successor(*n, by)) { return integer(*n + by); }
    if (const auto* sum = std::get_if<IndexBinary>(&index.node)) {
        const auto* n = as_integer(*sum->b);
        const std::int64_t step = sum->op == IndexOp::sub ? -by : by;
        if (n != nullptr && (sum->op == IndexOp::add || sum->op == IndexOp::sub) && has_successor(*n, step)) {
            if (*n + step == 0) { return *sum->a; }
            return {IndexBinary{sum->op, sum->a, integer(*n + step)}};
        }
    }
    return {IndexBinary{by > 0 ? IndexOp::add : IndexOp::sub, index, integer(1)}};
}

Expr with_part(const Expr& whole, std::size_t number, const Expr& part) {
    Expr changed = whole;
    std::size_t i = 0;
    for_each_part(changed, [&](Expr& p) {
        if (i++ == number) { p = part; }
    });
    return changed;
}

std::string becomes(const Expr& before, const Expr& after) {
    return "`" + print(before) + "` becomes `" + print(after) + "`";
}

// Relations that a slip could put in the place of another.
std::array<Relation, 2> mistaken_for(Relation relation) {
    switch (relation) {
        case Relation::lt: return {Relation::le, Relation::ge};
        case Relation::le: return {Relation::lt, Relation::gt};
        case Relation::eq: return {Relation::ne, Relation::le};
        case Relation::ne: return {Relation::eq, Relation::lt};
        case Relation::gt: return {Relation::ge, Relation::le};
        case Relation::ge: return {Relation::gt, Relation::lt};
    }
    return {relation, relation};
}

// Operators that take and give the same types.
std::span<const value::BinaryOp> alike(value::BinaryOp op) {
    using enum value::BinaryOp;
    static constexpr std::array numbers{add, sub, mul, div, mod, min, max};
    static constexpr std::array relations{eq, ne, lt, le, gt, ge};
    static constexpr std::array logical{logical_and, logical_or};
    static constexpr std::array bits{bit_and, bit_or, bit_xor, shift_left, shift_right};
    const auto has = [op](const auto& group) { return std::ranges::find(group, op) != group.end(); };
    if (has(numbers)) { return numbers; }
    if (has(relations)) { return relations; }
    if (has(logical)) { return logical; }
    return bits;
}

// What could stand in the place of one node; its parts are left alone, except those that only have a meaning with it.
class Node {
public:
    Node(const Expr& expr, Use use, const LaneCounts& lanes) : expr_(expr), use_(use), lanes_(lanes) {}

    std::vector<Rewrite> rewrites() && {
        std::visit([this](const auto& n) { suggest(n); }, expr_.node);
        return std::move(found_);
    }

private:
    void offer(MutationKind kind, Expr instead) {
        std::string what = becomes(expr_, instead);
        found_.push_back({kind, std::move(what), std::move(instead)});
    }

    bool is_index() const { return use_ == Use::index || use_ == Use::factor; }

    void suggest(const Integer& n) {
        if (use_ != Use::embedded) { return; }
        for (const std::int64_t by : {-1, 1}) {
            if (has_successor(n.value, by)) { offer(MutationKind::literal_changed, integer(n.value + by)); }
        }
    }
    void suggest(const Truth& n) { offer(MutationKind::literal_changed, {Truth{!n.value}}); }
    void suggest(const Variable& n) {
        if (const auto lanes = lanes_.find(n.name); lanes != lanes_.end()) {
            offer(MutationKind::lane_expression,
                  {IndexBinary{IndexOp::sub, integer(lanes->second - 1), Expr{Variable{n.name}}}});
            offer(MutationKind::lane_expression, integer(0));
        }
        if (use_ == Use::index) {
            offer(MutationKind::index_coefficient, {IndexBinary{IndexOp::mul, integer(2), Expr{Variable{n.name}}}});
        }
    }
    void suggest(const IndexBinary& n) {
        if (!is_index()) { return; }
        const bool multiplies = n.op == IndexOp::mul;
        if (!multiplies && n.op != IndexOp::div && n.op != IndexOp::mod) { return; }
        for (const std::int64_t by : {-1, 1}) {
            if (const auto* a = as_integer(*n.a); multiplies && a != nullptr && has_successor(*a, by)) {
                offer(MutationKind::index_coefficient, {IndexBinary{n.op, integer(*a + by), n.b}});
            }
            if (const auto* b = as_integer(*n.b); b != nullptr && has_successor(*b, by)) {
                offer(MutationKind::index_coefficient, {IndexBinary{n.op, n.a, integer(*b + by)}});
            }
        }
    }
    void suggest(const Comparison& n) {
        for (const Relation relation : mistaken_for(n.relation)) {
            offer(MutationKind::guard_changed, {Comparison{relation, n.a, n.b}});
        }
    }
    void suggest(const And& n) {
        offer(MutationKind::guard_changed, {Or{n.a, n.b}});
        offer(MutationKind::guard_dropped, *n.a);
        offer(MutationKind::guard_dropped, *n.b);
    }
    void suggest(const Or& n) {
        offer(MutationKind::guard_changed, {And{n.a, n.b}});
        offer(MutationKind::guard_dropped, *n.a);
        offer(MutationKind::guard_dropped, *n.b);
    }
    void suggest(const Not& n) { offer(MutationKind::guard_changed, *n.a); }
    void suggest(const Literal& n) {
        for (const value::BinaryOp op : {value::BinaryOp::sub, value::BinaryOp::add}) {
            const value::Value next = value::apply(op, n.value, value::cast(n.value.type(), one()));
            if (next.is_defined()) { offer(MutationKind::literal_changed, {Literal{next}}); }
        }
    }
    void suggest(const ValueVariable& n) {
        if (!n.lane) { return; }
        for (const Rewrite& lane : neighbours(MutationKind::lane_expression, **n.lane)) {
            offer(lane.kind, {ValueVariable{n.name, lane.expr}});
        }
    }
    void suggest(const Load& n) {
        for (std::size_t i = 0; i < n.indices.size(); ++i) {
            for (const Rewrite& index : neighbours(MutationKind::index_off_by_one, n.indices[i])) {
                offer(index.kind, with_part(expr_, i, index.expr));
            }
        }
        for (std::size_t i = 1; i < n.indices.size(); ++i) {
            Load swapped = n;
            std::swap(swapped.indices[i - 1], swapped.indices[i]);
            offer(MutationKind::indices_swapped, {std::move(swapped)});
        }
        if (n.guard) { offer(MutationKind::guard_dropped, {Load{n.array, n.indices, std::nullopt}}); }
    }
    void suggest(const Unary& n) { offer(MutationKind::operator_replaced, *n.a); }
    void suggest(const Binary& n) {
        for (const value::BinaryOp op : alike(n.op)) {
            if (op != n.op) { offer(MutationKind::operator_replaced, {Binary{op, n.a, n.b}}); }
        }
        offer(MutationKind::operands_swapped, {Binary{n.op, n.b, n.a}});
    }
    void suggest(const Select& n) {
        offer(MutationKind::operands_swapped, {Select{n.condition, n.if_false, n.if_true}});
    }
    void suggest(const LaneReduce& n) {
        for (const value::ReductionOp op : value::all_reduction_ops) {
            if (op != n.op) { offer(MutationKind::operator_replaced, {LaneReduce{op, n.lanes, n.body}}); }
        }
        for (const std::int64_t by : {-1, 1}) {
            offer(MutationKind::lane_count, {LaneReduce{n.op, {n.lanes.variable, n.lanes.count + by}, n.body}});
        }
    }
    void suggest(const LetIn& n) {
        for (const Rewrite& value : neighbours(MutationKind::index_off_by_one, *n.value)) {
            offer(value.kind, {LetIn{n.name, value.expr, n.body}});
        }
    }
    void suggest(const LetValueIn& n) {
        if (!n.lanes) { return; }
        for (const std::int64_t by : {-1, 1}) {
            LetValueIn changed = n;
            changed.lanes->count += by;
            offer(MutationKind::lane_count, {std::move(changed)});
        }
    }
    // What has no form but its parts', and tensors, which stand in prophecies only.
    void suggest(const Denoted&) {}
    void suggest(const Embed&) {}
    void suggest(const Guard&) {}
    void suggest(const Cast&) {}
    void suggest(const TensorAccess&) {}

    static value::Value one() { return value::Value::integer(value::Type::i32, 1); }

    const Expr& expr_;
    Use use_;
    const LaneCounts& lanes_;
    std::vector<Rewrite> found_;
};

Use use_of_part(const Expr& expr, std::size_t number, Use use) {
    return std::visit(Overload{[&](const IndexBinary& n) {
                                   if (use != Use::index && use != Use::factor) { return use; }
                                   return n.op == IndexOp::mul ? Use::factor : Use::index;
                               },
                               [&](const Load& n) { return number < n.indices.size() ? Use::index : Use::other; },
                               [](const Embed&) { return Use::embedded; },
                               [&](const Select&) { return number == 0 ? Use::other : use; },
                               [&](const LetIn&) { return number == 0 ? Use::index : use; },
                               [&](const LetValueIn&) { return number == 0 ? Use::other : use; },
                               [](const auto&) { return Use::other; }},
                      expr.node);
}

LaneCounts lanes_of_part(const Expr& expr, std::size_t number, LaneCounts lanes) {
    const auto add = [&](const Lanes& bound) { lanes[bound.variable] = bound.count; };
    std::visit(Overload{[&](const LaneReduce& n) { add(n.lanes); },
                        [&](const LetIn& n) {
                            if (number == 1) { lanes.erase(n.name); }
                        },
                        [&](const LetValueIn& n) {
                            if (number == 1) {
                                lanes.erase(n.name);
                            } else if (n.lanes) {
                                add(*n.lanes);
                            }
                        },
                        [](const auto&) {}},
               expr.node);
    return lanes;
}

}  // namespace

std::vector<Rewrite> neighbours(MutationKind kind, const Expr& index) {
    std::vector<Rewrite> found;
    for (const std::int64_t by : {-1, 1}) {
        Expr changed = shifted(index, by);
        std::string what = becomes(index, changed);
        found.push_back({kind, std::move(what), std::move(changed)});
    }
    return found;
}

std::vector<Rewrite> rewrites(const Expr& expr, Use use, const LaneCounts& lanes) {
    std::vector<Rewrite> found = Node(expr, use, lanes).rewrites();
    std::size_t number = 0;
    for_each_part(expr, [&](const Expr& part) {
        for (Rewrite& r : rewrites(part, use_of_part(expr, number, use), lanes_of_part(expr, number, lanes))) {
            found.push_back({r.kind, std::move(r.what), with_part(expr, number, r.expr)});
        }
        ++number;
    });
    return found;
}

std::vector<Rewrite> rewrites_of_prophecy(const Expr& expr) {
    std::vector<Rewrite> found;
    const auto offer = [&](MutationKind kind, Expr instead) {
        std::string what = becomes(expr, instead);
        found.push_back({kind, std::move(what), std::move(instead)});
    };
    if (const auto* access = std::get_if<TensorAccess>(&expr.node)) {
        for (std::size_t i = 0; i < access->indices.size(); ++i) {
            for (const Rewrite& index : neighbours(MutationKind::prophecy_index, access->indices[i])) {
                offer(index.kind, with_part(expr, i, index.expr));
            }
        }
        for (const int by : {-1, 1}) {
            offer(MutationKind::prophecy_component,
                  {TensorAccess{access->tensor, access->indices, access->component + by}});
        }
    }
    std::size_t number = 0;
    for_each_part(expr, [&](const Expr& part) {
        for (Rewrite& r : rewrites_of_prophecy(part)) {
            found.push_back({r.kind, std::move(r.what), with_part(expr, number, r.expr)});
        }
        ++number;
    });
    return found;
}

}  // namespace haruspex::mutants::sched
