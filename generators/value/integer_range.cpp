#include "generators/value/integer_range.h"

#include <vector>

namespace haruspex::value {
namespace {

// The negative or the non-negative part of a range, with the high bits that all its numbers share. Two's complement
// numbers of one sign are ordered by their lower bits.
struct Bits {
    Interval i;
    Int128 shared;  // the bits above the free ones, equal in low and high
    Int128 free;    // 2^k - 1

    Int128 all_set() const { return shared | free; }
    bool is_negative() const { return i.low < 0; }
};

Bits bits_of(Interval i) {
    Int128 free = 0;
    while ((i.low | free) != (i.high | free)) { free = free * 2 + 1; }
    return {i, i.low & ~free, free};
}

std::vector<Bits> parts_by_sign(const Range& r) {
    std::vector<Bits> parts;
    if (r.low < 0) { parts.push_back(bits_of({r.low, std::min<Int128>(r.high, -1)})); }
    if (r.high >= 0) { parts.push_back(bits_of({std::max<Int128>(r.low, 0), r.high})); }
    return parts;
}

Interval conjunction(const Bits& x, const Bits& y) {
    Interval result{x.shared & y.shared, x.all_set() & y.all_set()};
    // Clearing bits makes a number smaller, unless it clears the sign.
    if (!x.is_negative() || y.is_negative()) { result.high = std::min(result.high, x.i.high); }
    if (!y.is_negative() || x.is_negative()) { result.high = std::min(result.high, y.i.high); }
    return result;
}

Interval disjunction(const Bits& x, const Bits& y) {
    Interval result{x.shared | y.shared, x.all_set() | y.all_set()};
    // Setting bits makes a number larger, unless it sets the sign.
    if (x.is_negative() || !y.is_negative()) { result.low = std::max(result.low, x.i.low); }
    if (y.is_negative() || !x.is_negative()) { result.low = std::max(result.low, y.i.low); }
    return result;
}

Interval exclusive_or(const Bits& x, const Bits& y) {
    const Int128 free = x.free | y.free;
    const Int128 shared = (x.shared ^ y.shared) & ~free;
    return {shared, shared | free};
}

}  // namespace

std::optional<Range> fit(Type type, Interval exact) {
    const Range all = full_range(type);
    if (is_within(exact, all)) { return as_range(type, exact); }
    if (overflow_is_undefined(type)) { return std::nullopt; }
    return all;
}

std::optional<Range> integer_product(Type type, const Range& a, const Range& b) {
    std::vector<Int128> corners;
    for (const Int128 x : {a.low, a.high}) {
        for (const Int128 y : {b.low, b.high}) {
            Int128 product = 0;
            // Only products of u64 leave 128 bits, and u64 wraps.
            if (__builtin_mul_overflow(x, y, &product)) { return full_range(type); }
            corners.push_back(product);
        }
    }
    const auto [low, high] = std::ranges::minmax(corners);
    return fit(type, {low, high});
}

// The quotient is monotone in the dividend, and in the divisor while that keeps its sign.
std::optional<Range> integer_quotient(Type type, const Range& a, const Range& b) {
    std::optional<Interval> all;
    const auto extend = [&all](Interval i) { all = all ? hull(*all, i) : i; };
    if (has_zero(b)) { extend({0, 0}); }
    if (b.high > 0) {
        const Int128 least = std::max<Int128>(b.low, 1);
        extend(hull(
            {floor_div(a.low, least), floor_div(a.low, b.high), floor_div(a.high, least), floor_div(a.high, b.high)}));
    }
    if (b.low < 0) {
        const Int128 least = std::max<Int128>(-b.high, 1);
        extend(hull({-floor_div(a.low, least), -floor_div(a.low, -b.low), -floor_div(a.high, least),
                     -floor_div(a.high, -b.low)}));
    }
    return fit(type, *all);
}

Range integer_remainder(Type type, const Range& a, const Range& b) {
    const Int128 largest = largest_magnitude(b);
    if (largest == 0) { return as_range(type, {0, 0}); }
    const Int128 smallest = has_zero(b) ? 0 : std::min(magnitude(b.low), magnitude(b.high));
    // Within one period, the remainder is a shift.
    if (smallest == largest && floor_div(a.low, largest) == floor_div(a.high, largest)) {
        const Int128 period = floor_div(a.low, largest) * largest;
        return as_range(type, {a.low - period, a.high - period});
    }
    if (a.low >= 0 && a.high < smallest) { return as_range(type, {a.low, a.high}); }
    return as_range(type, {0, a.low >= 0 ? std::min(a.high, largest - 1) : largest - 1});
}

Range bitwise(BinaryOp op, Type type, const Range& a, const Range& b) {
    std::optional<Interval> all;
    for (const Bits& x : parts_by_sign(a)) {
        for (const Bits& y : parts_by_sign(b)) {
            const Interval i = op == BinaryOp::bit_and  ? conjunction(x, y)
                               : op == BinaryOp::bit_or ? disjunction(x, y)
                                                        : exclusive_or(x, y);
            all = all ? hull(*all, i) : i;
        }
    }
    return as_range(type, *all);
}

// floor(a * 2^left_by) is monotone in either argument.
std::optional<Range> integer_shift(Type type, const Range& a, Interval left_by) {
    if (left_by.low <= -bits(type) || left_by.high >= bits(type)) { return std::nullopt; }
    const auto at = [](Int128 n, Int128 by) {
        // |n| <= 2^64 and by < 64, so that 128 bits hold the product.
        return by >= 0 ? n * (static_cast<Int128>(1) << static_cast<int>(by)) : n >> static_cast<int>(-by);
    };
    return fit(type, hull({at(a.low, left_by.low), at(a.low, left_by.high), at(a.high, left_by.low),
                           at(a.high, left_by.high)}));
}

}  // namespace haruspex::value
