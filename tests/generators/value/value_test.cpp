#include "generators/value/value.h"

#include <cmath>
#include <limits>
#include <string>

#include "generators/base/ensure.h"
#include "tests/generators/value/samples.h"
#include "tests/support/catch.h"

namespace haruspex::value {
namespace {

TEST_CASE("every type has a name that reads back, a width and a size") {
    for (const Type type : all_types) { CHECK(parse_type(name(type)) == type); }
    CHECK(name(Type::boolean) == "bool");
    CHECK(name(Type::u64) == "u64");
    for (const char* wrong : {"", "i", "int", "u7", "i128", "f16", "U8", "bool ", "i32x"}) {
        CHECK_FALSE(parse_type(wrong));
    }
    CHECK(bits(Type::boolean) == 1);
    CHECK(bytes(Type::boolean) == 1);
    CHECK(bits(Type::i16) == 16);
    CHECK(bytes(Type::f64) == 8);
    CHECK(to_unsigned(Type::i32) == Type::u32);
    CHECK(to_unsigned(Type::u8) == Type::u8);
    CHECK(to_signed(Type::u64) == Type::i64);
    CHECK(name(Type::w32) == "w32");
    CHECK(bits(Type::w64) == 64);
    CHECK(to_unsigned(Type::w32) == Type::u32);
    CHECK(to_unsigned(Type::w64) == Type::u64);
    CHECK(to_signed(Type::w32) == Type::w32);
    CHECK(names(std::array{Type::boolean, Type::w32}) == "bool, w32");
    CHECK(signed_integer(all_types, 32) == Type::i32);
    CHECK(signed_integer(std::array{Type::u32, Type::w32}, 32) == Type::w32);
    CHECK_FALSE(signed_integer(std::array{Type::u32, Type::w32}, 64));
    CHECK_THROWS_AS(to_signed(Type::f32), InternalError);
    CHECK_THROWS_AS(to_unsigned(Type::boolean), InternalError);
}

TEST_CASE("overflow of an integer type is undefined, or the type wraps") {
    for (const Type type : all_types) {
        INFO(name(type));
        CHECK(is_integer(type) == (wraps(type) || overflow_is_undefined(type)));
        CHECK_FALSE((wraps(type) && overflow_is_undefined(type)));
        CHECK(overflow_is_undefined(type) == (type == Type::i32 || type == Type::i64));
    }
    CHECK(is_signed_integer(Type::w32));
    CHECK(is_signed_integer(Type::w64));
    CHECK_FALSE(is_signed_integer(Type::f64));
}

TEST_CASE("a value keeps the bits of its type and ignores the rest") {
    CHECK(Value::from_bits(Type::u8, 0x1ff).as_unsigned() == 0xff);
    CHECK(Value::from_bits(Type::i8, 0x80).as_signed() == -128);
    CHECK(Value::from_bits(Type::i64, ~std::uint64_t{0}).as_signed() == -1);
    CHECK(Value::from_bits(Type::boolean, 2) == Value::boolean(false));
    CHECK(Value::integer(Type::u16, -1).as_unsigned() == 65535);
    CHECK(Value::integer(Type::i16, 40000).as_signed() == 40000 - 65536);
    CHECK(Value::integer(Type::f32, 16777217).as_double() == 16777216.0);
    CHECK(Value::f32(0.1F).as_double() == static_cast<double>(0.1F));
    CHECK_THROWS_AS(Value::integer(Type::boolean, 1), InternalError);
}

TEST_CASE("reading a value as what it is not is our own fault") {
    CHECK_THROWS_AS(Value::undef(Type::i32).bit_pattern(), InternalError);
    CHECK_THROWS_AS(Value::uninit(Type::i32).as_signed(), InternalError);
    CHECK_THROWS_AS(Value::integer(Type::i32, 1).as_unsigned(), InternalError);
    CHECK_THROWS_AS(Value::integer(Type::u32, 1).as_signed(), InternalError);
    CHECK_THROWS_AS(Value::integer(Type::u32, 1).as_bool(), InternalError);
    CHECK_THROWS_AS(Value::integer(Type::u32, 1).as_double(), InternalError);
    CHECK_THROWS_AS(same_result(Value::integer(Type::u32, 1), Value::undef(Type::u32)), InternalError);
}

TEST_CASE("same_result tells zeros apart and NaNs not; same_number neither") {
    const Value nan = Value::f32(std::numeric_limits<float>::quiet_NaN());
    const Value other_nan = Value::from_bits(Type::f32, 0xffc00001);
    CHECK(other_nan.is_nan());
    CHECK_FALSE(nan == other_nan);
    CHECK(same_result(nan, other_nan));
    CHECK_FALSE(same_result(Value::f32(0.0F), Value::f32(-0.0F)));
    CHECK(same_number(Value::f32(0.0F), Value::f32(-0.0F)));
    CHECK(same_number(nan, other_nan));
    CHECK_FALSE(same_number(nan, Value::f32(0)));
    CHECK_FALSE(same_number(Value::f64(1), Value::f64(std::nextafter(1.0, 2.0))));
    CHECK_FALSE(same_number(Value::integer(Type::i32, 1), Value::integer(Type::i32, -1)));
    CHECK_FALSE(Value::integer(Type::i32, 1) == Value::integer(Type::u32, 1));
    CHECK_FALSE(Value::undef(Type::i32) == Value::uninit(Type::i32));
}

TEST_CASE("values print as the literals of the text forms") {
    CHECK(to_string(Value::integer(Type::i32, -5)) == "-5i32");
    CHECK(to_string(Value::integer(Type::u64, -1)) == "18446744073709551615u64");
    CHECK(to_string(Value::boolean(true)) == "true");
    CHECK(to_string(Value::f32(0.1F)) == "0.1f32");
    CHECK(to_string(Value::f32(1)) == "1.0f32");
    CHECK(to_string(Value::f64(-0.0)) == "-0.0f64");
    CHECK(to_string(Value::f64(1e300)) == "1e+300f64");
    CHECK(to_string(Value::f32(std::numeric_limits<float>::quiet_NaN())) == "nan_f32");
    CHECK(to_string(Value::f64(std::numeric_limits<double>::infinity())) == "inf_f64");
    CHECK(to_string(Value::f32(-std::numeric_limits<float>::infinity())) == "-inf_f32");
    CHECK(to_string(Value::undef(Type::i32)) == "undef_i32");
    CHECK(to_string(Value::uninit(Type::u8)) == "uninit_u8");
}

TEST_CASE("every literal reads back to the same value") {
    Choices choices(random_source(21));
    for (const Type type : all_types) {
        auto values = corner_values(type);
        for (int i = 0; i < 2000; ++i) { values.push_back(random_value(type, choices)); }
        for (const Value& v : values) {
            INFO(to_string(v));
            const auto read = parse_literal(to_string(v));
            REQUIRE(read);
            REQUIRE(same_result(*read, v));
        }
    }
}

TEST_CASE("literals may be written in more than one way") {
    CHECK(parse_literal("1f32") == Value::f32(1));
    CHECK(parse_literal("1e3f64") == Value::f64(1000));
    CHECK(parse_literal("-1.50f32") == Value::f32(-1.5F));
    CHECK(parse_literal("007i8") == Value::integer(Type::i8, 7));
    CHECK(parse_literal("-0i32") == Value::integer(Type::i32, 0));
}

TEST_CASE("the ends of every integer type can be written, what lies beyond is refused") {
    for (const char* fits :
         {"255u8", "65535u16", "4294967295u32", "18446744073709551615u64", "127i8", "-128i8", "32767i16", "-32768i16",
          "2147483647i32", "-2147483648i32", "9223372036854775807i64", "-9223372036854775808i64", "2147483647w32",
          "-2147483648w32", "9223372036854775807w64", "-9223372036854775808w64"}) {
        INFO(fits);
        const auto v = parse_literal(fits);
        REQUIRE(v);
        CHECK(to_string(*v) == fits);
    }
    for (const char* beyond : {"256u8", "-1u8", "65536u16", "4294967296u32", "18446744073709551616u64", "128i8",
                               "-129i8", "32768i16", "2147483648i32", "-2147483649i32", "9223372036854775808i64",
                               "-9223372036854775809i64", "1e39f32", "1e309f64"}) {
        INFO(beyond);
        CHECK_FALSE(parse_literal(beyond));
    }
}

TEST_CASE("what is no literal is refused") {
    for (const char* text : {"",       "5",        "i32",   "-i32",      "f32",       "_f32",      "5i33",     "5 i32",
                             " 5i32",  "5i32 ",    "+5i32", "--5i32",    "5.0i32",    "0x5u8",     "1e2i32",   "inff32",
                             "nanf32", "inf",      "nan",   "-nan_f32",  "nan_i32",   "inf_i32",   "truebool", "1bool",
                             "True",   "1.0.0f32", "1ef32", "undef_i32", "uninit_u8", "nan(1)f32", "0x1p3f64"}) {
        INFO(text);
        CHECK_FALSE(parse_literal(text));
    }
}

}  // namespace
}  // namespace haruspex::value
