#include "generators/sare/text.h"
#include "generators/random/random_case.h"
#include "generators/schedule/halide/language.h"
#include "generators/schedule/halide/text.h"
#include "reports/render/halide/cpp_expr.h"
#include "reports/render/halide/cpp_names.h"
#include "tests/reports/render/program_text.h"
#include "tests/support/catch.h"

using namespace haruspex;

namespace {

std::string index(const std::string& text) {
    const auto parsed = sare::parse_index(text, "test");
    REQUIRE(parsed.has_value());
    return render::halide::cpp(*parsed, {{"x", "x"}, {"y", "y"}, {"W", "W"}}).text;
}

std::string condition(const std::string& text) {
    const auto parsed = sare::parse_condition(text, "test");
    REQUIRE(parsed.has_value());
    return render::halide::cpp(*parsed, {{"x", "x"}, {"y", "y"}, {"W", "W"}}).text;
}

}  // namespace

TEST_CASE("indices keep their meaning under C++'s precedence, and constants are never left to C++'s division") {
    CHECK(index("x + 2*y - 1") == "x + 2 * y - 1");
    CHECK(index("x - (y - 1)") == "x - (y - 1)");
    CHECK(index("2*(x + y)") == "2 * (x + y)");
    CHECK(index("(x + 1) / 2") == "(x + 1) / 2");
    CHECK(index("(x / 2) % 3") == "(x / 2) % 3");
    CHECK(index("min(max(x, 0), W - 1)") == "min(max(x, Expr(0)), W - 1)");
    CHECK(index("select(x < 3 or y = 2, x, 4)") == "select(x < 3 || y == 2, x, Expr(4))");
    const sare::Index minus_seven{sare::IndexConstant{-7}};
    CHECK(render::halide::cpp(sare::Index{sare::IndexDiv{minus_seven, 2}}, {}).text == "Expr(-7) / 2");
    CHECK(render::halide::cpp(sare::Index{sare::IndexMod{minus_seven, 2}}, {}).text == "Expr(-7) % 2");
}

TEST_CASE("conditions keep their meaning under C++'s precedence") {
    CHECK(condition("x < 3 and (y >= 1 or x = y)") == "x < 3 && (y >= 1 || x == y)");
    CHECK(condition("not (x < 3)") == "!(x < 3)");
    CHECK(condition("x + 1 != W - y") == "x + 1 != W - y");
}

TEST_CASE("literals are of their type, the smallest too") {
    using value::Type;
    using value::Value;
    CHECK(render::halide::cpp_literal(Value::integer(Type::i32, -5)) == "Expr(-5)");
    CHECK(render::halide::cpp_literal(Value::integer(Type::u8, 255)) == "Expr(uint8_t(255))");
    CHECK(render::halide::cpp_literal(Value::from_bits(Type::u64, ~std::uint64_t{0})) ==
          "Expr(uint64_t(18446744073709551615u))");
    CHECK(render::halide::cpp_literal(Value::integer(Type::i32, INT32_MIN)) == "Expr(int32_t(-2147483647 - 1))");
    CHECK(render::halide::cpp_literal(Value::integer(Type::i64, INT64_MIN)) ==
          "Expr(int64_t(-9223372036854775807 - 1))");
    CHECK(render::halide::cpp_literal(Value::f32(0.1F)) == "Expr(0.1f)");
    CHECK(render::halide::cpp_literal(Value::f64(2)) == "Expr(2.0)");
    CHECK(render::halide::cpp_literal(Value::f64(-0.0)) == "Expr(-0.0)");
    CHECK(render::halide::cpp_value(Value::f32(INFINITY)) == "std::numeric_limits<float>::infinity()");
}

TEST_CASE("identifiers are free of keywords and of each other") {
    render::halide::Identifiers identifiers;
    CHECK(identifiers.of("var k", "k", "v") == "k");
    CHECK(identifiers.of("rvar f k", "k", "f_u0") == "k_f_u0");
    CHECK(identifiers.of("var k", "k", "v") == "k");
    CHECK(identifiers.of("function int", "int", "f") == "int_f");
    CHECK(identifiers.of("function int_f", "int_f", "f") == "int_f_f");
    CHECK(identifiers.fresh("target") == "target");
    CHECK(identifiers.fresh("target") == "target_1");
}

TEST_CASE("whatever a compiler says stays inside the comment") {
    CHECK(render::halide::comment("one\ntwo \\\n\nthree */") == "// one\n// two\n//\n// three */\n");
    CHECK(render::halide::string_literal("a\"b\\c\n") == "\"a\\\"b\\\\c\\n\"");
}

TEST_CASE("schedule calls stand in the program as in the schedule's text") {
    int compared = 0;
    for (std::uint64_t i = 0; i < 1000; ++i) {
        const cases::Case c = random::campaign_case(3, i, {}, schedule::halide::language(14));
        const auto program = program_text(c, std::nullopt, "");
        INFO((program ? std::string() : to_string(program.error())));
        REQUIRE(program.has_value());
        const auto schedule = schedule::halide::typed(c.schedule);
        for (const auto& directive : schedule.directives) {
            const std::string text = schedule::halide::print(directive);
            // Levels that name a stage, tails, specialisations and rfactor are spelt differently in C++.
            const bool plain = text.find("update(") == std::string::npos &&
                               text.find("specialize") == std::string::npos &&
                               (std::holds_alternative<schedule::halide::ComputeAt>(directive.action) ||
                                std::holds_alternative<schedule::halide::Async>(directive.action));
            if (!plain) { continue; }
            INFO(text);
            INFO(*program);
            CHECK(program->find("    " + text + ";\n") != std::string::npos);
            ++compared;
        }
    }
    CHECK(compared > 20);
}
