#include <string>
#include <vector>

#include "tests/oracle/equivalence/programs.h"
#include "tests/support/catch.h"

// Small programs that must not take a prover long. scripts/bench-growth measures the time; these tests check only the
// answers.
namespace haruspex::equivalence {
namespace {

struct Axis {
    int tile = 8;
    std::string kind = "par";
    std::string base;  // of the tile, in terms of the axis's extent E and the tile's number t
};

// A copy in tiles, with an axis for each dimension and lanes in the innermost one; `added` is added to its value.
Verdict tiled(const std::vector<Axis>& axes, const std::string& added = "") {
    std::string names, assumptions, at, box, extents, here, heads, inner, tails;
    for (std::size_t d = 0; d < axes.size(); ++d) {
        const std::string n = std::to_string(d), comma = d == 0 ? "" : ", ", both = d == 0 ? "" : " and ";
        const std::string extent = "E" + n, tile = std::to_string(axes[d].tile),
                          last = std::to_string(axes[d].tile - 1);
        std::string base = axes[d].base.empty() ? "min(" + tile + "*t, E - " + tile + ")" : axes[d].base;
        for (auto at_name = base.find_first_of("tE"); at_name != std::string::npos;
             at_name = base.find_first_of("tE", at_name + 1)) {
            base.insert(at_name + 1, n);
        }
        names += comma + extent;
        extents += comma + extent;
        assumptions += both + extent + " >= " + tile;
        at += comma + "x" + n;
        box += both + "0 <= x" + n + " < " + extent;
        here += comma + "b" + n + " + i" + n;
        heads = axes[d].kind + " t" + n + " in [0, (" + extent + " + " + last + ")/" + tile + ") { let b" + n + " = " +
                base + "; " + heads;
        inner = d == 0 ? "lanes i0 < " + tile + " do " : "for i" + n + " in [0, " + tile + ") { " + inner;
        tails += d == 0 ? " }" : " } }";
    }
    return verdict_of(
        "sare s(" + names + ") assuming " + assumptions + " { input A : i32[" + std::to_string(axes.size()) + "] B(" +
            at + ") = A(" + at + ") output B on { [" + at + "] : " + box + " } }",
        "sched s(" + names + ") { input a for A : i32[" + extents + "]; output b for B : i32[" + extents + "]; " +
            heads + inner + "b[" + here + "] {B(" + here + ")} := a[" + here + "]" + added + ";" + tails + " }");
}

}  // namespace

TEST_CASE("tiles of which the last is shifted inwards are proved, in parallel too, in each of up to three dimensions") {
    for (const std::string kind : {"for", "par"}) {
        INFO(kind);
        CHECK(is_proved(tiled({{8, kind, ""}})));
        CHECK(is_proved(tiled({{8, kind, ""}, {8, kind, ""}})));
        CHECK(is_proved(tiled({{4, kind, ""}, {3, kind, ""}})));
        CHECK(is_proved(tiled({{8, kind, ""}, {8, kind, ""}, {8, kind, ""}})));
        CHECK_FALSE(is_proved(tiled({{2, kind, ""}, {5, kind, "4*t"}, {3, kind, ""}})));
    }
    CHECK(is_proved(tiled({{8, "par", ""}, {8, "for", ""}, {8, "par", ""}})));
    CHECK(is_proved(tiled({{8, "par", "max(E - 8*t - 8, 0)"}, {8, "par", ""}})));
    // The tiles' values differ; a tile is missing; a tile goes beyond the end.
    CHECK_FALSE(is_proved(tiled({{8, "par", ""}, {8, "par", ""}}, " + i32<t0>")));
    CHECK_FALSE(is_proved(tiled({{8, "par", ""}, {8, "par", "min(8*t, E - 9)"}})));
    CHECK_FALSE(is_proved(tiled({{8, "par", ""}, {8, "par", "8*t"}})));
}

TEST_CASE("statements below many conditions, or by their remainders, are proved") {
    std::string nest, ends, pieces, statements;
    for (int k = 0; k < 100; ++k) {
        nest += "if x >= 0 - " + std::to_string(k) + " { ";
        ends += " }";
    }
    const std::string head = "sched p(N) { input a for A : u32[N]; output b for B : u32[N]; for x in [0, N) { ";
    const auto specification = [](const std::string& equations) {
        return "sare p(N) assuming N >= 1 { input A : u32[1] " + equations + " output B on { [x] : 0 <= x < N } }";
    };
    CHECK(is_proved(verdict_of(specification("B(x) = A(x)"), head + nest + "b[x] := a[x];" + ends + " } }")));
    CHECK_FALSE(is_proved(
        verdict_of(specification("B(x) = A(x)"), head + "if x >= 1 { " + nest + "b[x] := a[x];" + ends + " } } }")));
    for (int k = 0; k < 30; ++k) {
        const std::string n = std::to_string(k);
        pieces += "B(x) = A(x) + " + n + "u32 if x % 30 = " + n + " ";
        statements += "if x % 30 = " + n + " { b[x] := a[x] + " + n + "u32; } ";
    }
    CHECK(is_proved(verdict_of(specification(pieces), head + statements + "} }")));
    CHECK_FALSE(
        is_proved(verdict_of(specification(pieces), head + statements + "if x % 30 = 7 { b[x] := a[x] + 8u32; } } }")));
}

TEST_CASE(
    "what a branch of one statement writes is before what stands behind the branch, and after what stands before") {
    const std::string one = "sare one(N) assuming N >= 1 { o(x) = 2u8 output o on { [x] : 0 <= x < 1 } }";
    const auto program = [](const std::string& body) { return "sched one(N) { output o : u8[1]; " + body + " }"; };
    CHECK(is_proved(verdict_of(one, program("o[0] := 1u8; if N >= 1 { o[0] := 2u8; }"))));
    CHECK(is_proved(verdict_of(one, program("if N >= 1 { o[0] := 1u8; } o[0] := 2u8;"))));
    CHECK(is_proved(verdict_of(one, program("if N >= 1 { if N >= 0 { o[0] := 1u8; } o[0] := 2u8; }"))));
    CHECK(is_proved(
        verdict_of(one, program("for x in [0, N) { if x >= 0 { o[0] := 1u8; } if x >= 0 { o[0] := 2u8; } }"))));
    CHECK(is_proved(
        verdict_of(one, program("if N >= 5 { o[0] := 2u8; } else { o[0] := 1u8; if N < 5 { o[0] := 2u8; } }"))));
    CHECK_FALSE(is_proved(verdict_of(one, program("if N >= 1 { o[0] := 2u8; } o[0] := 1u8;"))));
    CHECK_FALSE(is_proved(verdict_of(one, program("o[0] := 2u8; if N >= 4 { o[0] := 1u8; }"))));
    CHECK_FALSE(is_proved(verdict_of(one, program("if N >= 1 { o[0] := 2u8; if N >= 0 { o[0] := 1u8; } }"))));
    CHECK_FALSE(
        is_proved(verdict_of(one, program("for x in [0, N) { if x = 0 { o[0] := 2u8; } if x = 1 { o[0] := 1u8; } }"))));
}

}  // namespace haruspex::equivalence
