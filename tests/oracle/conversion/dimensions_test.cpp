#include "oracle/conversion/dimensions.h"

#include <string>

#include "harness/sched/text.h"
#include "tests/support/catch.h"

namespace haruspex::conversion {
namespace {

std::string ordered(const std::string& body) {
    auto parsed = sched::parse_program("sched stored(W, H, D) {\n  output F : i32[64];\n" + body + "}\n", "test");
    if (!parsed) { FAIL(to_string(parsed.error())); }
    REQUIRE(split_dimensions(*parsed).has_value());
    order_dimensions(*parsed);
    return sched::print(*parsed);
}

// A program with memory of this size, written at one index and read at another.
std::string stored(const std::string& size, const std::string& written, const std::string& read) {
    return ordered("  allocate s : i32[" + size +
                   "];\n"
                   "  for x in [0, 8) {\n    for y in [0, 8) {\n      for z in [0, 8) {\n        s[" +
                   written + "] := 1i32;\n        F[0] := s[" + read + "];\n      }\n    }\n  }\n  free s;\n");
}

bool has(const std::string& text, const std::string& allocation) {
    INFO(text);
    return text.find("allocate s : i32[" + allocation + "];") != std::string::npos;
}

}  // namespace

TEST_CASE("memory has the order of dimensions in which its accesses are divided") {
    CHECK(has(stored("W*H", "x*H + y", "x*H + y + 1"), "H, W"));
    CHECK(has(stored("W*H*D", "x*D*H + z*H + y", "(x*D + z)*H"), "H, D, W"));
    CHECK(has(stored("W*4*D", "(x*4 + y)*D + z", "z"), "D, 4, W"));
}

TEST_CASE("a factor of the size is a dimension, and memory that has some already is refused") {
    CHECK(has(stored("(W + 1)*(H*D)", "x", "y"), "W + 1, H*D"));
    CHECK(has(stored("1*W*8", "x", "y"), "1, W, 8"));
    auto parsed = sched::parse_program(
        "sched stored(W) {\n  output F : i32[8];\n  for x in [0, 8) {\n    allocate s : i32[W, W];\n"
        "    s[x, x] := 1i32;\n    free s;\n  }\n}\n",
        "test");
    REQUIRE(parsed.has_value());
    const auto split = split_dimensions(*parsed);
    REQUIRE(!split.has_value());
    CHECK(split.error() == Feature{"memory that is not linear", "s"});
}

TEST_CASE("an order that is as good as any stays") {
    CHECK(has(stored("W*H", "y*W + x", "y*W + x + 1"), "W, H"));
    CHECK(has(stored("W*W", "y*W + x", "y*W + x + 1"), "W, W"));
    CHECK(has(stored("W*H", "x", "y"), "W, H"));
    CHECK(has(stored("W*H", "x*D + y", "x*D"), "W, H"));
    CHECK(has(stored("8*5", "5*x + y", "5*x"), "8, 5"));
}

TEST_CASE("of accesses that do not agree the more have their way") {
    CHECK(has(stored("W*H", "x*H + y", "y*W + x"), "W, H"));
    CHECK(has(stored("W*H", "x*H + y", "select(x*H <= 3, y*W + x, x*H)"), "H, W"));
}

TEST_CASE("strides are seen through lets") {
    CHECK(has(ordered("  allocate s : i32[W*(max(H, 4) + 1)];\n  let e = max(4, H);\n  let stride = e + 1;\n"
                      "  for x in [0, W) {\n    let row = stride*x;\n    s[row + 2] := 1i32;\n  }\n  free s;\n"),
              "max(H, 4) + 1, W"));
}

TEST_CASE("memory has an order of its own wherever it is allocated") {
    const std::string text = ordered(
        "  for x in [0, W) {\n    allocate s : i32[W*H];\n    s[x*H] := 1i32;\n    free s;\n  }\n"
        "  for x in [0, W) {\n    allocate s : i32[W*D];\n    s[x*D] := 1i32;\n    free s;\n  }\n"
        "  for x in [0, W) {\n    allocate s : i32[W*D];\n    s[x*W] := 1i32;\n    free s;\n  }\n");
    CHECK(has(text, "H, W"));
    CHECK(has(text, "D, W"));
    CHECK(has(text, "W, D"));
}

}  // namespace haruspex::conversion
