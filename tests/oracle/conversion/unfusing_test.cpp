#include "oracle/conversion/unfusing.h"

#include <string>

#include "harness/sched/text.h"
#include "oracle/interp/sched_interpreter.h"
#include "tests/support/catch.h"

namespace haruspex::conversion {
namespace {

sched::Program program(const std::string& body) {
    auto parsed =
        sched::parse_program("sched fused(A, B, C) {\n  output F : i32[64, 64, 64];\n" + body + "}\n", "test");
    if (!parsed) { FAIL(to_string(parsed.error())); }
    return std::move(*parsed);
}

std::string unfused(const std::string& body) {
    sched::Program p = program(body);
    unfuse(p);
    const std::string text = sched::print(p);
    const auto from = text.find("i32[64, 64, 64];\n");
    return text.substr(from + 17);
}

}  // namespace

TEST_CASE("three fused loops become three") {
    CHECK(unfused("  for v in [0, A*B*C) { F[v % A, v/A % B, v/A/B] := 1i32; }\n") ==
          "  assert 0 <= A \"the extent of a fused loop\";\n"
          "  assert 0 <= B \"the extent of a fused loop\";\n"
          "  for v.quotient.quotient in [0, C) {\n"
          "    for v.quotient.remainder in [0, B) {\n"
          "      for v.remainder in [0, A) {\n"
          "        F[v.remainder, v.quotient.remainder, v.quotient.quotient] := 1i32;\n"
          "      }\n    }\n  }\n}\n");
}

TEST_CASE("one of the two loops has a constant number of iterations") {
    CHECK(unfused("  for v in [0, 5*A) { F[v % A, v/A, 0] := 1i32; }\n") ==
          "  assert 0 <= A \"the extent of a fused loop\";\n"
          "  for v.quotient in [0, 5) {\n"
          "    for v.remainder in [0, A) {\n"
          "      F[v.remainder, v.quotient, 0] := 1i32;\n"
          "    }\n  }\n}\n");
    CHECK(unfused("  for v in [0, 2*A*B) { F[v % 2, v/2 % A, v/2/A] := 1i32; }\n") ==
          "  assert 0 <= 2 \"the extent of a fused loop\";\n"
          "  assert 0 <= A \"the extent of a fused loop\";\n"
          "  for v.quotient.quotient in [0, B) {\n"
          "    for v.quotient.remainder in [0, A) {\n"
          "      for v.remainder in [0, 2) {\n"
          "        F[v.remainder, v.quotient.remainder, v.quotient.quotient] := 1i32;\n"
          "      }\n    }\n  }\n}\n");
}

TEST_CASE("the first iteration of a fused loop is the first of both") {
    const std::string first = "v.quotient <= 0 and v.remainder <= 0";
    const auto condition = [](const std::string& text) {
        return unfused("  for v in [0, A*B) { F[v % A, v/A, select(" + text + ", 1, 0)] := 1i32; }\n");
    };
    for (const char* text : {"v <= 0", "v = 0", "v < 1"}) {
        CHECK(condition(text).find("select(" + first) != std::string::npos);
    }
    for (const char* text : {"0 < v", "v != 0", "1 <= v"}) {
        CHECK(condition(text).find("select(not (" + first) != std::string::npos);
    }
    CHECK(condition("v <= 1").find(first) == std::string::npos);
}

TEST_CASE("the new variables have names that nothing has, not even inside an expression") {
    CHECK(unfused("  for v in [0, B*A) { F[v % A, let v.quotient = 3 in v/A + v.quotient, 0] := 1i32; }\n")
              .find("F[v.remainder, let v.quotient = 3 in v.quotient$ + v.quotient, 0]") != std::string::npos);
}

TEST_CASE("whatever else is done with the variable, the loops do the same") {
    for (const char* index : {"v % A", "(v + 1) % A", "v % 5", "min(v/A, 7)", "(v % A)*(v/B % 2)",
                              "select(0 < v, 1, 2)", "select(v = 0, v/A, 2)"}) {
        sched::Program before = program("  for v in [0, B*A) {\n    let w = v;\n    F[0, v/A, w % A] := i32<" +
                                        std::string(index) + ">;\n  }\n");
        sched::Program after = before;
        unfuse(after);
        CHECK(after != before);
        for (std::int64_t a = 0; a < 5; ++a) {
            for (std::int64_t b = 0; b < 4; ++b) {
                const auto run = [&](const sched::Program& p) {
                    const auto inputs = [](const std::string&, int, const std::vector<std::int64_t>&) {
                        return value::Value::integer(value::Type::i32, 0);
                    };
                    const auto result = interp::run(p, {{"A", a}, {"B", b}, {"C", 1}}, inputs);
                    if (!result) { FAIL(to_string(result.error())); }
                    CHECK(result->troubles.empty());
                    return result->outputs.at(0).cells;
                };
                CHECK(run(before) == run(after));
            }
        }
    }
}

TEST_CASE("other loops stay as they are") {
    const auto stays = [](const std::string& body) {
        sched::Program p = program(body);
        const sched::Program before = p;
        unfuse(p);
        return p == before;
    };
    CHECK(stays("  for v in [0, 4*A) { F[v % 4, v/4, 0] := 1i32; }\n"));
    CHECK(stays("  for v in [1, A*B) { F[v % A, v/A, 0] := 1i32; }\n"));
    CHECK(stays("  for v in [0, A*B + 1) { F[v % A, v/A, 0] := 1i32; }\n"));
    CHECK(stays("  for v in [0, A*B) { F[v % C, v/C, 0] := 1i32; }\n"));
}

}  // namespace haruspex::conversion
