#include "oracle/conversion/index_range.h"

#include <algorithm>
#include <utility>

#include "generators/sare/relations.h"

namespace haruspex::conversion {
namespace {

using sched::Expr;
using sched::IndexOp;
using sched::Relation;
using value::Int128;
using End = std::optional<Int128>;

// Bounds further out count as unknown; sums and products of nearer ones are exact.
constexpr Int128 most = Int128{1} << 62;

End checked(Int128 n) { return -most <= n && n <= most ? End(n) : std::nullopt; }
IndexRange range(Int128 low, Int128 high) { return {checked(low), checked(high)}; }

End sum(End a, End b) { return a && b ? checked(*a + *b) : std::nullopt; }
End negated(End a) { return a ? End(-*a) : std::nullopt; }
End scaled(End a, Int128 factor) { return a ? checked(*a * factor) : std::nullopt; }

IndexRange times(const IndexRange& a, Int128 factor) {
    return factor >= 0 ? IndexRange{scaled(a.low, factor), scaled(a.high, factor)}
                       : IndexRange{scaled(a.high, factor), scaled(a.low, factor)};
}

// Combines two bounds: `nearest` if both hold, `furthest` if only one of them need hold.
End nearest(End a, End b, bool is_greater) {
    if (!a || !b) { return a ? a : b; }
    return is_greater ? std::max(*a, *b) : std::min(*a, *b);
}
End furthest(End a, End b, bool is_greater) {
    return a && b ? End(is_greater ? std::max(*a, *b) : std::min(*a, *b)) : std::nullopt;
}

std::optional<Int128> number(const IndexRange& range) {
    return range.low && range.low == range.high ? range.low : std::nullopt;
}

Int128 floor_of_quotient(Int128 a, Int128 b) { return a / b - (a % b < 0 ? 1 : 0); }

IndexRange apply(IndexOp op, const IndexRange& a, const IndexRange& b) {
    switch (op) {
        case IndexOp::add: return {sum(a.low, b.low), sum(a.high, b.high)};
        case IndexOp::sub: return {sum(a.low, negated(b.high)), sum(a.high, negated(b.low))};
        case IndexOp::mul:
            if (const auto factor = number(a)) { return times(b, *factor); }
            if (const auto factor = number(b)) { return times(a, *factor); }
            return {};
        case IndexOp::min: return {furthest(a.low, b.low, false), nearest(a.high, b.high, false)};
        case IndexOp::max: return {nearest(a.low, b.low, true), furthest(a.high, b.high, true)};
        case IndexOp::div:
            if (const auto divisor = number(b); divisor && *divisor > 0) {
                return {a.low ? End(floor_of_quotient(*a.low, *divisor)) : std::nullopt,
                        a.high ? End(floor_of_quotient(*a.high, *divisor)) : std::nullopt};
            }
            return {};
        case IndexOp::mod:
            if (const auto divisor = number(b); divisor && *divisor > 0) { return range(0, *divisor - 1); }
            return {};
    }
    return {};
}

// Whether a < b, or a <= b, holds for all their values, and whether it holds for none.
bool holds(bool is_strict, const IndexRange& a, const IndexRange& b) {
    return a.high && b.low && (is_strict ? *a.high < *b.low : *a.high <= *b.low);
}
bool fails(bool is_strict, const IndexRange& a, const IndexRange& b) { return holds(!is_strict, b, a); }

}  // namespace

IndexRange range_of(const Expr& index, const IndexRanges& variables) {
    if (const auto* n = std::get_if<sched::Integer>(&index.node)) { return range(n->value, n->value); }
    if (const auto* n = std::get_if<sched::Variable>(&index.node)) {
        const auto known = variables.find(n->name);
        return known == variables.end() ? IndexRange{} : known->second;
    }
    if (const auto* n = std::get_if<sched::IndexBinary>(&index.node)) {
        return apply(n->op, range_of(*n->a, variables), range_of(*n->b, variables));
    }
    if (const auto* n = std::get_if<sched::Select>(&index.node)) {
        const IndexRange a = range_of(*n->if_true, variables), b = range_of(*n->if_false, variables);
        return {furthest(a.low, b.low, false), furthest(a.high, b.high, true)};
    }
    return {};
}

bool lies_within(const IndexRange& range, value::Type integers) {
    const value::Range all = value::full_range(integers);
    return range.low && range.high && *range.low >= all.low && *range.high <= all.high;
}

std::optional<bool> decided(const sched::Comparison& comparison, const IndexRanges& variables) {
    const IndexRange a = range_of(*comparison.a, variables), b = range_of(*comparison.b, variables);
    const auto either = [](bool is_true, bool is_false) {
        return is_true || is_false ? std::optional(is_true) : std::nullopt;
    };
    const bool are_apart = holds(true, a, b) || holds(true, b, a);
    const bool are_equal = number(a) && number(a) == number(b);
    switch (comparison.relation) {
        case Relation::lt: return either(holds(true, a, b), fails(true, a, b));
        case Relation::le: return either(holds(false, a, b), fails(false, a, b));
        case Relation::gt: return either(holds(true, b, a), fails(true, b, a));
        case Relation::ge: return either(holds(false, b, a), fails(false, b, a));
        case Relation::eq: return either(are_equal, are_apart);
        case Relation::ne: return either(are_apart, are_equal);
    }
    return std::nullopt;
}

sched::Comparison without_clamps(sched::Comparison comparison, const IndexRanges& variables) {
    const bool is_mirrored = comparison.relation == Relation::gt || comparison.relation == Relation::ge;
    Expr small = std::move(*comparison.a), large = std::move(*comparison.b);
    if (is_mirrored) { std::swap(small, large); }
    const Relation relation = is_mirrored ? sare::mirrored(comparison.relation) : comparison.relation;
    const bool is_strict = relation == Relation::lt;
    const bool is_ordered = is_strict || relation == Relation::le;

    // Whether the bound has no effect. On the greater side: min(e, k) with k large enough, or max(e, k) with k too
    // small; on the lesser side the reverse.
    const auto is_idle = [&](IndexOp op, const IndexRange& bound, bool is_large) {
        if (is_large) {
            const IndexRange other = range_of(small, variables);
            return op == IndexOp::min ? holds(is_strict, other, bound) : fails(is_strict, other, bound);
        }
        const IndexRange other = range_of(large, variables);
        return op == IndexOp::max ? holds(is_strict, bound, other) : fails(is_strict, bound, other);
    };
    const auto strip = [&](Expr& side, bool is_large) {
        const auto* n = std::get_if<sched::IndexBinary>(&side.node);
        if (n == nullptr || (n->op != IndexOp::min && n->op != IndexOp::max)) { return false; }
        for (const bool is_first : {true, false}) {
            const Expr& bound = is_first ? *n->a : *n->b;
            if (!std::holds_alternative<sched::Integer>(bound.node)) { continue; }
            if (!is_idle(n->op, range_of(bound, variables), is_large)) { continue; }
            side = Expr(is_first ? *n->b : *n->a);
            return true;
        }
        return false;
    };
    while (is_ordered && (strip(small, false) || strip(large, true))) {}

    if (is_mirrored) { std::swap(small, large); }
    return {comparison.relation, std::move(small), std::move(large)};
}

}  // namespace haruspex::conversion
