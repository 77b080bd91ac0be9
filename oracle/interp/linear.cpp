#include "oracle/interp/linear.h"

#include <algorithm>

namespace haruspex::interp {

std::int64_t Linear::factor(std::uint32_t column) const {
    const auto term = std::ranges::find(terms, column, &Term::column);
    return term == terms.end() ? 0 : term->factor;
}

Linear linear_constant(std::int64_t value) { return Linear{value, {}}; }

Linear linear_column(std::uint32_t column) { return Linear{0, {Term{1, column}}}; }

std::optional<Linear> scale(const Linear& a, std::int64_t factor) { return add(linear_constant(0), a, factor); }

std::optional<Linear> add(const Linear& a, const Linear& b, std::int64_t factor) {
    Linear sum;
    // x + factor * y, or nothing.
    const auto combine = [factor](std::int64_t x, std::int64_t y) -> std::optional<std::int64_t> {
        std::int64_t product = 0;
        std::int64_t result = 0;
        if (__builtin_mul_overflow(factor, y, &product) || __builtin_add_overflow(x, product, &result)) {
            return std::nullopt;
        }
        return result;
    };
    const auto constant = combine(a.constant, b.constant);
    if (!constant) { return std::nullopt; }
    sum.constant = *constant;
    auto left = a.terms.begin();
    auto right = b.terms.begin();
    while (left != a.terms.end() || right != b.terms.end()) {
        const bool from_left = left != a.terms.end() && (right == b.terms.end() || left->column <= right->column);
        const bool from_right = right != b.terms.end() && (left == a.terms.end() || right->column <= left->column);
        const std::uint32_t column = from_left ? left->column : right->column;
        const auto combined = combine(from_left ? left->factor : 0, from_right ? right->factor : 0);
        if (!combined) { return std::nullopt; }
        if (*combined != 0) { sum.terms.push_back(Term{*combined, column}); }
        if (from_left) { ++left; }
        if (from_right) { ++right; }
    }
    return sum;
}

}  // namespace haruspex::interp
