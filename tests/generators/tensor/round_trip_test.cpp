#include "generators/tensor/parser.h"
#include "generators/tensor/print.h"
#include "tests/support/catch.h"
#include "tests/support/random_tensor.h"

using namespace haruspex;

namespace {

tensor::Program parsed(const std::string& text) {
    const auto program = tensor::parse_program(text, "t");
    INFO((program ? std::string() : to_string(program.error())));
    REQUIRE(program.has_value());
    return *program;
}

// The expression of the last statement of a program with matrices a, b, c, d and scalars s, t.
std::string printed(const std::string& expression, const std::string& type = "[3 3]") {
    const auto program = parsed("var a : [3 3] var b : [3 3] var c : [3 3] var s : [] var t : [] var r : " + type +
                                " r = " + expression);
    return tensor::print(program.statements.back().value);
}

}  // namespace

TEST_CASE("printed programs are read back as they were") {
    for (std::uint64_t seed = 0; seed < 2000; ++seed) {
        Choices choices(random_source(seed));
        const tensor::Program program =
            testing::random_tensor_program(choices, {{value::Type::i32, value::Type::f64}, true, 4, 4});
        const std::string text = tensor::print(program);
        const auto again = tensor::parse_program(text, "t");
        INFO("seed " << seed << "\n" << text << (again ? std::string() : to_string(again.error())));
        REQUIRE(again.has_value());
        REQUIRE(*again == program);
        REQUIRE(tensor::print(*again) == text);
    }
}

TEST_CASE("operators associate to the left, and none binds tighter") {
    CHECK(printed("a + b * c") == "(a + b) * c");
    CHECK(printed("a + (b * c)") == "a + (b * c)");
    CHECK(printed("a - b - c") == "a - b - c");
    CHECK(printed("a - (b - c)") == "a - (b - c)");
    CHECK(printed("a + b ^ [1 2]") == "(a + b) ^ [1 2]");
    CHECK(printed("a + (b ^ [1 2])") == "a + (b ^ [1 2])");
    CHECK(printed("a ^ [1 2] + b") == "a ^ [1 2] + b");
    CHECK(printed("a # b . [2 3]") == "(a # b) . [2 3]");
    CHECK(printed("((a # b) . [2 3]) . [1 2]", "[]") == "(a # b) . [2 3] . [1 2]");
    CHECK(printed("s * a / t") == "(s * a) / t");
    CHECK(printed("((a))") == "a");
}

TEST_CASE("a header, qualifiers, types and extents are read") {
    const auto program = parsed(
        "program mixed(N, M) assuming N >= 2 and M >= N  // a comment # with a hash\n"
        "var input a : i16[N (M + 1) 4]\n"
        "var output b : i16[4 (M + 1) N]\n"
        "var input output c : f64[]\n"
        "b = a ^ [1 3]\n");
    CHECK(program.name == "mixed");
    CHECK(program.parameters == std::vector<std::string>{"N", "M"});
    REQUIRE(program.declarations.size() == 3);
    CHECK(program.declarations[0] ==
          tensor::Declaration{"a",
                              value::Type::i16,
                              {sare::variable("N"), sare::variable("M") + sare::constant(1), sare::constant(4)},
                              true,
                              false});
    CHECK(program.declarations[2] == tensor::Declaration{"c", value::Type::f64, {}, true, true});
    CHECK(tensor::print(program) ==
          "program mixed(N, M) assuming N >= 2 and M >= N\n"
          "var input a : i16[N (M + 1) 4]\n"
          "var output b : i16[4 (M + 1) N]\n"
          "var input output c : f64[]\n"
          "b = a ^ [1 3]\n");
}

TEST_CASE("a program without a header and types has no parameters and elements of f32") {
    const auto program = parsed("var x : [300 400 500] var s : [ ]");
    CHECK(
        program ==
        tensor::Program{
            .declarations = {
                {"x", value::Type::f32, {sare::constant(300), sare::constant(400), sare::constant(500)}, false, false},
                {"s", value::Type::f32, {}, false, false}}});
    CHECK(tensor::print(program) == "var x : f32[300 400 500]\nvar s : f32[]\n");
    CHECK(parsed("") == tensor::Program{});
}
