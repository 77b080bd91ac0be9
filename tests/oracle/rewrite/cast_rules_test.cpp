#include "oracle/rewrite/cast_rules.h"

#include "tests/oracle/rewrite/plain.h"
#include "tests/support/catch.h"

namespace haruspex::rewrite {
namespace {

TEST_CASE("cast_to_own_type: nothing, of integers and bools") {
    Plain p;
    for (const Type type : value::all_types) {
        const Term x = p.leaf(type);
        for (const Type to : value::all_types) {
            if (to == type && !value::is_float(type)) {
                p.becomes(cast_to_own_type, to, x, x);
            } else {
                p.stays(cast_to_own_type, to, x);
            }
        }
    }
}

TEST_CASE("float_cast_to_own_type: nothing, of floats") {
    Plain p;
    for (const Type type : value::all_types) {
        const Term x = p.leaf(type);
        for (const Type to : value::all_types) {
            if (to == type && value::is_float(type)) {
                p.becomes(float_cast_to_own_type, to, x, x);
            } else {
                p.stays(float_cast_to_own_type, to, x);
            }
        }
    }
}

TEST_CASE("cast_through_wider: a cast through a type that holds the value is not seen") {
    Plain p;
    const auto holds = [](Type via, Type from) {
        if (!value::is_integer(via) || value::is_float(from)) { return false; }
        const value::Range all = value::full_range(from), held = value::full_range(via);
        return held.low <= all.low && all.high <= held.high;
    };
    for (const Type from : value::all_types) {
        for (const Type via : value::all_types) {
            const Term x = p.leaf(from), inner = p.cast(via, x);
            for (const Type to : value::all_types) {
                if (holds(via, from)) {
                    p.becomes(cast_through_wider, to, inner, p.cast(to, x));
                } else {
                    p.stays(cast_through_wider, to, inner);
                }
            }
        }
    }
    // By the operand's range.
    const Term small = p.apply(BinaryOp::mod, p.leaf(Type::i32), p.number(Type::i32, 256));
    p.becomes(cast_through_wider, Type::i64, p.cast(Type::u8, small), p.cast(Type::i64, small));
    p.stays(cast_through_wider, Type::i64, p.cast(Type::i8, small));
    p.stays(cast_through_wider, Type::i64, p.leaf(Type::i32));
}

TEST_CASE("cast_of_low_bits: the lowest bits of the lowest bits") {
    Plain p;
    const auto wraps = [](Type type) { return value::is_integer(type) && type != Type::i32 && type != Type::i64; };
    for (const Type from : value::all_types) {
        for (const Type via : value::all_types) {
            const Term x = p.leaf(from), inner = p.cast(via, x);
            for (const Type to : value::all_types) {
                if (value::is_integer(from) && wraps(via) && wraps(to) && value::bits(to) <= value::bits(via)) {
                    p.becomes(cast_of_low_bits, to, inner, p.cast(to, x));
                } else {
                    p.stays(cast_of_low_bits, to, inner);
                }
            }
        }
    }
    p.stays(cast_of_low_bits, Type::u8, p.leaf(Type::u16));
}

TEST_CASE("cast_through_f64: it has every f32") {
    Plain p;
    for (const Type to : value::all_types) {
        const Term x = p.leaf(Type::f32);
        p.becomes(cast_through_f64, to, p.cast(Type::f64, x), p.cast(to, x));
        p.stays(cast_through_f64, to, p.cast(Type::f32, p.leaf(Type::f64)));
        p.stays(cast_through_f64, to, p.cast(Type::f64, p.leaf(Type::i64)));
        p.stays(cast_through_f64, to, p.cast(Type::f64, p.leaf(Type::f64)));
        p.stays(cast_through_f64, to, x);
    }
}

TEST_CASE("cast_through_float: a float that holds the integer is not seen") {
    Plain p;
    const auto through = [&](Type from, Type via, Type to) {
        const Term x = p.leaf(from);
        p.becomes(cast_through_float, to, p.cast(via, x), p.cast(to, x));
    };
    const auto not_through = [&](Type from, Type via, Type to) {
        p.stays(cast_through_float, to, p.cast(via, p.leaf(from)));
    };
    for (const Type via : float_types) {
        for (const Type from : {Type::u8, Type::i8, Type::u16, Type::i16}) {
            for (const Type to : {Type::i32, Type::i64, Type::f32, Type::f64}) { through(from, via, to); }
            not_through(from, via, Type::boolean);
        }
        through(Type::u8, via, Type::u8);
        not_through(Type::u8, via, Type::i8);
        not_through(Type::i8, via, Type::u8);
        not_through(Type::i16, via, Type::u8);
        not_through(Type::i64, via, Type::i64);
        not_through(Type::boolean, via, Type::i32);
    }
    through(Type::i32, Type::f64, Type::i32);
    through(Type::u32, Type::f64, Type::f32);
    not_through(Type::i32, Type::f32, Type::i32);
    not_through(Type::u32, Type::f32, Type::f64);
    not_through(Type::f32, Type::f64, Type::i32);
    not_through(Type::u8, Type::i32, Type::f32);
    // The largest range of integers that are all floats.
    const Term near = p.apply(BinaryOp::min, p.cast(Type::i32, p.leaf(Type::u32)), p.number(Type::i32, 1 << 24));
    const Term positive = p.apply(BinaryOp::max, near, p.number(Type::i32, 0));
    p.becomes(cast_through_float, Type::i64, p.cast(Type::f32, positive), p.cast(Type::i64, positive));
    const Term far = p.apply(BinaryOp::min, p.cast(Type::i32, p.leaf(Type::u32)), p.number(Type::i32, (1 << 24) + 1));
    p.stays(cast_through_float, Type::i64, p.cast(Type::f32, p.apply(BinaryOp::max, far, p.number(Type::i32, 0))));
}

TEST_CASE("integer_as_bool, float_as_bool: whether it is not zero") {
    Plain p;
    for (const Type type : value::all_types) {
        const Term x = p.leaf(type);
        const auto compared = [&] { return p.apply(BinaryOp::ne, x, p.number(type, 0)); };
        if (value::is_integer(type)) {
            p.becomes(integer_as_bool, Type::boolean, x, compared());
        } else {
            p.stays(integer_as_bool, Type::boolean, x);
        }
        if (value::is_float(type)) {
            p.becomes(float_as_bool, Type::boolean, x, compared());
        } else {
            p.stays(float_as_bool, Type::boolean, x);
        }
        p.stays(integer_as_bool, Type::u8, x);
        p.stays(float_as_bool, Type::u8, x);
    }
}

TEST_CASE("cast_of_operation: operands are cast where the type holds them and the result") {
    Plain p;
    for (const BinaryOp op : {BinaryOp::min, BinaryOp::max}) {
        for (const Type type : {Type::u8, Type::i8}) {
            const Term x = p.leaf(type), y = p.leaf(type, 1), limit = p.apply(op, x, y);
            for (const Type to : {Type::i16, Type::i32, Type::i64}) {
                p.becomes(cast_of_operation, to, limit, p.apply(op, p.cast(to, x), p.cast(to, y)));
            }
            p.stays(cast_of_operation, type == Type::u8 ? Type::i8 : Type::u8, limit);
            p.stays(cast_of_operation, Type::f32, limit);
            p.stays(cast_of_operation, Type::boolean, limit);
        }
    }
    for (const BinaryOp op : {BinaryOp::add, BinaryOp::mul}) {
        const Term x = p.cast(Type::u32, p.leaf(Type::u8)), y = p.cast(Type::u32, p.leaf(Type::u8, 1));
        const Term result = p.apply(op, x, y);
        for (const Type to : {Type::u16, Type::i32, Type::i64, Type::u64}) {
            p.becomes(cast_of_operation, to, result, p.apply(op, p.cast(to, x), p.cast(to, y)));
        }
        p.stays(cast_of_operation, Type::u8, result);
        p.stays(cast_of_operation, Type::i8, result);
        // It may wrap.
        p.stays(cast_of_operation, Type::i32, p.apply(op, p.leaf(Type::u8), p.leaf(Type::u8, 1)));
        p.stays(cast_of_operation, Type::i64, p.apply(op, p.leaf(Type::i32), p.leaf(Type::i32, 1)));
    }
    const Term x = p.cast(Type::i32, p.leaf(Type::u8)), y = p.cast(Type::i32, p.leaf(Type::u8, 1));
    const Term difference = p.apply(BinaryOp::sub, x, y);
    p.becomes(cast_of_operation, Type::i16, difference,
              p.apply(BinaryOp::sub, p.cast(Type::i16, x), p.cast(Type::i16, y)));
    p.stays(cast_of_operation, Type::u16, difference);
    p.stays(cast_of_operation, Type::i16, p.apply(BinaryOp::div, x, y));
    p.stays(cast_of_operation, Type::i16, x);
    // The result would fit, but an operand does not.
    const Term small = p.number(Type::u16, 9), any = p.leaf(Type::u16);
    p.stays(cast_of_operation, Type::u8, p.apply(BinaryOp::min, any, small));
    p.stays(cast_of_operation, Type::u8, p.apply(BinaryOp::min, small, any));
    const Term reals = p.apply(BinaryOp::min, p.leaf(Type::f32), p.leaf(Type::f32, 1));
    p.stays(cast_of_operation, Type::i32, reals);
}

}  // namespace
}  // namespace haruspex::rewrite
