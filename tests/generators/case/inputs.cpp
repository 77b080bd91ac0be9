#include <cmath>
#include <limits>
#include <set>

#include "generators/base/ensure.h"
#include "generators/case/case.h"
#include "tests/support/catch.h"

namespace haruspex::cases {
namespace {

InputDomain domain(value::Type type, std::int64_t low, std::int64_t high, int scale = 0) {
    InputDomain d;
    d.range = {type, low, high, scale};
    return d;
}

// The reproducer's version, as published in inputs.cpp.
std::uint64_t mix(std::uint64_t z) {
    z += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}
std::uint64_t published_hash(std::uint64_t seed, const char* name, const std::vector<std::int64_t>& indices) {
    std::uint64_t n = 0xcbf29ce484222325;
    for (; *name != '\0'; ++name) { n = (n ^ static_cast<unsigned char>(*name)) * 0x100000001b3; }
    std::uint64_t h = mix(seed ^ n);
    for (const std::int64_t i : indices) { h = mix(h ^ static_cast<std::uint64_t>(i)); }
    return h;
}

}  // namespace

TEST_CASE("an input cell is the published hash of seed, name and indices, brought into its range") {
    const InputDomain d = domain(value::Type::i32, -100, 155);
    for (std::int64_t x = -5; x < 5; ++x) {
        for (std::int64_t y = -5; y < 5; ++y) {
            CHECK(input_value(42, "in", d, {x, y}).as_signed() ==
                  -100 + static_cast<std::int64_t>(published_hash(42, "in", {x, y}) % 256));
        }
    }
}

TEST_CASE("the published hash itself never changes: cases on disk depend on it") {
    CHECK(published_hash(0, "", {}) == mix(0xcbf29ce484222325));
    CHECK(mix(0) == 0xe220a8397b1dcdaf);  // the first output of splitmix64 from state 0
}

TEST_CASE("neighbours, names and seeds give unrelated cells") {
    const InputDomain d = domain(value::Type::u64, 0, std::numeric_limits<std::int64_t>::max());
    std::set<std::uint64_t> seen;
    for (const std::uint64_t seed : {0, 1}) {
        for (const char* name : {"a", "b", "ab"}) {
            seen.insert(input_value(seed, name, d, {}).as_unsigned());
            for (std::int64_t x = -10; x < 10; ++x) {
                seen.insert(input_value(seed, name, d, {x}).as_unsigned());
                seen.insert(input_value(seed, name, d, {0, x}).as_unsigned());
                seen.insert(input_value(seed, name, d, {x, 1}).as_unsigned());
            }
        }
    }
    CHECK(seen.size() == 2 * 3 * 60);  // (0, 1) comes twice
}

TEST_CASE("every value of the range and none outside it occurs") {
    for (const value::Type type : value::all_types) {
        const bool is_bool = type == value::Type::boolean;
        const InputDomain d = domain(type, 0, is_bool ? 1 : 3, value::is_float(type) ? 1 : 0);
        std::set<std::uint64_t> seen;
        for (std::int64_t x = 0; x < 200; ++x) {
            const value::Value v = input_value(7, "in", d, {x});
            REQUIRE(v.type() == type);
            CHECK(value::contains(d.range, v));
            seen.insert(v.bit_pattern());
        }
        CHECK(seen.size() == (is_bool ? 2U : 4U));
    }
}

TEST_CASE("the full range of 64-bit integers is in reach") {
    for (const value::Type type : {value::Type::u64, value::Type::i64}) {
        InputDomain d;
        d.range = value::full_range(type);
        bool high_bit = false;
        for (std::int64_t x = 0; x < 100; ++x) {
            high_bit = high_bit || (input_value(1, "in", d, {x}).bit_pattern() >> 63) != 0;
        }
        CHECK(high_bit);
    }
}

TEST_CASE("floats are multiples of a power of two") {
    const InputDomain d = domain(value::Type::f32, -9, 9, 2);
    for (std::int64_t x = 0; x < 100; ++x) {
        const double v = input_value(3, "in", d, {x}).as_double();
        CHECK(v * 4 == std::floor(v * 4));
        CHECK(std::fabs(v) <= 9.0 / 4);
    }
}

TEST_CASE("special values are mixed in: about a quarter, every kind, ordinary ones in between") {
    for (const value::Type type : {value::Type::f32, value::Type::f64}) {
        InputDomain d = domain(type, 1, 1);
        d.special_values = true;
        int nan = 0, infinite = 0, zero = 0, denormal = 0, ordinary = 0;
        for (std::int64_t x = 0; x < 4000; ++x) {
            const value::Value v = input_value(5, "in", d, {x});
            const double number = v.as_double();
            const double smallest = type == value::Type::f32 ? static_cast<double>(std::numeric_limits<float>::min())
                                                             : std::numeric_limits<double>::min();
            nan += v.is_nan() ? 1 : 0;
            infinite += std::isinf(number) ? 1 : 0;
            zero += number == 0 ? 1 : 0;
            denormal += number != 0 && std::fabs(number) < smallest ? 1 : 0;
            ordinary += number == 1 ? 1 : 0;
        }
        CHECK(nan > 60);
        CHECK(infinite > 150);
        CHECK(zero > 150);
        CHECK(denormal > 250);
        CHECK(ordinary > 2700);
        CHECK(nan + infinite + zero + denormal + ordinary == 4000);
    }
}

TEST_CASE("an empty range is a fault of ours") {
    CHECK_THROWS_AS(input_value(0, "in", domain(value::Type::i32, 2, 1), {}), InternalError);
}

}  // namespace haruspex::cases
