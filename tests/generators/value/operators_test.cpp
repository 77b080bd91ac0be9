#include "generators/value/operators.h"

#include <cmath>
#include <limits>
#include <string>

#include "generators/base/ensure.h"
#include "tests/generators/value/samples.h"
#include "tests/support/catch.h"

// Tests each rule of operators.cpp by name. The halide_*_test.cpp files check that Halide has the same rules.
namespace haruspex::value {
namespace {

// Applies the operator to literals and prints the result.
std::string eval(UnaryOp op, const char* a) { return to_string(apply(op, parse_literal(a).value())); }
std::string eval(BinaryOp op, const char* a, const char* b) {
    return to_string(apply(op, parse_literal(a).value(), parse_literal(b).value()));
}
std::string eval_cast(Type to, const char* a) { return to_string(cast(to, parse_literal(a).value())); }

TEST_CASE("integer division and modulo are Euclidean") {
    CHECK(eval(BinaryOp::div, "-7i32", "-2i32") == "4i32");
    CHECK(eval(BinaryOp::mod, "-7i32", "-2i32") == "1i32");
    CHECK(eval(BinaryOp::div, "-7i32", "2i32") == "-4i32");
    CHECK(eval(BinaryOp::mod, "-7i32", "2i32") == "1i32");
    CHECK(eval(BinaryOp::div, "7i32", "-2i32") == "-3i32");
    CHECK(eval(BinaryOp::mod, "7i32", "-2i32") == "1i32");
    for (const Type type : {Type::i8, Type::u8}) {
        for (const Value& a : corner_values(type)) {
            for (const Value& b : corner_values(type)) {
                if (b == Value::integer(type, 0)) { continue; }
                const Value q = apply(BinaryOp::div, a, b);
                const Value r = apply(BinaryOp::mod, a, b);
                REQUIRE(apply(BinaryOp::add, apply(BinaryOp::mul, q, b), r) == a);
                if (type == Type::i8) {
                    REQUIRE(r.as_signed() >= 0);
                    REQUIRE(r.as_signed() < std::abs(b.as_signed()));
                }
            }
        }
    }
}

TEST_CASE("division and modulo by zero give zero") {
    for (const Type type : all_types) {
        if (!is_integer(type)) { continue; }
        const Value zero = Value::integer(type, 0);
        for (const Value& a : corner_values(type)) {
            REQUIRE(apply(BinaryOp::div, a, zero) == zero);
            REQUIRE(apply(BinaryOp::mod, a, zero) == zero);
        }
    }
}

TEST_CASE("unsigned and narrow signed integers wrap") {
    CHECK(eval(BinaryOp::add, "255u8", "1u8") == "0u8");
    CHECK(eval(BinaryOp::sub, "0u32", "1u32") == "4294967295u32");
    CHECK(eval(BinaryOp::mul, "18446744073709551615u64", "18446744073709551615u64") == "1u64");
    CHECK(eval(BinaryOp::add, "127i8", "1i8") == "-128i8");
    CHECK(eval(BinaryOp::mul, "-32768i16", "-1i16") == "-32768i16");
    CHECK(eval(BinaryOp::div, "-128i8", "-1i8") == "-128i8");
    CHECK(eval(UnaryOp::negate, "-32768i16") == "-32768i16");
    CHECK(eval(BinaryOp::shift_left, "-128i8", "1i8") == "0i8");
}

TEST_CASE("w32 and w64 are i32 and i64, except that they wrap") {
    CHECK(eval(BinaryOp::add, "2147483647w32", "1w32") == "-2147483648w32");
    CHECK(eval(BinaryOp::sub, "-2147483648w32", "1w32") == "2147483647w32");
    CHECK(eval(BinaryOp::mul, "-2147483648w32", "-1w32") == "-2147483648w32");
    CHECK(eval(BinaryOp::div, "-2147483648w32", "-1w32") == "-2147483648w32");
    CHECK(eval(BinaryOp::shift_left, "1073741825w32", "2w32") == "4w32");
    CHECK(eval(BinaryOp::shift_left, "1w32", "32w32") == "undef_w32");
    CHECK(eval(UnaryOp::negate, "-9223372036854775808w64") == "-9223372036854775808w64");
    CHECK(eval(UnaryOp::absolute, "-2147483648w32") == "2147483648u32");
    CHECK(eval(BinaryOp::mul, "9223372036854775807w64", "9223372036854775807w64") == "1w64");
    CHECK(eval_cast(Type::w32, "4294967295i64") == "-1w32");
    CHECK(eval_cast(Type::w32, "2147483648f64") == "undef_w32");
    CHECK(eval_cast(Type::w64, "18446744073709551615u64") == "-1w64");
    CHECK(eval_cast(Type::i32, "2147483648w64") == "undef_i32");
    const auto as = [](Type type, const Value& v) {
        return v.type() == Type::w32 || v.type() == Type::w64 ? Value::from_bits(type, v.bit_pattern()) : v;
    };
    for (const auto& [type, strict] : {std::pair(Type::w32, Type::i32), std::pair(Type::w64, Type::i64)}) {
        for (const Value& a : corner_values(type)) {
            for (const UnaryOp op : {UnaryOp::negate, UnaryOp::bit_not, UnaryOp::absolute}) {
                const Value mine = apply(op, a), theirs = apply(op, as(strict, a));
                REQUIRE(mine.is_defined());
                if (theirs.is_defined()) { REQUIRE(as(strict, mine) == theirs); }
            }
            for (const Value& b : corner_values(type)) {
                for (const BinaryOp op : all_binary_ops) {
                    if (!result_type(op, type, type)) { continue; }
                    const Value mine = apply(op, a, b), theirs = apply(op, as(strict, a), as(strict, b));
                    INFO(to_string(a) << " " << spelling(op) << " " << to_string(b));
                    const bool shifts = op == BinaryOp::shift_left || op == BinaryOp::shift_right;
                    REQUIRE((mine.is_defined() || (shifts && theirs.is_undef())));
                    if (theirs.is_defined()) { REQUIRE(as(strict, mine) == theirs); }
                }
            }
        }
    }
}

// The last bits of the result over the integers, or nullopt where it is Undef: a naive model of integers that wrap.
std::optional<Int128> naive(BinaryOp op, Int128 a, Int128 b, int width) {
    const auto power = [](Int128 n) { return static_cast<Int128>(1) << static_cast<int>(n); };
    const auto floor = [](Int128 n, Int128 by) { return n / by - (n % by < 0 ? 1 : 0); };
    const Int128 distance = b < 0 ? -b : b;
    switch (op) {
        case BinaryOp::add: return a + b;
        case BinaryOp::sub: return a - b;
        // Only the last 64 bits of the product count.
        case BinaryOp::mul: return static_cast<Int128>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
        case BinaryOp::div: return b == 0 ? 0 : b > 0 ? floor(a, b) : -floor(a, -b);
        case BinaryOp::mod: return b == 0 ? 0 : a - distance * floor(a, distance);
        case BinaryOp::min: return a < b ? a : b;
        case BinaryOp::max: return a < b ? b : a;
        case BinaryOp::bit_and: return a & b;
        case BinaryOp::bit_or: return a | b;
        case BinaryOp::bit_xor: return a ^ b;
        case BinaryOp::shift_left:
        case BinaryOp::shift_right: {
            if (distance >= width) { return std::nullopt; }
            const bool is_left = (b < 0) != (op == BinaryOp::shift_left);
            return is_left ? a * power(distance) : floor(a, power(distance));
        }
        default: return std::nullopt;
    }
}

TEST_CASE("integers that wrap keep the last bits of the result over the integers") {
    std::size_t compared = 0;
    for (const Type type : all_types) {
        if (!wraps(type)) { continue; }
        const auto number = [](const Value& v) {
            return is_signed_integer(v.type()) ? Int128{v.as_signed()} : static_cast<Int128>(v.as_unsigned());
        };
        for (const Value& a : corner_values(type)) {
            for (const Value& b : corner_values(type)) {
                for (const BinaryOp op : all_binary_ops) {
                    if (result_type(op, type, type) != type) { continue; }
                    INFO(to_string(a) << " " << spelling(op) << " " << to_string(b));
                    const auto exact = naive(op, number(a), number(b), bits(type));
                    const Value result = apply(op, a, b);
                    REQUIRE(result.is_defined() == exact.has_value());
                    if (!exact) { continue; }
                    REQUIRE(result == Value::from_bits(type, static_cast<std::uint64_t>(*exact)));
                    ++compared;
                }
            }
            for (const Type from : all_types) {
                if (!is_integer(from)) { continue; }
                for (const Value& v : corner_values(from)) {
                    REQUIRE(cast(type, v) == Value::from_bits(type, static_cast<std::uint64_t>(number(v))));
                }
            }
        }
    }
    CHECK(compared > 20000);
}

TEST_CASE("overflow of i32 and i64 is Undef") {
    CHECK(eval(BinaryOp::add, "2147483647i32", "1i32") == "undef_i32");
    CHECK(eval(BinaryOp::sub, "-2147483648i32", "1i32") == "undef_i32");
    CHECK(eval(BinaryOp::mul, "65536i32", "32768i32") == "undef_i32");
    CHECK(eval(BinaryOp::mul, "-65536i32", "32768i32") == "-2147483648i32");
    CHECK(eval(BinaryOp::div, "-2147483648i32", "-1i32") == "undef_i32");
    CHECK(eval(BinaryOp::mod, "-2147483648i32", "-1i32") == "0i32");
    CHECK(eval(UnaryOp::negate, "-2147483648i32") == "undef_i32");
    CHECK(eval(BinaryOp::add, "9223372036854775807i64", "1i64") == "undef_i64");
    CHECK(eval(BinaryOp::mul, "-9223372036854775808i64", "-9223372036854775808i64") == "undef_i64");
    CHECK(eval(BinaryOp::div, "-9223372036854775808i64", "-1i64") == "undef_i64");
    CHECK(eval(UnaryOp::negate, "-9223372036854775808i64") == "undef_i64");
}

TEST_CASE("abs of a signed integer is unsigned and never overflows") {
    CHECK(result_type(UnaryOp::absolute, Type::i16) == Type::u16);
    CHECK(eval(UnaryOp::absolute, "-128i8") == "128u8");
    CHECK(eval(UnaryOp::absolute, "-2147483648i32") == "2147483648u32");
    CHECK(eval(UnaryOp::absolute, "-9223372036854775808i64") == "9223372036854775808u64");
    CHECK(eval(UnaryOp::absolute, "-0.0f32") == "0.0f32");
    CHECK(eval(UnaryOp::absolute, "-inf_f64") == "inf_f64");
    CHECK_FALSE(result_type(UnaryOp::absolute, Type::u8));
}

TEST_CASE("shifts go the other way for negative amounts, and are Undef by the width or more") {
    CHECK(eval(BinaryOp::shift_left, "3u8", "7u8") == "128u8");
    CHECK(eval(BinaryOp::shift_left, "3u8", "8u8") == "undef_u8");
    CHECK(eval(BinaryOp::shift_right, "-7i32", "1i32") == "-4i32");
    CHECK(eval(BinaryOp::shift_right, "-7i32", "-1i32") == "-14i32");
    CHECK(eval(BinaryOp::shift_left, "-7i32", "-1i32") == "-4i32");
    CHECK(eval(BinaryOp::shift_left, "1i32", "30i32") == "1073741824i32");
    CHECK(eval(BinaryOp::shift_left, "1i32", "31i32") == "undef_i32");
    CHECK(eval(BinaryOp::shift_left, "-1i32", "31i32") == "-2147483648i32");
    CHECK(eval(BinaryOp::shift_right, "1i32", "-32i32") == "undef_i32");
    CHECK(eval(BinaryOp::shift_right, "1i64", "-9223372036854775808i64") == "undef_i64");
    CHECK(eval(BinaryOp::shift_left, "18446744073709551615u64", "63u64") == "9223372036854775808u64");
}

TEST_CASE("f32 arithmetic is rounded to f32 after each operation") {
    CHECK(eval(BinaryOp::add, "16777216f32", "1f32") == "16777216.0f32");
    CHECK(eval(BinaryOp::div, "1f32", "3f32") == "0.33333334f32");
    CHECK(eval(BinaryOp::mul, "3e38f32", "2f32") == "inf_f32");
    CHECK(eval(BinaryOp::mod, "1f32", "0.1f32") == "0.0f32");
    CHECK(eval(BinaryOp::mod, "-7.5f32", "2f32") == "0.5f32");
    CHECK(eval(BinaryOp::mod, "7.5f64", "-2f64") == "-0.5f64");
    CHECK(eval(BinaryOp::div, "1f32", "0f32") == "inf_f32");
    CHECK(eval(BinaryOp::mod, "1f32", "0f32") == "nan_f32");
}

TEST_CASE("what real numbers have is known of operators exactly where nothing is rounded") {
    const auto is_exact = [](BinaryOp op, const char* a, const char* b) {
        return apply_exactly(op, parse_literal(a).value(), parse_literal(b).value()).has_value();
    };
    CHECK(is_exact(BinaryOp::add, "16777214f32", "1f32"));
    CHECK_FALSE(is_exact(BinaryOp::add, "16777216f32", "1f32"));
    CHECK_FALSE(is_exact(BinaryOp::sub, "1f64", "1e-30f64"));
    CHECK(is_exact(BinaryOp::mul, "0.1f64", "4f64"));
    CHECK_FALSE(is_exact(BinaryOp::mul, "0.1f64", "0.1f64"));
    CHECK_FALSE(is_exact(BinaryOp::mul, "1e-200f64", "1e-200f64"));
    CHECK(is_exact(BinaryOp::mul, "0f64", "1e-200f64"));
    CHECK_FALSE(is_exact(BinaryOp::mul, "3e38f32", "2f32"));
    CHECK(is_exact(BinaryOp::div, "3f32", "8f32"));
    CHECK_FALSE(is_exact(BinaryOp::div, "1f32", "3f32"));
    CHECK_FALSE(is_exact(BinaryOp::div, "1f32", "0f32"));
    CHECK_FALSE(is_exact(BinaryOp::mod, "1f32", "0f32"));
    // The quotient rounds to 10, one more than the integer part of the real quotient.
    CHECK_FALSE(is_exact(BinaryOp::mod, "1f32", "0.1f32"));
    CHECK_FALSE(is_exact(BinaryOp::add, "inf_f32", "1f32"));
    CHECK(is_exact(BinaryOp::lt, "0.1f32", "0.3f32"));
    CHECK(is_exact(BinaryOp::min, "0.1f32", "0.3f32"));
    CHECK(apply_exactly(BinaryOp::add, Value::undef(Type::f32), Value::f32(1)));
    CHECK(is_exact(BinaryOp::mul, "65536i32", "32768i32"));
    for (const Type type : {Type::f32, Type::f64}) {
        const auto number = [&](std::int64_t n) { return cast(type, Value::f64(static_cast<double>(n) / 64)); };
        for (std::int64_t a = -300; a <= 300; a += 7) {
            for (std::int64_t b = -200; b <= 200; ++b) {
                for (const BinaryOp op : {BinaryOp::add, BinaryOp::sub}) {
                    REQUIRE(apply_exactly(op, number(a), number(b)) == number(op == BinaryOp::add ? a + b : a - b));
                }
                REQUIRE(apply_exactly(BinaryOp::mul, number(a), number(b)) ==
                        apply(BinaryOp::mul, number(a), number(b)));
                if (b == 0) { continue; }
                std::int64_t odd = std::abs(b), rest = a % b;
                while (odd % 2 == 0) { odd /= 2; }
                REQUIRE(apply_exactly(BinaryOp::div, number(a), number(b)).has_value() == (a % odd == 0));
                if (rest != 0 && (rest < 0) != (b < 0)) { rest += b; }
                const auto remainder = apply_exactly(BinaryOp::mod, number(a), number(b));
                REQUIRE(remainder.has_value() == same_number(apply(BinaryOp::mod, number(a), number(b)), number(rest)));
            }
        }
    }
}

TEST_CASE("what real numbers have is known of a cast that its result can be cast back from") {
    const auto is_exact = [](Type to, const char* a) { return cast_exactly(to, parse_literal(a).value()).has_value(); };
    CHECK(is_exact(Type::f32, "16777216i32"));
    CHECK_FALSE(is_exact(Type::f32, "16777217i32"));
    CHECK(is_exact(Type::f64, "16777217i32"));
    CHECK_FALSE(is_exact(Type::f64, "9223372036854775807i64"));
    CHECK_FALSE(is_exact(Type::f32, "18446744073709551615u64"));
    CHECK(is_exact(Type::f32, "9223372036854775808u64"));
    CHECK(is_exact(Type::f32, "0.5f64"));
    CHECK_FALSE(is_exact(Type::f32, "0.1f64"));
    CHECK_FALSE(is_exact(Type::f32, "1e300f64"));
    CHECK_FALSE(is_exact(Type::f64, "inf_f32"));
    CHECK(is_exact(Type::f64, "0.1f32"));
    CHECK(is_exact(Type::i32, "0.1f32"));
    CHECK(is_exact(Type::i32, "1e300f64"));
    CHECK(is_exact(Type::f32, "true"));
    CHECK(cast_exactly(Type::f32, Value::undef(Type::i32)));
    CHECK(is_exact(Type::u8, "300i32"));
}

TEST_CASE("negation of a float subtracts from zero") {
    CHECK(eval(UnaryOp::negate, "0.0f32") == "0.0f32");
    CHECK(eval(UnaryOp::negate, "-0.0f32") == "0.0f32");
    CHECK(eval(UnaryOp::negate, "1.5f64") == "-1.5f64");
}

TEST_CASE("min and max of NaN are Undef, of two zeros the second") {
    CHECK(eval(BinaryOp::min, "nan_f32", "1f32") == "undef_f32");
    CHECK(eval(BinaryOp::max, "1f64", "nan_f64") == "undef_f64");
    CHECK(eval(BinaryOp::min, "-0.0f32", "0.0f32") == "0.0f32");
    CHECK(eval(BinaryOp::min, "0.0f32", "-0.0f32") == "-0.0f32");
    CHECK(eval(BinaryOp::max, "-0.0f32", "0.0f32") == "0.0f32");
    CHECK(eval(BinaryOp::max, "0.0f32", "-0.0f32") == "-0.0f32");
    CHECK(eval(BinaryOp::min, "-inf_f32", "1f32") == "-inf_f32");
    CHECK(eval(BinaryOp::max, "200u8", "100u8") == "200u8");
    CHECK(eval(BinaryOp::max, "-56i8", "100i8") == "100i8");
}

TEST_CASE("comparisons of floats are IEEE's") {
    CHECK(eval(BinaryOp::eq, "nan_f32", "nan_f32") == "false");
    CHECK(eval(BinaryOp::ne, "nan_f32", "1f32") == "true");
    CHECK(eval(BinaryOp::le, "nan_f32", "1f32") == "false");
    CHECK(eval(BinaryOp::ge, "1f64", "nan_f64") == "false");
    CHECK(eval(BinaryOp::eq, "0.0f32", "-0.0f32") == "true");
    CHECK(eval(BinaryOp::lt, "-0.0f32", "0.0f32") == "false");
}

TEST_CASE("Undef spreads, and Uninit spreads behind it") {
    const Value one = Value::integer(Type::u8, 1);
    const Value undef = Value::undef(Type::u8);
    const Value uninit = Value::uninit(Type::u8);
    CHECK(apply(BinaryOp::add, undef, uninit).is_undef());
    CHECK(apply(BinaryOp::add, uninit, undef).is_undef());
    CHECK(apply(BinaryOp::add, one, uninit).is_uninit());
    CHECK(apply(BinaryOp::lt, one, uninit) == Value::uninit(Type::boolean));
    CHECK(apply(UnaryOp::bit_not, undef).is_undef());
    CHECK(cast(Type::f32, uninit) == Value::uninit(Type::f32));
    CHECK(cast(Type::u8, undef).is_undef());
    CHECK(apply(BinaryOp::logical_and, Value::boolean(false), Value::undef(Type::boolean)).is_undef());
}

TEST_CASE("an operand that decides && or || alone makes memory that was not written harmless") {
    const Value yes = Value::boolean(true);
    const Value no = Value::boolean(false);
    const Value uninit = Value::uninit(Type::boolean);
    CHECK(apply(BinaryOp::logical_and, no, uninit) == no);
    CHECK(apply(BinaryOp::logical_and, uninit, no) == no);
    CHECK(apply(BinaryOp::logical_or, yes, uninit) == yes);
    CHECK(apply(BinaryOp::logical_or, uninit, yes) == yes);
    CHECK(apply(BinaryOp::logical_and, yes, uninit).is_uninit());
    CHECK(apply(BinaryOp::logical_or, uninit, no).is_uninit());
    CHECK(apply(BinaryOp::logical_or, uninit, uninit).is_uninit());
    CHECK(apply(BinaryOp::logical_or, yes, Value::undef(Type::boolean)).is_undef());
}

TEST_CASE("select is eager about Undef and lazy about Uninit") {
    const Value yes = Value::boolean(true);
    const Value one = Value::integer(Type::i32, 1);
    const Value two = Value::integer(Type::i32, 2);
    const Value undef = Value::undef(Type::i32);
    const Value uninit = Value::uninit(Type::i32);
    CHECK(select(yes, one, two) == one);
    CHECK(select(Value::boolean(false), one, two) == two);
    CHECK(select(yes, one, undef).is_undef());
    CHECK(select(Value::undef(Type::boolean), one, one).is_undef());
    CHECK(select(yes, one, uninit) == one);
    CHECK(select(yes, uninit, one).is_uninit());
    CHECK(select(Value::uninit(Type::boolean), one, one) == one);
    CHECK(select(Value::uninit(Type::boolean), one, two).is_uninit());
    CHECK(select(Value::uninit(Type::boolean), undef, undef).is_undef());
}

TEST_CASE("casts of integers wrap, except those that do not fit i32 or i64") {
    CHECK(eval_cast(Type::u8, "-1i32") == "255u8");
    CHECK(eval_cast(Type::i8, "200u8") == "-56i8");
    CHECK(eval_cast(Type::i16, "4294967295u32") == "-1i16");
    CHECK(eval_cast(Type::u64, "-1i8") == "18446744073709551615u64");
    CHECK(eval_cast(Type::i32, "2147483648u32") == "undef_i32");
    CHECK(eval_cast(Type::i32, "2147483647u64") == "2147483647i32");
    CHECK(eval_cast(Type::i32, "-2147483649i64") == "undef_i32");
    CHECK(eval_cast(Type::i64, "9223372036854775808u64") == "undef_i64");
    CHECK(eval_cast(Type::i32, "true") == "1i32");
}

TEST_CASE("casts to bool ask whether the value is zero") {
    CHECK(eval_cast(Type::boolean, "2u8") == "true");
    CHECK(eval_cast(Type::boolean, "0.5f32") == "true");
    CHECK(eval_cast(Type::boolean, "-0.0f32") == "false");
    CHECK(eval_cast(Type::boolean, "0i64") == "false");
}

TEST_CASE("casts of floats truncate, and are Undef when that does not fit") {
    CHECK(eval_cast(Type::i32, "-1.9f32") == "-1i32");
    CHECK(eval_cast(Type::u8, "-0.9f32") == "0u8");
    CHECK(eval_cast(Type::u8, "-1f32") == "undef_u8");
    CHECK(eval_cast(Type::u8, "255.9f64") == "255u8");
    CHECK(eval_cast(Type::u8, "256f64") == "undef_u8");
    CHECK(eval_cast(Type::i8, "-128.9f32") == "-128i8");
    CHECK(eval_cast(Type::i32, "2147483648f32") == "undef_i32");
    CHECK(eval_cast(Type::i64, "-9223372036854775808f64") == "-9223372036854775808i64");
    CHECK(eval_cast(Type::u64, "18446744073709551616f32") == "undef_u64");
    CHECK(eval_cast(Type::i64, "nan_f32") == "undef_i64");
    CHECK(eval_cast(Type::i64, "inf_f32") == "undef_i64");
    CHECK(eval_cast(Type::u64, "1e300f64") == "undef_u64");
}

TEST_CASE("casts to floats round once, to nearest even") {
    CHECK(eval_cast(Type::f32, "16777217i32") == "16777216.0f32");
    CHECK(cast(Type::f32, parse_literal("1152921573326323713i64").value()) == Value::f32(0x1.000002p60F));
    CHECK(cast(Type::f32, parse_literal("18446744073709551615u64").value()) == Value::f32(0x1p64F));
    CHECK(eval_cast(Type::f32, "0.1f64") == "0.1f32");
    CHECK(eval_cast(Type::f32, "1e300f64") == "inf_f32");
    CHECK(eval_cast(Type::f64, "0.1f32") == "0.10000000149011612f64");
    CHECK(eval_cast(Type::f64, "nan_f32") == "nan_f64");
    CHECK(eval_cast(Type::f64, "true") == "1.0f64");
}

TEST_CASE("operators take the types they are made for and no others") {
    CHECK_FALSE(result_type(BinaryOp::add, Type::i32, Type::i64));
    CHECK_FALSE(result_type(BinaryOp::add, Type::boolean, Type::boolean));
    CHECK_FALSE(result_type(BinaryOp::bit_and, Type::f32, Type::f32));
    CHECK_FALSE(result_type(BinaryOp::logical_or, Type::u8, Type::u8));
    CHECK_FALSE(result_type(BinaryOp::lt, Type::boolean, Type::boolean));
    CHECK_FALSE(result_type(UnaryOp::negate, Type::u32));
    CHECK_FALSE(result_type(UnaryOp::bit_not, Type::boolean));
    CHECK(result_type(BinaryOp::eq, Type::boolean, Type::boolean) == Type::boolean);
    CHECK(result_type(BinaryOp::ge, Type::f64, Type::f64) == Type::boolean);
    CHECK_THROWS_AS(apply(BinaryOp::add, Value::boolean(true), Value::boolean(true)), InternalError);
    CHECK_THROWS_AS(apply(UnaryOp::negate, Value::integer(Type::u8, 1)), InternalError);
    CHECK_THROWS_AS(select(Value::integer(Type::u8, 1), Value::f32(1), Value::f32(1)), InternalError);
}

TEST_CASE("a neutral element changes nothing") {
    for (const ReductionOp op : all_reduction_ops) {
        for (const Type type : all_types) {
            const auto e = neutral(op, type);
            REQUIRE(e.has_value() == result_type(binary_op(op), type, type).has_value());
            if (!e) { continue; }
            for (const Value& v : corner_values(type)) {
                const Value result = apply(binary_op(op), *e, v);
                // A NaN has no minimum, and 0 + -0.0 is +0.0.
                REQUIRE((result.is_undef() ? v.is_nan() : same_number(result, v)));
            }
        }
    }
    CHECK(spelling(ReductionOp::logical_and) == "and");
    CHECK(spelling(BinaryOp::shift_right) == ">>");
    CHECK(spelling(UnaryOp::absolute) == "abs");
}

}  // namespace
}  // namespace haruspex::value
