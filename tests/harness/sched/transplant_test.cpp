#include "harness/sched/transplant.h"

#include "harness/sched/normal_form.h"
#include "harness/sched/text.h"
#include "tests/support/catch.h"

namespace haruspex::sched {
namespace {

Program program(const std::string& body) {
    const auto parsed =
        parse_program("sched p(W, s) {\n  input in : i32[W];\n  output f : i32[W];\n" + body + "}\n", "test");
    if (!parsed) { FAIL(to_string(parsed.error())); }
    return *parsed;
}

// The extent of the only loop of a program.
Expr index(const std::string& text) {
    const Program p = program("for x in [0, " + text + ") { f[0] := 0i32; }\n");
    return std::get<For>(p.body.at(0).node).extent;
}

bool same(const std::string& a, const std::string& b) {
    Atoms atoms;
    NormalForms forms(atoms);
    return forms.of(index(a)) == forms.of(index(b));
}

std::string transplanted(const std::string& plain, const std::string& foretold) {
    const auto result = transplant(program(plain), program(foretold));
    return result ? print(*result) : result.error();
}

}  // namespace

TEST_CASE("normal forms do not see the arithmetic of polynomials") {
    CHECK(same("W + s", "s + W"));
    CHECK(same("2 * (W + s) - W", "W + 2 * s"));
    CHECK(same("(W + 1) * (s + 1)", "s * W + W + s + 1"));
    CHECK(same("min(W, s) + 1", "min(s + 1, W + 1)"));
    CHECK(same("max(W + 3, W)", "W + 3"));
    CHECK(same("(4 * W + s) / 4", "s / 4 + W"));
    CHECK(same("(4 * W + s + 4) % 4", "s % 4"));
    CHECK(same("let t = W + 1 in t * 2", "2 * W + 2"));
    CHECK(same("select(W < s, 1, 2)", "select(s > W, 1, 2)"));
    CHECK(same("select(W < s, 1, 2)", "select(W + 1 <= s, 1, 2)"));
}

TEST_CASE("normal forms of different indices differ") {
    CHECK_FALSE(same("W + 1", "W"));
    CHECK_FALSE(same("W / 4", "s / 4"));
    CHECK_FALSE(same("(W + 1) / 4", "W / 4"));
    CHECK_FALSE(same("min(W, s)", "max(W, s)"));
    CHECK_FALSE(same("select(W < s, 1, 2)", "select(W <= s, 1, 2)"));
    CHECK_FALSE(same("W * s", "W + s"));
}

TEST_CASE("normal forms stay small however deep lets nest") {
    std::string nested = "W";
    for (int i = 0; i < 60; ++i) {
        nested = "let t" + std::to_string(i) + " = min(" + nested + ", s) in t" + std::to_string(i) + " * 2";
    }
    Atoms atoms;
    NormalForms forms(atoms);
    CHECK(forms.of(index(nested)).size() < 200);
}

TEST_CASE("prophecies are transplanted modulo lets, names and arithmetic") {
    const std::string result = transplanted(R"(
  let t1 = W - 1;
  for x in [0, t1 + 1) {
    allocate tmp : i32[s];
    tmp[2 * x - x] := in[x];
    f[x] := tmp[x];
    free tmp;
  }
)",
                                            R"(
  for y in [0, W) {
    let t2 = y + s;
    allocate other : i32[s];
    other[t2 - s] {g.0(t2)} := in[y];
    f[y] {f(y, t2 - W)} := other[y];
    free other;
  }
)");
    CHECK(result.find("f[x] {let t2.p") != std::string::npos);
    CHECK(result.find("= x + s in f(x, ") != std::string::npos);
    CHECK(result.find("tmp[2*x - x]") != std::string::npos);
}

TEST_CASE("lanes are matched by their count") {
    const std::string vector = "lanes l < 4 do f[l] := in[l];\n";
    CHECK(transplanted(vector, "lanes k < 4 do f[k] {f(k)} := in[k];\n").find("f[l] {f(l)}") != std::string::npos);
    CHECK(transplanted(vector, "lanes k < 8 do f[k] {f(k)} := in[k];\n").starts_with("structure: "));
}

TEST_CASE("where the programs part, nothing is transplanted and the kind of difference is told") {
    const std::string plain = "for x in [0, W) { if x < s { f[x] := in[x]; } }\n";
    CHECK(transplanted(plain, "for x in [1, W) { if x < s { f[x] {f(x)} := in[x]; } }\n").starts_with("bounds: for x"));
    CHECK(transplanted(plain, "for x in [0, W) { if x <= s { f[x] {f(x)} := in[x]; } }\n").starts_with("condition: "));
    CHECK(transplanted(plain, "for x in [0, W) { if x < s { f[x + 1] {f(x)} := in[x]; } }\n").starts_with("indices: "));
    CHECK(transplanted(plain, "for x in [0, W) { f[x] {f(x)} := in[x]; }\n").starts_with("structure: "));
    CHECK(transplanted(plain, "par x in [0, W) { if x < s { f[x] {f(x)} := in[x]; } }\n").starts_with("structure: "));
    CHECK(transplanted(plain, plain + "f[0] {f(0)} := 1i32;\n").starts_with("structure: "));
}

}  // namespace haruspex::sched
