#include "oracle/conversion/joining.h"

#include <string>

#include "harness/sched/text.h"
#include "harness/sched/traverse.h"
#include "oracle/interp/sched_interpreter.h"
#include "tests/support/catch.h"

namespace haruspex::conversion {
namespace {

sched::Program program(const std::string& body) {
    auto parsed = sched::parse_program("sched forked(N) {\n  output F : i32[8];\n" + body + "}\n", "test");
    if (!parsed) { FAIL(to_string(parsed.error())); }
    return std::move(*parsed);
}

bool has_forks(const sched::Program& p) {
    bool found = false;
    sched::for_each_statement(p.body, [&](const sched::Stmt& s) {
        found = found || std::holds_alternative<sched::Fork>(s.node) ||
                std::holds_alternative<sched::Semaphore>(s.node) || std::holds_alternative<sched::Acquire>(s.node) ||
                std::holds_alternative<sched::Release>(s.node);
    });
    return found;
}

sched::Program joined(sched::Program p) {
    join_forks(p);
    return p;
}

auto cells(const sched::Program& p) {
    const auto none = [](const std::string&, int, const std::vector<std::int64_t>&) {
        return value::Value::integer(value::Type::i32, 0);
    };
    const auto run = interp::run(p, {{"N", 4}}, none);
    if (!run) { FAIL(to_string(run.error())); }
    CHECK(run->troubles.empty());
    return run->outputs.at(0).cells;
}

}  // namespace

TEST_CASE("a fork whose second branch waits for the first becomes a sequence") {
    for (const char* body :
         {"  allocate g : i32[8];\n  semaphore s = 0;\n"
          "  fork { for x in [0, N) { g[x] := i32<x>; } release 1 of s; }\n"
          "  and { acquire 1 of s; for x in [0, N) { F[x] := g[x] + 1i32; } }\n  free g;\n",
          // The second branch does other work while the first one runs.
          "  allocate g : i32[8];\n  semaphore s = 0;\n"
          "  fork { for x in [0, N) { g[x] := i32<x>; } release 2 of s; }\n"
          "  and { F[7] := 7i32; acquire 1 of s; for x in [0, N) { F[x] := g[x] + 1i32; } }\n  free g;\n",
          // Two semaphores, one for each waiting stage; all in a loop.
          "  for y in [0, 2) {\n  allocate g : i32[8];\n  semaphore s = 0;\n  semaphore t = 0;\n"
          "  fork { g[y] := i32<y>; release 1 of s; release 1 of t; }\n"
          "  and { acquire 1 of s; F[y] := g[y]; acquire 1 of t; F[y + 2] := g[y] + 3i32; }\n  free g;\n  }\n",
          // A nested fork.
          "  allocate g : i32[8];\n  allocate h : i32[8];\n  semaphore s = 0;\n"
          "  fork { semaphore t = 0;\n"
          "    fork { h[0] := 5i32; release 1 of t; } and { acquire 1 of t; g[0] := h[0]; }\n"
          "    release 1 of s; }\n"
          "  and { acquire 1 of s; F[0] := g[0]; }\n  free h;\n  free g;\n"}) {
        INFO(body);
        const sched::Program before = program(body);
        const sched::Program after = joined(before);
        CHECK_FALSE(has_forks(after));
        CHECK(cells(before) == cells(after));
    }
}

TEST_CASE("where an order is left open, or nobody knows, a fork stays") {
    const auto forked = [](const std::string& first, const std::string& second, const std::string& units = "0") {
        return program("  allocate g : i32[8];\n  semaphore s = " + units + ";\n  semaphore t = 0;\n  fork { " + first +
                       " }\n  and { " + second + " }\n  free g;\n");
    };
    const auto stays = [](const sched::Program& p) { return joined(p) == p; };
    const std::string produce = "g[0] := 1i32; release 1 of s;", consume = "acquire 1 of s; F[0] := g[0];";
    CHECK_FALSE(stays(forked(produce, consume)));
    // The second branch does not wait: units exist already, or it acquires too late, or only conditionally.
    CHECK(stays(forked(produce, consume, "1")));
    CHECK(stays(forked(produce, "F[0] := g[0]; acquire 1 of s;")));
    CHECK(stays(forked(produce, "if N > 4 { acquire 1 of s; } F[0] := g[0];")));
    // It waits forever, or an unknown time.
    CHECK(stays(forked(produce, "acquire 2 of s; F[0] := g[0];")));
    CHECK(stays(forked(produce, "acquire 1 of s; acquire 1 of s; F[0] := g[0];")));
    CHECK(stays(forked(produce, "acquire N of s; F[0] := g[0];")));
    CHECK(stays(forked("g[0] := 1i32; release N of s;", consume)));
    // The first branch still works after a release, releases again, or waits itself.
    CHECK(stays(forked("release 1 of s; g[0] := 1i32;", consume)));
    CHECK(stays(forked("for x in [0, N) { g[x] := 1i32; release 1 of s; }", consume)));
    CHECK(stays(forked("release 1 of s; g[0] := 1i32; release 1 of s;", consume)));
    CHECK(stays(forked("acquire 1 of t; g[0] := 1i32; release 1 of s;", "release 1 of t; acquire 1 of s;")));
    // Each branch accesses cells that the other one writes, before the acquire.
    CHECK(stays(forked("F[1] := 2i32; release 1 of s;", "F[1] := 3i32; acquire 1 of s;")));
    CHECK(stays(forked(produce, "let v : i32 = g[0]; acquire 1 of s; F[0] := v;")));
    CHECK(
        stays(program("  allocate g : i32[8];\n  g[0] := 1i32;\n  semaphore s = 0;\n"
                      "  fork { F[0] := g[0]; release 1 of s; } and { free g; acquire 1 of s; }\n")));
}

}  // namespace haruspex::conversion
