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

// Returns the index plus 1 or -1, as a person would write it.
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

// Returns relations that might replace this one by mistake.
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

// Returns the operators with the same operand and result types.
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

constexpr std::array one_less_and_more{-1, 1};

// The replacements of one node, of which only the wished one is made.
class Offers {
public:
    Offers(const Expr& expr, ChangeSelector& wish) : expr_(expr), wish_(wish) {}

protected:
    // `make` returns a node or an expression.
    template <typename Make>
    void offer(MutationKind kind, Make&& make) {
        if (!wish_.is_next(kind)) { return; }
        Expr instead{make()};
        made_ = Rewrite{becomes(expr_, instead), std::move(instead)};
    }
    std::optional<Rewrite> made() { return std::move(made_); }

    const Expr& expr_;

private:
    ChangeSelector& wish_;
    std::optional<Rewrite> made_;
};

// Replacements of one node. Its parts are left alone, except those that have a meaning only together with it.
class Node : Offers {
public:
    Node(const Expr& expr, Use use, const LaneCounts& lanes, ChangeSelector& wish)
        : Offers(expr, wish), use_(use), lanes_(lanes) {}

    std::optional<Rewrite> rewrite() && {
        std::visit([this](const auto& n) { suggest(n); }, expr_.node);
        return made();
    }

private:
    bool is_index() const { return use_ == Use::index || use_ == Use::factor; }

    void suggest(const Integer& n) {
        if (use_ != Use::embedded) { return; }
        for (const std::int64_t by : one_less_and_more) {
            if (!has_successor(n.value, by)) { continue; }
            offer(MutationKind::literal_changed, [&] { return Integer{n.value + by}; });
        }
    }
    void suggest(const Truth& n) {
        offer(MutationKind::literal_changed, [&] { return Truth{!n.value}; });
    }
    void suggest(const Variable& n) {
        if (const auto lanes = lanes_.find(n.name); lanes != lanes_.end()) {
            offer(MutationKind::lane_expression,
                  [&] { return IndexBinary{IndexOp::sub, integer(lanes->second - 1), Expr{n}}; });
            offer(MutationKind::lane_expression, [] { return Integer{0}; });
        }
        if (use_ == Use::index) {
            offer(MutationKind::index_coefficient, [&] { return IndexBinary{IndexOp::mul, integer(2), Expr{n}}; });
        }
    }
    void suggest(const IndexBinary& n) {
        if (!is_index()) { return; }
        const bool multiplies = n.op == IndexOp::mul;
        if (!multiplies && n.op != IndexOp::div && n.op != IndexOp::mod) { return; }
        for (const std::int64_t by : one_less_and_more) {
            if (const auto* a = as_integer(*n.a); multiplies && a != nullptr && has_successor(*a, by)) {
                offer(MutationKind::index_coefficient, [&] { return IndexBinary{n.op, integer(*a + by), n.b}; });
            }
            if (const auto* b = as_integer(*n.b); b != nullptr && has_successor(*b, by)) {
                offer(MutationKind::index_coefficient, [&] { return IndexBinary{n.op, n.a, integer(*b + by)}; });
            }
        }
    }
    void suggest(const Comparison& n) {
        for (const Relation relation : mistaken_for(n.relation)) {
            offer(MutationKind::guard_changed, [&] { return Comparison{relation, n.a, n.b}; });
        }
    }
    void suggest(const And& n) {
        offer(MutationKind::guard_changed, [&] { return Or{n.a, n.b}; });
        offer_operands(n);
    }
    void suggest(const Or& n) {
        offer(MutationKind::guard_changed, [&] { return And{n.a, n.b}; });
        offer_operands(n);
    }
    template <typename Connective>
    void offer_operands(const Connective& n) {
        offer(MutationKind::guard_dropped, [&] { return *n.a; });
        offer(MutationKind::guard_dropped, [&] { return *n.b; });
    }
    void suggest(const Not& n) {
        offer(MutationKind::guard_changed, [&] { return *n.a; });
    }
    void suggest(const Literal& n) {
        for (const value::BinaryOp op : {value::BinaryOp::sub, value::BinaryOp::add}) {
            const value::Value next = value::apply(op, n.value, value::cast(n.value.type(), one()));
            if (!next.is_defined()) { continue; }
            offer(MutationKind::literal_changed, [&] { return Literal{next}; });
        }
    }
    void suggest(const ValueVariable& n) {
        if (!n.lane) { return; }
        for (const std::int64_t by : one_less_and_more) {
            offer(MutationKind::lane_expression, [&] { return ValueVariable{n.name, shifted(**n.lane, by)}; });
        }
    }
    void suggest(const Load& n) {
        for (std::size_t i = 0; i < n.indices.size(); ++i) {
            for (const std::int64_t by : one_less_and_more) {
                offer(MutationKind::index_off_by_one, [&] { return with_part(expr_, i, shifted(n.indices[i], by)); });
            }
        }
        for (std::size_t i = 1; i < n.indices.size(); ++i) {
            offer(MutationKind::indices_swapped, [&] {
                Load swapped = n;
                std::swap(swapped.indices[i - 1], swapped.indices[i]);
                return swapped;
            });
        }
        if (n.guard) {
            offer(MutationKind::guard_dropped, [&] { return Load{n.array, n.indices, std::nullopt}; });
        }
    }
    void suggest(const Unary& n) {
        offer(MutationKind::operator_replaced, [&] { return *n.a; });
    }
    void suggest(const Binary& n) {
        for (const value::BinaryOp op : alike(n.op)) {
            if (op == n.op) { continue; }
            offer(MutationKind::operator_replaced, [&] { return Binary{op, n.a, n.b}; });
        }
        offer(MutationKind::operands_swapped, [&] { return Binary{n.op, n.b, n.a}; });
    }
    void suggest(const Select& n) {
        offer(MutationKind::operands_swapped, [&] { return Select{n.condition, n.if_false, n.if_true}; });
    }
    void suggest(const LaneReduce& n) {
        for (const value::ReductionOp op : value::all_reduction_ops) {
            if (op == n.op) { continue; }
            offer(MutationKind::operator_replaced, [&] { return LaneReduce{op, n.lanes, n.body}; });
        }
        for (const std::int64_t by : one_less_and_more) {
            offer(MutationKind::lane_count,
                  [&] { return LaneReduce{n.op, {n.lanes.variable, n.lanes.count + by}, n.body}; });
        }
    }
    void suggest(const LetIn& n) {
        for (const std::int64_t by : one_less_and_more) {
            offer(MutationKind::index_off_by_one, [&] { return LetIn{n.name, shifted(*n.value, by), n.body}; });
        }
    }
    void suggest(const LetValueIn& n) {
        if (!n.lanes) { return; }
        for (const std::int64_t by : one_less_and_more) {
            offer(MutationKind::lane_count, [&] {
                LetValueIn changed = n;
                changed.lanes->count += by;
                return changed;
            });
        }
    }
    // Nodes whose only form is their parts', and tensors, which occur only in prophecies.
    void suggest(const IntegerOf&) {}
    void suggest(const Embed&) {}
    void suggest(const Guard&) {}
    void suggest(const Cast&) {}
    void suggest(const TensorAccess&) {}

    static value::Value one() { return value::Value::integer(value::Type::i32, 1); }

    Use use_;
    const LaneCounts& lanes_;
};

// The same within a prophecy.
class NodeOfProphecy : Offers {
public:
    using Offers::Offers;

    std::optional<Rewrite> rewrite() && {
        if (const auto* access = std::get_if<TensorAccess>(&expr_.node)) { suggest(*access); }
        return made();
    }

private:
    void suggest(const TensorAccess& n) {
        for (std::size_t i = 0; i < n.indices.size(); ++i) {
            for (const std::int64_t by : one_less_and_more) {
                offer(MutationKind::prophecy_index, [&] { return with_part(expr_, i, shifted(n.indices[i], by)); });
            }
        }
        for (const int by : one_less_and_more) {
            offer(MutationKind::prophecy_component,
                  [&] { return TensorAccess{n.tensor, n.indices, n.component + by}; });
        }
    }
};

// Returns the whole with the node at this number, parents first, replaced.
Rewrite in_place(const Expr& whole, std::size_t number, Rewrite node) {
    Expr changed = whole;
    std::size_t i = 0;
    bool is_done = false;
    const auto visit = [&](const auto& self, Expr& expr) -> void {
        if (i++ == number) {
            expr = std::move(node.expr);
            is_done = true;
        }
        if (is_done) { return; }
        for_each_part(expr, [&](Expr& part) {
            if (!is_done) { self(self, part); }
        });
    };
    visit(visit, changed);
    return {std::move(node.what), std::move(changed)};
}

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

std::optional<Rewrite> neighbour(MutationKind kind, const Expr& index, ChangeSelector& wish) {
    std::optional<Rewrite> made;
    for (const std::int64_t by : one_less_and_more) {
        if (!wish.is_next(kind)) { continue; }
        Expr changed = shifted(index, by);
        made = Rewrite{becomes(index, changed), std::move(changed)};
    }
    return made;
}

std::optional<Rewrite> rewrite(const Expr& expr, Use use, const LaneCounts& lanes, ChangeSelector& wish) {
    std::optional<Rewrite> made;
    std::size_t place = 0;
    const auto visit = [&](const auto& self, const Expr& node, Use use_here, const LaneCounts& lanes_here) -> void {
        if (auto here = Node(node, use_here, lanes_here, wish).rewrite()) {
            made = in_place(expr, place, std::move(*here));
        }
        ++place;
        std::size_t number = 0;
        for_each_part(node, [&](const Expr& part) {
            self(self, part, use_of_part(node, number, use_here), lanes_of_part(node, number, lanes_here));
            ++number;
        });
    };
    visit(visit, expr, use, lanes);
    return made;
}

std::optional<Rewrite> rewrite_of_prophecy(const Expr& expr, ChangeSelector& wish) {
    std::optional<Rewrite> made;
    std::size_t place = 0;
    for_each_expr(expr, [&](const Expr& node) {
        if (auto here = NodeOfProphecy(node, wish).rewrite()) { made = in_place(expr, place, std::move(*here)); }
        ++place;
    });
    return made;
}

}  // namespace haruspex::mutants::sched
