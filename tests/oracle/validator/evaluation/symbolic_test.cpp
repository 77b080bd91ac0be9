#include "tests/oracle/validator/evaluation/rules.h"

// Symbolic evaluation, rule by rule (thesis Fig. 5.4): a program's obligations, and their heaps.
namespace haruspex::validator {
namespace {

using value::BinaryOp;

const char* const copy_in = "for x in [0, N) { f[x] {F(x)} := a[x]; } ";

TEST_CASE("S-Skip: nothing has to be shown") {
    const Rules rules("skip;");
    CHECK(rules.breaks_nothing());
    CHECK(rules.equations(Kind::value).empty());
}

TEST_CASE("S-Assign: what is computed is what is prophesied, where the assignment runs") {
    const Rules rules("for x in [0, N) { f[x] {F(x)} := a[x]; }");
    const auto equations = rules.equations(Kind::value);
    REQUIRE(equations.size() == 1);
    CHECK(rules.is(equations[0], "[x] -> { $F[x] }", "[x] -> { $A[x] }", "[N, x] -> { : 0 <= x < N }"));
    CHECK(rules.breaks_nothing());
}

TEST_CASE("S-Assign: the cell that is written lies in its array") {
    CHECK(Rules("f[0] {F(0)} := 1i32;").breaks(Kind::bounds_write, "[N] -> { : N = 0 }"));

    CHECK(Rules("for x in [0, N + 1) { f[x] {F(x)} := 1i32; }").breaks(Kind::bounds_write, "[N] -> { : N >= 0 }"));
    CHECK(Rules("for x in [-1, N) { if x > N - 9 { f[x + 1] {F(x)} := 1i32; } }")
              .breaks(Kind::bounds_write, "[N] -> { : N >= 0 }"));
}

TEST_CASE("S-Assign: the cells that are read lie in their arrays") {
    CHECK(Rules("if N > 0 { f[0] {F(0)} := a[0] + a[3]; }").breaks(Kind::bounds_read, "[N] -> { : 0 < N <= 3 }"));
    CHECK(Rules("for x in [0, N) { f[x] {F(x)} := a[x] + (a[x + 1] ? (x < N - 1)); }").breaks_nothing());
}

TEST_CASE("S-Assign: an input is not written") {
    const std::string body = "if N > 3 { f[0] {A(0)} := a[0]; }";
    CHECK(Rules(body).breaks_nothing());
    // The text form rejects a write to an input.
    CHECK(Rules(body, rules_arrays, {"f"}).breaks(Kind::input_written, "[N] -> { : N > 3 }"));
}

TEST_CASE("S-Assign without a prophecy has no value to show") {
    const Rules rules("if N > 0 { f[0] := a[0]; }");
    CHECK(rules.equations(Kind::value).empty());
    CHECK(rules.breaks_nothing());
}

TEST_CASE("S-Seq: the second statement runs in the heap that the first one leaves") {
    const Rules rules("allocate t : i32[4]; t[0] {F(0)} := 1i32; t[1] {G(7)} := t[0]; t[2] {G(2)} := t[1];");
    const auto equations = rules.equations(Kind::value);
    REQUIRE(equations.size() == 3);
    CHECK(rules.is(equations[1], "{ $G[7] }", "{ $F[0] }", "[N] -> { : N >= 0 }"));
    CHECK(rules.is(equations[2], "{ $G[2] }", "{ $G[7] }", "[N] -> { : N >= 0 }"));
}

TEST_CASE("S-Let: obligations are about what the variable stands for") {
    const Rules rules("for x in [0, N) { let y = N - 1 - x; f[y] {F(y)} := a[y]; }");
    const auto equations = rules.equations(Kind::value);
    REQUIRE(equations.size() == 1);
    CHECK(rules.is(equations[0], "[N, x] -> { $F[N - 1 - x] }", "[N, x] -> { $A[N - 1 - x] }",
                   "[N, x] -> { : 0 <= x < N }"));
}

TEST_CASE("S-SeqLoop: an iteration runs in what the ones before it prophesied") {
    const Rules rules(
        "allocate t : i32[N + 1]; t[0] {F(0)} := 0i32; "
        "for x in [0, N) { t[x + 1] {G(x)} := t[x]; }");
    const auto equations = rules.equations(Kind::value);
    REQUIRE(equations.size() == 2);
    CHECK(rules.is(equations[1], "[x] -> { $G[x] }", "[x] -> { $F[0] : x = 0; $G[x - 1] : x > 0 }",
                   "[N, x] -> { : 0 <= x < N }"));
    CHECK(rules.breaks_nothing());
}

TEST_CASE("S-SeqLoop: the last of the earlier iterations that wrote the cell counts") {
    const Rules rules("allocate t : i32[2]; for x in [0, N) { t[x % 2] {G(x)} := t[(x + 1) % 2]; }");
    const auto equations = rules.equations(Kind::value);
    REQUIRE(equations.size() == 1);
    CHECK(rules.is(equations[0], "[x] -> { $G[x] }", "[x] -> { $G[x - 1] : x > 0; $uninit[] : x = 0 }",
                   "[N, x] -> { : 0 <= x < N }"));
}

TEST_CASE("S-SeqLoop: what the loop itself has not yet written is from before it") {
    const Rules rules(std::string(copy_in) + "for x in [0, N) { f[N - 1 - x] {G(x)} := f[x]; }");
    const auto equations = rules.equations(Kind::value);
    REQUIRE(equations.size() == 2);
    CHECK(rules.is(equations[1], "[x] -> { $G[x] }", "[N, x] -> { $F[x] : 2x <= N - 1; $G[N - 1 - x] : 2x >= N }",
                   "[N, x] -> { : 0 <= x < N }"));
}

TEST_CASE("S-ParLoop: an iteration runs in what was there before the loop") {
    const Rules rules(std::string(copy_in) + "par x in [0, N) { f[x] {G(x)} := f[x]; }");
    const auto equations = rules.equations(Kind::value);
    REQUIRE(equations.size() == 2);
    CHECK(rules.is(equations[1], "[x] -> { $G[x] }", "[x] -> { $F[x] }", "[N, x] -> { : 0 <= x < N }"));
    CHECK(rules.breaks_nothing());
}

TEST_CASE("rw-safe: no iteration reads what another one writes") {
    CHECK(Rules(std::string(copy_in) + "par x in [0, N) { f[x] {G(x)} := f[N - 1 - x]; }")
              .breaks(Kind::race_read_write, "[N] -> { : N > 1 }"));
    CHECK(Rules(std::string(copy_in) + "par x in [0, N - 1) { f[x] {G(x)} := f[N - 1]; }").breaks_nothing());
    CHECK(Rules(std::string(copy_in) + "par x in [0, N - 3) { f[x] {G(x)} := f[x + 3]; }")
              .breaks(Kind::race_read_write, "[N] -> { : N > 6 }"));
    // A sequential loop has no race.
    CHECK(Rules(std::string(copy_in) + "for x in [0, N - 3) { f[x] {G(x)} := f[x + 3]; }").breaks_nothing());
}

TEST_CASE("rw-safe: what is read by lets, under guards and in inner loops counts") {
    CHECK(Rules(std::string(copy_in) + "par x in [0, N) { let v : i32 = f[0]; f[x] {G(x)} := v; }")
              .breaks(Kind::race_read_write, "[N] -> { : N > 1 }"));
    CHECK(Rules(std::string(copy_in) + "par x in [0, N) { f[x] {G(x)} := f[0] ? (N > 4); }")
              .breaks(Kind::race_read_write, "[N] -> { : N > 4 }"));
    CHECK(Rules(std::string(copy_in) +
                "par x in [0, N) { for y in [0, x) { h[x, y] {H(x, y)} := f[y]; } f[x] {G(x)} := f[x]; }")
              .breaks(Kind::race_read_write, "[N] -> { : N > 1 }"));
    CHECK(Rules(std::string(copy_in) + "par x in [0, N) { if x > 5 { f[x] {G(x)} := f[6]; } }")
              .breaks(Kind::race_read_write, "[N] -> { : N > 7 }"));
    CHECK(
        Rules(std::string(copy_in) + "par x in [0, N) { f[x] {G(x)} := sum lanes l < 2 of (f[x + l] ? (x + l < N)); }")
            .breaks(Kind::race_read_write, "[N] -> { : N > 1 }"));
}

TEST_CASE("rw-safe: what an assertion reads counts") {
    CHECK(Rules(std::string(copy_in) + "par x in [0, N) { assert f[0] == f[0] \"same\"; f[x] {G(x)} := a[x]; }")
              .breaks(Kind::race_read_write, "[N] -> { : N > 1 }"));
}

TEST_CASE("rw-safe: local arrays of an iteration are its own") {
    CHECK(Rules("par x in [0, N) { allocate t : i32[1]; t[0] {F(x)} := a[x]; f[x] {F(x)} := t[0]; }").breaks_nothing());
    CHECK(Rules("allocate t : i32[1]; par x in [0, N) { t[0] {F(x)} := a[x]; f[x] {F(x)} := t[0]; }")
              .breaks(Kind::race_read_write, "[N] -> { : N > 1 }"));
}

TEST_CASE("sv-conflicts: iterations that write one cell with one value need nothing shown") {
    const Rules rules("par x in [0, N) { f[0] {F(0)} := a[0]; }");
    CHECK(rules.equations(Kind::race_write_write).empty());
    const Rules distinct("par x in [0, N) { f[x] {F(x)} := a[x]; }");
    CHECK(distinct.equations(Kind::race_write_write).empty());
}

TEST_CASE("conflicts, ww-covered: what two iterations leave in one cell has to be the same") {
    const Rules rules("par x in [0, N) { f[x / 2] {F(x)} := a[x]; }");
    const auto equations = rules.equations(Kind::race_write_write);
    // For the cell #0, an iteration x and a later one; and the other way round.
    REQUIRE(equations.size() == 2);
    CHECK(equations[0].environments.is_equal(equations[1].environments));
    CHECK(equations[0].specification.is_equal(equations[1].implementation));
    CHECK(equations[0].implementation.is_equal(equations[1].specification));
    const isl::set pairs = equations[0].environments;
    CHECK(affine::project_out(affine::project_out(affine::project_out(pairs, "x"), "x~"), "#0")
              .is_equal(rules.set("[N] -> { : N > 1 }")));
    CHECK(pairs.is_subset(rules.set("[x] -> { : x mod 2 = 0 }")));
    CHECK(heap::pieces(equations[0].specification.intersect_params(pairs)).size() == 1);
}

TEST_CASE("ww-covered: a cell that every conflicting iteration writes again is what counts") {
    const Rules rules("par x in [0, N) { f[0] {F(x)} := a[x]; f[0] {F(0)} := a[0]; }");
    CHECK(rules.equations(Kind::race_write_write).empty());
}

TEST_CASE("ww-covered: of values of which nothing is prophesied nothing is known") {
    CHECK(Rules("par x in [0, N) { f[0] := a[0]; }").equations(Kind::race_write_write).size() == 2);
    CHECK(Rules("par x in [0, N) { f[x] := a[0]; }").equations(Kind::race_write_write).empty());
}

TEST_CASE("S-If: each branch under its condition") {
    const Rules rules("for x in [0, N) { if x < 3 { f[x] {F(x)} := a[x]; } else { f[x] {G(x)} := a[x - 3]; } }");
    const auto equations = rules.equations(Kind::value);
    REQUIRE(equations.size() == 2);
    CHECK(rules.is(equations[0], "[x] -> { $F[x] }", "[x] -> { $A[x] }", "[N, x] -> { : 0 <= x < N and x < 3 }"));
    CHECK(rules.is(equations[1], "[x] -> { $G[x] }", "[x] -> { $A[x - 3] }", "[N, x] -> { : 3 <= x < N }"));
    CHECK(rules.breaks_nothing());
}

TEST_CASE("S-Allocate: fresh cells are not written, and lie between the bounds") {
    const Rules rules("if N > 0 { allocate t : i32[N]; f[0] {F(0)} := t[N - 1]; }");
    const auto equations = rules.equations(Kind::value);
    REQUIRE(equations.size() == 1);
    CHECK(rules.is(equations[0], "{ $F[0] }", "{ $uninit[] }", "[N] -> { : N > 0 }"));
    CHECK(rules.breaks_nothing());
    CHECK(Rules("allocate t : i32[N from 2]; for x in [0, N) { t[x + 2] {F(x)} := a[x]; }").breaks_nothing());
    CHECK(Rules("allocate t : i32[N - 1]; for x in [0, N) { t[x] {F(x)} := a[x]; }")
              .breaks(Kind::bounds_write, "[N] -> { : N > 0 }"));
    CHECK(Rules("allocate t : i32[5*(N / 5)]; for x in [0, N) { t[x] {F(x)} := a[x]; }")
              .breaks(Kind::bounds_write, "[N] -> { : N mod 5 > 0 }"));
}

TEST_CASE("S-Allocate: each entry makes fresh cells") {
    const Rules rules(
        "for x in [0, N) { allocate t : i32[1]; if x = 0 { t[0] {F(0)} := a[0]; } f[x] {F(x)} := t[0]; }");
    const auto equations = rules.equations(Kind::value);
    REQUIRE(equations.size() == 2);
    CHECK(rules.is(equations[1], "[x] -> { $F[x] }", "[x] -> { $F[0] : x = 0; $uninit[] : x > 0 }",
                   "[N, x] -> { : 0 <= x < N }"));
}

TEST_CASE("S-Allocate: an array under a condition is there where it holds") {
    CHECK(Rules("allocate t : i32[N] if N > 4; for x in [0, N) { t[x] {F(x)} := a[x]; }")
              .breaks(Kind::freed, "[N] -> { : 0 < N <= 4 }"));
    CHECK(Rules("allocate t : i32[N] if N > 4; if N > 5 { t[0] {F(0)} := a[0]; }").breaks_nothing());
}

TEST_CASE("free: the array is not accessed again, and freed once") {
    const std::string begin = "allocate t : i32[N + 1]; t[0] {F(0)} := 0i32; ";
    CHECK(Rules(begin + "free t;").breaks_nothing());
    CHECK(Rules(begin + "if N > 2 { free t; } if N > 0 { f[0] {F(0)} := t[0]; }")
              .breaks(Kind::freed, "[N] -> { : N > 2 }"));
    CHECK(Rules(begin + "if N > 2 { free t; } t[0] {F(0)} := 0i32;").breaks(Kind::freed, "[N] -> { : N > 2 }"));
    CHECK(Rules(begin + "if N > 2 { free t; } if N < 6 { free t; }").breaks(Kind::freed, "[N] -> { : 2 < N < 6 }"));
    CHECK(Rules(begin + "for x in [0, N) { free t; }").breaks(Kind::freed, "[N] -> { : N > 1 }"));
    CHECK(Rules(begin + "for x in [0, N) { f[x] {F(0)} := t[0]; if x = 3 { free t; } }")
              .breaks(Kind::freed, "[N] -> { : N > 4 }"));
}

TEST_CASE("free in a parallel loop: no other iteration accesses the array") {
    const auto is_refused = [](const std::string& body, const std::string& where) {
        const Rules rules("allocate t : i32[N + 1]; t[0] {F(0)} := 0i32; par x in [0, N) { " + body + " }");
        return rules.breaks(Kind::freed, where) || rules.breaks(Kind::race_read_write, where);
    };
    CHECK(is_refused("free t;", "[N] -> { : N > 1 }"));
    CHECK(is_refused("f[x] {F(0)} := t[0]; if x = 0 { free t; }", "[N] -> { : N > 1 }"));
    CHECK(is_refused("if x = 0 { free t; } else { t[x] {F(x)} := a[x]; }", "[N] -> { : N > 1 }"));
}

TEST_CASE("A value-let is evaluated where it stands, before and after a store") {
    const Rules before("if N > 1 { f[0] {F(0)} := a[0]; let v : i32 = f[0]; f[0] {G(0)} := a[1]; f[1] {F(1)} := v; }");
    const auto equations = before.equations(Kind::value);
    REQUIRE(equations.size() == 3);
    CHECK(before.is(equations[2], "{ $F[1] }", "{ $F[0] }", "[N] -> { : N > 1 }"));
    const Rules after("if N > 1 { f[0] {F(0)} := a[0]; f[0] {G(0)} := a[1]; let v : i32 = f[0]; f[1] {F(1)} := v; }");
    CHECK(after.is(after.equations(Kind::value).at(2), "{ $F[1] }", "{ $G[0] }", "[N] -> { : N > 1 }"));
    // Reads of a let must be in bounds where the let is, even if it is not used.
    CHECK(Rules("let v : i32 = a[2];").breaks(Kind::bounds_read, "[N] -> { : N <= 2 }"));
}

TEST_CASE("A value-let of lanes has the value of each lane where it stands") {
    const Rules rules("if N >= 4 { let v[l < 4] : i32 = a[2*l]; for k in [0, 4) { f[k] {F(k)} := v[3 - k]; } }");
    const auto equations = rules.equations(Kind::value);
    REQUIRE(equations.size() == 1);
    // The tensor also has cells beyond the array; reading them is a violation of its own.
    CHECK(rules.is(equations[0], "[k] -> { $F[k] }", "[k] -> { $A[6 - 2k] }", "[N, k] -> { : N >= 4 and 0 <= k < 4 }"));
    CHECK(rules.breaks(Kind::bounds_read, "[N] -> { : 4 <= N <= 6 }"));
}

TEST_CASE("A value-let of lanes may hide another one of its name") {
    const Rules rules(
        "if N >= 4 { let v[l < 4] : i32 = a[l]; if N >= 5 { let v[l < 4] : i32 = v[3 - l]; "
        "for k in [0, 4) { f[k] {F(k)} := v[k]; } } }");
    const auto equations = rules.equations(Kind::value);
    REQUIRE(equations.size() == 1);
    CHECK(rules.is(equations[0], "[k] -> { $F[k] }", "[k] -> { $A[3 - k] }", "[N, k] -> { : N >= 5 and 0 <= k < 4 }"));
}

TEST_CASE("Lanes read the heap before the assignment") {
    const Rules rules(std::string(copy_in) + "if N >= 4 { lanes l < 4 do f[l] {G(l)} := f[3 - l]; }");
    const auto equations = rules.equations(Kind::value);
    REQUIRE(equations.size() == 2);
    CHECK(rules.is(equations[1], "[l] -> { $G[l] }", "[l] -> { $F[3 - l] }", "[N, l] -> { : N >= 4 and 0 <= l < 4 }"));
}

TEST_CASE("Lanes write different cells, or the same value") {
    CHECK(Rules("if N >= 4 { lanes l < 4 do f[l] {F(l)} := a[l]; }").equations(Kind::lanes).empty());
    CHECK(Rules("if N >= 4 { lanes l < 4 do f[0] {F(0)} := a[0]; }").equations(Kind::lanes).empty());
    const Rules colliding("if N >= 4 { lanes l < 4 do f[l / 2] {F(l)} := a[l]; }");
    const auto equations = colliding.equations(Kind::lanes);
    REQUIRE(equations.size() == 2);
    const isl::set where = affine::project_out(affine::project_out(equations[0].environments, "l~"), "#0");
    CHECK(where.is_equal(colliding.set("[N, l] -> { : N >= 4 and (l = 0 or l = 2) }")));
    // Two lanes collide only at some sizes.
    CHECK(Rules("lanes l < 4 do if l < N do f[min(l, N - 2)] {F(l)} := a[l];").equations(Kind::lanes).size() == 2);
}

TEST_CASE("Only the lanes that take part have to be shown") {
    const Rules rules("lanes l < 8 do if l < N do f[l] {F(l)} := a[l];");
    const auto equations = rules.equations(Kind::value);
    REQUIRE(equations.size() == 1);
    CHECK(rules.is(equations[0], "[l] -> { $F[l] }", "[l] -> { $A[l] }", "[N, l] -> { : 0 <= l < 8 and l < N }"));
    CHECK(rules.breaks_nothing());
}

TEST_CASE("The writes of one assignment read the heap before it, and the later one to a cell stays") {
    const Rules swap(std::string(copy_in) + "if N > 1 { f[0] {G(0)} := f[1], f[1] {G(1)} := f[0]; }");
    const auto equations = swap.equations(Kind::value);
    REQUIRE(equations.size() == 3);
    CHECK(swap.is(equations[1], "{ $G[0] }", "{ $F[1] }", "[N] -> { : N > 1 }"));
    CHECK(swap.is(equations[2], "{ $G[1] }", "{ $F[0] }", "[N] -> { : N > 1 }"));
    CHECK(swap.breaks_nothing());
    CHECK(Rules("if N > 4 { f[4] {F(0)} := a[0], f[N - 1] {F(1)} := a[1]; }").breaks_nothing());
}

TEST_CASE("An assertion on indices holds in every environment") {
    CHECK(Rules("assert N >= 0 \"sizes\";").breaks_nothing());
    CHECK(Rules("assert N != 5 \"sizes\";").breaks(Kind::assertion, "[N] -> { : N = 5 }"));
    CHECK(Rules("for x in [0, N) { assert x < 7 \"few\"; }").breaks(Kind::assertion, "[N] -> { : N > 7 }"));
}

TEST_CASE("An assertion on values is an equation with true") {
    Rules rules("if N > 0 { assert a[0] < 5i32 \"small\"; }");
    heap::Templates& templates = rules.templates();
    rules.call("yes", templates.literal(value::Value::boolean(true)));
    rules.call("less", templates.apply(BinaryOp::lt, rules.cell("A"), rules.literal(5)));
    const auto equations = rules.equations(Kind::assertion);
    REQUIRE(equations.size() == 1);
    CHECK(rules.is(equations[0], "{ $yes[] }", "{ $less[0] }", "[N] -> { : N > 0 }"));
    CHECK(Rules("assert a[0] < 5i32 \"small\";").breaks(Kind::bounds_read, "[N] -> { : N = 0 }"));
}

}  // namespace
}  // namespace haruspex::validator
