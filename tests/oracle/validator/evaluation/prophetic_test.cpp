#include "tests/oracle/validator/evaluation/rules.h"

// Prophetic evaluation, rule by rule (thesis Fig. 5.3), and SCHED's extensions.
namespace haruspex::validator {
namespace {

TEST_CASE("T-Skip: nothing is left") { CHECK(Rules("skip;").leaves("{ }")); }

TEST_CASE("T-Assign: the cell holds what is prophesied, whatever is computed") {
    CHECK(Rules("f[N - 1] {F(2*N)} := 7i32;").leaves("[N] -> { f[N - 1] -> $F[2N] }"));
    Rules of_expression("f[0] {A(0) + A(N)} := a[0];");
    of_expression.call(
        "sum", of_expression.templates().apply(value::BinaryOp::add, of_expression.cell("A"), of_expression.cell("A")));
    CHECK(of_expression.leaves("[N] -> { f[0] -> $sum[0, N] }"));
}

TEST_CASE("T-Assign without a prophecy: something of which nothing is known") {
    CHECK(Rules("f[0] := a[0];").leaves("{ f[0] -> $unknown[] }"));
}

TEST_CASE("T-Assign of several cells leaves all of them") {
    CHECK(Rules("f[0] {F(0)} := a[0], h[0, 1] {H(0, 1)} := b[0, 1];").leaves("{ f[0] -> $F[0]; h[0, 1] -> $H[0, 1] }"));
}

TEST_CASE("T-Assign under a condition leaves cells where it holds") {
    CHECK(Rules("if N > 3 do f[0] {F(0)} := a[0];").leaves("[N] -> { f[0] -> $F[0] : N > 3 }"));
}

TEST_CASE("T-Assign of lanes leaves the cells of all of them that take part") {
    CHECK(Rules("lanes l < 4 do f[2*l] {F(l)} := a[l];").leaves("{ f[i] -> $F[l] : i = 2l and 0 <= l < 4 }"));
    CHECK(Rules("lanes l < 4 do if l < N do f[l] {F(l)} := a[l];")
              .leaves("[N] -> { f[l] -> $F[l] : 0 <= l < 4 and l < N }"));
}

TEST_CASE("T-Seq: what is written later stays") {
    CHECK(Rules("f[0] {F(0)} := a[0]; f[1] {F(1)} := a[1]; f[0] {A(5)} := a[0];")
              .leaves("{ f[0] -> $A[5]; f[1] -> $F[1] }"));
}

TEST_CASE("T-SeqLoop: the iterated update, each cell by its last iteration") {
    CHECK(Rules("for x in [0, N) { f[x] {F(x)} := a[x]; }").leaves("[N] -> { f[x] -> $F[x] : 0 <= x < N }"));
    CHECK(Rules("for x in [2, N) { f[0] {F(x)} := a[x]; }").leaves("[N] -> { f[0] -> $F[N - 1] : N > 2 }"));
    CHECK(Rules("for x in [0, N) { f[x % 4] {F(x)} := a[x]; }")
              .leaves("[N] -> { f[i] -> $F[x] : 0 <= i < 4 and x = N - 1 - ((N - 1 - i) mod 4) and x >= 0 }"));
    CHECK(Rules("for x in [0, N) { f[0] {F(x)} := a[x]; f[1] {F(x + 1)} := a[x]; }")
              .leaves("[N] -> { f[i] -> $F[x] : 0 <= i <= 1 and x = N - 1 + i and N > 0 }"));
    CHECK(Rules("unrolled x in [0, 3) { f[x] {F(x)} := a[x]; }").leaves("{ f[x] -> $F[x] : 0 <= x < 3 }"));
    CHECK(Rules("for x in [3, N - 8) { f[x] {F(x)} := a[x]; }").leaves("[N] -> { f[x] -> $F[x] : 3 <= x < N - 8 }"));
}

TEST_CASE("T-SeqLoop in a loop of the same name") {
    CHECK(Rules("for x in [0, N) { let y = x; for x in [0, 2) { h[y, x] {H(y, x)} := b[y, x]; } }")
              .leaves("[N] -> { h[y, x] -> $H[y, x] : 0 <= y < N and 0 <= x < 2 }"));
}

TEST_CASE("T-ParLoop: the iterated union, one value to a cell") {
    CHECK(Rules("par x in [0, N) { f[x] {F(x)} := a[x]; }").leaves("[N] -> { f[x] -> $F[x] : 0 <= x < N }"));
    // ν chooses the smallest index.
    CHECK(Rules("par x in [0, N) { f[0] {F(x)} := a[x]; }").leaves("[N] -> { f[0] -> $F[0] : N > 0 }"));
}

TEST_CASE("T-Let: an index or a condition is what it stands for") {
    CHECK(Rules("for x in [0, N) { let y = N - 1 - x; f[y] {F(y)} := a[y]; }")
              .leaves("[N] -> { f[x] -> $F[x] : 0 <= x < N }"));
    CHECK(Rules("let few = N < 3; if few { f[0] {F(0)} := a[0]; } else { f[0] {F(1)} := a[1]; }")
              .leaves("[N] -> { f[0] -> $F[0] : N < 3; f[0] -> $F[1] : N >= 3 }"));
    // A name hides an outer one until the end of its block.
    CHECK(Rules("let y = 1; if N > 0 { let y = y + 1; f[y] {F(y)} := a[y]; } f[y] {F(y)} := a[y];")
              .leaves("[N] -> { f[2] -> $F[2] : N > 0; f[1] -> $F[1] }"));
}

TEST_CASE("T-If: each branch where its condition says") {
    CHECK(Rules("for x in [0, N) { if x % 2 = 0 { f[x] {F(x)} := a[x]; } else { f[x] {G(x)} := a[x]; } }")
              .leaves("[N] -> { f[x] -> $F[x] : 0 <= x < N and x mod 2 = 0; "
                      "f[x] -> $G[x] : 0 <= x < N and x mod 2 = 1 }"));
    CHECK(Rules("if N > 1 { f[0] {F(0)} := a[0]; }").leaves("[N] -> { f[0] -> $F[0] : N > 1 }"));
}

TEST_CASE("T-Allocate: the cells of an array leave with its block") {
    CHECK(Rules("allocate t : i32[N]; t[0] {F(0)} := a[0]; f[0] {F(0)} := t[0];").leaves("{ f[0] -> $F[0] }"));
    // An array that hides another one of the same name leaves that one's cells unchanged.
    CHECK(Rules("f[0] {F(0)} := a[0]; if N > 0 { allocate f : i32[4]; f[0] {G(0)} := a[0]; free f; }")
              .leaves("{ f[0] -> $F[0] }"));
}

TEST_CASE("Linear memory is known by its rows, where strides or a product of numbers tell them") {
    const std::string body = "for y in [0, N) { for x in [0, 3) { o[x + 8*y] {H(x, y)} := b[x, y]; } }";
    const std::string input = "input b for B : i32[3, N]; ";
    CHECK(Rules(body, input + "output o for H : i32[3 stride 1, N stride 8]; ")
              .leaves("[N] -> { o[x, y] -> $H[x, y] : 0 <= x < 3 and 0 <= y < N }"));
    // A cell may have two coordinates here.
    CHECK(Rules(body, input + "output o for H : i32[9 stride 1, N stride 8]; ")
              .leaves("[N] -> { o[i] -> $H[x, y] : i = x + 8y and 0 <= x < 3 and 0 <= y < N }"));
    const std::string output = "output o for H : i32[3, N]; ";
    const std::string write =
        "for y in [0, 4) { t[2 + 3*y - 1] {H(1, y)} := b[1, y]; } o[1, 2] {H(1, 2)} := t[3*2 + 1]; ";
    Rules product("allocate t : i32[3*4]; " + write, input + output);
    CHECK(product.leaves("{ o[1, 2] -> $H[1, 2] }"));
    // The cell beyond a row is another row's.
    CHECK(Rules("allocate t : i32[3*4]; for y in [0, 4) { t[3*y + 3] {H(0, y + 1)} := b[0, y + 1]; }"
                "for x in [0, 3) { o[x, 0] {H(x, 0)} := b[x, 0]; }",
                input + output)
              .leaves("{ o[x, 0] -> $H[x, 0] : 0 <= x < 3 }"));
}

}  // namespace
}  // namespace haruspex::validator
