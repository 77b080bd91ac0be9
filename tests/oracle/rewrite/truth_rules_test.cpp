#include "oracle/rewrite/truth_rules.h"

#include "tests/oracle/rewrite/plain.h"
#include "tests/support/catch.h"

namespace haruspex::rewrite {
namespace {

TEST_CASE("reversed_comparison: only < and <= are left") {
    Plain p;
    for (const Type type : value::all_types) {
        if (type == Type::boolean) { continue; }
        const Term x = p.leaf(type), y = p.leaf(type, 1);
        p.becomes(reversed_comparison, BinaryOp::gt, x, y, p.apply(BinaryOp::lt, y, x));
        p.becomes(reversed_comparison, BinaryOp::ge, x, y, p.apply(BinaryOp::le, y, x));
        for (const BinaryOp op : {BinaryOp::lt, BinaryOp::le, BinaryOp::eq, BinaryOp::ne, BinaryOp::sub}) {
            p.stays(reversed_comparison, op, x, y);
        }
    }
}

TEST_CASE("held_bool: a byte that holds a bool is compared with zero") {
    Plain p;
    const Term c = p.leaf(Type::boolean), negation = p.apply(UnaryOp::logical_not, c);
    for (const Type type : integer_types) {
        const Term byte = p.cast(type, c), zero = p.number(type, 0), two = p.number(type, 2);
        const Term low_bit = p.apply(BinaryOp::mod, byte, two), twice = p.apply(BinaryOp::mod, low_bit, two);
        for (const Term held : {byte, low_bit, twice}) {
            p.becomes(held_bool, BinaryOp::ne, held, zero, c);
            p.becomes(held_bool, BinaryOp::eq, held, zero, negation);
            p.stays(held_bool, BinaryOp::ne, held, p.number(type, 1));
            p.stays(held_bool, BinaryOp::ne, held, p.leaf(type));
            p.stays(held_bool, BinaryOp::ne, held, p.undef(type));
            p.stays(held_bool, BinaryOp::lt, held, zero);
        }
        p.stays(held_bool, BinaryOp::ne, p.apply(BinaryOp::mod, byte, p.number(type, 1)), zero);
        p.stays(held_bool, BinaryOp::ne, p.apply(BinaryOp::mod, byte, p.leaf(type)), zero);
        p.stays(held_bool, BinaryOp::ne, p.apply(BinaryOp::div, byte, two), zero);
        p.stays(held_bool, BinaryOp::ne, p.apply(BinaryOp::mod, p.leaf(type), two), zero);
        p.stays(held_bool, BinaryOp::ne, p.cast(type, p.leaf(Type::u8)), zero);
        p.stays(held_bool, BinaryOp::ne, p.leaf(type), zero);
    }
    p.stays(held_bool, BinaryOp::ne, p.cast(Type::f32, c), p.number(Type::f32, 0));
}

TEST_CASE("double_negation: two negations are none") {
    Plain p;
    const Term c = p.leaf(Type::boolean);
    p.becomes(double_negation, UnaryOp::logical_not, p.apply(UnaryOp::logical_not, c), c);
    p.stays(double_negation, UnaryOp::logical_not, c);
    const Term x = p.leaf(Type::i16);
    p.stays(double_negation, UnaryOp::bit_not, p.apply(UnaryOp::bit_not, x));
    p.stays(double_negation, UnaryOp::negate, p.apply(UnaryOp::negate, x));
    p.stays(double_negation, UnaryOp::absolute, p.apply(UnaryOp::negate, x));
}

TEST_CASE("negated_comparison: the opposite comparison, of floats only of equality") {
    Plain p;
    for (const Type type : value::all_types) {
        const Term x = p.leaf(type), y = p.leaf(type, 1);
        const auto compared = [&](BinaryOp op) { return p.apply(op, x, y); };
        p.becomes(negated_comparison, UnaryOp::logical_not, compared(BinaryOp::eq), compared(BinaryOp::ne));
        p.becomes(negated_comparison, UnaryOp::logical_not, compared(BinaryOp::ne), compared(BinaryOp::eq));
        if (type == Type::boolean) { continue; }
        if (value::is_float(type)) {
            p.stays(negated_comparison, UnaryOp::logical_not, compared(BinaryOp::lt));
            p.stays(negated_comparison, UnaryOp::logical_not, compared(BinaryOp::le));
        } else {
            p.becomes(negated_comparison, UnaryOp::logical_not, compared(BinaryOp::lt), p.apply(BinaryOp::le, y, x));
            p.becomes(negated_comparison, UnaryOp::logical_not, compared(BinaryOp::le), p.apply(BinaryOp::lt, y, x));
        }
        p.stays(negated_comparison, UnaryOp::logical_not, compared(BinaryOp::gt));
    }
    const Term c = p.leaf(Type::boolean);
    p.stays(negated_comparison, UnaryOp::logical_not, c);
    p.stays(negated_comparison, UnaryOp::logical_not, p.apply(BinaryOp::logical_and, c, c));
    p.stays(negated_comparison, UnaryOp::bit_not, p.apply(BinaryOp::add, p.leaf(Type::u8), p.leaf(Type::u8)));
}

}  // namespace
}  // namespace haruspex::rewrite
