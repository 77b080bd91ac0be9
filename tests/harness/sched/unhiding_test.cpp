#include "harness/sched/unhiding.h"

#include <string>

#include "harness/sched/text.h"
#include "tests/support/catch.h"

namespace haruspex::sched {
namespace {

std::string unhidden(const std::string& body) {
    const std::string head = "sched p(N) {\n  output f : i32[N];\n";
    const auto program = parse_program(head + body + "}\n", "test");
    if (!program) { FAIL(to_string(program.error())); }
    const Program result = without_hiding(*program);
    CHECK(without_hiding(result) == result);
    const std::string text = print(result);
    REQUIRE(text.starts_with(head));
    return text.substr(head.size(), text.size() - head.size() - 2);
}

}  // namespace

TEST_CASE("what hides a name has another one, wherever it is bound") {
    CHECK(unhidden("for x in [0, N) { for x in [x, 2) { f[x] := 1i32; } f[x] := 2i32; }") ==
          "  for x in [0, N) {\n    for x$1 in [x, 2) {\n      f[x$1] := 1i32;\n    }\n    f[x] := 2i32;\n  }\n");
    CHECK(unhidden("for x in [0, N) { let a = x; for x in [0, 1) { for x in [x, 2) { f[a] := i32<x>; } } }") ==
          "  for x in [0, N) {\n    let a = x;\n    for x$1 in [0, 1) {\n      for x$2 in [x$1, 2) {\n"
          "        f[a] := i32<x$2>;\n      }\n    }\n  }\n");
    CHECK(unhidden("for x in [0, N) { let N = N + 2; f[N] := 1i32; }") ==
          "  for x in [0, N) {\n    let N$1 = N + 2;\n    f[N$1] := 1i32;\n  }\n");
    CHECK(unhidden("let x = 2;\nif N < 3 { lanes x < 2 do f[x] := i32<x>; }\nf[x] := 1i32;") ==
          "  let x = 2;\n  if N < 3 {\n    lanes x$1 < 2 do f[x$1] := i32<x$1>;\n  }\n  f[x] := 1i32;\n");
    CHECK(unhidden("let v : i32 = 2i32;\nf[let v = 3 in v] := v;") ==
          "  let v : i32 = 2i32;\n  f[let v$1 = 3 in v$1] := v;\n");
    CHECK(unhidden("lanes l < 2 do f[l] := sum lanes l < 2 of (i32<l>);") ==
          "  lanes l < 2 do f[l] := sum lanes l$1 < 2 of (i32<l$1>);\n");
    CHECK(unhidden("if N < 3 { allocate f : i32[3]; f[0] := 1i32; free f; }\nf[1] := 2i32;") ==
          "  if N < 3 {\n    allocate f$1 : i32[3];\n    f$1[0] := 1i32;\n    free f$1;\n  }\n  f[1] := 2i32;\n");
    // A name that is in use is not chosen.
    CHECK(unhidden("let x$1 = 1;\nfor x in [0, N) { let x = x + x$1; f[x] := 1i32; }") ==
          "  let x$1 = 1;\n  for x in [0, N) {\n    let x$2 = x + x$1;\n    f[x$2] := 1i32;\n  }\n");
}

TEST_CASE("names that are used one after the other stay") {
    for (const std::string body :
         {"  for x in [0, N) {\n    f[x] := 1i32;\n  }\n  for x in [0, N) {\n    f[x] := 2i32;\n  }\n",
          "  for x in [0, let x = N in x) {\n    f[x] := 1i32;\n  }\n",
          "  f[let y = 1 in y] := 2i32;\n  let y = 3;\n"}) {
        CHECK(unhidden(body) == body);
    }
}

}  // namespace haruspex::sched
