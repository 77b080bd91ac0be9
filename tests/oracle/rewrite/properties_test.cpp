#include "oracle/rewrite/properties.h"

#include <vector>

#include "generators/value/range.h"
#include "tests/oracle/rewrite/plain.h"
#include "tests/support/catch.h"

namespace haruspex::rewrite {
namespace {

// All values of narrow types, the corners of wide ones.
std::vector<Value> defined(Type type) {
    std::vector<Value> all;
    const int bits = value::bits(type);
    if (bits <= 8) {
        for (std::uint64_t b = 0; b < std::uint64_t{1} << static_cast<unsigned>(bits); ++b) {
            all.push_back(Value::from_bits(type, b));
        }
        return all;
    }
    if (value::is_float(type)) {
        for (const double d : {0.0, -0.0, 1.0, -2.5, 255.0, 300.0, 1e30, -1e300}) {
            all.push_back(type == Type::f32 ? Value::f32(static_cast<float>(d)) : Value::f64(d));
        }
        all.push_back(*value::parse_literal(type == Type::f32 ? "nan_f32" : "nan_f64"));
        return all;
    }
    for (int n = 0; n < bits; ++n) {
        const std::uint64_t power = std::uint64_t{1} << static_cast<unsigned>(n);
        for (const std::uint64_t b : {power - 1, power, power + 1, ~power, 0 - power}) {
            all.push_back(Value::from_bits(type, b));
        }
    }
    return all;
}

TEST_CASE("neutral and absorbing elements are what they say") {
    std::size_t neutral = 0, absorbing = 0;
    for (const Type type : value::all_types) {
        for (const BinaryOp op : value::all_binary_ops) {
            if (!value::result_type(op, type, type)) { continue; }
            const auto n = neutral_element(op, type), a = absorbing_element(op, type);
            neutral += n ? 1 : 0;
            absorbing += a ? 1 : 0;
            for (const Value& v : defined(type)) {
                if (n) { REQUIRE(value::apply(op, v, *n) == v); }
                if (a) { REQUIRE((value::apply(op, v, *a) == *a && value::apply(op, *a, v) == *a)); }
            }
        }
    }
    CHECK(neutral > 60);
    CHECK(absorbing > 30);
}

TEST_CASE("neutral elements of commutative operators are so on both sides") {
    for (const Type type : value::all_types) {
        for (const BinaryOp op : value::all_binary_ops) {
            if (!value::result_type(op, type, type) || !value::is_commutative(op, type)) { continue; }
            const auto n = neutral_element(op, type);
            if (!n) { continue; }
            for (const Value& v : defined(type)) { REQUIRE(value::apply(op, *n, v) == v); }
        }
    }
}

TEST_CASE("idempotent operators return what they are given twice") {
    for (const Type type : value::all_types) {
        for (const BinaryOp op : value::all_binary_ops) {
            if (value::result_type(op, type, type) != type) { continue; }
            bool is_so = true;
            for (const Value& v : defined(type)) {
                const Value result = value::apply(op, v, v);
                is_so = is_so && (result.is_undef() || result == v);
            }
            INFO(value::spelling(op) << " " << value::name(type));
            CHECK(is_idempotent(op) == is_so);
        }
    }
}

TEST_CASE("a power of two is a positive number of the type, or there is none") {
    for (const Type type : integer_types) {
        const int most = value::bits(type) - (value::is_signed_integer(type) ? 2 : 1);
        for (int n = 0; n < 70; ++n) {
            const auto power = power_of_two(type, static_cast<std::uint64_t>(n));
            REQUIRE(power.has_value() == (n <= most));
            if (power) { CHECK(number_of(*power) == value::Int128{1} << n); }
        }
        CHECK_FALSE(power_of_two(type, ~std::uint64_t{0}));
    }
}

TEST_CASE("a mask has a modulus if it is all ones below a power of two") {
    for (const Type type : integer_types) {
        INFO(value::name(type));
        CHECK(modulus_of_mask(Value::integer(type, 0)) == Value::integer(type, 1));
        CHECK(modulus_of_mask(Value::integer(type, 1)) == Value::integer(type, 2));
        CHECK(modulus_of_mask(Value::integer(type, 31)) == Value::integer(type, 32));
        CHECK_FALSE(modulus_of_mask(Value::integer(type, 2)));
        CHECK_FALSE(modulus_of_mask(Value::integer(type, 30)));
        CHECK_FALSE(modulus_of_mask(Value::integer(type, -1)));
        CHECK_FALSE(modulus_of_mask(Value::integer(type, -2)));
    }
    CHECK(modulus_of_mask(Value::integer(Type::u8, 127)) == Value::integer(Type::u8, 128));
    CHECK_FALSE(modulus_of_mask(Value::integer(Type::i8, 127)));
}

TEST_CASE("a number is an integer of a type that has it") {
    for (const Type type : integer_types) {
        const value::Range all = value::full_range(type);
        for (const value::Int128 n : {all.low, all.high, value::Int128{0}, value::Int128{100}}) {
            const auto made = integer(type, n);
            REQUIRE(made);
            CHECK(made->type() == type);
            CHECK(number_of(*made) == n);
        }
        CHECK_FALSE(integer(type, all.low - 1));
        CHECK_FALSE(integer(type, all.high + 1));
    }
}

TEST_CASE("only powers of two near one have an exact reciprocal") {
    for (const Type type : float_types) {
        const auto real = [&](double d) { return value::cast(type, Value::f64(d)); };
        CHECK(exact_reciprocal(real(4)) == real(0.25));
        CHECK(exact_reciprocal(real(-0.5)) == real(-2));
        CHECK(exact_reciprocal(real(1)) == real(1));
        for (const double d : {0.0, -0.0, 3.0, 1.5, 1e300, 0x1p-32, 0x1p30}) { CHECK_FALSE(exact_reciprocal(real(d))); }
        CHECK_FALSE(exact_reciprocal(*value::parse_literal(type == Type::f32 ? "nan_f32" : "nan_f64")));
        CHECK_FALSE(exact_reciprocal(*value::parse_literal(type == Type::f32 ? "inf_f32" : "inf_f64")));
    }
}

}  // namespace
}  // namespace haruspex::rewrite
