#include "oracle/rewrite/select_rules.h"

#include "tests/oracle/rewrite/plain.h"
#include "tests/support/catch.h"

namespace haruspex::rewrite {
namespace {

TEST_CASE("select_by_literal: the chosen arm, if the other is never Undef") {
    Plain p;
    for (const Type type : value::all_types) {
        const Term x = p.leaf(type), y = p.defined(type);
        p.becomes(select_by_literal, p.truth(true), x, y, x);
        p.becomes(select_by_literal, p.truth(false), y, x, x);
        p.becomes(select_by_literal, p.truth(true), x, p.uninit(type), x);
        p.stays(select_by_literal, p.truth(true), y, x);
        p.stays(select_by_literal, p.truth(false), x, y);
        p.stays(select_by_literal, p.undef(Type::boolean), y, y);
        p.stays(select_by_literal, p.uninit(Type::boolean), y, y);
        p.stays(select_by_literal, p.defined(Type::boolean), y, y);
    }
}

TEST_CASE("select_of_equals: both arms are the result, unless the condition may be Undef") {
    Plain p;
    for (const Type type : value::all_types) {
        const Term x = p.leaf(type), c = p.defined(Type::boolean);
        p.becomes(select_of_equals, c, x, x, x);
        p.becomes(select_of_equals, p.uninit(Type::boolean), x, x, x);
        p.stays(select_of_equals, p.leaf(Type::boolean), x, x);
        p.stays(select_of_equals, c, x, p.leaf(type, 1));
    }
}

TEST_CASE("select_of_truths: the condition or its negation") {
    Plain p;
    const Term c = p.leaf(Type::boolean), yes = p.truth(true), no = p.truth(false);
    p.becomes(select_of_truths, c, yes, no, c);
    p.becomes(select_of_truths, c, no, yes, p.apply(UnaryOp::logical_not, c));
    p.stays(select_of_truths, c, yes, yes);
    p.stays(select_of_truths, c, no, no);
    p.stays(select_of_truths, c, yes, p.undef(Type::boolean));
    p.stays(select_of_truths, c, yes, p.uninit(Type::boolean));
    p.stays(select_of_truths, c, yes, p.leaf(Type::boolean, 1));
    p.stays(select_of_truths, c, p.number(Type::u8, 1), p.number(Type::u8, 0));
}

TEST_CASE("select_by_negation: the arms change places") {
    Plain p;
    const Term c = p.leaf(Type::boolean), negation = p.apply(UnaryOp::logical_not, c);
    for (const Type type : value::all_types) {
        const Term x = p.leaf(type, 1), y = p.leaf(type, 2);
        p.becomes(select_by_negation, negation, x, y, p.select(c, y, x));
        p.stays(select_by_negation, c, x, y);
    }
}

TEST_CASE("select_by_inequality: the arms change places") {
    Plain p;
    for (const Type type : {Type::boolean, Type::u8, Type::i32, Type::f32}) {
        const Term a = p.leaf(type), b = p.leaf(type, 1), x = p.leaf(Type::i16, 2), y = p.number(Type::i16, 5);
        p.becomes(select_by_inequality, p.apply(BinaryOp::ne, a, b), x, y, p.select(p.apply(BinaryOp::eq, a, b), y, x));
        p.stays(select_by_inequality, p.apply(BinaryOp::eq, a, b), x, y);
        if (type != Type::boolean) { p.stays(select_by_inequality, p.apply(BinaryOp::lt, a, b), x, y); }
        p.stays(select_by_inequality, p.leaf(Type::boolean), x, y);
    }
}

TEST_CASE("select_by_order: the arms change places, not of floats") {
    Plain p;
    for (const Type type : integer_types) {
        const Term a = p.leaf(type), b = p.leaf(type, 1), x = p.leaf(Type::boolean, 2), y = p.truth(true);
        p.becomes(select_by_order, p.apply(BinaryOp::le, a, b), x, y, p.select(p.apply(BinaryOp::lt, b, a), y, x));
        p.stays(select_by_order, p.apply(BinaryOp::lt, a, b), x, y);
        p.stays(select_by_order, p.apply(BinaryOp::eq, a, b), x, y);
    }
    const Term x = p.leaf(Type::i16, 2), y = p.leaf(Type::i16, 3);
    p.stays(select_by_order, p.apply(BinaryOp::le, p.leaf(Type::f32), p.leaf(Type::f32, 1)), x, y);
    p.stays(select_by_order, p.leaf(Type::boolean), x, y);
}

TEST_CASE("unary_of_choice: an operator enters a select of literals") {
    Plain p;
    const Term c = p.leaf(Type::boolean);
    for (const Type type : value::all_types) {
        for (const UnaryOp op : value::all_unary_ops) {
            if (!value::result_type(op, type)) { continue; }
            const bool is_bool = type == Type::boolean;
            const Value n = is_bool ? Value::boolean(false) : Value::integer(type, 3);
            const Value m = is_bool ? Value::boolean(true) : Value::integer(type, 5);
            p.becomes(unary_of_choice, op, p.select(c, p.literal(n), p.literal(m)),
                      p.select(c, p.literal(value::apply(op, n)), p.literal(value::apply(op, m))));
            p.stays(unary_of_choice, op, p.select(c, p.literal(n), p.literal(n)));
            p.stays(unary_of_choice, op, p.select(c, p.literal(n), p.leaf(type)));
            p.stays(unary_of_choice, op, p.select(c, p.literal(n), p.undef(type)));
            p.stays(unary_of_choice, op, p.select(c, p.uninit(type), p.literal(n)));
            p.stays(unary_of_choice, op, p.leaf(type));
        }
    }
    // Equal results, and one that is Undef.
    p.stays(unary_of_choice, UnaryOp::absolute, p.select(c, p.number(Type::i8, 3), p.number(Type::i8, -3)));
    const Term least = p.number(Type::i32, -2147483648);
    p.stays(unary_of_choice, UnaryOp::negate, p.select(c, p.number(Type::i32, 3), least));
}

TEST_CASE("binary_of_choice: an operation with a literal enters a select of literals") {
    Plain p;
    const Term c = p.leaf(Type::boolean);
    for (const Type type : value::all_types) {
        const bool is_bool = type == Type::boolean;
        const Value n = is_bool ? Value::boolean(false) : Value::integer(type, 1);
        const Value m = is_bool ? Value::boolean(true) : Value::integer(type, 4);
        const Value k = is_bool ? Value::boolean(true) : Value::integer(type, 2);
        const Term choice = p.select(c, p.literal(n), p.literal(m)), by = p.literal(k);
        std::size_t changed = 0;
        for (const BinaryOp op : value::all_binary_ops) {
            if (!value::result_type(op, type, type)) { continue; }
            for (const bool is_right : {true, false}) {
                const auto on = [&](const Value& v) {
                    return is_right ? value::apply(op, v, k) : value::apply(op, k, v);
                };
                const Term a = is_right ? choice : by, b = is_right ? by : choice;
                if (on(n) == on(m)) {
                    p.stays(binary_of_choice, op, a, b);
                } else {
                    ++changed;
                    p.becomes(binary_of_choice, op, a, b, p.select(c, p.literal(on(n)), p.literal(on(m))));
                }
            }
            p.stays(binary_of_choice, op, choice, p.leaf(type));
            p.stays(binary_of_choice, op, choice, choice);
            p.stays(binary_of_choice, op, choice, p.undef(type));
            p.stays(binary_of_choice, op, p.select(c, p.leaf(type), p.literal(m)), by);
            p.stays(binary_of_choice, op, p.select(c, p.uninit(type), p.literal(m)), by);
        }
        CHECK(changed >= 6);
    }
    // A result that is rounded, and one that is Undef.
    const Term third = p.select(c, p.real(Type::f32, 1), p.real(Type::f32, 3));
    p.stays(binary_of_choice, BinaryOp::div, third, p.real(Type::f32, 3));
    const Term most = p.select(c, p.number(Type::i32, 2147483647), p.number(Type::i32, 0));
    p.stays(binary_of_choice, BinaryOp::add, most, p.number(Type::i32, 1));
}

TEST_CASE("cast_of_choice: a cast enters a select of literals") {
    Plain p;
    const Term c = p.leaf(Type::boolean);
    for (const Type type : value::all_types) {
        const bool is_bool = type == Type::boolean;
        const Value n = is_bool ? Value::boolean(false) : Value::integer(type, 0);
        const Value m = is_bool ? Value::boolean(true) : Value::integer(type, 5);
        const Term choice = p.select(c, p.literal(n), p.literal(m));
        for (const Type to : value::all_types) {
            p.becomes(cast_of_choice, to, choice,
                      p.select(c, p.literal(value::cast(to, n)), p.literal(value::cast(to, m))));
            p.stays(cast_of_choice, to, p.leaf(type));
            p.stays(cast_of_choice, to, p.select(c, p.literal(n), p.leaf(type)));
            p.stays(cast_of_choice, to, p.select(c, p.literal(n), p.undef(type)));
        }
    }
    // Equal results, one that is Undef, and one that is rounded.
    p.stays(cast_of_choice, Type::u8, p.select(c, p.number(Type::i16, 1), p.number(Type::i16, 257)));
    p.stays(cast_of_choice, Type::i32, p.select(c, p.number(Type::i64, 1), p.number(Type::i64, std::int64_t{1} << 40)));
    p.stays(cast_of_choice, Type::f32, p.select(c, p.number(Type::i32, 1), p.number(Type::i32, (1 << 24) + 1)));
}

}  // namespace
}  // namespace haruspex::rewrite
