#include "oracle/rewrite/range_rules.h"

#include "tests/oracle/rewrite/plain.h"
#include "tests/support/catch.h"

namespace haruspex::rewrite {
namespace {

TEST_CASE("neutral_by_range: what is always the neutral element changes nothing") {
    Plain p;
    for (const Type type : integer_types) {
        const Term x = p.leaf(type), one = p.number(type, 1);
        const Term zero = p.apply(BinaryOp::mod, p.defined(type), one);  // but no literal
        for (const BinaryOp op : {BinaryOp::add, BinaryOp::sub, BinaryOp::bit_or, BinaryOp::bit_xor}) {
            p.becomes(neutral_by_range, op, x, zero, x);
            p.becomes(neutral_by_range, op, x, p.number(type, 0), x);
            p.stays(neutral_by_range, op, x, one);
            p.stays(neutral_by_range, op, zero, x);
            p.stays(neutral_by_range, op, x, p.apply(BinaryOp::mod, p.leaf(type, 1), one));
            p.stays(neutral_by_range, op, x, p.apply(BinaryOp::mod, p.uninit(type), one));
            p.stays(neutral_by_range, op, x, p.defined(type));
        }
        for (const BinaryOp op : {BinaryOp::mul, BinaryOp::div}) {
            p.becomes(neutral_by_range, op, x, one, x);
            p.stays(neutral_by_range, op, x, zero);
        }
        p.stays(neutral_by_range, BinaryOp::mod, x, one);
        p.stays(neutral_by_range, BinaryOp::add, x, p.uninit(type));
        p.stays(neutral_by_range, BinaryOp::add, x, p.undef(type));
    }
    p.stays(neutral_by_range, BinaryOp::add, p.leaf(Type::f32), p.number(Type::f32, 0));
}

TEST_CASE("remainder_of_smaller: what is less than the divisor is its own remainder") {
    Plain p;
    for (const Type type : {Type::u16, Type::i16, Type::u32, Type::i32, Type::u64, Type::i64}) {
        const Term byte = p.cast(type, p.leaf(Type::u8));
        const auto number = [&](std::int64_t n) { return p.number(type, n); };
        p.becomes(remainder_of_smaller, BinaryOp::mod, byte, number(256), byte);
        p.becomes(remainder_of_smaller, BinaryOp::mod, byte, number(1000), byte);
        p.stays(remainder_of_smaller, BinaryOp::mod, byte, number(255));
        p.stays(remainder_of_smaller, BinaryOp::div, byte, number(256));
        p.stays(remainder_of_smaller, BinaryOp::mod, byte, p.uninit(type));
        const Term above = p.apply(BinaryOp::max, p.defined(type), number(300));
        p.becomes(remainder_of_smaller, BinaryOp::mod, byte, above, byte);
        p.stays(remainder_of_smaller, BinaryOp::mod, byte, p.apply(BinaryOp::max, p.leaf(type, 1), number(300)));
        if (value::is_signed_integer(type)) {
            p.stays(remainder_of_smaller, BinaryOp::mod, p.cast(type, p.leaf(Type::i8)), number(256));
            p.stays(remainder_of_smaller, BinaryOp::mod, byte, number(-300));
        }
    }
    p.stays(remainder_of_smaller, BinaryOp::mod, p.leaf(Type::f32), p.number(Type::f32, 256));
}

TEST_CASE("known_limit: the operand that is always the result") {
    Plain p;
    for (const Type type : {Type::u16, Type::i16, Type::u32, Type::i32, Type::u64, Type::i64}) {
        const Term byte = p.cast(type, p.leaf(Type::u8)), sure = p.cast(type, p.defined(Type::u8));
        const Term high = p.number(type, 255), low = p.number(type, 0);
        p.becomes(known_limit, BinaryOp::min, byte, high, byte);
        p.becomes(known_limit, BinaryOp::min, high, byte, byte);
        p.becomes(known_limit, BinaryOp::max, byte, low, byte);
        p.becomes(known_limit, BinaryOp::max, low, byte, byte);
        p.becomes(known_limit, BinaryOp::max, sure, high, high);
        p.becomes(known_limit, BinaryOp::min, low, sure, low);
        p.stays(known_limit, BinaryOp::max, byte, high);
        p.stays(known_limit, BinaryOp::min, low, byte);
        p.stays(known_limit, BinaryOp::min, byte, p.number(type, 254));
        p.stays(known_limit, BinaryOp::max, byte, p.number(type, 1));
        p.stays(known_limit, BinaryOp::min, byte, p.undef(type));
        p.stays(known_limit, BinaryOp::min, byte, p.apply(BinaryOp::max, p.uninit(type), high));
        // Ranges that overlap.
        const Term near = p.apply(BinaryOp::max, p.defined(type), p.number(type, 200));
        for (const BinaryOp op : {BinaryOp::min, BinaryOp::max}) {
            p.stays(known_limit, op, sure, near);
            p.stays(known_limit, op, near, sure);
        }
        p.stays(known_limit, BinaryOp::add, byte, low);
    }
    const Term far = p.literal(Value::from_bits(Type::u64, ~std::uint64_t{11}));
    const Term byte = p.cast(Type::u64, p.leaf(Type::u8));
    p.becomes(known_limit, BinaryOp::min, byte, far, byte);
    p.stays(known_limit, BinaryOp::min, p.leaf(Type::f32), p.leaf(Type::f32));
}

TEST_CASE("comparison_with_itself: decided, if it is always defined") {
    Plain p;
    for (const Type type : value::all_types) {
        const Term x = p.defined(type);
        for (const BinaryOp op : {BinaryOp::eq, BinaryOp::le, BinaryOp::ne, BinaryOp::lt}) {
            if (!value::result_type(op, type, type)) { continue; }
            if (value::is_float(type)) {
                p.stays(comparison_with_itself, op, x, x);
                continue;
            }
            p.becomes(comparison_with_itself, op, x, x, p.truth(op == BinaryOp::eq || op == BinaryOp::le));
            p.stays(comparison_with_itself, op, p.leaf(type), p.leaf(type));
            p.stays(comparison_with_itself, op, p.uninit(type), p.uninit(type));
            p.stays(comparison_with_itself, op, x, p.defined(type, 1));
        }
        if (value::is_integer(type)) { p.stays(comparison_with_itself, BinaryOp::sub, x, x); }
    }
}

TEST_CASE("only_result: a literal, if both operands are always defined") {
    Plain p;
    for (const Type type : {Type::u16, Type::i16, Type::u32, Type::i32, Type::u64, Type::i64}) {
        const Term byte = p.cast(type, p.defined(Type::u8)), maybe = p.cast(type, p.leaf(Type::u8));
        const auto number = [&](std::int64_t n) { return p.number(type, n); };
        p.becomes(only_result, BinaryOp::lt, byte, number(256), p.truth(true));
        p.becomes(only_result, BinaryOp::eq, byte, number(256), p.truth(false));
        p.becomes(only_result, BinaryOp::ge, number(255), byte, p.truth(true));
        p.becomes(only_result, BinaryOp::mod, byte, number(1), number(0));
        p.becomes(only_result, BinaryOp::div, byte, number(256), number(0));
        p.becomes(only_result, BinaryOp::mul, byte, number(0), number(0));
        p.stays(only_result, BinaryOp::lt, byte, number(255));
        p.stays(only_result, BinaryOp::add, byte, number(0));
        p.stays(only_result, BinaryOp::lt, maybe, number(256));
        p.stays(only_result, BinaryOp::lt, byte, p.undef(type));
        p.stays(only_result, BinaryOp::mul, byte, p.uninit(type));
        p.stays(only_result, BinaryOp::mul, p.uninit(type), number(0));
        p.stays(only_result, BinaryOp::mul, number(0), p.uninit(type));
    }
    const Term c = p.defined(Type::boolean);
    p.becomes(only_result, BinaryOp::logical_and, c, p.truth(false), p.truth(false));
    p.stays(only_result, BinaryOp::logical_and, c, p.truth(true));
    p.stays(only_result, BinaryOp::lt, p.defined(Type::f32), p.defined(Type::f32));
}

}  // namespace
}  // namespace haruspex::rewrite
