#include "harness/sched/bounds.h"

namespace haruspex::sched {

namespace {

std::optional<std::int64_t> integer(const Expr& expr) {
    const auto* n = std::get_if<Integer>(&expr.node);
    return n != nullptr ? std::optional(n->value) : std::nullopt;
}

// Returns the two sides if the expression is this operation.
const IndexBinary* operation(IndexOp op, const Expr& expr) {
    const auto* n = std::get_if<IndexBinary>(&expr.node);
    return n != nullptr && n->op == op ? n : nullptr;
}

std::optional<std::int64_t> difference(std::optional<std::int64_t> a, std::optional<std::int64_t> b) {
    std::int64_t result = 0;
    if (!a || !b || __builtin_sub_overflow(*a, *b, &result)) { return std::nullopt; }
    return result;
}

bool starts_with(const Expr& upper, const Expr& min) {
    const IndexBinary* sum = operation(IndexOp::add, upper);
    return sum != nullptr && *sum->a == min;
}

}  // namespace

Expr extent_between(const Expr& min, Expr upper) {
    if (integer(min) == 0) { return upper; }
    if (const auto extent = difference(integer(upper), integer(min))) { return Expr{Integer{*extent}}; }
    if (starts_with(upper, min)) { return std::move(*std::get<IndexBinary>(upper.node).b); }
    return Expr{IndexBinary{IndexOp::sub, std::move(upper), min}};
}

Expr upper_bound(const Expr& min, const Expr& extent) {
    if (integer(min) == 0) { return extent; }
    std::int64_t sum = 0;
    if (integer(min) && integer(extent) && !__builtin_add_overflow(*integer(min), *integer(extent), &sum)) {
        return Expr{Integer{sum}};
    }
    const IndexBinary* rest = operation(IndexOp::sub, extent);
    if (rest != nullptr && *rest->b == min && !difference(integer(*rest->a), integer(min)) &&
        !starts_with(*rest->a, min)) {
        return *rest->a;
    }
    return Expr{IndexBinary{IndexOp::add, min, extent}};
}

}  // namespace haruspex::sched
