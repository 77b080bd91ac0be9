#include "tests/oracle/interp/sched_support.h"

// The rules of thesis Fig. 4.5 and section 7.3.6, one test each.
namespace haruspex::interp {
namespace {

std::string result(const std::string& statements, const Sizes& sizes = {{"N", -8}}) {
    const Run run(over_f(statements), sizes);
    if (!run.troubles().empty()) { FAIL(to_string(run.troubles().front())); }
    return run.cells("f");
}

TEST_CASE("U-SKIP changes nothing") {
    CHECK(result("skip;") == "uninit_i32 uninit_i32 uninit_i32 uninit_i32");
    CHECK(result("f[1] := 5i32; skip; accumulate f { } if true { } else { skip; }") ==
          "uninit_i32 5 uninit_i32 uninit_i32");
}

TEST_CASE("U-SEQ: the second statement sees what the first one wrote, and its writes win") {
    CHECK(result("f[0] := 1i32; f[1] := f[0] + 1i32; f[0] := f[1] * 10i32; f[2] := f[0]; f[3] := f[1];") ==
          "20 2 20 2");
}

TEST_CASE("U-IF-TRUE runs the first branch only") {
    CHECK(result("f[0] := 0i32; if N < 0 { f[0] := 1i32; f[1] := 2i32; } else { f[0] := 3i32; } f[2] := f[0];") ==
          "1 2 1 uninit_i32");
    CHECK(result("if in[1] == 1i32 { f[0] := 1i32; }") == "1 uninit_i32 uninit_i32 uninit_i32");
}

TEST_CASE("U-IF-FALSE runs the second branch only") {
    CHECK(result("if N > 0 { f[0] := 1i32; } else { f[0] := 3i32; f[1] := 4i32; }") == "3 4 uninit_i32 uninit_i32");
    CHECK(result("if in[1] == 2i32 { f[0] := 1i32; }") == "uninit_i32 uninit_i32 uninit_i32 uninit_i32");
}

TEST_CASE("U-LET: the rest of the block sees the value, which no later write changes") {
    CHECK(result(R"(
        let x = N + 9;
        f[x] := i32<x>;
        if true { let x = 3; f[x] := i32<10*x>; }
        f[2*x] := i32<x>;
        f[0] := 7i32;
        let v : i32 = f[0];
        f[0] := 8i32;
        f[2*x] := v;)") == "8 1 7 30");
    CHECK(result("for x in [0, 4) { f[x] := 2i32; } let v[l < 3] : i32 = f[l] + i32<l>; f[0] := 50i32; f[3] := v[0]; "
                 "f[2] := v[1]; f[1] := v[2];") == "50 4 3 2");
}

TEST_CASE("U-FOR: iterations run in order from the minimum over the extent, each in the memory of those before") {
    CHECK(result("f[0] := 1i32; for x in [1, 4) { f[x] := f[x - 1] * 3i32; }") == "1 3 9 27");
    CHECK(result("for x in [0, 0) { f[x] := 1i32; } for x in [3, 1) { f[x] := 1i32; }") ==
          "uninit_i32 uninit_i32 uninit_i32 uninit_i32");
    CHECK(result("for y in [N + 6, N + 8) { for x in [0, 2) { f[2*y + 4 + x] := i32<y>; } }") == "-2 -2 -1 -1");
    CHECK(result("f[0] := 1i32; vector x in [1, 3) { f[x] := f[x - 1] * 3i32; } unrolled x in [3, 4) { f[x] := f[x - "
                 "1] * 3i32; }") == "1 3 9 27");
}

TEST_CASE("U-PARLOOP: without races the updates of all iterations are united") {
    CHECK(result("par x in [0, 4) { f[x] := in[3 - x]; }") == "3 2 1 0");
    CHECK(result("f[0] := 1i32; f[3] := 9i32; par x in [1, 3) { f[x] := f[0] + f[3]; f[x] := f[x] + 1i32; }") ==
          "1 11 11 9");
    CHECK(result("par y in [0, 2) { par x in [0, 2) { f[2*y + x] := i32<10*y + x>; } }") == "0 1 10 11");
}

TEST_CASE("U-ASSIGN writes the value to the cell") {
    CHECK(result("f[int(in[2])] := in[3];") == "uninit_i32 uninit_i32 3 uninit_i32");
    CHECK(result("f[0] := 1i32; if N = 0 do f[0] := 2i32; if in[1] == 1i32 do f[1] := 5i32;") ==
          "1 5 uninit_i32 uninit_i32");
}

TEST_CASE("U-ASSIGN, several writes: all values are read before any is written") {
    CHECK(result("f[0] := 1i32; f[1] := 2i32; f[0] := f[1], f[1] := f[0];") == "2 1 uninit_i32 uninit_i32");
}

TEST_CASE("U-ALLOCATE: fresh Uninit cells at each entry, until the end of the block") {
    CHECK(result(R"(
        for x in [0, 3) {
          allocate t : i32[2];
          if x = 1 { t[0] := 5i32; }
          f[x] := t[0];
          t[0] := 9i32;
        })") == "uninit_i32 5 uninit_i32 uninit_i32");
    CHECK(result("allocate t : i32[2, 3 from -1]; t[1, -1] := 4i32; t[0, 1] := 5i32; f[0] := t[1, -1]; f[1] := t[0, "
                 "1]; f[2] := t[1, 1];") == "4 5 uninit_i32 uninit_i32");
}

TEST_CASE("U-ALLOCATE: a local array hides an outer one of its name, and keeps apart from it") {
    CHECK(result(R"(
        allocate t : i32[2];
        t[0] := 1i32;
        if true {
          allocate t : i32[4];
          t[0] := 2i32;
          t[3] := 3i32;
          f[0] := t[0];
          f[3] := t[3];
        }
        f[1] := t[0];)") == "2 1 uninit_i32 3");
}

TEST_CASE("U-ALLOCATE: what a par loop's iteration does to its own array is no race") {
    CHECK(result(R"(
        par x in [0, 4) {
          allocate t : i32[1];
          t[0] := in[x];
          t[0] += {} 10i32;
          f[x] := t[0];
        })") == "10 11 12 13");
}

TEST_CASE("RED-U-SEQ and RED-U-ASSIGN: a plain write ends what was accumulated") {
    CHECK(result("f[0] := 1i32; f[0] += {} 4i32; f[1] := f[0]; f[0] := 7i32; f[0] *= {} 2i32;") ==
          "14 5 uninit_i32 uninit_i32");
    CHECK(result("f[0] += {} 4i32;") == "uninit_i32 uninit_i32 uninit_i32 uninit_i32");
}

TEST_CASE("RED-U-FOR: the iterations' accumulations compose in order") {
    CHECK(result("f[0] := 0i32; accumulate f { for r in [0, 4) { f[0] += {r} in[r]; } }") ==
          "6 uninit_i32 uninit_i32 uninit_i32");
    CHECK(result("f[0] := 1i32; for r in [0, 3) { f[0] *= {r} 3i32; f[0] += {r} i32<r>; }") ==
          "32 uninit_i32 uninit_i32 uninit_i32");
}

TEST_CASE("RED-U-OPASSIGN folds the value into the cell, for every operator") {
    CHECK(result("for x in [0, 4) { f[x] := i32<2*x>; } for x in [0, 4) { f[x] += {x} in[x]; }") == "0 3 6 9");
    CHECK(result("for x in [0, 4) { f[x] := i32<2*x>; } for x in [0, 4) { f[x] *= {x} in[x]; }") == "0 2 8 18");
    CHECK(result("for x in [0, 4) { f[x] := i32<2*x>; } for x in [0, 4) { f[x] min= {x} 3i32; }") == "0 2 3 3");
    CHECK(result("for x in [0, 4) { f[x] := i32<2*x>; } for x in [0, 4) { f[x] max= {x} 3i32; }") == "3 3 4 6");
    const Run logic(R"(sched p() {
  output f : bool[4];
  for x in [0, 4) { f[x] := [x < 2]; }
  for x in [0, 2) { f[2*x] and= {x} [x = 0]; f[2*x + 1] or= {x} [x = 1]; }
})");
    CHECK(logic.cells("f") == "true true false true");
}

TEST_CASE("RED-U-OPASSIGN: the location is read, too, so that no race on it is benign") {
    CHECK(Run(over_f("f[0] := 0i32; par r in [0, 4) { f[0] += {r} 0i32; }"), {{"N", 0}}).kinds() == "read_write_race");
    CHECK(Run(over_f("f[0] := 0i32; par r in [0, 4) { if r = 1 { f[0] += {r} 1i32; } }"), {{"N", 0}}).kinds().empty());
}

TEST_CASE("assertions that hold, and atomic and accumulate blocks, have no effect of their own") {
    CHECK(result("assert N < 0 \"small\"; assert in[1] == 1i32 \"one\"; atomic { f[0] := 1i32; } accumulate f { f[1] "
                 ":= 2i32; }") == "1 2 uninit_i32 uninit_i32");
}

TEST_CASE("strided arrays have a linear index; inputs and outputs go by coordinates") {
    const Run run(R"(sched p(W) {
  input in : i32[4 from 2 stride 1, 3 from -1 stride W];
  output f : i32[2 stride 3, 3 stride 1];
  output g for t[1] : i32[2 from 5 stride -1];
  for y in [0, 2) { for x in [0, 3) { f[3*y + x] := in[W*x + y]; } }
  g[0] := 5i32;
  g[-1] := 6i32;
})",
                  {{"W", 6}});
    CHECK(run.kinds().empty());
    // in at coordinates (2 + y, -1 + x) holds 2 + y + 10 (x - 1).
    CHECK(run.cells("f") == "-8 -7 2 3 12 13");
    CHECK(run.cells("g") == "5 6");
    const FinalArray& g = run.execution().outputs.at(1);
    CHECK(g.tensor == "t");
    CHECK(g.component == 1);
    CHECK(g.min == std::vector<std::int64_t>{5});
    CHECK(g.extent == std::vector<std::int64_t>{2});
}

TEST_CASE("inputs are asked for by tensor, component and coordinates") {
    const Run run(
        "sched p() {\n  input a for t[2] : i32[2 from 7];\n  output f : i32[2];\n  f[0] := a[7], f[1] := a[8];\n}\n",
        {}, {}, [](const std::string& tensor, int component, const std::vector<std::int64_t>& c) {
            CHECK(tensor == "t");
            return numbered_cells(tensor, component, c);
        });
    CHECK(run.cells("f") == "2007 2008");
}

TEST_CASE("an input's cell is asked for once, when it is read") {
    std::vector<std::string> asked;
    const Run run(
        "sched p() { input in : i32[3 from 5 stride 1, 1000 stride 4]; output f : i32[3]; f[0] := in[2]; f[1] := "
        "in[9]; "
        "f[2] := in[2] + in[9]; }",
        {}, {}, [&](const std::string& tensor, int component, const std::vector<std::int64_t>& c) {
            asked.push_back(std::to_string(c.at(0)) + " " + std::to_string(c.at(1)));
            return numbered_cells(tensor, component, c);
        });
    CHECK(run.cells("f") == "7 26 33");
    CHECK(asked == std::vector<std::string>{"7 0", "6 2"});
}

TEST_CASE("an input whose coordinates share cells holds the last one's value") {
    CHECK(Run("sched p() { input in : i32[3 stride 0, 2 stride 1]; output f : i32[2]; f[0] := in[0]; f[1] := in[1]; }")
              .cells("f") == "2 12");
    CHECK(Run("sched p() { input in : i32[3 stride 1, 2 stride 2]; output f : i32[5]; for x in [0, 5) { f[x] := in[x]; "
              "} }")
              .cells("f") == "0 1 10 11 12");
}

TEST_CASE("prophesied writes are told in their order, with values and evaluated indices") {
    std::vector<std::string> told;
    Options options;
    options.prophesied = [&](const ProphesiedWrite& w) {
        std::string text = w.tensor + "." + std::to_string(w.component);
        for (const std::int64_t c : w.coordinates) { text += " " + std::to_string(c); }
        for (const std::int64_t r : w.reduced) { text += " @" + std::to_string(r); }
        told.push_back(text + " = " + value::to_string(w.value) + " in " + w.write->array);
    };
    const Run run(over_f(R"(
  for x in [0, 2) { f[x] {A(x + 5)[1]} := in[x]; }
  lanes l < 2 do if l = 1 do f[l] {A(l, N)} := 7i32, f[3 + l] {B(2)} := i32<l>;
  f[0] := 0i32;
  f[2] {A(0) + 1i32} := 0i32;
  f[0] {S(0)} += {N + 2} 3i32;
  f[40] {A(0)} := 0i32;
)"),
                  {{"N", 0}}, options);
    CHECK(run.kinds() == "out_of_bounds_write");
    CHECK(told == std::vector<std::string>{"A.1 5 = 0i32 in f", "A.1 6 = 1i32 in f", "A.0 1 0 = 7i32 in f",
                                           "B.0 2 = 1i32 in f", "S.0 0 @2 = 3i32 in f"});
}

TEST_CASE("what went wrong before the limit of steps was reached is known, and nothing else") {
    Options options;
    options.most_steps = 1000;
    const auto executed = [&](const std::string& statements) {
        return run(parse_sched(over_f(statements)), {{"N", 0}}, numbered_cells, options);
    };
    const auto wrong = executed("f[0] := 1i32; f[40] := 1i32; for x in [0, 1000) { f[0] := 1i32; }");
    REQUIRE(wrong);
    REQUIRE(wrong->troubles.size() == 1);
    CHECK(wrong->troubles[0].kind == TroubleKind::out_of_bounds_write);
    CHECK(wrong->cut_short == "the program needs more than 1000 steps");
    CHECK(wrong->outputs.empty());
    CHECK_FALSE(executed("for x in [0, 1000) { f[0] := 1i32; } f[40] := 1i32;"));
    // An allocation with a negative extent alone is harmless.
    CHECK_FALSE(executed("for y in [0, 1) { allocate t : i32[-3]; skip; } for x in [0, 1000) { f[0] := 1i32; }"));
    // The branches are not run again in another order.
    const auto forked = executed("f[40] := 1i32; fork { for x in [0, 1000) { f[0] := 1i32; } } and { f[1] := 1i32; }");
    REQUIRE(forked);
    CHECK(forked->cut_short == "the program needs more than 1000 steps");
    CHECK(forked->steps < 2000);
}

TEST_CASE("steps are statements, iterations and lanes, and their limit is an Error") {
    CHECK(Run(over_f("f[0] := 1i32; skip; lanes l < 5 do f[l] := 2i32;"), {{"N", 0}}).execution().steps == 7);
    CHECK(Run(over_f("for x in [0, 3) { f[x] := 1i32; }"), {{"N", 0}}).execution().steps == 7);
    const auto runs_out = [](const std::string& statements) {
        Options options;
        options.most_steps = 1000;
        const sched::Program program = parse_sched(over_f(statements));
        const auto result = run(program, {{"N", 0}}, numbered_cells, options);
        return !result && result.error().message == "the program needs more than 1000 steps";
    };
    CHECK(runs_out("for x in [0, 1000) { f[0] := 1i32; }"));
    CHECK(runs_out("for x in [0, 1000000000000) { }"));
    CHECK(runs_out("par x in [0, 1000000000000) { skip; }"));
    CHECK(runs_out("lanes l < 1001 do f[0] := 1i32;"));
    CHECK(runs_out("f[0] := sum lanes l < 1001 of (1i32);"));
    CHECK(runs_out("let v[l < 1001] : i32 = 1i32;"));
    CHECK(runs_out("f[0] := (let v[l < 1001] : f32 = 1.0f32 in i32(v[0] + 1.0f32));"));
    CHECK(runs_out("for x in [0, 100) { allocate t : i32[6400]; }"));
    CHECK_FALSE(runs_out("for x in [0, 100) { allocate t : i32[64]; }"));
    // An index with 2^depth limits.
    const auto indexed = [](int depth) {
        std::string index = "min(x, 3)";
        for (int d = 0; d < depth; ++d) { index = "(" + index + " + " + index + ")"; }
        return "for x in [0, 100) { f[" + index + " % 4] := 1i32; }";
    };
    CHECK(runs_out(indexed(10)));
    CHECK_FALSE(runs_out(indexed(6)));
}

TEST_CASE("more than 2^26 cells are an Error") {
    const auto is_too_large = [](const std::string& statements) {
        const sched::Program program = parse_sched(over_f(statements));
        const auto result = run(program, {{"N", 0}}, numbered_cells, {});
        return !result && result.error().message == "the program's arrays have more than 2^26 cells";
    };
    CHECK(is_too_large("allocate t : i32[67108865];"));
    CHECK(is_too_large("allocate t : i32[10000, 10000];"));
    CHECK(is_too_large("allocate t : i32[2 stride 1, 2 stride 67108864];"));
    CHECK(is_too_large("allocate t : i32[1000000 stride 0, 1000000 stride 0];"));
    CHECK(is_too_large("allocate t : i32[67108864];"));  // in addition to the arrays' cells
    CHECK_FALSE(is_too_large("allocate t : i32[1000, 1000];"));
}

}  // namespace
}  // namespace haruspex::interp
