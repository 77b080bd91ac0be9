#include "generators/sare/box.h"

#include <algorithm>
#include <optional>

#include "generators/base/ensure.h"
#include "generators/sare/build.h"
#include "generators/sare/relations.h"

namespace haruspex::sare {

namespace {

const IndexConstant* constant_of(const Index& index) { return std::get_if<IndexConstant>(&index.node); }

struct Bounds {
    std::optional<Index> min, upper;
};

std::unexpected<std::string> not_a_box() {
    return std::unexpected<std::string>(
        "expected a box: a lower and an upper bound of each variable, joined by \"and\", such as 0 <= x < W");
}

// Enters x `relation` bound into the bounds of x; false if that side already has a bound or the relation is not a
// bound.
bool take(Bounds& bounds, Relation relation, const Index& bound) {
    const bool lower = relation == Relation::ge || relation == Relation::gt;
    if (!lower && relation != Relation::lt && relation != Relation::le) { return false; }
    std::optional<Index>& side = lower ? bounds.min : bounds.upper;
    if (side) { return false; }
    side = relation == Relation::gt || relation == Relation::le ? bound + constant(1) : bound;
    return true;
}

bool collect(const Condition& condition, const std::vector<std::string>& variables, std::vector<Bounds>& bounds) {
    if (const auto* both = std::get_if<And>(&condition.node)) {
        return collect(*both->a, variables, bounds) && collect(*both->b, variables, bounds);
    }
    if (const auto* truth = std::get_if<Truth>(&condition.node)) { return truth->value; }
    const auto* c = std::get_if<Comparison>(&condition.node);
    if (c == nullptr) { return false; }
    const auto position = [&](const Index& index) -> std::optional<std::size_t> {
        const auto* v = std::get_if<IndexVariable>(&index.node);
        if (v == nullptr) { return std::nullopt; }
        const auto found = std::find(variables.begin(), variables.end(), v->name);
        if (found == variables.end()) { return std::nullopt; }
        return static_cast<std::size_t>(found - variables.begin());
    };
    if (const auto p = position(c->a)) { return take(bounds[*p], c->relation, c->b); }
    if (const auto p = position(c->b)) { return take(bounds[*p], mirrored(c->relation), c->a); }
    return false;
}

}  // namespace

std::expected<std::vector<Span>, std::string> box_of(const Condition& condition,
                                                     const std::vector<std::string>& variables) {
    std::vector<Bounds> bounds(variables.size());
    if (!collect(condition, variables, bounds)) { return not_a_box(); }
    std::vector<Span> box;
    for (const Bounds& b : bounds) {
        if (!b.min || !b.upper) { return not_a_box(); }
        box.push_back({*b.min, extent_between(*b.min, *b.upper)});
    }
    return box;
}

Index extent_between(const Index& min, const Index& upper) {
    if (min == constant(0)) { return upper; }
    const auto* sum = std::get_if<IndexBinary>(&upper.node);
    if (sum != nullptr && sum->op == IndexOp::add && *sum->a == min) { return *sum->b; }
    return upper - min;
}

Index upper_bound(const Span& span) {
    const auto* low = constant_of(span.min);
    const auto* extent = constant_of(span.extent);
    if (low != nullptr && low->value == 0) { return span.extent; }
    std::vector<Index> shorter;  // forms that read well, used if they read back as this span
    if (low != nullptr && extent != nullptr) { shorter.push_back(span.min + span.extent); }
    if (const auto* difference = std::get_if<IndexBinary>(&span.extent.node);
        difference != nullptr && difference->op == IndexOp::sub && *difference->b == span.min) {
        shorter.push_back(*difference->a);
    }
    for (const Index& upper : shorter) {
        if (extent_between(span.min, upper) == span.extent) { return upper; }
    }
    // Not operator+, which would fold a constant away.
    return Index{IndexBinary{IndexOp::add, span.min, span.extent}};
}

}  // namespace haruspex::sare
