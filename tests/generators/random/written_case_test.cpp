#include "generators/random/written_case.h"
#include "generators/base/sizes.h"

#include "generators/sare/text.h"
#include "generators/schedule/halide/text.h"
#include "generators/schedule/language.h"
#include "tests/support/catch.h"

using namespace haruspex;

namespace {

cases::Case case_of(const std::string& program, const std::string& schedule = "", bool strict_float = false,
                    std::int64_t w = 20) {
    auto sare = sare::parse_sare(program, "test");
    INFO((sare ? std::string() : to_string(sare.error())));
    REQUIRE(sare.has_value());
    auto directives = schedule::language("halide").parse(schedule, "test");
    REQUIRE(directives.has_value());
    return random::case_of({std::move(*sare),
                            std::move(*directives),
                            {{"W", w}},
                            7,
                            strict_float,
                            std::string(schedule::language("halide").default_target())},
                           schedule::language("halide"));
}

// A program that computes f(x) from an input a(x) of the type.
std::string program_of(const std::string& type, const std::string& value) {
    return "sare p(W) assuming W >= 1 {\n  input a : " + type + "[1]\n  f(x) = " + value +
           "\n  output f on { [x] : 0 <= x < W }\n}\n";
}

std::string sum_of(const std::string& type, const std::string& value) {
    return "sare p(W) assuming W >= 1 {\n  input a : " + type + "[1]\n  f() = 0" + type + "\n  update f() = f() + " +
           value + " over r in [0, W)\n  output f on { [] : true }\n}\n";
}

}  // namespace

TEST_CASE("inputs take all values of a type that wraps around, and small ones of the others") {
    for (const std::string type : {"u8", "i8", "u16", "i16", "u32", "bool"}) {
        const auto range = case_of(program_of(type, "a(x)")).inputs.at("a").range;
        CHECK(range == value::full_range(range.type));
    }
    for (const std::string type : {"i32", "i64"}) {
        const auto range = case_of(program_of(type, "a(x) * a(x + 1)")).inputs.at("a").range;
        CHECK(range.low == -60);
        CHECK(range.high == 60);
    }
    for (const std::string type : {"f32", "f64"}) {
        const auto range = case_of(program_of(type, "a(x) * a(x + 1) / 4")).inputs.at("a").range;
        CHECK(range.high == 32);
        CHECK(range.scale == 3);
    }
}

TEST_CASE("a written case has what it was given") {
    const auto c = case_of(program_of("i32", "a(x)"), "f.vectorize(x, 4)", true, 9);
    CHECK(c.sizes == Sizes{{"W", 9}});
    CHECK(c.input_seed == 7);
    CHECK(c.schedule.directives.size() == 1);
    CHECK(c.strict_float);
    CHECK(c.target == schedule::language("halide").default_target());
}

TEST_CASE("values are small enough for the program to be exact at its sizes") {
    const std::string power = sum_of("i32", "a(r) * a(r) * a(r) * a(r) * a(r)");
    CHECK(case_of(power, "", false, 1).inputs.at("a").range.high == 16);
    CHECK(case_of(power, "", false, 2000).inputs.at("a").range.high == 8);
    const auto converted = case_of(program_of("u32", "i32(a(x)) * i32(a(x + 1))"));
    CHECK(converted.inputs.at("a").range.high == 60);
    CHECK(converted.comparison == cases::Comparison::exact);
    CHECK(case_of(sum_of("f32", "a(r) * a(r) * a(r)"), "", false, 5000).comparison == cases::Comparison::exact);
}

TEST_CASE("sizes of any magnitude are looked at in no time") {
    const std::int64_t most = 2147483647;
    CHECK(case_of(sum_of("i64", "a(r)"), "", false, most).inputs.at("a").range.high == 1);
    CHECK(case_of(sum_of("i64", "a(r)"), "", false, 1 << 20).inputs.at("a").range.high == 1);
    CHECK(case_of(sum_of("i64", "a(r)"), "", false, (1 << 20) - 1).inputs.at("a").range.high == 60);
    CHECK(case_of(sum_of("f32", "a(r)"), "", false, most).comparison == cases::Comparison::not_compared);
    const std::string inlined = "sum over {[i, j, k] : 0 <= i < W and 0 <= j < W and 0 <= k < W} of (a(i + j + k))";
    CHECK(case_of(program_of("i64", inlined), "", false, most).inputs.at("a").range.high == 1);
}

TEST_CASE("an integer program that may overflow whatever its inputs are is compared where it does not") {
    const auto c = case_of(program_of("i32", "a(x) * 2000000000"));
    CHECK(c.inputs.at("a").range.high == 1);
    CHECK(c.comparison == cases::Comparison::exact);
}

TEST_CASE("a program whose floats are rounded is not compared, unless they are strict and stay in order") {
    using cases::Comparison;
    CHECK(case_of(program_of("f32", "a(x) / 3")).comparison == Comparison::not_compared);
    CHECK(case_of(program_of("f32", "a(x) / 3"), "", true).comparison == Comparison::exact);
    const std::string sum = sum_of("f32", "a(r) / 3");
    CHECK(case_of(sum).comparison == Comparison::not_compared);
    CHECK(case_of(sum, "", true).comparison == Comparison::exact);
    const std::string reordered = "f.update(0).split(r, ro, ri, 4)\nf.update(0).rfactor(ri, u, part)\n";
    CHECK(case_of(sum, reordered, true).comparison == Comparison::not_compared);
    CHECK(case_of(sum_of("f32", "a(r)"), reordered).comparison == Comparison::exact);
    CHECK(case_of(sum, "f.vectorize(nosuch, 4)", true).comparison == Comparison::not_compared);
    // A conversion to float that is not exact also rounds.
    CHECK(case_of(program_of("u32", "f32(a(x)) / 3")).comparison == Comparison::not_compared);
}

TEST_CASE("integers stay clear of overflow beside floats that are rounded") {
    const auto c = case_of(
        "sare p(W) assuming W >= 1 {\n  input a : f32[1]\n  input n : i32[1]\n"
        "  f(x) = {a(x) / 3, n(x) * n(x + 1) * n(x + 2) * n(x + 3) * n(x + 4) * n(x + 5)}\n"
        "  output f on { [x] : 0 <= x < W }\n}\n");
    CHECK(c.comparison == cases::Comparison::not_compared);
    CHECK(c.inputs.at("n").range.high == 16);
}
