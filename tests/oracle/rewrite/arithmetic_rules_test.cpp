#include "oracle/rewrite/arithmetic_rules.h"

#include "tests/oracle/rewrite/plain.h"
#include "tests/support/catch.h"

namespace haruspex::rewrite {
namespace {

TEST_CASE("shift_by_literal: a shift by a literal is a product or a quotient") {
    Plain p;
    for (const Type type : integer_types) {
        const Term x = p.leaf(type);
        const int most = value::bits(type) - (value::is_signed_integer(type) ? 2 : 1);
        for (const int n : {0, 1, 3, most - 1, most}) {
            const Term power = p.literal(Value::from_bits(type, std::uint64_t{1} << static_cast<unsigned>(n)));
            p.becomes(shift_by_literal, BinaryOp::shift_left, x, p.number(type, n), p.apply(BinaryOp::mul, x, power));
            p.becomes(shift_by_literal, BinaryOp::shift_right, x, p.number(type, n), p.apply(BinaryOp::div, x, power));
        }
        for (const BinaryOp op : {BinaryOp::shift_left, BinaryOp::shift_right}) {
            for (const int n : {most + 1, 100, -1}) { p.stays(shift_by_literal, op, x, p.number(type, n)); }
            p.stays(shift_by_literal, op, x, p.leaf(type, 1));
            p.stays(shift_by_literal, op, x, p.undef(type));
            p.stays(shift_by_literal, op, x, p.uninit(type));
            p.stays(shift_by_literal, op, p.number(type, 1), x);
        }
        p.stays(shift_by_literal, BinaryOp::mul, x, p.number(type, 1));
    }
}

TEST_CASE("mask_by_literal: the lowest bits are a remainder") {
    Plain p;
    for (const Type type : integer_types) {
        const Term x = p.leaf(type);
        for (const std::int64_t n : {1, 2, 8, 64}) {
            const Term after = p.apply(BinaryOp::mod, x, p.number(type, n));
            p.becomes(mask_by_literal, BinaryOp::bit_and, x, p.number(type, n - 1), after);
            p.becomes(mask_by_literal, BinaryOp::bit_and, p.number(type, n - 1), x, after);
        }
        for (const std::int64_t mask : {-1, -2, 2, 6, 8}) {
            p.stays(mask_by_literal, BinaryOp::bit_and, x, p.number(type, mask));
        }
        if (value::is_signed_integer(type)) {
            const Term highest = p.literal(Value::from_bits(type, (std::uint64_t{1} << (value::bits(type) - 1)) - 1));
            p.stays(mask_by_literal, BinaryOp::bit_and, x, highest);
        }
        p.stays(mask_by_literal, BinaryOp::bit_and, x, p.leaf(type, 1));
        p.stays(mask_by_literal, BinaryOp::bit_and, x, p.undef(type));
        p.stays(mask_by_literal, BinaryOp::bit_or, x, p.number(type, 7));
    }
}

TEST_CASE("same_operands: what an idempotent operator is given twice") {
    Plain p;
    for (const Type type : integer_types) {
        const Term x = p.leaf(type);
        for (const BinaryOp op : {BinaryOp::min, BinaryOp::max, BinaryOp::bit_and, BinaryOp::bit_or}) {
            p.becomes(same_operands, op, x, x, x);
            p.stays(same_operands, op, x, p.leaf(type, 1));
        }
        for (const BinaryOp op : {BinaryOp::add, BinaryOp::mul, BinaryOp::bit_xor, BinaryOp::div, BinaryOp::eq}) {
            p.stays(same_operands, op, x, x);
        }
    }
    const Term c = p.leaf(Type::boolean);
    for (const BinaryOp op : {BinaryOp::logical_and, BinaryOp::logical_or}) {
        p.becomes(same_operands, op, c, c, c);
        p.stays(same_operands, op, c, p.leaf(Type::boolean, 1));
    }
    p.stays(same_operands, BinaryOp::eq, c, c);
    for (const Type type : float_types) {
        p.stays(same_operands, BinaryOp::min, p.leaf(type), p.leaf(type));
        p.stays(same_operands, BinaryOp::max, p.leaf(type), p.leaf(type));
    }
}

TEST_CASE("neutral_operand: the other operand is the result") {
    Plain p;
    for (const Type type : integer_types) {
        const Term x = p.leaf(type);
        const value::Range all = value::full_range(type);
        const auto number = [&](value::Int128 n) {
            return p.literal(Value::from_bits(type, static_cast<std::uint64_t>(n)));
        };
        const auto on_both_sides = [&](BinaryOp op, value::Int128 neutral, value::Int128 other) {
            p.becomes(neutral_operand, op, x, number(neutral), x);
            p.becomes(neutral_operand, op, number(neutral), x, x);
            p.stays(neutral_operand, op, x, number(other));
            p.stays(neutral_operand, op, number(other), x);
        };
        on_both_sides(BinaryOp::add, 0, 1);
        on_both_sides(BinaryOp::mul, 1, 0);
        on_both_sides(BinaryOp::bit_or, 0, -1);
        on_both_sides(BinaryOp::bit_xor, 0, 1);
        on_both_sides(BinaryOp::min, all.high, all.high - 1);
        on_both_sides(BinaryOp::max, all.low, all.low + 1);
        for (const auto& [op, neutral] : {std::pair(BinaryOp::sub, 0), std::pair(BinaryOp::div, 1)}) {
            p.becomes(neutral_operand, op, x, number(neutral), x);
            p.stays(neutral_operand, op, number(neutral), x);
            p.stays(neutral_operand, op, x, number(2));
        }
        p.stays(neutral_operand, BinaryOp::mod, x, number(1));
        p.stays(neutral_operand, BinaryOp::add, x, p.undef(type));
        p.stays(neutral_operand, BinaryOp::add, x, p.uninit(type));
        p.stays(neutral_operand, BinaryOp::add, x, p.leaf(type, 1));
    }
    const Term c = p.leaf(Type::boolean);
    for (const BinaryOp op : {BinaryOp::logical_and, BinaryOp::logical_or}) {
        const bool neutral = op == BinaryOp::logical_and;
        p.becomes(neutral_operand, op, c, p.truth(neutral), c);
        p.becomes(neutral_operand, op, p.truth(neutral), c, c);
        p.stays(neutral_operand, op, c, p.truth(!neutral));
        p.stays(neutral_operand, op, c, p.undef(Type::boolean));
    }
    p.stays(neutral_operand, BinaryOp::ne, c, p.truth(false));
    for (const Type type : float_types) {
        p.stays(neutral_operand, BinaryOp::add, p.leaf(type), p.number(type, 0));
        p.stays(neutral_operand, BinaryOp::mul, p.leaf(type), p.number(type, 1));
    }
}

TEST_CASE("absorbing_operand: it is the result, if the other operand is always defined") {
    Plain p;
    for (const BinaryOp op : {BinaryOp::logical_and, BinaryOp::logical_or}) {
        const Term absorbing = p.truth(op == BinaryOp::logical_or), c = p.defined(Type::boolean);
        p.becomes(absorbing_operand, op, c, absorbing, absorbing);
        p.becomes(absorbing_operand, op, absorbing, c, absorbing);
        p.stays(absorbing_operand, op, c, p.truth(op == BinaryOp::logical_and));
        p.stays(absorbing_operand, op, p.leaf(Type::boolean), absorbing);
        p.stays(absorbing_operand, op, p.undef(Type::boolean), absorbing);
    }
    for (const Type type : integer_types) {
        const Term x = p.defined(type), zero = p.number(type, 0);
        for (const BinaryOp op : {BinaryOp::mul, BinaryOp::bit_and}) {
            p.becomes(absorbing_operand, op, x, zero, zero);
            p.becomes(absorbing_operand, op, zero, x, zero);
            p.stays(absorbing_operand, op, p.leaf(type), zero);
            p.stays(absorbing_operand, op, p.uninit(type), zero);
            p.stays(absorbing_operand, op, zero, p.undef(type));
            p.stays(absorbing_operand, op, x, p.number(type, 1));
        }
        p.stays(absorbing_operand, BinaryOp::add, x, zero);
        p.stays(absorbing_operand, BinaryOp::mul, x, p.uninit(type));
    }
    p.stays(absorbing_operand, BinaryOp::mul, p.defined(Type::f32), p.number(Type::f32, 0));
}

TEST_CASE("negative_as_difference: a negative is a difference from zero") {
    Plain p;
    for (const Type type : value::all_types) {
        if (!value::result_type(UnaryOp::negate, type)) { continue; }
        const Term x = p.leaf(type);
        p.becomes(negative_as_difference, UnaryOp::negate, x, p.apply(BinaryOp::sub, p.number(type, 0), x));
        p.stays(negative_as_difference, UnaryOp::absolute, x);
    }
    p.stays(negative_as_difference, UnaryOp::logical_not, p.leaf(Type::boolean));
}

TEST_CASE("absolute_of_nonnegative: the absolute value of what is not negative is a cast") {
    Plain p;
    for (const Type type : {Type::i16, Type::i32, Type::i64}) {
        const Term byte = p.cast(type, p.leaf(Type::u8));
        p.becomes(absolute_of_nonnegative, UnaryOp::absolute, byte, p.cast(value::to_unsigned(type), byte));
        p.stays(absolute_of_nonnegative, UnaryOp::absolute, p.cast(type, p.leaf(Type::i8)));
        p.stays(absolute_of_nonnegative, UnaryOp::absolute, p.leaf(type));
        p.stays(absolute_of_nonnegative, UnaryOp::negate, byte);
    }
    p.stays(absolute_of_nonnegative, UnaryOp::absolute, p.cast(Type::f32, p.leaf(Type::u8)));
}

TEST_CASE("sum_of_equals: a sum of equal operands is a double") {
    Plain p;
    for (const Type type : value::all_types) {
        if (type == Type::boolean) { continue; }
        const Term x = p.leaf(type);
        p.becomes(sum_of_equals, BinaryOp::add, x, x, p.apply(BinaryOp::mul, x, p.number(type, 2)));
        p.stays(sum_of_equals, BinaryOp::add, x, p.leaf(type, 1));
        p.stays(sum_of_equals, BinaryOp::sub, x, x);
    }
}

TEST_CASE("difference_of_equals: zero, if it is always defined") {
    Plain p;
    for (const Type type : integer_types) {
        const Term x = p.defined(type);
        p.becomes(difference_of_equals, BinaryOp::sub, x, x, p.number(type, 0));
        p.stays(difference_of_equals, BinaryOp::sub, p.leaf(type), p.leaf(type));
        p.stays(difference_of_equals, BinaryOp::sub, p.uninit(type), p.uninit(type));
        p.stays(difference_of_equals, BinaryOp::sub, x, p.defined(type, 1));
        p.stays(difference_of_equals, BinaryOp::add, x, x);
    }
    p.stays(difference_of_equals, BinaryOp::sub, p.defined(Type::f32), p.defined(Type::f32));
}

TEST_CASE("difference_as_sum: a difference of a literal is a sum") {
    Plain p;
    for (const Type type : value::all_types) {
        if (type == Type::boolean) { continue; }
        const Term x = p.leaf(type);
        for (const std::int64_t n : {1, 3, 100, -1, -7}) {
            const Term negative =
                p.literal(value::apply(BinaryOp::sub, Value::integer(type, 0), Value::integer(type, n)));
            p.becomes(difference_as_sum, BinaryOp::sub, x, p.number(type, n), p.apply(BinaryOp::add, x, negative));
        }
        p.stays(difference_as_sum, BinaryOp::sub, x, p.number(type, 0));
        p.stays(difference_as_sum, BinaryOp::sub, x, p.leaf(type, 1));
        p.stays(difference_as_sum, BinaryOp::sub, x, p.undef(type));
        p.stays(difference_as_sum, BinaryOp::sub, p.number(type, 1), x);
        p.stays(difference_as_sum, BinaryOp::add, x, p.number(type, 1));
        p.stays(difference_as_sum, BinaryOp::sub, p.number(type, 1), p.number(type, 1));
    }
    // The least number has no negative.
    for (const Type type : {Type::i32, Type::i64}) {
        const value::Range all = value::full_range(type);
        const Term least = p.literal(Value::from_bits(type, static_cast<std::uint64_t>(all.low)));
        p.stays(difference_as_sum, BinaryOp::sub, p.leaf(type), least);
    }
    const Term least = p.number(Type::i8, -128), x = p.leaf(Type::i8);
    p.becomes(difference_as_sum, BinaryOp::sub, x, least, p.apply(BinaryOp::add, x, least));
    p.stays(difference_as_sum, BinaryOp::sub, p.leaf(Type::f32), p.literal(Value::f32(-0.0F)));
}

TEST_CASE("quotient_of_equals: one, or zero for zero") {
    Plain p;
    for (const Type type : integer_types) {
        const Term x = p.leaf(type), zero = p.number(type, 0);
        p.becomes(quotient_of_equals, BinaryOp::div, x, x,
                  p.select(p.apply(BinaryOp::eq, x, zero), zero, p.number(type, 1)));
        p.stays(quotient_of_equals, BinaryOp::div, x, p.leaf(type, 1));
        p.stays(quotient_of_equals, BinaryOp::mod, x, x);
    }
    p.stays(quotient_of_equals, BinaryOp::div, p.leaf(Type::f64), p.leaf(Type::f64));
}

TEST_CASE("quotient_by_power: a float divided by a power of two is a product") {
    Plain p;
    for (const Type type : float_types) {
        const Term x = p.leaf(type);
        for (const double n : {4.0, 0.5, -8.0, 1.0}) {
            p.becomes(quotient_by_power, BinaryOp::div, x, p.real(type, n),
                      p.apply(BinaryOp::mul, x, p.real(type, 1 / n)));
        }
        for (const double n : {3.0, 0.0, 0.75, 0x1p40}) {
            p.stays(quotient_by_power, BinaryOp::div, x, p.real(type, n));
        }
        p.stays(quotient_by_power, BinaryOp::div, x, p.leaf(type, 1));
        p.stays(quotient_by_power, BinaryOp::div, x, p.undef(type));
        p.stays(quotient_by_power, BinaryOp::div, p.real(type, 4), x);
        p.stays(quotient_by_power, BinaryOp::mod, x, p.real(type, 4));
    }
    p.stays(quotient_by_power, BinaryOp::div, p.leaf(Type::i32), p.number(Type::i32, 4));
}

TEST_CASE("float_times_one: a float times one is the float") {
    Plain p;
    for (const Type type : float_types) {
        const Term x = p.leaf(type);
        p.becomes(float_times_one, BinaryOp::mul, x, p.number(type, 1), x);
        p.stays(float_times_one, BinaryOp::mul, x, p.number(type, -1));
        p.stays(float_times_one, BinaryOp::mul, x, p.leaf(type, 1));
        p.stays(float_times_one, BinaryOp::add, x, p.number(type, 1));
    }
    p.stays(float_times_one, BinaryOp::mul, p.leaf(Type::i32), p.number(Type::i32, 1));
}

TEST_CASE("multiple_of_quotient: the multiple of a quotient is what a remainder leaves") {
    Plain p;
    for (const Type type : integer_types) {
        const Term x = p.leaf(type);
        const auto quotient = [&](Term n) { return p.apply(BinaryOp::div, x, n); };
        for (const std::int64_t n : {1, 2, 3, 7, 100, 127}) {
            const Term by = p.number(type, n);
            p.becomes(multiple_of_quotient, BinaryOp::mul, quotient(by), by,
                      p.apply(BinaryOp::sub, x, p.apply(BinaryOp::mod, x, by)));
        }
        p.stays(multiple_of_quotient, BinaryOp::mul, quotient(p.number(type, 14)), p.number(type, 15));
        p.stays(multiple_of_quotient, BinaryOp::mul, quotient(p.number(type, 0)), p.number(type, 0));
        p.stays(multiple_of_quotient, BinaryOp::mul, quotient(p.leaf(type, 1)), p.leaf(type, 1));
        p.stays(multiple_of_quotient, BinaryOp::mul, p.apply(BinaryOp::mod, x, p.number(type, 3)), p.number(type, 3));
        p.stays(multiple_of_quotient, BinaryOp::add, quotient(p.number(type, 3)), p.number(type, 3));
        if (value::is_signed_integer(type)) {
            p.stays(multiple_of_quotient, BinaryOp::mul, quotient(p.number(type, -14)), p.number(type, -14));
        }
    }
    const Term two = p.real(Type::f32, 2);
    p.stays(multiple_of_quotient, BinaryOp::mul, p.apply(BinaryOp::div, p.leaf(Type::f32), two), two);
}

TEST_CASE("regrouped_product: a literal factor moves outward if nothing overflows") {
    Plain p;
    for (const Type type : {Type::u32, Type::i32, Type::u64, Type::i64}) {
        const Term a = p.cast(type, p.leaf(Type::u8)), x = p.cast(type, p.leaf(Type::u8, 1));
        for (const std::int64_t n : {3, 1000}) {
            const Term by = p.number(type, n), multiple = p.apply(BinaryOp::mul, x, by);
            const Term after = p.apply(BinaryOp::mul, p.apply(BinaryOp::mul, a, x), by);
            p.becomes(regrouped_product, BinaryOp::mul, a, multiple, after);
            p.becomes(regrouped_product, BinaryOp::mul, multiple, a, after);
            p.stays(regrouped_product, BinaryOp::add, a, multiple);
            p.stays(regrouped_product, BinaryOp::mul, p.leaf(type), multiple);
            p.stays(regrouped_product, BinaryOp::mul, p.number(type, 5), multiple);
            p.stays(regrouped_product, BinaryOp::mul, a, p.apply(BinaryOp::mul, p.leaf(type), by));
            p.stays(regrouped_product, BinaryOp::mul, a, p.apply(BinaryOp::add, x, by));
        }
        p.stays(regrouped_product, BinaryOp::mul, a, p.apply(BinaryOp::mul, x, p.leaf(type)));
    }
    // 255 * 255 * 255 does not fit.
    const Term a = p.cast(Type::u16, p.leaf(Type::u8)), x = p.cast(Type::u16, p.leaf(Type::u8, 1));
    p.stays(regrouped_product, BinaryOp::mul, a, p.apply(BinaryOp::mul, x, p.number(Type::u16, 255)));
    const Term real = p.cast(Type::f64, p.leaf(Type::u8));
    p.stays(regrouped_product, BinaryOp::mul, real, p.apply(BinaryOp::mul, real, p.real(Type::f64, 3)));
}

}  // namespace
}  // namespace haruspex::rewrite
