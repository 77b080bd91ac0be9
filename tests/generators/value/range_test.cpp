#include "generators/value/range.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "generators/base/ensure.h"
#include "tests/generators/value/samples.h"
#include "tests/support/catch.h"

// Compares transfer functions with the enumeration of all operands.
namespace haruspex::value {
namespace {

Value value_at(const Range& r, Int128 n) {
    if (is_float(r.type)) {
        const double v = std::ldexp(static_cast<double>(n), -r.scale);
        return r.type == Type::f32 ? Value::f32(static_cast<float>(v)) : Value::f64(v);
    }
    return Value::from_bits(r.type, static_cast<std::uint64_t>(n));
}

std::vector<Value> values_of(const Range& r) {
    std::vector<Value> values;
    for (Int128 n = r.low; n <= r.high; ++n) { values.push_back(value_at(r, n)); }
    return values;
}

// Draws a range of at most `widest` + 1 values, near a corner of the type or anywhere.
Range small_range(Type type, int widest, Choices& choices) {
    if (type == Type::boolean) {
        const std::int64_t low = choices.integer(0, 1);
        return {type, low, choices.integer(low, 1), 0};
    }
    if (is_float(type)) {
        // Mostly near zero, where exact results are common; sometimes near the end of the significand.
        const std::int64_t end = type == Type::f32 ? (std::int64_t{1} << 24) - 1 : (std::int64_t{1} << 53) - 1;
        const std::int64_t reach = choices.boolean(700) ? 40 : choices.boolean(500) ? end >> 12 : end;
        const std::int64_t low = choices.integer(-reach, reach);
        const std::int64_t high = std::min(end, choices.integer(low, low + widest));
        return {type, low, high, static_cast<int>(choices.integer(-6, 6))};
    }
    const Range all = full_range(type);
    const auto corners = corner_values(type);
    const Value middle = choices.boolean(600) ? choices.one_of(corners) : random_value(type, choices);
    const Int128 n = range_of(middle).low;
    const Int128 low = std::max(all.low, n - choices.integer(0, widest));
    const Int128 high = std::min(all.high, low + choices.integer(0, widest));
    return {type, low, high, 0};
}

// The results of one operation over ranges, by enumeration.
class Enumeration {
public:
    void add(const Value& result) {
        any_undef_ = any_undef_ || result.is_undef();
        if (result.is_defined()) { results_.push_back(result); }
    }
    bool any_undef() const { return any_undef_; }
    bool all_in(const Range& r) const {
        return !any_undef_ && std::ranges::all_of(results_, [&](const Value& v) { return contains(r, v); });
    }
    // Whether both ends are results, so that no smaller range of this form would do.
    bool reaches_ends_of(const Range& r) const {
        const auto is_result = [&](Int128 n) {
            return std::ranges::any_of(results_, [&](const Value& v) { return same_number(v, value_at(r, n)); });
        };
        return is_result(r.low) && is_result(r.high);
    }

private:
    bool any_undef_ = false;
    std::vector<Value> results_;
};

Enumeration enumerate(BinaryOp op, const Range& a, const Range& b) {
    Enumeration e;
    for (const Value& x : values_of(a)) {
        for (const Value& y : values_of(b)) { e.add(apply(op, x, y)); }
    }
    return e;
}

Enumeration enumerate(UnaryOp op, const Range& a) {
    Enumeration e;
    for (const Value& x : values_of(a)) { e.add(apply(op, x)); }
    return e;
}

bool is_full(const Range& r) { return !is_float(r.type) && r == full_range(r.type); }

// Whether the operator's bounds are attained if nothing wraps.
bool has_tight_bounds(BinaryOp op, Type type) {
    switch (op) {
        case BinaryOp::bit_and:
        case BinaryOp::bit_or:
        case BinaryOp::bit_xor:
        case BinaryOp::mod: return false;
        default: return !is_float(type) || op != BinaryOp::div;
    }
}

struct Share {
    int tight = 0;
    int all = 0;
};

// Checks one operation, and counts how often the bounds are attained.
void check(BinaryOp op, const Range& a, const Range& b, Share& share) {
    const auto result = apply(op, a, b);
    const Enumeration e = enumerate(op, a, b);
    INFO(spelling(op) << " of " << to_string(a) << " and " << to_string(b) << " gives "
                      << (result ? to_string(*result) : "nothing"));
    if (!result) {
        // For integers there is a range unless a result is Undef.
        if (!is_float(a.type)) { REQUIRE(e.any_undef()); }
        return;
    }
    REQUIRE(e.all_in(*result));
    if (is_full(*result)) { return; }
    const bool tight = e.reaches_ends_of(*result);
    if (has_tight_bounds(op, a.type)) { REQUIRE(tight); }
    ++share.all;
    share.tight += tight ? 1 : 0;
}

TEST_CASE("binary operations on ranges contain every result and are nothing where one is Undef") {
    Choices choices(random_source(31));
    for (const Type type : all_types) {
        for (const BinaryOp op : all_binary_ops) {
            if (!result_type(op, type, type)) { continue; }
            Share share;
            for (int i = 0; i < 1500; ++i) {
                const Range a = small_range(type, 6, choices);
                // Fix some divisors to a power of two, which would be rare by chance.
                Range b = small_range(type, 6, choices);
                if (is_float(type) && (op == BinaryOp::div || op == BinaryOp::mod) && choices.boolean(800)) {
                    b.low = b.high = choices.boolean(500) ? 1 : -4;
                }
                check(op, a, b, share);
            }
            INFO(name(type) << " " << spelling(op) << ": " << share.tight << " of " << share.all << " tight");
            CHECK(share.all > 20);
            // Bit operations lose precision; without knowledge of common high bits they would lose most of it.
            CHECK(share.tight * 3 >= share.all);
        }
    }
}

TEST_CASE("binary operations on wide ranges of 8-bit types contain every result") {
    Choices choices(random_source(32));
    for (const Type type : {Type::u8, Type::i8}) {
        for (const BinaryOp op : all_binary_ops) {
            if (!result_type(op, type, type)) { continue; }
            Share share;
            for (int i = 0; i < 40; ++i) {
                check(op, small_range(type, 255, choices), small_range(type, 255, choices), share);
            }
            const Range all = full_range(type);
            check(op, all, all, share);
        }
    }
}

TEST_CASE("every pair of ranges of up to two neighbours in an 8-bit type is handled") {
    const auto ranges_of = [](Type type) {
        std::vector<Range> ranges;
        const Range all = full_range(type);
        for (Int128 low = all.low; low <= all.high; low += 3) {
            ranges.push_back({type, low, low, 0});
            ranges.push_back({type, low, std::min(all.high, low + 1), 0});
        }
        return ranges;
    };
    for (const Type type : {Type::u8, Type::i8}) {
        const auto ranges = ranges_of(type);
        for (const BinaryOp op :
             {BinaryOp::div, BinaryOp::mod, BinaryOp::mul, BinaryOp::bit_and, BinaryOp::bit_or, BinaryOp::bit_xor}) {
            int wrong = 0;
            for (const Range& a : ranges) {
                for (const Range& b : ranges) {
                    const auto result = apply(op, a, b);
                    wrong += result && enumerate(op, a, b).all_in(*result) ? 0 : 1;
                }
            }
            INFO(name(type) << " " << spelling(op));
            CHECK(wrong == 0);
        }
    }
}

TEST_CASE("unary operations on ranges are exact and are nothing where one result is Undef") {
    Choices choices(random_source(33));
    for (const Type type : all_types) {
        for (const UnaryOp op : all_unary_ops) {
            if (!result_type(op, type)) { continue; }
            for (int i = 0; i < 1500; ++i) {
                const Range a = small_range(type, 9, choices);
                const auto result = apply(op, a);
                const Enumeration e = enumerate(op, a);
                INFO(spelling(op) << " of " << to_string(a) << " gives " << (result ? to_string(*result) : "nothing"));
                if (!result) {
                    REQUIRE(e.any_undef());
                    continue;
                }
                REQUIRE(e.all_in(*result));
                REQUIRE((is_full(*result) || e.reaches_ends_of(*result)));
            }
        }
    }
}

TEST_CASE("casts of ranges contain every result and are nothing where one is Undef or inexact") {
    Choices choices(random_source(34));
    for (const Type from : all_types) {
        for (const Type to : all_types) {
            int found = 0;
            for (int i = 0; i < 1500; ++i) {
                const Range a = small_range(from, 9, choices);
                const auto result = cast(to, a);
                Enumeration e;
                for (const Value& x : values_of(a)) { e.add(cast(to, x)); }
                INFO(name(to) << " of " << to_string(a) << " gives " << (result ? to_string(*result) : "nothing"));
                if (!result) {
                    REQUIRE((is_float(to) || e.any_undef()));
                    continue;
                }
                ++found;
                REQUIRE(e.all_in(*result));
                REQUIRE((is_full(*result) || e.reaches_ends_of(*result)));
                if (is_float(to) && !is_float(from)) {
                    for (const Value& x : values_of(a)) {
                        if (from != Type::boolean) { REQUIRE(cast(from, cast(to, x)) == x); }
                    }
                }
            }
            INFO(name(from) << " to " << name(to));
            CHECK(found > 100);
        }
    }
}

// The exact result of an operation on finite floats, where 113 bits of significand hold it.
__extension__ using Quad = __float128;

Quad exactly(BinaryOp op, Quad a, Quad b) {
    switch (op) {
        case BinaryOp::add: return a + b;
        case BinaryOp::sub: return a - b;
        default: return a * b;
    }
}

TEST_CASE("float ranges promise exact results and are refused where a result is rounded") {
    Choices choices(random_source(35));
    for (const Type type : {Type::f32, Type::f64}) {
        for (const BinaryOp op : {BinaryOp::add, BinaryOp::sub, BinaryOp::mul}) {
            int accepted = 0;
            int rounded = 0;
            for (int i = 0; i < 20000; ++i) {
                const Range a = small_range(type, 4, choices);
                const Range b = small_range(type, 4, choices);
                const auto result = apply(op, a, b);
                bool exact = true;
                for (const Value& x : values_of(a)) {
                    for (const Value& y : values_of(b)) {
                        exact = exact && static_cast<Quad>(apply(op, x, y).as_double()) ==
                                             exactly(op, x.as_double(), y.as_double());
                    }
                }
                accepted += result ? 1 : 0;
                rounded += exact ? 0 : 1;
                INFO(spelling(op) << " of " << to_string(a) << " and " << to_string(b));
                REQUIRE((exact || !result));
            }
            CHECK(accepted > 5000);
            CHECK(rounded > 500);
        }
    }
}

TEST_CASE("floats are divided, and reduced modulo, by one power of two only") {
    const Range a{Type::f32, -5, 12, 1};
    const auto by = [&](BinaryOp op, float low, float high) {
        return apply(op, a, join(range_of(Value::f32(low)), range_of(Value::f32(high))));
    };
    CHECK(by(BinaryOp::div, 4, 4) == Range{Type::f32, -5, 12, 3});
    CHECK(by(BinaryOp::div, -0.5F, -0.5F) == Range{Type::f32, -12, 5, 0});
    CHECK_FALSE(by(BinaryOp::div, 3, 3));
    CHECK_FALSE(by(BinaryOp::div, 2, 4));
    CHECK_FALSE(by(BinaryOp::div, 0, 0));
    CHECK(by(BinaryOp::mod, 2, 2) == Range{Type::f32, 0, 3, 1});
    CHECK(by(BinaryOp::mod, -2, -2) == Range{Type::f32, -3, 0, 1});
    CHECK(by(BinaryOp::mod, 0.25F, 0.25F) == Range{Type::f32, 0, 0, 0});
    CHECK_FALSE(by(BinaryOp::mod, 3, 3));
    CHECK_FALSE(apply(BinaryOp::mod, Range{Type::f32, -1, 1, 20}, range_of(Value::f32(256))));
}

TEST_CASE("scales beyond the promised ones are refused") {
    const Range tiny{Type::f32, 1, 3, 28};
    CHECK(apply(BinaryOp::mul, tiny, range_of(Value::f32(0.25F))) == Range{Type::f32, 1, 3, 30});
    CHECK_FALSE(apply(BinaryOp::mul, tiny, range_of(Value::f32(0.125F))));
    CHECK_FALSE(apply(BinaryOp::add, range_of(Value::f64(0x1p300)), range_of(Value::f64(0x1p-300))));
    CHECK_FALSE(apply(BinaryOp::mul, range_of(Value::f64(0x1p600)), range_of(Value::f64(0x1p600))));
}

TEST_CASE("select joins its arms unless the condition is known") {
    const Range a{Type::i16, -3, 4, 0};
    const Range b{Type::i16, 10, 20, 0};
    CHECK(select(Range{Type::boolean, 1, 1, 0}, a, b) == a);
    CHECK(select(Range{Type::boolean, 0, 0, 0}, a, b) == b);
    CHECK(select(full_range(Type::boolean), a, b) == Range{Type::i16, -3, 20, 0});
    const Range halves{Type::f32, -3, 5, 1};
    const Range wholes{Type::f32, 0, 7, 0};
    CHECK(select(full_range(Type::boolean), halves, wholes) == Range{Type::f32, -3, 14, 1});
}

TEST_CASE("the range of a value contains it and nothing else") {
    Choices choices(random_source(36));
    for (const Type type : all_types) {
        auto values = corner_values(type);
        for (int i = 0; i < 500; ++i) { values.push_back(random_value(type, choices)); }
        for (const Value& v : values) {
            if (!is_finite(v)) { continue; }
            const Range r = range_of(v);
            REQUIRE(contains(r, v));
            REQUIRE(r.low == r.high);
            for (const Value& other : values) {
                REQUIRE(contains(r, other) == (is_finite(other) && same_number(v, other)));
            }
        }
    }
}

TEST_CASE("contains knows the grid, the ends, the type and the state") {
    const Range halves{Type::f32, -3, 5, 1};
    CHECK(contains(halves, Value::f32(2.5F)));
    CHECK(contains(halves, Value::f32(-1.5F)));
    CHECK(contains(halves, Value::f32(-0.0F)));
    CHECK_FALSE(contains(halves, Value::f32(0.25F)));
    CHECK_FALSE(contains(halves, Value::f32(3)));
    CHECK_FALSE(contains(halves, Value::f32(1e30F)));
    CHECK_FALSE(contains(halves, Value::f64(1)));
    CHECK_FALSE(contains(halves, Value::f32(std::numeric_limits<float>::quiet_NaN())));
    CHECK_FALSE(contains(halves, Value::f32(std::numeric_limits<float>::infinity())));
    CHECK_FALSE(contains(full_range(Type::u8), Value::undef(Type::u8)));
    CHECK_FALSE(contains(full_range(Type::u8), Value::uninit(Type::u8)));
    const Range eights{Type::f64, 0, 4, -3};
    CHECK(contains(eights, Value::f64(32)));
    CHECK_FALSE(contains(eights, Value::f64(4)));
}

TEST_CASE("joining ranges contains both, on the finer grid") {
    CHECK(join({Type::i32, 3, 5, 0}, {Type::i32, -1, 0, 0}) == Range{Type::i32, -1, 5, 0});
    CHECK(join({Type::f32, 1, 3, 0}, {Type::f32, 1, 3, 2}) == Range{Type::f32, 1, 12, 2});
    CHECK_THROWS_AS(join({Type::i32, 0, 0, 0}, {Type::u32, 0, 0, 0}), InternalError);
    CHECK_THROWS_AS(join(range_of(Value::f64(0x1p300)), range_of(Value::f64(0x1p-300))), InternalError);
}

TEST_CASE("headroom is the largest factor that stays defined and exact") {
    const std::int64_t unlimited = std::numeric_limits<std::int64_t>::max();
    CHECK(headroom(full_range(Type::u8)) == unlimited);
    CHECK(headroom(full_range(Type::i16)) == unlimited);
    CHECK(headroom(full_range(Type::w32)) == unlimited);
    CHECK(headroom(full_range(Type::w64)) == unlimited);
    CHECK(headroom(full_range(Type::i32)) == 1);
    CHECK(headroom({Type::i32, 0, 0, 0}) == unlimited);
    CHECK(headroom({Type::i32, 0, 1000, 0}) == 2147483);
    CHECK(headroom({Type::i32, -1 - (1 << 30), 0, 0}) == 1);
    CHECK(headroom({Type::i32, -(1 << 30), 0, 0}) == 2);
    CHECK(headroom({Type::f32, -3, 5, 4}) == ((1 << 24) - 1) / 5);
    CHECK(headroom({Type::f64, 0, Int128{1} << 53, 4}) == 0);
    Choices choices(random_source(37));
    for (const Type type : {Type::i32, Type::i64, Type::f32, Type::f64}) {
        for (int i = 0; i < 3000; ++i) {
            const Range r = small_range(type, 50, choices);
            const std::int64_t h = headroom(r);
            if (h == unlimited || h > (std::int64_t{1} << 23)) { continue; }
            INFO(to_string(r) << " has headroom " << h);
            const auto times = [&](std::int64_t factor) {
                return apply(BinaryOp::mul, r, range_of(Value::integer(type, factor)));
            };
            if (h > 0) { REQUIRE(times(h)); }
            // Multiplying a float by a power of two only changes its exponent.
            if (!is_float(type)) { REQUIRE_FALSE(times(h + 1)); }
        }
    }
}

TEST_CASE("ranges print with their grid") {
    CHECK(to_string(Range{Type::i32, -5, 10, 0}) == "i32 [-5, 10]");
    CHECK(to_string(Range{Type::f32, -12, 40, 3}) == "f32 [-12, 40] * 2^-3");
    CHECK(to_string(Range{Type::f64, 0, 1, -2}) == "f64 [0, 1] * 2^2");
    CHECK(to_string(full_range(Type::u64)) == "u64 [0, 18446744073709551615]");
    CHECK(to_string(full_range(Type::i64)) == "i64 [-9223372036854775808, 9223372036854775807]");
}

}  // namespace
}  // namespace haruspex::value
