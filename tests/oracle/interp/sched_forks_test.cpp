#include <set>

#include "oracle/interp/sched_turns.h"
#include "tests/oracle/interp/sched_support.h"

// Parallel branches: orders between them, and the errors without an order.
namespace haruspex::interp {
namespace {

// A program over an input in and an output f, with eight cells each, and scalars x and y.
std::string program(const std::string& statements) {
    return "sched p() {\n  input in : i32[8];\n  output f : i32[8];\n  output x : i32[];\n  output y : i32[];\n" +
           statements + "\n}\n";
}
// Every trouble, "kind: message\n".
std::string messages(const std::string& statements) {
    std::string text;
    const Run run(program(statements));
    for (const Trouble& trouble : run.troubles()) {
        text += std::string(name(trouble.kind)) + ": " + to_string(trouble) + "\n";
    }
    return text;
}
std::string kinds(const std::string& statements) { return Run(program(statements)).kinds(); }

// A circular buffer of two cells between a branch that writes in to it and one that copies it to f. The producer begins
// each iteration with `free`, the consumer ends it with `done`.
std::string buffer(const std::string& free, const std::string& done) {
    return "allocate t : i32[2]; semaphore empty = 2; semaphore full = 0;\n"
           "fork { for i in [0, 8) { " +
           free +
           " t[i % 2] := in[i]; release 1 of full; } }\n"
           "and { for i in [0, 8) { acquire 1 of full; f[i] := t[i % 2]; " +
           done + " } }";
}

TEST_CASE("branches of a fork that share nothing end where one after the other would") {
    const Run run(program("fork { for i in [0, 4) { f[i] := in[i]; } } and { for i in [4, 8) { f[i] := 1i32; } }"));
    CHECK(run.kinds().empty());
    CHECK(run.cells("f") == "0 1 2 3 1 1 1 1");
}

TEST_CASE("unordered accesses of two branches race when one of them writes, whatever the value") {
    CHECK(messages("x[] := 0i32; fork { x[] := 1i32; } and { y[] := x[]; }") ==
          "read_write_race: reads x[], which another branch writes in `x[] := 1i32`, and neither happens before the "
          "other: `y[] := x[]`\n");
    CHECK(messages("for i in [3, 4) { fork { x[] := in[i]; } and { x[] := in[i]; } }") ==
          "write_write_race: writes x[], which another branch writes in `x[] := in[i]`, and neither happens before the "
          "other: `x[] := in[i]` at i = 3\n");
    CHECK(kinds("x[] := 0i32; fork { y[] := x[]; } and { f[0] := x[]; }").empty());
    CHECK(kinds("fork { f[0] := 1i32; } and { f[1] := 1i32; }").empty());
    CHECK(kinds("x[] := 0i32; fork { y[] := x[]; } and { x[] += {0} 1i32; }") == "read_write_race");
}

TEST_CASE("a branch that frees an array is unordered with another one that accesses it") {
    const std::string shared = "allocate t : i32[2]; t[0] := 1i32; t[1] := 1i32; semaphore s = 0;\n";
    CHECK(messages(shared + "fork { y[] := t[1]; } and { free t; }") ==
          "read_write_race: frees t[1], which another branch reads in `y[] := t[1]`, and neither happens before the "
          "other: `free t`\n");
    CHECK(kinds(shared + "fork { t[0] := 2i32; } and { free t; }") == "write_write_race");
    CHECK(kinds(shared + "fork { y[] := t[1]; release 1 of s; } and { acquire 1 of s; free t; }").empty());
    CHECK(kinds(shared + "fork { y[] := t[1]; free t; } and { x[] := 1i32; }").empty());
    CHECK(kinds(shared + "fork { y[] := t[1]; } and { x[] := t[1]; } free t;").empty());
}

TEST_CASE("what stands before a fork happens before its branches, and they before what stands after it") {
    const Run run(
        program("x[] := 1i32; fork { x[] := x[] + 1i32; } and { skip; } x[] := x[] + 1i32;\n"
                "fork { skip; } and { x[] := x[] + 1i32; } y[] := x[];"));
    CHECK(run.kinds().empty());
    CHECK(run.cells("y") == "4");
}

TEST_CASE("a branch inside of a branch races with the one beside") {
    CHECK(kinds("fork { fork { x[] := 1i32; } and { skip; } } and { x[] := 2i32; }") == "write_write_race");
    CHECK(kinds("fork { fork { x[] := 1i32; } and { skip; } x[] := 2i32; } and { y[] := 1i32; }").empty());
    // Statements of the outer branch after its nested fork are not ordered with the other branch either.
    CHECK(kinds("semaphore s = 0; x[] := 0i32;\n"
                "fork { fork { release 1 of s; } and { skip; } x[] := 1i32; } and { acquire 1 of s; y[] := x[]; }") ==
          "read_write_race");
}

TEST_CASE("a release happens before the acquire that takes its units") {
    const std::string consumer = " and { acquire 1 of s; y[] := x[]; }";
    const Run run(program("semaphore s = 0; fork { x[] := 7i32; release 1 of s; }" + consumer));
    CHECK(run.kinds().empty());
    CHECK(run.cells("y") == "7");
    CHECK(kinds("semaphore s = 0; fork { release 1 of s; x[] := 7i32; }" + consumer) == "read_write_race");
    // The unit taken may be the initial one, however late it is taken.
    CHECK(kinds("x[] := 0i32; semaphore s = 1; fork { x[] := 7i32; release 1 of s; }" + consumer) == "read_write_race");
    CHECK(kinds("semaphore s = 1; fork { x[] := 7i32; release 1 of s; } and { acquire 2 of s; y[] := x[]; }").empty());
    CHECK(kinds("semaphore s = 0; fork { release 1 of s; x[] := 7i32; release 1 of s; }" + consumer) ==
          "read_write_race");
    // Zero units give no order.
    CHECK(kinds("x[] := 0i32; semaphore s = 0; fork { x[] := 7i32; release 0 of s; } and { acquire 0 of s; y[] := x[]; "
                "}") == "read_write_race");
}

TEST_CASE("order is passed on from branch to branch") {
    const auto chain = [](const std::string& last) {
        return "semaphore s = 0; semaphore t = 0;\n"
               "fork { x[] := 1i32; release 1 of s; }\n"
               "and { fork { acquire 1 of s; release 1 of t; } and { " +
               last + " y[] := x[]; } }";
    };
    CHECK(kinds(chain("acquire 1 of t;")).empty());
    CHECK(kinds(chain("")) == "read_write_race");
}

TEST_CASE("two semaphores protect a circular buffer") {
    const Run run(program(buffer("acquire 1 of empty;", "release 1 of empty;")));
    CHECK(run.kinds().empty());
    CHECK(run.cells("f") == "0 1 2 3 4 5 6 7");
}

TEST_CASE("a circular buffer whose consumer releases nothing is a deadlock, and one without protection races") {
    CHECK(messages(buffer("acquire 1 of empty;", "")) ==
          "deadlock: waits without end for 1 units of empty, which has 0: `acquire 1 of empty` at i = 2\n"
          "deadlock: waits without end for 1 units of full, which has 0: `acquire 1 of full` at i = 2\n");
    CHECK(kinds(buffer("", "release 1 of empty;")) == "read_write_race read_write_race");
    // In one iteration the producer does not wait, so it may use a third cell.
    CHECK(kinds(buffer("acquire select(i = 5, 0, 1) of empty;", "release 1 of empty;")).starts_with("read_write_race"));
}

TEST_CASE("a deadlock is found in every interleaving; who waits for more than one unit takes them at once") {
    const std::string crossed =
        "semaphore s = 0; semaphore t = 0;\n"
        "fork { acquire 1 of s; release 1 of t; } and { acquire 1 of t; release 1 of s; }";
    CHECK(kinds(crossed) == "deadlock deadlock");
    CHECK(kinds("semaphore s = 0; fork { acquire 3 of s; } and { for i in [0, 3) { release 1 of s; } }").empty());
    CHECK(kinds("semaphore s = 0; fork { acquire 3 of s; } and { for i in [0, 2) { release 1 of s; } }") == "deadlock");
    CHECK(kinds("semaphore s = 2; acquire 1 of s; acquire 1 of s; release 1 of s; acquire 1 of s;").empty());
    CHECK(kinds("semaphore s = 2; acquire 3 of s;") == "deadlock");
}

TEST_CASE("a semaphore begins anew where it is declared again") {
    CHECK(kinds("for i in [0, 3) { semaphore s = 0; fork { release 1 of s; } and { acquire 1 of s; } }").empty());
    CHECK(kinds("for i in [0, 2) { semaphore s = 1 - i; acquire 1 of s; release 1 of s; }") == "deadlock");
}

TEST_CASE("negative_units and units without a value end the run") {
    CHECK(messages("semaphore s = 0; release 0 - 1 of s; f[9] := 0i32;") ==
          "negative_units: asks for -1 units of s: `release 0 - 1 of s`\n");
    CHECK(kinds("semaphore s = 0 - 1;") == "negative_units");
    CHECK(kinds("semaphore s = 2; for i in [0, 3) { acquire 1 - i of s; }") == "negative_units");
    CHECK(
        messages("semaphore s = 0; acquire int(x[]) of s; f[9] := 0i32;") ==
        "depends_on_uninit: a number of units of s depends on memory that was not written: `acquire int(x[]) of s`\n");
    const std::string most = "release 9223372036854775807 of s;";
    CHECK(kinds("semaphore s = 0; " + most + most) == "index_overflow");
}

TEST_CASE("par loops of different branches keep apart") {
    const std::string loop = "par i in [0, 4) { f[4*k + i] := in[i]; acquire 1 of s; release 1 of s; }";
    const auto in_branch = [&](const std::string& k) { return "{ let k = " + k + "; semaphore s = 1; " + loop + " }"; };
    const Run run(program("fork " + in_branch("0") + " and " + in_branch("1")));
    CHECK(run.kinds().empty());
    CHECK(run.cells("f") == "0 1 2 3 0 1 2 3");
    // Iterations still race, with forks inside and outside.
    CHECK(kinds("fork { par i in [0, 4) { x[] := i32<i>; } } and { skip; }") == "write_write_race");
    CHECK(kinds("par i in [0, 4) { fork { x[] := i32<i>; } and { skip; } }") == "write_write_race");
    CHECK(kinds("par i in [0, 4) { fork { f[i] := i32<i>; } and { f[i + 4] := 0i32; } }").empty());
    CHECK(kinds("x[] := 0i32; par i in [0, 4) { atomic { fork { x[] += {i} 1i32; } and { skip; } } }").empty());
}

TEST_CASE("a loop of an iteration's own array is of that iteration, whichever branch runs in between") {
    const Run run(
        program("par i in [0, 4) { allocate t : i32[1]; semaphore s = 0;\n"
                "fork { t[0] := in[i]; release 1 of s; } and { acquire 1 of s; f[i] := t[0]; } }"));
    CHECK(run.kinds().empty());
    CHECK(run.cells("f").starts_with("0 1 2 3 "));
}

TEST_CASE("order_matters: where the order of units leaves it to chance who comes first") {
    // Both wait for the same unit, so no access is unordered.
    const std::string racing =
        "x[] := 0i32; semaphore lock = 1;\n"
        "fork { acquire 1 of lock; x[] := 1i32; release 1 of lock; }\n"
        "and { acquire 1 of lock; x[] := 2i32; release 1 of lock; }";
    CHECK(messages(racing) == "order_matters: what is in x depends on the order in which branches take turns\n");
    // A negative extent alone is not trouble.
    CHECK(messages("allocate t : i32[0 - 1]; " + racing).ends_with("order in which branches take turns\n"));
    Options once;
    once.interleavings = 1;
    CHECK(Run(program(racing), {}, once).kinds().empty());
    CHECK(Run(program("semaphore lock = 1;\n"
                      "fork { acquire 1 of lock; f[9] := 1i32; release 1 of lock; }\n"
                      "and { acquire 1 of lock; f[9] := 2i32; release 1 of lock; }"),
              {}, {.padding = Padding{5, Filling::zero, 0}})
              .kinds() == "order_matters");
}

TEST_CASE("strands take turns: first branches first, second ones first, each in turn, at random but always alike") {
    const std::vector<loops::StrandId> ready{{1}, {3}, {5}};
    const auto order = [&](std::uint32_t interleaving, int count) {
        loops::Turns turns(interleaving);
        std::vector<std::uint32_t> chosen;
        for (int i = 0; i < count; ++i) { chosen.push_back(turns.choose(ready).value); }
        return chosen;
    };
    CHECK(order(0, 3) == std::vector<std::uint32_t>{1, 1, 1});
    CHECK(order(1, 3) == std::vector<std::uint32_t>{5, 5, 5});
    CHECK(order(2, 5) == std::vector<std::uint32_t>{1, 3, 5, 1, 3});
    const auto random = order(3, 40);
    CHECK(random == order(3, 40));
    CHECK(random != order(4, 40));
    CHECK(std::set<std::uint32_t>(random.begin(), random.end()).size() == 3);
}

TEST_CASE("steps of all interleavings count, and each has the limit; writes are prophesied once") {
    const std::string text = program("fork { f[0] {A(0)} := 1i32; } and { f[1] {A(1)} := 1i32; }");
    Options options;
    options.interleavings = 1;
    const std::uint64_t once = Run(text, {}, options).execution().steps;
    options.interleavings = 5;
    options.most_steps = once;
    int prophesied = 0;
    options.prophesied = [&](const ProphesiedWrite&) { ++prophesied; };
    CHECK(Run(text, {}, options).execution().steps == 5 * once);
    CHECK(prophesied == 2);
    options.most_steps = once - 1;
    CHECK_FALSE(run(parse_sched(text), {}, numbered_cells, options).has_value());
}

TEST_CASE("a program without forks is run once") {
    Options options;
    options.interleavings = 4;
    const Run run(program("semaphore s = 1; acquire 1 of s; f[0] := 1i32;"), {}, options);
    CHECK(run.execution().steps == 3);
}

}  // namespace
}  // namespace haruspex::interp
