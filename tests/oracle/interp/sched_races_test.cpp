#include "tests/oracle/interp/sched_support.h"

// Races between iterations of par loops: the programs of thesis section 4.2, and further ones from lowered code.
namespace haruspex::interp {
namespace {

// Runs a program over scalars x, y and z, which are 5 at first.
Run scalars(const std::string& statements) {
    return Run(
        "sched p() {\n  output x : i32[];\n  output y : i32[];\n  output z : i32[];\n  output f : i32[8];\n"
        "  x[] := 5i32; y[] := 5i32; z[] := 5i32;\n" +
        statements + "\n}\n");
}
// The kind of race, for any number of statements; empty if there is none.
std::string races(const std::string& statements) {
    const Run run = scalars(statements);
    for (const Trouble& trouble : run.troubles()) { CHECK(trouble.kind == run.troubles().front().kind); }
    return run.troubles().empty() ? "" : std::string(name(run.troubles().front().kind));
}

TEST_CASE("thesis 4.2: a write that is undone before the end of its iteration still races with a read") {
    CHECK(races(R"(
      par i in [0, 2) {
        if i = 0 { y[] := x[]; x[] := 0i32; x[] := y[]; }
        if i = 1 { z[] := x[]; }
      })") == "read_write_race");
    // The same if the reader comes first.
    CHECK(races(R"(
      par i in [0, 2) {
        if i = 1 { y[] := x[]; x[] := 0i32; x[] := y[]; }
        if i = 0 { z[] := x[]; }
      })") == "read_write_race");
}

TEST_CASE("thesis 4.2: an iteration that writes nothing does not bring back the old value") {
    const Run first = scalars("x[] := 0i32; par i in [0, 2) { if i = 1 { x[] := i32<i>; } }");
    CHECK(first.kinds().empty());
    CHECK(first.cells("x") == "1");
    const Run second = scalars("x[] := 1i32; par i in [0, 2) { if i = 0 { x[] := i32<i>; } }");
    CHECK(second.kinds().empty());
    CHECK(second.cells("x") == "0");
}

TEST_CASE("iterations and lanes may leave zeros of either sign where nothing tells these apart") {
    const auto kinds = [](const std::string& first, const std::string& second, bool ignores_sign_of_zero) {
        Options options;
        options.ignores_sign_of_zero = ignores_sign_of_zero;
        const std::string value = "select(i = 0, " + first + ", " + second + ")";
        const auto run = [&](const std::string& statement) {
            return Run("sched p() {\n  output x : f32[];\n  " + statement + "\n}\n", {}, options).kinds();
        };
        return run("par i in [0, 2) { x[] := " + value + "; }") + " " + run("lanes i < 2 do x[] := " + value + ";");
    };
    CHECK(kinds("-0.0f32", "0.0f32", false) == "write_write_race lane_conflict");
    CHECK(kinds("-0.0f32", "0.0f32", true) == " ");
    CHECK(kinds("-0.0f32", "1.0f32", true) == "write_write_race lane_conflict");
    CHECK(kinds("nan_f32", "0.0f32", true) == "write_write_race lane_conflict");
}

TEST_CASE("thesis 4.2: races between different values are covered by equal last values") {
    const Run run = scalars("par i in [0, 2) { x[] := i32<i>; x[] := 7i32; }");
    CHECK(run.kinds().empty());
    CHECK(run.cells("x") == "7");
    CHECK(races("par i in [0, 3) { x[] := 7i32; x[] := i32<i / 2>; }") == "write_write_race");
}

TEST_CASE("thesis 4.2: a race of equal values is benign") {
    const Run run = scalars("par i in [0, 2) { x[] := 7i32; }");
    CHECK(run.kinds().empty());
    CHECK(run.cells("x") == "7");
    // The last tile of a loop is shifted inwards.
    CHECK(races("par t in [0, 3) { for k in [0, 3) { f[min(3*t, 5) + k] := i32<min(3*t, 5) + k>; } }").empty());
    CHECK(races("par t in [0, 3) { for k in [0, 3) { f[min(3*t, 5) + k] := i32<t>; } }") == "write_write_race");
}

TEST_CASE("Uninit races with a value, and is benign with itself") {
    CHECK(races("par i in [0, 2) { allocate t : i32[1]; if i = 1 { t[0] := 1i32; } x[] := t[0]; }") ==
          "write_write_race");
    CHECK(races("par i in [0, 2) { allocate t : i32[1]; x[] := t[0]; }").empty());
}

TEST_CASE("any NaN is as good as another, but zeros have signs") {
    const auto kinds = [](const std::string& zero, const std::string& one) {
        return Run("sched p() { output f : f32[]; par i in [0, 2) { f[] := select(i = 0, " + zero + ", " + one +
                   "); } }")
            .kinds();
    };
    CHECK(kinds("nan_f32", "inf_f32 - inf_f32").empty());
    CHECK(kinds("0.0f32", "0.0f32").empty());
    CHECK(kinds("0.0f32", "-0.0f32") == "write_write_race");
}

TEST_CASE("iterations of different loops, and of serial loops, do not race") {
    CHECK(races("par i in [0, 4) { f[i] := i32<i>; } par i in [0, 4) { f[3 - i] := f[3 - i] + 1i32; }").empty());
    CHECK(races("for t in [0, 3) { par i in [0, 4) { f[i] := i32<i + t>; } }").empty());
    CHECK(races("for i in [0, 4) { x[] := x[] + 1i32; }").empty());
    CHECK(races("par i in [2, 3) { x[] := x[] + 1i32; }").empty());
}

TEST_CASE("a nested par loop passes what it reads and writes outward") {
    CHECK(races("par i in [0, 2) { par j in [0, 2) { f[j] := i32<i>; } }") == "write_write_race");
    CHECK(races("par i in [0, 2) { par j in [0, 2) { f[j] := i32<j>; } }").empty());
    CHECK(races("par i in [0, 2) { par j in [0, 2) { f[i] := i32<i>; } }").empty());
    CHECK(races("par i in [0, 2) { par j in [0, 2) { f[i] := i32<j>; } }") == "write_write_race");
    const Run reads = scalars("par i in [0, 2) { par j in [0, 2) { f[2*i + j] := x[]; } if i = 1 { x[] := 1i32; } }");
    REQUIRE(reads.kinds() == "read_write_race");
    CHECK(to_string(reads.troubles().front()) ==
          "iteration i = 1 writes x[], which iteration i = 0 reads: `x[] := 1i32` at i = 1");
    // The inner loops are free of races; only the outer one is to blame.
    const Run inner = scalars("par i in [4, 7) { par j in [0, 2) { f[j + i - 4] := i32<10*i + j>; } }");
    REQUIRE(inner.kinds() == "write_write_race");
    CHECK(to_string(inner.troubles().front()) ==
          "iteration i = 5 leaves 50i32 in f[1], which iteration i = 4 leaves as 41i32: `f[j + i - 4] := i32<10*i + "
          "j>` at i = 5");
}

TEST_CASE("an array allocated in an outer iteration is shared by the inner loop's") {
    CHECK(races("par i in [0, 2) { allocate b : i32[2]; par j in [0, 2) { b[j] := i32<i>; } par j in [0, 2) { "
                "allocate c : i32[]; c[] := b[1 - j]; f[2*i + j] := c[] * c[]; } }")
              .empty());
    CHECK(
        races("par i in [0, 2) { allocate b : i32[2]; par j in [0, 2) { b[j] := i32<i>; f[2*i + j] := b[1 - j]; } }") ==
        "read_write_race");
}

TEST_CASE("lanes are no iterations, but belong to theirs") {
    CHECK(races("par i in [0, 2) { lanes l < 4 do f[4*i + l] := i32<l>; }").empty());
    CHECK(races("par i in [0, 2) { lanes l < 4 do f[3*i + l] := i32<l>; }") == "write_write_race");
    CHECK(races("par i in [0, 2) { lanes l < 4 do f[3*i + l] := i32<3*i + l>; }").empty());
}

TEST_CASE("a condition, a bound and a let that read memory race, too") {
    CHECK(races("par i in [0, 2) { if i = 0 { x[] := 1i32; } else { if x[] == 1i32 { skip; } } }") ==
          "read_write_race");
    CHECK(races("par i in [0, 2) { if i = 0 { x[] := 1i32; } else { let v : i32 = x[]; } }") == "read_write_race");
    CHECK(races("par i in [0, 2) { if i = 0 { x[] := 1i32; } else { assert x[] == 1i32 \"one\"; } }") ==
          "read_write_race");
}

TEST_CASE("atomic updates of one cell by several iterations are no race") {
    const Run sum = scalars("par r in [0, 8) { atomic { x[] := x[] + i32<r>; } }");
    CHECK(sum.kinds().empty());
    CHECK(sum.cells("x") == "33");
    CHECK(races("par r in [0, 8) { atomic { x[] += {r} i32<r>; } }").empty());
    CHECK(races("par r in [0, 8) { x[] += {r} i32<r>; }") == "read_write_race");
    CHECK(races("par q in [0, 2) { par r in [0, 4) { atomic { x[] += {r} i32<r>; } } }").empty());
}

TEST_CASE("atomic updates race with every other access") {
    CHECK(races("par r in [0, 4) { if r = 3 { y[] := x[]; } else { atomic { x[] += {r} 1i32; } } }") ==
          "read_write_race");
    CHECK(races("par r in [0, 4) { if r = 0 { y[] := x[]; } else { atomic { x[] += {r} 1i32; } } }") ==
          "read_write_race");
    CHECK(races("par r in [0, 4) { x[] := 0i32; atomic { x[] += {r} 1i32; } }") == "read_write_race");
    // A read in an atomic block is not an update.
    CHECK(races("par r in [0, 4) { if r = 3 { atomic { y[] := x[]; } } else { atomic { x[] += {r} 1i32; } } }") ==
          "read_write_race");
    CHECK(races("par r in [0, 4) { if r = 0 { atomic { y[] := x[]; } } else { atomic { x[] += {r} 1i32; } } }") ==
          "read_write_race");
    CHECK(races("par r in [0, 4) { atomic { x[] += {r} 1i32; } if r = 3 { y[] := x[]; } }") == "read_write_race");
    // A value that is read for an update must not be updated itself.
    CHECK(races("f[0] := 0i32; f[1] := 0i32; par r in [0, 2) { atomic { f[r] := f[1 - r]; } }") == "read_write_race");
}

TEST_CASE("an iteration that frees an array races with those that access it") {
    const std::string shared = "allocate t : i32[2]; t[0] := 1i32; t[1] := 1i32;\n";
    CHECK(races(shared + "par i in [0, 2) { if i = 0 { y[] := t[1]; } else { free t; } }") == "read_write_race");
    CHECK(races(shared + "par i in [0, 2) { if i = 0 { t[1] := 1i32; } else { free t; } }") == "write_write_race");
    CHECK(races(shared + "par i in [0, 2) { if i = 0 { free t; } else { y[] := t[1]; } }") == "read_after_free");
    CHECK(races(shared + "par i in [0, 2) { if i = 1 { y[] := t[1]; free t; } }").empty());
    CHECK(races(shared + "for i in [0, 2) { if i = 0 { y[] := t[1]; } else { free t; } }").empty());
    CHECK(races("par i in [0, 2) { allocate t : i32[1]; t[0] := 1i32; f[i] := t[0]; free t; }").empty());
    const Run run = scalars(shared + "par i in [3, 5) { if i = 3 { y[] := t[1]; } else { free t; } }");
    REQUIRE(run.troubles().size() == 1);
    CHECK(to_string(run.troubles().front()) == "frees t[1], which iteration i = 3 reads: `free t` at i = 4");
}

TEST_CASE("an atomic block protects the loops around it, not those within") {
    CHECK(races("par q in [0, 2) { atomic { for r in [0, 4) { x[] += {r} 1i32; } } }").empty());
    CHECK(races("par q in [0, 2) { atomic { par r in [0, 4) { x[] += {r} 1i32; } } }") == "read_write_race");
    CHECK(races("par q in [0, 2) { atomic { par r in [0, 1) { x[] += {r} 1i32; } } }").empty());
}

}  // namespace
}  // namespace haruspex::interp
