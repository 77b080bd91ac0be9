#include "oracle/conversion/conversion.h"
#include "generators/base/sizes.h"

#include <map>
#include <string>
#include <vector>

#include "generators/sare/text.h"
#include "harness/sched/text.h"
#include "oracle/interp/sched_interpreter.h"
#include "oracle/validator/validator.h"
#include "tests/support/catch.h"

namespace haruspex::conversion {
namespace {

// F sums a cell of S and the one below; S sums a cell of A and its left neighbour. The scratch memory for S is as wide
// as the output, and one row higher.
const std::string stencil =
    "sare stencil(W, H) assuming W >= 1 and H >= 1 {\n  input A : u16[2]\n"
    "  S(x, y) = A(x - 1, y) + A(x, y)\n  F(x, y) = S(x, y) + S(x, y + 1)\n"
    "  output F on { [x, y] : 3 <= x < 3 + W and -2 <= y < -2 + H }\n}\n";

std::string lowered(const std::string& body) {
    return "sched stencil(W, H, A.min.0, A.extent.0, A.stride.0, A.min.1, A.extent.1, A.stride.1, F.min.0, F.extent.0, "
           "F.stride.0, F.min.1, F.extent.1, F.stride.1) {\n"
           "  input A : u16[A.extent.0 from A.min.0 stride A.stride.0, A.extent.1 from A.min.1 stride A.stride.1];\n"
           "  output F : u16[F.extent.0 from F.min.0 stride F.stride.0, F.extent.1 from F.min.1 stride F.stride.1];\n" +
           body + "}\n";
}

// Asserts that A has the cells that are read.
const std::string holds =
    "  let first = F.min.0 - 1;\n  let width = F.extent.0 + 1;\n"
    "  assert A.min.0 <= first and first + width - A.extent.0 <= A.min.0 \"columns\";\n"
    "  assert A.min.1 <= F.min.1 and F.min.1 + F.extent.1 + 1 <= A.min.1 + A.extent.1 \"rows\";\n";

// The stride of s is its extent, written differently from the indices.
const std::string good =
    "  assert 2 <= F.extent.0 \"two columns at least\";\n"
    "  assert A.stride.0 = 1 \"dense\";\n"
    "  let e = F.extent.0 + F.min.0;\n"
    "  let n = max(e, F.min.0 + 2) - F.min.0;\n"
    "  let t1 = A.min.1*A.stride.1 + A.min.0;\n"
    "  allocate s : u16[1*n*(F.extent.1 + 1)];\n"
    "  for y in [0, F.extent.1 + 1) {\n"
    "    let row = (F.min.1 + y)*A.stride.1 - t1;\n"
    "    for x in [0, F.extent.0) {\n"
    "      s[n*y + x] {S(F.min.0 + x, F.min.1 + y)} := A[row + F.min.0 + x - 1] + A[row + F.min.0 + x];\n"
    "    }\n  }\n"
    "  let t2 = F.stride.1*F.min.1;\n"
    "  for y in [0, F.extent.1) {\n"
    "    let below = y + 1;\n"
    "    par x in [0, F.extent.0) {\n"
    "      F[(y + F.min.1)*F.stride.1 - t2 + x] {F(F.min.0 + x, F.min.1 + y)} := s[n*y + x] + s[below*n + x];\n"
    "    }\n  }\n"
    "  free s;\n";

sare::Sare specification(const std::string& text) {
    auto sare = sare::parse_sare(text, "test");
    if (!sare) { FAIL(to_string(sare.error())); }
    return std::move(*sare);
}

sched::Program program(const std::string& text) {
    auto parsed = sched::parse_program(text, "test");
    if (!parsed) { FAIL(to_string(parsed.error())); }
    return std::move(*parsed);
}

Converted converted(const std::string& body, Way way = {}) {
    const sched::Program given = program(lowered(holds + body));
    auto result = convert(specification(stencil), given, way);
    if (!result) { FAIL(to_string(result.error())); }
    CHECK(converted_arrays(specification(stencil), given) == result->program.arrays);
    return std::move(*result);
}

validator::Outcome outcome(const std::string& body, Way way = {}) {
    const Converted c = converted(body, way);
    sare::Sare sare = specification(stencil);
    for (const auto& premise : c.premises) { sare.assumptions = {sare::And{sare.assumptions, *premise.condition}}; }
    sare.assumptions = {sare::And{sare.assumptions, small_sizes(sare)}};
    return validator::validate(sare, c.program).outcome;
}

std::string why_not(const std::string& body) {
    const auto result = convert(specification(stencil), program(lowered(holds + body)));
    return result ? "" : to_string(result.error());
}

// The cells of the output; inputs have more cells than are read.
std::vector<value::Value> cells(sched::Program p, const Sizes& sizes) {
    for (sched::Dimension& d : p.arrays.at(0).dimensions) {
        if (!d.stride) { d = {{sched::Integer{64}}, {sched::Integer{-32}}, {}}; }
    }
    const auto inputs = [](const std::string&, int, const std::vector<std::int64_t>& c) {
        return value::Value::integer(value::Type::u16, 31 * c[0] + 1009 * c[1]);
    };
    const auto run = interp::run(p, sizes, inputs);
    if (!run) { FAIL(to_string(run.error())); }
    CHECK(run->troubles.empty());
    return run->outputs.at(0).cells;
}

void computes_what_it_did(const std::string& body, Way way = {}) {
    const sched::Program before = program(lowered(body));
    const Converted after = converted(body, way);
    INFO(sched::print(after.program));
    for (std::int64_t w = 2; w < 5; ++w) {
        for (std::int64_t h = 1; h < 4; ++h) {
            for (const std::int64_t gap : {0, 3}) {
                const Sizes sizes{{"W", w},          {"H", h},
                                  {"A.min.0", 1},    {"A.extent.0", 9},
                                  {"A.stride.0", 1}, {"A.min.1", -3},
                                  {"A.extent.1", 9}, {"A.stride.1", 9 + gap},
                                  {"F.min.0", 3},    {"F.extent.0", w},
                                  {"F.stride.0", 1}, {"F.min.1", -2},
                                  {"F.extent.1", h}, {"F.stride.1", w + gap}};
                CHECK(cells(before, sizes) == cells(after.program, {{"W", w}, {"H", h}}));
            }
        }
    }
}

}  // namespace

TEST_CASE("a converted program has the specification's parameters and the tensors' dimensions") {
    const Converted c = converted(good);
    CHECK(c.program.parameters == std::vector<std::string>{"W", "H"});
    REQUIRE(c.premises.size() == 1);
    CHECK(c.premises[0].text == "2 <= W");
    REQUIRE(c.premises[0].condition.has_value());
    CHECK(sare::print(*c.premises[0].condition) == "2 <= W");
    const std::string text = sched::print(c.program);
    INFO(text);
    CHECK(text.find("input A : u16[W + 1 from 2, H + 1 from -2];") != std::string::npos);
    CHECK(text.find("output F : u16[W from 3, H from -2];") != std::string::npos);
    CHECK(text.find("s[x, y] {S(") != std::string::npos);
    CHECK(text.find(":= s[x, y] + s[x, y + 1];") != std::string::npos);
    CHECK(text.find("stride") == std::string::npos);
    CHECK(text.find("assert") == std::string::npos);
}

TEST_CASE("a converted program computes what it did, whatever the strides of its buffers are") {
    computes_what_it_did(good);
}

TEST_CASE("a let that is a condition stays one, and a stride is gone from the lets inside of values") {
    const std::string chosen =
        "  let few = F.extent.0 <= 3;\n"
        "  let t1 = A.min.1*A.stride.1 + A.min.0;\n  let t2 = F.stride.1*F.min.1;\n"
        "  for y in [0, F.extent.1) {\n    for x in [0, F.extent.0) {\n"
        "      let v : u16 = let q = A.stride.1*(F.min.1 + y) in A[q - t1 + F.min.0 + select(few, x, y) - 1];\n"
        "      F[(y + F.min.1)*F.stride.1 - t2 + x] := v;\n"
        "    }\n  }\n";
    for (const Way way : all_ways) { computes_what_it_did(chosen, way); }
}

TEST_CASE("what is right is validated for all sizes, and what is wrong at some of them is not") {
    const auto with = [](const std::string& from, const std::string& to) {
        std::string body = good;
        const auto at = body.find(from);
        REQUIRE(at != std::string::npos);
        return body.replace(at, from.size(), to);
    };
    using validator::Outcome;
    for (const Way way : all_ways) { CHECK(outcome(good, way) == Outcome::validated); }
    // A coordinate leaves its row, though the linear index stays in bounds.
    CHECK(outcome(with(":= s[n*y + x] +", ":= s[n*y + x + 1] +")) != Outcome::validated);
    CHECK(outcome(with("s[below*n + x]", "s[below*n + x - n]")) == Outcome::refuted);
    CHECK(outcome(with("(F.extent.1 + 1)];", "F.extent.1];")) == Outcome::refuted);
    CHECK(outcome(with("for x in [0, F.extent.0)", "for x in [0, min(F.extent.0, 9))")) == Outcome::refuted);
    CHECK(outcome(with("- t2 + x]", "- t2 + x + F.stride.1]")) == Outcome::refuted);
    // The value that is read is not used.
    CHECK(outcome(with("  free s;\n", "  let read : u16 = s[n*F.extent.1];\n  free s;\n")) == Outcome::validated);
    CHECK(outcome(with("  free s;\n", "  let read : u16 = s[n*F.extent.1 + n];\n  free s;\n")) == Outcome::refuted);
}

TEST_CASE("memory that stores its dimensions in another order is validated, and wrong accesses to it are not") {
    const auto transposed = [](const std::string& written, const std::string& read) {
        return "  let t1 = A.min.1*A.stride.1 + A.min.0;\n  let n = F.extent.1 + 1;\n"
               "  allocate s : u16[F.extent.0*n];\n"
               "  for x in [0, F.extent.0) {\n    for y in [0, n) {\n"
               "      let row = (F.min.1 + y)*A.stride.1 - t1;\n      s[" +
               written +
               "] {S(F.min.0 + x, F.min.1 + y)} := A[row + F.min.0 + x - 1] + A[row + F.min.0 + x];\n"
               "    }\n  }\n"
               "  let t2 = F.stride.1*F.min.1;\n"
               "  for y in [0, F.extent.1) {\n    for x in [0, F.extent.0) {\n"
               "      F[(y + F.min.1)*F.stride.1 - t2 + x] {F(F.min.0 + x, F.min.1 + y)} :="
               " s[x*n + y] + s[" +
               read + "];\n    }\n  }\n  free s;\n";
    };
    using validator::Outcome;
    computes_what_it_did(transposed("x*n + y", "x*n + y + 1"));
    for (const Way way : all_ways) {
        CHECK(outcome(transposed("x*n + y", "x*n + y + 1"), way) == Outcome::validated);
        CHECK(outcome(transposed("x*n + y", "x*n + y"), way) == Outcome::refuted);
        CHECK(outcome(transposed("x*n + y", "x*n + y + n"), way) == Outcome::refuted);
        CHECK(outcome(transposed("x*n + y + n", "x*n + y + 1"), way) == Outcome::refuted);
    }
}

TEST_CASE("an index that was written with the size of its row is divided by it all the same") {
    // The last tile is shifted inwards.
    const auto tiled = [](const std::string& base) {
        return "  assert 4 <= F.extent.0 \"a tile at least\";\n"
               "  let t1 = A.min.1*A.stride.1 + A.min.0;\n"
               "  allocate s : u16[F.extent.0*(F.extent.1 + 1)];\n"
               "  for y in [0, F.extent.1 + 1) {\n"
               "    let row = (F.min.1 + y)*A.stride.1 - t1;\n"
               "    for xo in [0, (F.extent.0 + 3)/4) {\n"
               "      let base = " +
               base +
               ";\n"
               "      for xi in [0, 4) {\n"
               "        s[F.extent.0*y + base + xi] {S(F.min.0 + base + xi, F.min.1 + y)} :="
               " A[row + F.min.0 + base + xi - 1] + A[row + F.min.0 + base + xi];\n"
               "      }\n    }\n  }\n"
               "  let t2 = F.stride.1*F.min.1;\n"
               "  for y in [0, F.extent.1) {\n"
               "    for x in [0, F.extent.0) {\n"
               "      F[(y + F.min.1)*F.stride.1 - t2 + x] {F(F.min.0 + x, F.min.1 + y)} :="
               " s[F.extent.0*y + x] + s[F.extent.0*y + F.extent.0 + x];\n"
               "    }\n  }\n"
               "  free s;\n";
    };
    using validator::Outcome;
    for (const Way way : all_ways) {
        CHECK(outcome(tiled("min(4*xo, F.extent.0 - 4)"), way) == Outcome::validated);
        // A tile that extends into the next or the previous row.
        CHECK(outcome(tiled("min(4*xo, F.extent.0 - 3)"), way) != Outcome::validated);
        CHECK(outcome(tiled("min(4*xo, F.extent.0 - 4) - 1"), way) != Outcome::validated);
    }
}

TEST_CASE("rows of constant width have a coordinate of their own, or one with the next dimension") {
    const std::string body =
        "  allocate s : u16[F.extent.0*7*F.extent.1];\n"
        "  for y in [0, F.extent.1) {\n    for x in [0, F.extent.0) {\n"
        "      s[(y*7 + 2)*F.extent.0 + x] {S(x, y)} := 0u16;\n    }\n  }\n";
    const auto text = [&](Rows rows) {
        return sched::print(converted(body, {Inlined::none, Corrected::named_like_extent, rows}).program);
    };
    CHECK(text(Rows::apart).contains("allocate s : u16[W, 7, H];"));
    CHECK(text(Rows::apart).contains("s[x, 2, y] {"));
    CHECK(text(Rows::joined).contains("allocate s : u16[W, 7*H];"));
    CHECK(text(Rows::joined).contains("s[x, 7*y + 2] {"));
}

TEST_CASE("what a let says of rows of constant width is taken apart where it is used") {
    const std::string body =
        "  allocate s : u16[388*8];\n"
        "  for y in [0, F.extent.1) {\n    let row = (y + 6)%8*388;\n    let base = min(4*y, 384);\n"
        "    for x in [0, 4) {\n      s[row + base + x] {S(x, y)} := 0u16;\n    }\n  }\n";
    const std::string text = sched::print(converted(body, all_ways[0]).program);
    INFO(text);
    CHECK(text.contains("allocate s : u16[388, 8];"));
    CHECK(text.contains("let base = min("));
    CHECK(text.contains("s[base + x, y - 8*((y + 6)/8) + 6] {"));
}

TEST_CASE("a product that is one factor is the extent of one dimension") {
    const auto text = [](const std::string& cells) {
        const std::string body = "  allocate s : u16[" + cells +
                                 "];\n  for x in [0, F.extent.0) { s[7*x + 2] {S(x, 0)} := 0u16; }\n  free s;\n";
        return sched::print(converted(body, all_ways[0]).program);
    };
    CHECK(text("1*(F.extent.0*7)").contains("allocate s : u16[7*W];"));
    CHECK(text("1*(F.extent.0*7)").contains("s[7*x + 2] {"));
    CHECK(text("1*F.extent.0*7").contains("allocate s : u16[W, 7];"));
}

TEST_CASE("what a prophecy or a let names anew has the name that it has already, wherever that is in scope") {
    const std::string body =
        "  let n = max(F.extent.0, 2);\n"
        "  for y in [0, F.extent.1) {\n    let m = max(2, F.extent.0) - 1;\n"
        "    for x in [0, F.extent.0) {\n"
        "      F[y*F.stride.1 + x] {let p = max(F.extent.0, 2) in let q = max(H, 4) in F(x + p + q, y)} := "
        "u16(i32<m>);\n"
        "    }\n    let inner = max(H, 3);\n"
        "    F[y*F.stride.1] {F(0, inner)} := u16(i32<n>);\n  }\n"
        "  F[0] {let q = max(H, 3) in F(q, 0)} := 0u16;\n";
    const std::string text = sched::print(converted(body, all_ways[0]).program);
    INFO(text);
    CHECK(text.contains("{let p = n in let q = max(H, 4) in F(x + p + q, y)}"));
    CHECK(text.contains("{let q = max(H, 3) in F(q, 0)}"));
}

TEST_CASE("a let inside an expression that no index needs any more is gone") {
    const std::string body =
        "  for y in [0, F.extent.1) {\n    for x in [0, F.extent.0) {\n"
        "      F[y*F.stride.1 + x] {F(3 + x, y - 2)} := let row = A.stride.1*(y + F.min.1) - A.min.1*A.stride.1 in "
        "A[row + x + F.min.0 - A.min.0] + A[row + x + F.min.0 - A.min.0 + A.stride.1];\n    }\n  }\n";
    CHECK(sched::print(converted(body).program).contains(":= A[x + 3, y - 2] + A[x + 3, y - 1];"));
}

TEST_CASE("a loop over a product of sizes becomes two loops") {
    const auto fused = [](const std::string& area, const std::string& row, const std::string& column) {
        return "  let t1 = A.min.1*A.stride.1 + A.min.0;\n  let t2 = F.stride.1*F.min.1;\n"
               "  let w = F.extent.0;\n"
               "  par v in [0, " +
               area +
               ") {\n"
               "    let all = v;\n"
               "    let y = " +
               row +
               ";\n"
               "    let a = (F.min.1 + y)*A.stride.1 - t1 + F.min.0 + " +
               column +
               ";\n"
               "    F[(y + F.min.1)*F.stride.1 - t2 + " +
               column + "] {F(F.min.0 + " + column +
               ", F.min.1 + y)} :="
               " (A[a - 1] + A[a]) + (A[a + A.stride.1 - 1] + A[a + A.stride.1]);\n  }\n";
    };
    using validator::Outcome;
    const std::string good = fused("w*F.extent.1", "v/w", "(all % F.extent.0)");
    for (const Way way : all_ways) { CHECK(outcome(good, way) == Outcome::validated); }
    CHECK(sched::print(converted(good).program).find("par v.quotient in [0, H)") != std::string::npos);
    CHECK(outcome(fused("F.extent.1*(w - 1)", "v/(w - 1)", "(v % (w - 1))")) == Outcome::refuted);
    CHECK(outcome(fused("w*F.extent.1", "v/w", "max(v % w - 1, 0)")) == Outcome::refuted);
}

TEST_CASE("what is asserted of sizes is a premise, or is not passed over") {
    const auto premises = [](const std::string& assertions) {
        std::string text;
        for (const auto& premise : converted(assertions + good).premises) {
            text += premise.text + (premise.condition ? "; " : " (not affine); ");
        }
        return text;
    };
    CHECK(premises("  let w = F.extent.0;\n  assert let t = w + 1 in 4 <= t \"lets\";\n") == "4 <= W + 1; 2 <= W; ");
    // The size in bytes, computed in 64 bits.
    CHECK(premises("  assert {size} i64(i32<F.extent.0>) * i64(i32<F.extent.1>) <= 2147483647i64"
                   " \"extents_too_large: F\";\n"
                   "  assert {size} i64(i32<A.extent.0>) * i64(i32<A.extent.1>) <= 2147483647i64"
                   " \"extents_too_large: A\";\n") == "2 <= W; ");
    // A smaller limit than necessary, or an assertion about something other than its name says.
    CHECK(premises("  assert {size} i64(i32<F.extent.0>) * i64(i32<F.extent.1>) <= 100i64"
                   " \"extents_too_large: F\";\n")
              .starts_with("i64(i32<W>) * i64(i32<H>) <= 100i64 (not affine); "));
    CHECK(premises("  assert {size} i64(i32<A.extent.0>) * i64(i32<A.extent.1>) <= 100i64"
                   " \"allocation_too_large: A\";\n")
              .find("<= 100i64 (not affine); ") != std::string::npos);
    CHECK(premises("  assert {type} A.extent.1 = 77 \"type\";\n").find("77") != std::string::npos);
    // Assertions about values for another reason, or after other statements.
    CHECK(premises("  assert i64(i32<F.extent.0>) <= 100i64 \"width\";\n")
              .starts_with("i64(i32<W>) <= 100i64 (not affine); "));
    CHECK(outcome("  allocate t : i32[1];\n  t[0] := 0i32;\n  assert t[0] == 1i32 \"data\";\n" + good) ==
          validator::Outcome::refuted);
    // A premise that never holds leaves nothing to validate.
    CHECK(premises("  let d = 3;\n  assert d = 2 \"dimensions\";\n") == "false; 2 <= W; ");
    CHECK(premises("  assert F.extent.0*F.extent.1 <= 64 \"area\";\n") == "W*H <= 64 (not affine); 2 <= W; ");
}

TEST_CASE("what is asserted of a buffer is a premise unless it holds of one that has just the cells it must have") {
    // A starts at 2 and -2, and has W + 1 by H + 1 cells.
    const auto premises = [](const std::string& assertion) {
        std::string text;
        for (const auto& premise : converted("  assert " + assertion + " \"in\";\n" + good).premises) {
            if (!premise.condition) { text += premise.text + "; "; }
        }
        return text;
    };
    for (const char* holds :
         {"0 <= A.extent.0", "A.extent.0 >= 0 and 0 <= A.extent.1 + 7", "1 < A.min.0", "2 <= A.min.0 and A.min.0 < 3",
          "A.min.0 = 2", "W < A.extent.0", "A.extent.0 >= W + 1", "A.min.0 + W <= A.extent.0 + 1", "A.stride.0 = 1"}) {
        INFO(holds);
        CHECK(premises(holds).empty());
    }
    for (const char* may_not :
         {"A.extent.0 <= 2*W", "A.extent.0 < W", "A.extent.0 <= W + 1", "2 < A.min.0", "A.min.1 = -1",
          "A.extent.0 <= A.extent.1", "A.extent.0 < A.min.0", "1 <= A.extent.0", "A.stride.1 <= 64",
          "A.extent.0*A.extent.1 <= 64", "W + 1 < A.extent.0 or A.min.0 < 0", "max(A.extent.0, 3) <= 4"}) {
        INFO(may_not);
        CHECK(premises(may_not) == std::string(may_not) + "; ");
    }
    CHECK(premises("A.min.0 <= 2 and A.extent.0 < W") == "A.extent.0 < W; ");
}

TEST_CASE("an input of which nothing is asserted has no cells where none is read") {
    const auto converted = [](const std::string& value) {
        const auto result =
            convert(specification(stencil), program(lowered("  F[0] {F(F.min.0, F.min.1)} := " + value + ";\n")));
        return result ? sched::print(result->program) : to_string(result.error());
    };
    CHECK(converted("7u16").find("  input A : u16[0, 0];\n") != std::string::npos);
    CHECK(converted("7u16 + A[0]") == "input of which no bounds are asserted: A");
}

TEST_CASE("an input has the cells that it is asserted to have, and no others") {
    using validator::Outcome;
    const auto asserted = [](const std::string& columns) {
        const auto result = convert(
            specification(stencil),
            program(lowered(columns + "  assert A.min.1 <= -2 and H - 1 <= A.min.1 + A.extent.1 \"rows\";\n" + good)));
        if (!result) { return to_string(result.error()); }
        const std::string text = sched::print(result->program);
        const auto begin = text.find("input A : u16[") + 14;
        return text.substr(begin, text.find(", H + 1 from -2]", begin) - begin);
    };
    // In any order and form; the smallest of all buffers that satisfy the assertions is chosen.
    CHECK(asserted("  assert W + 3 <= A.extent.0 + A.min.0 \"end\";\n  assert A.min.0 < 3 \"first\";\n") ==
          "W + 1 from 2");
    CHECK(asserted("  assert 2 >= A.min.0 and A.min.0 > W + 2 - A.extent.0 \"both\";\n") == "W + 1 from 2");
    CHECK(asserted("  assert A.min.0 = 2 and A.min.0 <= 5 and A.min.0 + A.extent.0 = W + 3 \"equal\";\n") ==
          "W + 1 from 2");
    CHECK(asserted("  assert A.min.0 <= 0 and W <= A.min.0 + A.extent.0 and 9 <= A.min.0 + A.extent.0 \"most\";\n") ==
          "W - min(0, W - 9)");
    for (const std::string nothing :
         {"", "  assert A.min.0 <= 2 \"no end\";\n", "  assert W + 3 <= A.min.0 + A.extent.0 \"no first\";\n",
          "  assert A.min.0 <= 2 and W + 1 <= A.extent.0 \"an extent alone\";\n",
          "  assert A.min.0 <= 2 or W + 3 <= A.min.0 + A.extent.0 \"one of them\";\n",
          "  assert A.min.0 <= A.stride.1 and W + 3 <= A.min.0 + A.extent.0 \"a stride\";\n"}) {
        INFO(nothing);
        CHECK(asserted(nothing) == "input of which no bounds are asserted: A");
    }
    // A read beyond the bounds is found, though its value is irrelevant.
    const auto reading = [](const std::string& cell) {
        return "  let t1 = A.min.1*A.stride.1 + A.min.0;\n"
               "  for y in [0, F.extent.1) {\n    for x in [0, F.extent.0) {\n"
               "      let row = (F.min.1 + y)*A.stride.1 - t1;\n"
               "      let v : u16 = A[row + " +
               cell +
               "];\n"
               "      let a = row + F.min.0 + x;\n      let b = a + A.stride.1;\n"
               "      F[(y + F.min.1)*F.stride.1 - F.stride.1*F.min.1 + x] {F(F.min.0 + x, F.min.1 + y)} :="
               " A[a - 1] + A[a] + A[b - 1] + A[b] + v - v;\n"
               "    }\n  }\n";
    };
    CHECK(outcome(reading("F.min.0 - 1 + x")) == Outcome::validated);
    CHECK(outcome(reading("F.min.0 - 2 + x")) == Outcome::refuted);
    CHECK(outcome(reading("F.min.0 + 1 + x")) == Outcome::refuted);
    CHECK(outcome(reading("F.min.0 + x + 2*A.stride.1")) == Outcome::refuted);
}

TEST_CASE("an input whose extent is a product of numbers has the cells of its tensor") {
    using validator::Outcome;
    const auto with = [](const std::string& beyond, const std::string& extent) {
        const sare::Sare down = specification(
            "sare down(W, V) assuming W = 16 and V >= 1 {\n  input A : i32[1]\n  F(x) = A(x % 2)\n"
            "  output F on { [x] : 0 <= x < " +
            extent + " }\n}\n");
        const sched::Program lowered = program(
            "sched down(W, V, A.min.0, A.extent.0, A.stride.0, F.min.0, F.extent.0, F.stride.0) {\n"
            "  input A : i32[A.extent.0 from A.min.0 stride A.stride.0];\n"
            "  output F : i32[F.extent.0 from F.min.0 stride F.stride.0];\n"
            "  assert A.min.0 <= 0 and 2*W <= A.min.0 + A.extent.0 \"in\";\n"
            "  if V < 1000 {\n    for x in [0, F.extent.0) {\n      F[x] {F(x)} := A[x % 2 - A.min.0];\n    }\n"
            "  } else {\n    for x in [0, F.extent.0) {\n      F[x] {F(x)} := A[" +
            beyond + " - A.min.0];\n    }\n  }\n}\n");
        const auto result = convert(down, lowered);
        if (!result) { FAIL(to_string(result.error())); }
        return validator::validate(down, result->program).outcome;
    };
    for (const std::string extent : {"32", "2*W"}) {
        CHECK(with("x % 2", extent) == Outcome::validated);
        CHECK(with("x", extent) == Outcome::refuted);
    }
}

TEST_CASE("what is read before it is asserted to be there is not taken from the assertion") {
    const sare::Sare one = specification(
        "sare one(W) assuming W >= 1 {\n  input A : i32[1]\n  F(x) = A(x)\n  output F on { [x] : 0 <= x < W }\n}\n");
    const auto with = [&](const std::string& between) {
        const auto result =
            convert(one, program("sched one(W, A.min.0, A.extent.0, A.stride.0, F.min.0, F.extent.0, F.stride.0) {\n"
                                 "  input A : i32[A.extent.0 from A.min.0 stride A.stride.0];\n"
                                 "  output F : i32[F.extent.0 from F.min.0 stride F.stride.0];\n"
                                 "  assert A.min.0 <= 0 and W <= A.min.0 + A.extent.0 \"in\";\n" +
                                 between +
                                 "  assert W + 10 <= A.min.0 + A.extent.0 \"late\";\n"
                                 "  for x in [0, W) { F[x] {F(x)} := A[x - A.min.0]; }\n}\n"));
        return result ? sched::print(result->program) : to_string(result.error());
    };
    CHECK(with("  let v : i32 = 7i32;\n").find("input A : i32[W + 10];") != std::string::npos);
    // A later assertion about a buffer is not used: its names may be out of scope.
    CHECK(with("  let v : i32 = A[W + 5 - A.min.0];\n").starts_with("buffers: "));
}

TEST_CASE("an index may be put where another name has taken the place of one of its own") {
    const std::string text = sched::print(
        converted("  for x in [0, F.extent.0) { let t = x; for x in [0, 1) { F[t] := 0u16; } }\n").program);
    INFO(text);
    CHECK(text.find("F[x + 3") != std::string::npos);
    CHECK(text.find("for x$1 in [0, 1)") != std::string::npos);
}

TEST_CASE("what is read before a write and after it is not one thing") {
    const std::string body =
        "  allocate s : i32[1];\n  s[0] := 0i32;\n  let v : i32 = s[0];\n  s[0] := 7i32;\n  let w : i32 = s[0];\n"
        "  F[int(w) - int(v)] {F(3, -2)} := 0u16;\n  free s;\n";
    CHECK_FALSE(why_not(body).empty());
}

TEST_CASE("a scalar has one cell, and another one is not taken for it") {
    const sare::Sare twice =
        specification("sare twice() {\n  input a : u8[0]\n  f() = a() + a()\n  output f on { [] : true }\n}\n");
    const auto with = [&](const std::string& read, const std::string& written) {
        return convert(twice, program("sched twice() {\n  input a : u8[1 stride 1];\n  output f : u8[1 stride 1];\n"
                                      "  f[" +
                                      written + "] {f()} := a[" + read + "] + a[0];\n}\n"));
    };
    const auto right = with("1 - 1", "0");
    REQUIRE(right);
    CHECK(validator::validate(twice, right->program).outcome == validator::Outcome::validated);
    for (const auto& wrong : {with("-1", "0"), with("1", "0"), with("0", "1")}) {
        REQUIRE_FALSE(wrong);
        CHECK(to_string(wrong.error()).find("a cell beyond a scalar") != std::string::npos);
    }
}

TEST_CASE("what a branch names is not what the other one means") {
    const std::string rows = "for x in [0, F.extent.0) { F[y*F.stride.1 + x] := ";
    computes_what_it_did(
        "  let m = 1;\n  semaphore s = 0;\n"
        "  fork { let m = F.extent.1; if m < 0 { skip; } release 1 of s; }\n"
        "  and { acquire 1 of s; for y in [0, m) { " +
        rows + "1u16; } } }\n");
    computes_what_it_did(
        "  allocate g : u16[1];\n  g[0] := 1u16;\n  semaphore s = 0;\n"
        "  fork { allocate g : u16[1]; g[0] := 2u16; release 1 of s; }\n"
        "  and { acquire 1 of s; for y in [0, F.extent.1) { " +
        rows + "g[0]; } } }\n");
}

TEST_CASE("what an index reads is not lost where it makes no difference") {
    for (const std::string index : {"0*int(A[99])", "int(A[99]) - int(A[99])", "int(A[99])%1",
                                    "A.stride.0*int(A[99]) - int(A[99])", "max(0*int(A[99]), 0)"}) {
        INFO(index);
        CHECK(why_not("  F[" + index + "] {F(3, -2)} := A[0];\n") == "data-dependent index");
        CHECK(why_not("  F[0] {F(3, -2)} := A[" + index + "];\n") == "data-dependent index");
        CHECK(why_not("  for x in [0, " + index + ") { skip; }\n") == "data-dependent loop bound");
        CHECK(why_not("  for x in [" + index + ", 3) { skip; }\n") == "data-dependent loop bound");
        CHECK(why_not("  allocate t : u16[" + index + "];\n") == "data-dependent extent");
        CHECK(why_not("  if 3 < 1 + " + index + " { skip; }\n") == "data-dependent index");
    }
}

TEST_CASE("what cannot be told apart is not converted") {
    CHECK(why_not("  F[0] {F(3, -2)} := A[int(A[0])];\n") == "data-dependent index");
    CHECK(why_not("  F[F.stride.1*F.stride.1] {F(3, -2)} := A[0];\n").starts_with("buffers: "));
    CHECK(why_not("  for x in [0, A.extent.0) { F[x] {F(3 + x, -2)} := A[x]; }\n").starts_with("buffers: "));
}

TEST_CASE("a program that has not what the specification has, or does what is not looked at, is not converted") {
    const sare::Sare copy = specification(
        "sare copy(H) assuming H >= 1 {\n  input A : i32[1]\n  F(x) = A(x)\n"
        "  output F on { [x] : 0 <= x < H }\n}\n");
    const auto made = [&](const std::string& parameters, const std::string& more, const std::string& body) {
        const auto program = sched::parse_program(
            "sched copy(" + parameters +
                "A.min.0, A.extent.0, A.stride.0, F.min.0, F.extent.0, F.stride.0) {\n"
                "  input A : i32[A.extent.0 from A.min.0 stride A.stride.0];\n"
                "  output F : i32[F.extent.0 from F.min.0 stride F.stride.0" +
                more +
                "];\n"
                "  assert A.min.0 <= F.min.0 and F.min.0 + F.extent.0 <= A.min.0 + A.extent.0 \"cells\";\n" +
                body + "}\n",
            "test");
        if (!program) { FAIL(to_string(program.error())); }
        return convert(copy, *program);
    };
    const auto converted = [&](const std::string& parameters, const std::string& more, const std::string& body) {
        return made(parameters, more, body).has_value();
    };
    const std::string read = "A[x + F.min.0 - A.min.0]";
    const auto loop = [&](const std::string& value) {
        return "  for x in [0, F.extent.0) { F[x] {F(F.min.0 + x)} := " + value + "; }\n";
    };
    CHECK(converted("H, ", "", loop(read)));
    CHECK_FALSE(converted("", "", "  for H in [0, 1) {" + loop("select(F.extent.0 = H, " + read + ", 1i32)") + "}\n"));
    CHECK_FALSE(converted("H, ", ", 0 from 0 stride 1", loop(read)));
    const auto copied = [&](const std::string& memory) {
        return "  allocate s : i32[" + memory + "];\n  for x in [0, F.extent.0) { s[x] {F(F.min.0 + x)} := " + read +
               "; }\n" + loop("s[x]");
    };
    CHECK(converted("H, ", "", copied("F.extent.0")));
    CHECK_FALSE(converted("H, ", "", copied("F.extent.0 from 5")));
    const auto keeps_fork = [&](const std::string& units) {
        const auto joined =
            made("H, ", "",
                 "  semaphore s = 0;\n  semaphore t = 0;\n  fork {\n    skip;\n    release " + units +
                     " of t;\n    release 1 of s;\n  } and {\n    acquire 1 of s;\n" + loop(read) + "  }\n");
        return !joined || sched::print(joined->program).find("fork") != std::string::npos;
    };
    CHECK_FALSE(keeps_fork("1"));
    CHECK(keeps_fork("-1"));
    CHECK_FALSE(converted("H, ", "",
                          "  allocate s : i32[F.extent.0];\n  let v : i32 = s[0];\n  for x in [0, F.extent.0) {\n"
                          "    F[x + int(v) - int(v)] {F(F.min.0 + x)} := " +
                              read + ";\n  }\n"));
}

TEST_CASE("the loops of a fused one have names that nothing else has") {
    const sare::Sare copy = specification(
        "sare copy(W, H) assuming W >= 1 and H >= 1 {\n  input A : i32[2]\n  F(x, y) = A(x, y)\n"
        "  output F on { [x, y] : 0 <= x < W and 0 <= y < H }\n}\n");
    const auto program = sched::parse_program(
        "sched copy(W, H, A.min.0, A.extent.0, A.stride.0, A.min.1, A.extent.1, A.stride.1, F.min.0, F.extent.0, "
        "F.stride.0, F.min.1, F.extent.1, F.stride.1) {\n"
        "  input A : i32[A.extent.0 from A.min.0 stride A.stride.0, A.extent.1 from A.min.1 stride A.stride.1];\n"
        "  output F : i32[F.extent.0 from F.min.0 stride F.stride.0, F.extent.1 from F.min.1 stride F.stride.1];\n"
        "  assert A.min.0 <= F.min.0 and F.min.0 + F.extent.0 <= A.min.0 + A.extent.0 \"columns\";\n"
        "  assert A.min.1 <= F.min.1 and F.min.1 + F.extent.1 <= A.min.1 + A.extent.1 \"rows\";\n"
        "  for v in [0, F.extent.0*F.extent.1) {\n    let y = v/F.extent.0;\n    let x = v % F.extent.0;\n"
        "    F[y*F.stride.1 + x] {F(x, y)} := A[(y - A.min.1)*A.stride.1 + x - A.min.0];\n"
        "    if 0 <= x {\n      let v.quotient = 0;\n      if F.extent.0 <= v {\n        F[0] {F(0, 0)} := 12345i32;\n"
        "      }\n    }\n  }\n}\n",
        "test");
    REQUIRE(program);
    const auto made = convert(copy, *program);
    REQUIRE(made);
    const std::string text = sched::print(made->program);
    INFO(text);
    CHECK(text.find("for v.quotient$ in") != std::string::npos);
    CHECK(text.find("for v.remainder in") != std::string::npos);
}

}  // namespace haruspex::conversion
