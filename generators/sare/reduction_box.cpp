#include "generators/sare/reduction_box.h"

#include <map>

#include "generators/base/overload.h"
#include "generators/sare/build.h"
#include "generators/sare/relations.h"

namespace haruspex::sare {
namespace {

struct Interval {
    Index low, high;
};
using Intervals = std::map<std::string, Interval>;

Index binary(IndexOp op, const Index& a, const Index& b) { return Index{IndexBinary{op, a, b}}; }

// Bounds of an index whose variables have known intervals; nullopt if one has none.
std::optional<Interval> bounds_of(const Index& index, const Intervals& known) {
    return std::visit(
        Overload{
            [&](const IndexConstant&) -> std::optional<Interval> { return Interval{index, index}; },
            [&](const IndexVariable& v) -> std::optional<Interval> {
                const auto found = known.find(v.name);
                if (found == known.end()) { return std::nullopt; }
                return found->second;
            },
            [&](const IndexBinary& b) -> std::optional<Interval> {
                const auto left = bounds_of(*b.a, known);
                const auto right = bounds_of(*b.b, known);
                if (!left || !right) { return std::nullopt; }
                if (b.op == IndexOp::sub) {
                    return Interval{binary(b.op, left->low, right->high), binary(b.op, left->high, right->low)};
                }
                return Interval{binary(b.op, left->low, right->low), binary(b.op, left->high, right->high)};
            },
            [&](const IndexScale& s) -> std::optional<Interval> {
                const auto inner = bounds_of(*s.a, known);
                if (!inner) { return std::nullopt; }
                const Index low{IndexScale{s.factor, inner->low}};
                const Index high{IndexScale{s.factor, inner->high}};
                return s.factor >= 0 ? Interval{low, high} : Interval{high, low};
            },
            [&](const IndexDiv& d) -> std::optional<Interval> {
                const auto inner = bounds_of(*d.a, known);
                if (!inner) { return std::nullopt; }
                return Interval{Index{IndexDiv{inner->low, d.divisor}}, Index{IndexDiv{inner->high, d.divisor}}};
            },
            [&](const IndexMod& m) -> std::optional<Interval> {
                const auto inner = bounds_of(*m.a, known);
                // Exact over parameters alone, like all the others.
                if (inner && inner->low == inner->high) {
                    const Index remainder{IndexMod{inner->low, m.divisor}};
                    return Interval{remainder, remainder};
                }
                return Interval{constant(0), constant(m.divisor - 1)};
            },
            [&](const IndexSelect& s) -> std::optional<Interval> {
                const auto yes = bounds_of(*s.if_true, known);
                const auto no = bounds_of(*s.if_false, known);
                if (!yes || !no) { return std::nullopt; }
                return Interval{binary(IndexOp::min, yes->low, no->low), binary(IndexOp::max, yes->high, no->high)};
            },
        },
        index.node);
}

bool mentions_only(const Index& index, const std::set<std::string>& names) {
    return std::visit(
        Overload{
            [](const IndexConstant&) { return true; },
            [&](const IndexVariable& v) { return names.contains(v.name); },
            [&](const IndexBinary& b) { return mentions_only(*b.a, names) && mentions_only(*b.b, names); },
            [&](const IndexScale& s) { return mentions_only(*s.a, names); },
            [&](const IndexDiv& d) { return mentions_only(*d.a, names); },
            [&](const IndexMod& m) { return mentions_only(*m.a, names); },
            // A condition may mention anything.
            [](const IndexSelect&) { return false; },
        },
        index.node);
}

bool is_variable(const Index& index, const std::string& name) {
    const auto* v = std::get_if<IndexVariable>(&index.node);
    return v != nullptr && v->name == name;
}

// The bounds that one conjunct gives a variable.
struct Side {
    std::optional<Index> low, high;  // inclusive
};

std::optional<Side> side_of(const Condition& conjunct, const std::string& variable) {
    const auto* comparison = std::get_if<Comparison>(&conjunct.node);
    if (comparison == nullptr) { return std::nullopt; }
    Relation relation = comparison->relation;
    const Index* bound = &comparison->b;
    if (!is_variable(comparison->a, variable)) {
        if (!is_variable(comparison->b, variable)) { return std::nullopt; }
        relation = mirrored(relation);
        bound = &comparison->a;
    }
    switch (relation) {
        case Relation::lt: return Side{std::nullopt, binary(IndexOp::sub, *bound, constant(1))};
        case Relation::le: return Side{std::nullopt, *bound};
        case Relation::gt: return Side{binary(IndexOp::add, *bound, constant(1)), std::nullopt};
        case Relation::ge: return Side{*bound, std::nullopt};
        case Relation::eq: return Side{*bound, *bound};
        case Relation::ne: break;
    }
    return std::nullopt;
}

std::optional<Interval> interval_of(const std::string& variable, const std::vector<Condition>& all,
                                    const Intervals& known) {
    std::optional<Index> low, high;
    for (const Condition& conjunct : all) {
        const auto side = side_of(conjunct, variable);
        if (!side) { continue; }
        if (side->low) {
            if (const auto bounds = bounds_of(*side->low, known)) {
                low = low ? binary(IndexOp::max, *low, bounds->low) : bounds->low;
            }
        }
        if (side->high) {
            if (const auto bounds = bounds_of(*side->high, known)) {
                high = high ? binary(IndexOp::min, *high, bounds->high) : bounds->high;
            }
        }
    }
    if (!low || !high) { return std::nullopt; }
    return Interval{*low, *high};
}

// Whether the box implies the conjunct: one that bounds one variable by parameters alone.
bool is_implied(const Condition& conjunct, const std::vector<std::string>& variables,
                const std::set<std::string>& parameters) {
    for (const std::string& v : variables) {
        const auto side = side_of(conjunct, v);
        if (side && (!side->low || mentions_only(*side->low, parameters)) &&
            (!side->high || mentions_only(*side->high, parameters))) {
            return true;
        }
    }
    const auto* truth = std::get_if<Truth>(&conjunct.node);
    return truth != nullptr && truth->value;
}

}  // namespace

std::vector<Condition> conjuncts(const Condition& condition) {
    const auto* both = std::get_if<And>(&condition.node);
    if (both == nullptr) { return {condition}; }
    std::vector<Condition> all = conjuncts(*both->a);
    for (Condition& c : conjuncts(*both->b)) { all.push_back(std::move(c)); }
    return all;
}

std::optional<ReductionBox> reduction_box(const Reduce& reduce, const std::set<std::string>& parameters) {
    const std::vector<Condition> all = conjuncts(reduce.domain);
    Intervals known;
    for (const std::string& p : parameters) {
        const Index itself{IndexVariable{p}};
        known.insert_or_assign(p, Interval{itself, itself});
    }
    // A bound variable shadows a parameter of its name.
    for (const std::string& v : reduce.variables) { known.erase(v); }
    // Each round bounds the variables that depend on those already bounded.
    for (std::size_t round = 0; round < reduce.variables.size(); ++round) {
        for (const std::string& v : reduce.variables) {
            if (known.contains(v)) { continue; }
            if (auto interval = interval_of(v, all, known)) { known.insert_or_assign(v, std::move(*interval)); }
        }
    }
    ReductionBox box;
    for (const std::string& v : reduce.variables) {
        const auto found = known.find(v);
        if (found == known.end()) { return std::nullopt; }
        box.min.push_back(found->second.low);
        box.max.push_back(found->second.high);
    }
    std::set<std::string> outer = parameters;
    for (const std::string& v : reduce.variables) { outer.erase(v); }
    for (const Condition& conjunct : all) {
        if (!is_implied(conjunct, reduce.variables, outer)) { box.remaining.push_back(conjunct); }
    }
    return box;
}

}  // namespace haruspex::sare
