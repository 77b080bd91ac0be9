#include "oracle/rewrite/limit_rules.h"

#include <array>

#include "tests/oracle/rewrite/plain.h"
#include "tests/support/catch.h"

namespace haruspex::rewrite {
namespace {

constexpr std::array limits{BinaryOp::min, BinaryOp::max};

BinaryOp other(BinaryOp limit) { return limit == BinaryOp::min ? BinaryOp::max : BinaryOp::min; }

TEST_CASE("literal_limit_last: a literal is the second operand of a limit") {
    Plain p;
    for (const Type type : integer_types) {
        const Term x = p.leaf(type), n = p.number(type, 5);
        for (const BinaryOp op : limits) {
            p.becomes(literal_limit_last, op, n, x, p.apply(op, x, n));
            p.stays(literal_limit_last, op, x, n);
            p.stays(literal_limit_last, op, p.number(type, 6), n);
            p.stays(literal_limit_last, op, p.leaf(type, 1), x);
            p.stays(literal_limit_last, op, p.undef(type), x);
        }
        p.stays(literal_limit_last, BinaryOp::add, n, x);
        p.stays(literal_limit_last, BinaryOp::sub, n, x);
    }
    // The sign of a zero tells the operands apart.
    p.stays(literal_limit_last, BinaryOp::min, p.number(Type::f32, 0), p.leaf(Type::f32));
}

TEST_CASE("limit_of_limit: two limits of one kind are one") {
    Plain p;
    for (const Type type : integer_types) {
        const Term x = p.leaf(type);
        for (const BinaryOp op : limits) {
            for (const auto& [n, h] : {std::pair(3, 60), std::pair(60, 3), std::pair(3, 3), std::pair(-1, 1)}) {
                const Term least = p.literal(value::apply(op, Value::integer(type, n), Value::integer(type, h)));
                const Term inner = p.apply(op, x, p.number(type, n)), limit = p.number(type, h);
                p.becomes(limit_of_limit, op, inner, limit, p.apply(op, x, least));
                p.stays(limit_of_limit, other(op), inner, limit);
                p.stays(limit_of_limit, BinaryOp::add, p.apply(BinaryOp::add, x, p.number(type, n)), limit);
            }
            p.stays(limit_of_limit, op, p.apply(op, x, p.leaf(type, 1)), p.number(type, 3));
            p.stays(limit_of_limit, op, p.apply(op, x, p.number(type, 3)), p.leaf(type, 1));
            p.stays(limit_of_limit, op, p.apply(op, x, p.undef(type)), p.number(type, 3));
            p.stays(limit_of_limit, op, x, p.number(type, 3));
        }
    }
    const Term zero = p.number(Type::f32, 0);
    p.stays(limit_of_limit, BinaryOp::min, p.apply(BinaryOp::min, p.leaf(Type::f32), zero), zero);
}

TEST_CASE("lower_limit_last: an upper limit comes before a lower one that is no higher") {
    Plain p;
    for (const Type type : integer_types) {
        const Term x = p.leaf(type);
        const auto number = [&](std::int64_t n) { return p.number(type, n); };
        for (const auto& [l, h] : {std::pair(3, 60), std::pair(3, 3), std::pair(0, 127)}) {
            p.becomes(lower_limit_last, BinaryOp::min, p.apply(BinaryOp::max, x, number(l)), number(h),
                      p.apply(BinaryOp::max, p.apply(BinaryOp::min, x, number(h)), number(l)));
        }
        const Term limited = p.apply(BinaryOp::max, x, number(4));
        p.stays(lower_limit_last, BinaryOp::min, limited, number(3));
        p.stays(lower_limit_last, BinaryOp::max, limited, number(60));
        p.stays(lower_limit_last, BinaryOp::max, p.apply(BinaryOp::min, x, number(60)), number(4));
        p.stays(lower_limit_last, BinaryOp::min, limited, p.leaf(type, 1));
        p.stays(lower_limit_last, BinaryOp::min, p.apply(BinaryOp::max, x, p.leaf(type, 1)), number(4));
    }
    // Beyond 63 bits.
    const Term huge = p.literal(Value::from_bits(Type::u64, ~std::uint64_t{11}));
    p.stays(lower_limit_last, BinaryOp::min, p.apply(BinaryOp::max, p.leaf(Type::u64), huge), p.number(Type::u64, 5));
    p.stays(lower_limit_last, BinaryOp::min, p.apply(BinaryOp::max, p.leaf(Type::f32), p.number(Type::f32, 3)),
            p.number(Type::f32, 60));
}

TEST_CASE("limit_of_sum: what is added to a limited value moves outward if no sum overflows") {
    Plain p;
    for (const Type type : {Type::u16, Type::i16, Type::u32, Type::i32, Type::u64, Type::i64}) {
        const Term byte = p.cast(type, p.leaf(Type::u8));
        const auto number = [&](std::int64_t n) { return p.number(type, n); };
        for (const BinaryOp op : limits) {
            for (const auto& [n, h] : {std::pair(7, 60), std::pair(60, 60), std::pair(1, 300)}) {
                p.becomes(limit_of_sum, op, p.apply(BinaryOp::add, byte, number(n)), number(h),
                          p.apply(BinaryOp::add, p.apply(op, byte, number(h - n)), number(n)));
            }
            const Term sum = p.apply(BinaryOp::add, byte, number(7));
            p.stays(limit_of_sum, op, p.apply(BinaryOp::add, p.leaf(type), number(7)), number(60));
            p.stays(limit_of_sum, op, sum, p.leaf(type));
            p.stays(limit_of_sum, op, p.apply(BinaryOp::add, byte, p.cast(type, p.leaf(Type::u8, 1))), number(60));
            p.stays(limit_of_sum, op, p.apply(BinaryOp::mul, byte, number(7)), number(60));
            p.stays(limit_of_sum, BinaryOp::add, sum, number(60));
        }
        // The difference of the limits is less than every number of the type.
        const value::Range all = value::full_range(type);
        const Term least = p.literal(Value::from_bits(type, static_cast<std::uint64_t>(all.low)));
        p.stays(limit_of_sum, BinaryOp::max, p.apply(BinaryOp::add, byte, number(7)), least);
    }
}

TEST_CASE("limit_of_product: a factor of a limited value moves outward if no product overflows") {
    Plain p;
    for (const Type type : {Type::i16, Type::i32, Type::i64, Type::u16, Type::u64}) {
        const Term byte = p.cast(type, p.leaf(Type::u8));
        const auto number = [&](std::int64_t n) { return p.number(type, n); };
        for (const BinaryOp op : limits) {
            for (const auto& [n, h] : {std::pair(3, 60), std::pair(4, 0), std::pair(1, 5)}) {
                p.becomes(limit_of_product, op, p.apply(BinaryOp::mul, byte, number(n)), number(h),
                          p.apply(BinaryOp::mul, p.apply(op, byte, number(h / n)), number(n)));
            }
            if (value::is_signed_integer(type)) {
                for (const std::int64_t h : {-60, 60}) {
                    p.becomes(limit_of_product, op, p.apply(BinaryOp::mul, byte, number(-3)), number(h),
                              p.apply(BinaryOp::mul, p.apply(other(op), byte, number(h / -3)), number(-3)));
                }
            }
            p.stays(limit_of_product, op, p.apply(BinaryOp::mul, byte, number(3)), number(61));
            p.stays(limit_of_product, op, p.apply(BinaryOp::mul, byte, number(0)), number(0));
            p.stays(limit_of_product, op, p.apply(BinaryOp::mul, p.leaf(type), number(3)), number(60));
            p.stays(limit_of_product, op, p.apply(BinaryOp::mul, byte, number(3)), p.leaf(type));
            p.stays(limit_of_product, op, p.apply(BinaryOp::add, byte, number(3)), number(60));
            p.stays(limit_of_product, BinaryOp::sub, p.apply(BinaryOp::mul, byte, number(3)), number(60));
        }
    }
    // The quotient of the least number and -1 is no number of the type.
    const Term least = p.number(Type::i16, -32768),
               product = p.apply(BinaryOp::mul, p.cast(Type::i16, p.leaf(Type::u8)), p.number(Type::i16, -1));
    p.stays(limit_of_product, BinaryOp::max, product, least);
}

TEST_CASE("limit_of_converted: converted integers are limited as integers") {
    Plain p;
    for (const Type type : float_types) {
        for (const Type from : integer_types) {
            const Term x = p.leaf(from), y = p.leaf(from, 1);
            const Term a = p.cast(type, x), b = p.cast(type, y);
            for (const BinaryOp op : limits) {
                p.becomes(limit_of_converted, op, a, b, p.cast(type, p.apply(op, x, y)));
                p.becomes(limit_of_converted, op, a, p.number(type, 9),
                          p.cast(type, p.apply(op, x, p.number(from, 9))));
                p.becomes(limit_of_converted, op, a, p.number(type, 0),
                          p.cast(type, p.apply(op, x, p.number(from, 0))));
                p.stays(limit_of_converted, op, a, p.real(type, -0.0));
                p.stays(limit_of_converted, op, a, p.real(type, 0.5));
                p.stays(limit_of_converted, op, a, p.real(type, 0x1p25));
                p.stays(limit_of_converted, op, a,
                        p.literal(*value::parse_literal(type == Type::f32 ? "nan_f32" : "nan_f64")));
                p.stays(limit_of_converted, op, a, p.leaf(type));
                p.stays(limit_of_converted, op, p.leaf(type), b);
                p.stays(limit_of_converted, op, a, p.undef(type));
            }
            p.stays(limit_of_converted, BinaryOp::add, a, b);
        }
        p.stays(limit_of_converted, BinaryOp::min, p.cast(type, p.leaf(Type::u8)), p.real(type, 300));
        p.stays(limit_of_converted, BinaryOp::min, p.cast(type, p.leaf(Type::u8)), p.real(type, -1));
        p.stays(limit_of_converted, BinaryOp::min, p.cast(type, p.leaf(Type::u8)), p.cast(type, p.leaf(Type::i8)));
        p.stays(limit_of_converted, BinaryOp::min, p.cast(type, p.leaf(Type::boolean)), p.number(type, 1));
    }
    p.stays(limit_of_converted, BinaryOp::min, p.cast(Type::f64, p.leaf(Type::f32)),
            p.cast(Type::f64, p.leaf(Type::f32)));
    p.stays(limit_of_converted, BinaryOp::min, p.cast(Type::i32, p.leaf(Type::u8)),
            p.cast(Type::i32, p.leaf(Type::u8)));
}

TEST_CASE("limit_of_float_product: a power of two moves out of a limited float") {
    Plain p;
    for (const Type type : float_types) {
        const Term x = p.leaf(type);
        const auto product = [&](double n) { return p.apply(BinaryOp::mul, x, p.real(type, n)); };
        for (const BinaryOp op : limits) {
            for (const auto& [n, h] : {std::pair(2.0, 60.0), std::pair(4.0, -3.0), std::pair(1024.0, 0.1)}) {
                const Value limit = value::cast(type, Value::f64(h));
                const Term nearer = p.literal(value::apply(BinaryOp::div, limit, value::cast(type, Value::f64(n))));
                p.becomes(limit_of_float_product, op, product(n), p.literal(limit),
                          p.apply(BinaryOp::mul, p.apply(op, x, nearer), p.real(type, n)));
            }
            for (const double n : {3.0, 0.5, 1.0, -2.0, 2048.0}) {
                p.stays(limit_of_float_product, op, product(n), p.real(type, 90));
            }
            for (const double h : {0.0, -0.0, 1e10, 1e-10}) {
                p.stays(limit_of_float_product, op, product(2), p.real(type, h));
            }
            p.stays(limit_of_float_product, op, product(2), p.leaf(type, 1));
            p.stays(limit_of_float_product, op, product(2), p.undef(type));
            p.stays(limit_of_float_product, op, p.apply(BinaryOp::mul, x, p.leaf(type, 1)), p.real(type, 90));
            p.stays(limit_of_float_product, op, p.apply(BinaryOp::add, x, p.real(type, 2)), p.real(type, 90));
        }
        p.stays(limit_of_float_product, BinaryOp::add, product(2), p.real(type, 90));
    }
    const Term product = p.apply(BinaryOp::mul, p.leaf(Type::i32), p.number(Type::i32, 2));
    p.stays(limit_of_float_product, BinaryOp::min, product, p.number(Type::i32, 60));
}

}  // namespace
}  // namespace haruspex::rewrite
