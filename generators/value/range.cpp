#include "generators/value/range.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "generators/base/ensure.h"
#include "generators/value/integer_range.h"

namespace haruspex::value {
namespace {

constexpr int max_scale = 30;

Range truth(bool can_be_true, bool can_be_false) {
    return {Type::boolean, can_be_false ? 0 : 1, can_be_true ? 1 : 0, 0};
}

bool is_single(const Range& r) { return r.low == r.high; }

// n * 2^by, if it fits.
std::optional<Int128> shifted(Int128 n, int by) {
    if (n == 0) { return 0; }
    Int128 result = 0;
    if (by > 126 || __builtin_mul_overflow(n, static_cast<Int128>(1) << by, &result)) { return std::nullopt; }
    return result;
}

int significand_bits(Type type) { return type == Type::f32 ? 24 : 53; }

Int128 largest_significand(Type type) { return (static_cast<Int128>(1) << significand_bits(type)) - 1; }

// The range itself if all its values are exact in its type. A single value is reduced to its shortest form, because its
// grid carries no information.
std::optional<Range> exact_float(Range r) {
    if (is_single(r)) {
        if (r.low == 0) { return as_range(r.type, {0, 0}); }
        while (r.low % 2 == 0) {
            r.low /= 2;
            --r.scale;
        }
        r.high = r.low;
    }
    if (largest_magnitude(r) > largest_significand(r.type) || magnitude(r.scale) > max_scale) { return std::nullopt; }
    return r;
}

// Both on the finer grid of the two.
struct Aligned {
    Interval a;
    Interval b;
    int scale;
};

std::optional<Aligned> align(const Range& a, const Range& b) {
    const int scale = std::max(a.scale, b.scale);
    const auto al = shifted(a.low, scale - a.scale);
    const auto ah = shifted(a.high, scale - a.scale);
    const auto bl = shifted(b.low, scale - b.scale);
    const auto bh = shifted(b.high, scale - b.scale);
    // Sums of two aligned numbers must fit as well.
    const Int128 limit = static_cast<Int128>(1) << 125;
    for (const auto& n : {al, ah, bl, bh}) {
        if (!n || magnitude(*n) > limit) { return std::nullopt; }
    }
    return Aligned{{*al, *ah}, {*bl, *bh}, scale};
}

std::optional<Range> float_product(const Range& a, const Range& b) {
    const Int128 limit = static_cast<Int128>(1) << 60;
    if (largest_magnitude(a) > limit || largest_magnitude(b) > limit) { return std::nullopt; }
    const Interval product = hull({a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high});
    return exact_float(as_range(a.type, product, a.scale + b.scale));
}

bool is_power_of_two(const Range& r) {
    const Int128 n = magnitude(r.low);
    return is_single(r) && n != 0 && (n & (n - 1)) == 0;
}

std::optional<Range> float_quotient(const Range& a, const Range& b) {
    if (!is_power_of_two(b)) { return std::nullopt; }
    const auto unit = exact_float(b);  // +-1 * 2^-scale
    if (!unit) { return std::nullopt; }
    const Interval i = unit->low > 0 ? Interval{a.low, a.high} : Interval{-a.high, -a.low};
    return exact_float(as_range(a.type, i, a.scale - unit->scale));
}

// a - b * floor(a / b): every step is exact when b is a power of two and the quotient stays in range.
std::optional<Range> float_remainder(const Range& a, const Range& b) {
    const auto aligned = align(a, b);
    if (!float_quotient(a, b) || !aligned) { return std::nullopt; }
    const bool positive = aligned->b.low > 0;
    const Int128 period = magnitude(aligned->b.low);
    // A negative divisor mirrors: a mod -b is -(-a mod b).
    const Interval dividend = positive ? aligned->a : Interval{-aligned->a.high, -aligned->a.low};
    // A dividend on a coarser grid than the divisor leaves no remainder.
    const Int128 grid = static_cast<Int128>(1) << std::min(aligned->scale - a.scale, 120);
    Interval rest{0, std::max<Int128>(period - grid, 0)};
    if (floor_div(dividend.low, period) == floor_div(dividend.high, period)) {
        const Int128 below = floor_div(dividend.low, period) * period;
        rest = {dividend.low - below, dividend.high - below};
    }
    return exact_float(as_range(a.type, positive ? rest : Interval{-rest.high, -rest.low}, aligned->scale));
}

std::optional<Range> finish(Type type, Interval i, int scale) {
    if (is_float(type)) { return exact_float(as_range(type, i, scale)); }
    return fit(type, i);
}

Range compare(BinaryOp op, Interval a, Interval b) {
    const bool meet = a.low <= b.high && b.low <= a.high;
    const bool one = a.low == a.high && b.low == b.high && a.low == b.low;
    switch (op) {
        case BinaryOp::eq: return truth(meet, !one);
        case BinaryOp::ne: return truth(!one, meet);
        case BinaryOp::lt: return truth(a.low < b.high, a.high >= b.low);
        case BinaryOp::le: return truth(a.low <= b.high, a.high > b.low);
        case BinaryOp::gt: return truth(a.high > b.low, a.low <= b.high);
        case BinaryOp::ge: return truth(a.high >= b.low, a.low < b.high);
        default: break;
    }
    ENSURE(false, "a comparison is needed");
    return truth(true, true);
}

// The odd significand and the scale of a finite float.
Range dyadic(const Value& value) {
    int exponent = 0;
    const double fraction = std::frexp(value.as_double(), &exponent);
    const Int128 n = static_cast<Int128>(std::ldexp(fraction, 53));
    Range r{value.type(), n, n, 53 - exponent};
    while (r.low != 0 && r.low % 2 == 0) {
        r.low /= 2;
        --r.scale;
    }
    r.high = r.low;
    if (r.low == 0) { r.scale = 0; }
    return r;
}

std::string decimal(Int128 n) {
    std::string digits;
    const bool negative = n < 0;
    do {
        digits.insert(digits.begin(), static_cast<char>('0' + static_cast<int>(magnitude(n % 10))));
        n /= 10;
    } while (n != 0);
    return (negative ? "-" : "") + digits;
}

}  // namespace

Range range_of(const Value& value) {
    ENSURE(value.is_defined(), "only a defined value has a range");
    if (is_float(value.type())) {
        ENSURE(std::isfinite(value.as_double()), "only a finite float has a range");
        return dyadic(value);
    }
    const Int128 n = is_signed_integer(value.type()) ? static_cast<Int128>(value.as_signed())
                                                     : static_cast<Int128>(value.bit_pattern());
    return {value.type(), n, n, 0};
}

Range join(const Range& a, const Range& b) {
    ENSURE(a.type == b.type, "ranges of one type are joined");
    const auto aligned = align(a, b);
    ENSURE(aligned, "the ranges " + to_string(a) + " and " + to_string(b) + " have no common grid");
    return as_range(a.type, hull(aligned->a, aligned->b), aligned->scale);
}

bool contains(const Range& range, const Value& value) {
    if (!value.is_defined() || value.type() != range.type) { return false; }
    if (is_float(value.type()) && !std::isfinite(value.as_double())) { return false; }
    const Range one = range_of(value);
    // An odd significand cannot be written on a coarser grid; a number too large to shift lies outside.
    if (one.scale > range.scale) { return one.low == 0 && has_zero(range); }
    const auto n = shifted(one.low, range.scale - one.scale);
    return n && range.low <= *n && *n <= range.high;
}

std::int64_t headroom(const Range& range) {
    const Int128 unlimited = std::numeric_limits<std::int64_t>::max();
    Int128 room = unlimited;
    if (is_float(range.type)) {
        const Int128 largest = largest_magnitude(range);
        if (largest != 0) { room = largest_significand(range.type) / largest; }
    } else if (overflow_is_undefined(range.type)) {
        const Range all = full_range(range.type);
        if (range.high > 0) { room = std::min(room, all.high / range.high); }
        if (range.low < 0) { room = std::min(room, all.low / range.low); }
    }
    return static_cast<std::int64_t>(std::min(room, unlimited));
}

std::string to_string(const Range& range) {
    std::string text = std::string(name(range.type)) + " [" + decimal(range.low) + ", " + decimal(range.high) + "]";
    if (range.scale != 0) { text += " * 2^" + std::to_string(-range.scale); }
    return text;
}

std::optional<Range> apply(UnaryOp op, const Range& a) {
    const auto type = result_type(op, a.type);
    ENSURE(type, "the range's type does not fit the operator");
    switch (op) {
        case UnaryOp::negate: return finish(*type, {-a.high, -a.low}, a.scale);
        case UnaryOp::logical_not: return as_range(*type, {1 - a.high, 1 - a.low});
        case UnaryOp::bit_not:
            if (is_signed_integer(*type)) { return as_range(*type, {~a.high, ~a.low}); }
            return as_range(*type, {full_range(*type).high - a.high, full_range(*type).high - a.low});
        case UnaryOp::absolute: {
            const Int128 least = has_zero(a) ? 0 : std::min(magnitude(a.low), magnitude(a.high));
            return finish(*type, {least, largest_magnitude(a)}, a.scale);
        }
    }
    ENSURE(false, "a unary operator without a transfer function");
    return std::nullopt;
}

std::optional<Range> apply(BinaryOp op, const Range& a, const Range& b) {
    const auto type = result_type(op, a.type, b.type);
    ENSURE(type, "the ranges' types do not fit the operator");
    const bool floats = is_float(a.type);
    const auto aligned = align(a, b);
    if (!aligned) { return std::nullopt; }
    const Interval x = aligned->a;
    const Interval y = aligned->b;
    switch (op) {
        case BinaryOp::add: return finish(*type, {x.low + y.low, x.high + y.high}, aligned->scale);
        case BinaryOp::sub: return finish(*type, {x.low - y.high, x.high - y.low}, aligned->scale);
        case BinaryOp::mul: return floats ? float_product(a, b) : integer_product(*type, a, b);
        case BinaryOp::div: return floats ? float_quotient(a, b) : integer_quotient(*type, a, b);
        case BinaryOp::mod: return floats ? float_remainder(a, b) : integer_remainder(*type, a, b);
        case BinaryOp::min: return finish(*type, {std::min(x.low, y.low), std::min(x.high, y.high)}, aligned->scale);
        case BinaryOp::max: return finish(*type, {std::max(x.low, y.low), std::max(x.high, y.high)}, aligned->scale);
        case BinaryOp::eq:
        case BinaryOp::ne:
        case BinaryOp::lt:
        case BinaryOp::le:
        case BinaryOp::gt:
        case BinaryOp::ge: return compare(op, x, y);
        case BinaryOp::logical_and: return as_range(*type, {std::min(x.low, y.low), std::min(x.high, y.high)});
        case BinaryOp::logical_or: return as_range(*type, {std::max(x.low, y.low), std::max(x.high, y.high)});
        case BinaryOp::shift_left: return integer_shift(*type, a, {b.low, b.high});
        case BinaryOp::shift_right: return integer_shift(*type, a, {-b.high, -b.low});
        case BinaryOp::bit_and:
        case BinaryOp::bit_or:
        case BinaryOp::bit_xor: return bitwise(op, *type, a, b);
    }
    ENSURE(false, "a binary operator without a transfer function");
    return std::nullopt;
}

std::optional<Range> select(const Range& condition, const Range& if_true, const Range& if_false) {
    ENSURE(condition.type == Type::boolean && if_true.type == if_false.type,
           "select needs a bool and two arms of one type");
    if (condition.low == 1) { return if_true; }
    if (condition.high == 0) { return if_false; }
    const auto aligned = align(if_true, if_false);
    if (!aligned) { return std::nullopt; }
    return finish(if_true.type, hull(aligned->a, aligned->b), aligned->scale);
}

std::optional<Range> cast(Type to, const Range& a) {
    if (to == a.type) { return a; }
    if (to == Type::boolean) { return truth(a.low != 0 || a.high != 0, has_zero(a)); }
    if (is_float(to)) { return exact_float({to, a.low, a.high, a.scale}); }
    if (!is_float(a.type)) { return fit(to, {a.low, a.high}); }
    Interval whole{a.low, a.high};
    if (a.scale > 0) {
        // Truncation toward zero, as in the built-in division; beyond 2^126 nothing is left.
        const Int128 unit = static_cast<Int128>(1) << std::min(a.scale, 126);
        whole = {a.low / unit, a.high / unit};
    } else if (a.scale < 0) {
        const auto low = shifted(a.low, -a.scale);
        const auto high = shifted(a.high, -a.scale);
        if (!low || !high) { return std::nullopt; }
        whole = {*low, *high};
    }
    // Out of range is Undef here, also for types that otherwise wrap.
    if (!is_within(whole, full_range(to))) { return std::nullopt; }
    return as_range(to, whole);
}

}  // namespace haruspex::value
