#include "generators/sare/floats.h"

#include <string>

#include "generators/sare/text.h"
#include "tests/support/catch.h"

// Systems that may be right up to rounding.
namespace haruspex::sare {
namespace {

bool are_of_floats(const std::string& equations, const std::string& outputs = "F") {
    std::string text = "sare s() {\n  input A : i32[1]\n  input B : f32[1]\n" + equations;
    for (const char output : outputs) { text += std::string("  output ") + output + " on { [x] : 0 <= x < 9 }\n"; }
    const auto sare = parse_sare(text + "}\n", "test");
    if (!sare) { FAIL(to_string(sare.error())); }
    return outputs_without_floats(*sare).empty();
}

TEST_CASE("outputs are of floats where one is in what each component is computed from") {
    CHECK(are_of_floats("  F(x) = B(x)\n"));
    CHECK(are_of_floats("  F(x) = f32(A(x))\n"));
    CHECK(are_of_floats("  F(x) = i32(B(x))\n"));
    CHECK(are_of_floats("  F(x) = select(B(x) < 1.0f32, 1i32, 2i32)\n"));
    CHECK(are_of_floats("  F(x) = A(x) if x < 3\n  F(x) = i32(B(x)) if x >= 3\n"));
    CHECK(are_of_floats("  G(x) = i32(B(x))\n  F(x) = G(x + 1)\n"));
    CHECK(are_of_floats("  F(x) = i32(f64<x>)\n"));
    CHECK_FALSE(are_of_floats("  F(x) = A(x) + 1i32\n"));
    CHECK_FALSE(are_of_floats("  F(x) = select([x < 3], A(x), 1i32)\n"));
    CHECK_FALSE(are_of_floats("  G(x) = B(x)\n  F(x) = A(x)\n"));
}

TEST_CASE("a system has floats where an input, a cell or an operand is one") {
    const auto has = [](const std::string& inputs, const std::string& value) {
        const auto sare = parse_sare(
            "sare s() {\n" + inputs + "  F(x) = " + value + "\n  output F on { [x] : 0 <= x < 9 }\n}\n", "test");
        REQUIRE(sare);
        return has_floats(*sare);
    };
    CHECK_FALSE(has("  input A : i32[1]\n", "A(x) + 1i32"));
    CHECK(has("  input A : f32[1]\n", "1i32"));
    CHECK(has("", "i32(2.0f32)"));
    CHECK(has("", "select(i32(f64<x>) < 3i32, 1i32, 2i32)"));
}

TEST_CASE("one output, or one component of it, that is not makes all of them exact") {
    CHECK(are_of_floats("  F(x) = B(x)\n  G(x) = i32(B(x))\n", "FG"));
    CHECK_FALSE(are_of_floats("  F(x) = B(x)\n  G(x) = A(x)\n", "FG"));
    CHECK_FALSE(are_of_floats("  F(x) = { B(x), A(x) }\n"));
    CHECK(are_of_floats("  F(x) = { B(x), i32(B(x)) }\n"));
    const auto sare = parse_sare(
        "sare s() {\n  input A : i32[1]\n  input B : f32[1]\n  F(x) = { B(x), A(x), i32(B(x)) }\n  G(x) = A(x)\n"
        "  H(x) = A(x)\n  output F on { [x] : 0 <= x < 9 }\n  output H on { [x] : 0 <= x < 9 }\n}\n",
        "test");
    REQUIRE(sare);
    CHECK(outputs_without_floats(*sare) == std::set<Component>{{"F", 1}, {"H", 0}});
    // A recurrence depends on floats only if an equation uses one.
    CHECK_FALSE(are_of_floats("  tensor F : i32[1]\n  F(x) = 0i32 if x <= 0\n  F(x) = F(x - 1) + A(x) if x > 0\n"));
    CHECK(are_of_floats("  tensor F : i32[1]\n  F(x) = i32(B(0)) if x <= 0\n  F(x) = F(x - 1) + A(x) if x > 0\n"));
}

}  // namespace
}  // namespace haruspex::sare
