#include <string>

#include "harness/sched/text.h"
#include "harness/sched/typing.h"
#include "tests/support/catch.h"

using namespace haruspex;

namespace {

// Parses a program and prints it.
std::string reprint(const std::string& text) {
    const auto program = sched::parse_program(text, "t");
    if (!program) { return to_string(program.error()); }
    const auto checked = sched::check(*program, sched::Rules::extended);
    return checked ? sched::print(*program) : "unsound: " + checked.error().message;
}

// The expression, parsed as an affine let's value, with N, M and x in scope.
std::string as_index(const std::string& text) {
    const std::string head = "sched s(N, M) {\n  let x = N;\n  let y = ";
    const std::string printed = reprint(head + text + ";\n}\n");
    return printed.starts_with(head) ? printed.substr(head.size(), printed.size() - head.size() - 4) : printed;
}

// The expression, parsed as a value of this type, with arrays a : i32[N, M] and f : f32[N], and value-lets v : i32, b :
// bool and family w : f32 in scope.
std::string as_value(const std::string& type, const std::string& text) {
    const std::string head =
        "sched s(N, M) {\n  input a : i32[N, M];\n  input f : f32[N];\n  let v : i32 = a[0, 0];\n"
        "  let b : bool = [N < M];\n  let w[l < 4] : f32 = f[l];\n  let e : " +
        type + " = ";
    const std::string printed = reprint(head + text + ";\n}\n");
    return printed.starts_with(head) ? printed.substr(head.size(), printed.size() - head.size() - 4) : printed;
}

}  // namespace

TEST_CASE("every form of statements and arrays is printed as it is read") {
    const std::string text = R"(sched forms(N, M) {
  input in : i32[N, M from 1];
  input flat for in : u8[N from 2 stride 1, M stride N];
  output out : i32[N];
  output out.1 for out[1] : f32[N + 4];
  output point : bool[];
  let x = 2*N + 1;
  let c = x < N and not (M = 3 or x >= M);
  let v : i32 = in[x, 0] + 5i32;
  let w[l < 8] : f32 = f32<x + l> * 0.5f32;
  allocate t$1 : i32[N, 8 from -1] if c;
  allocate u : bool[N stride 2] if [c] && u8(v) > 3u8;
  allocate p : u64[];
  out[x] := v;
  out[0] {in(x, 1)} := v, out[1] {out(0)[1] + 1i32} := in[x, 0]?(c);
  if c do out[2] {select(c, in(0, 0), 1i32)} := 2i32;
  lanes l < 8 do t$1[x + l, l] := i32(w[l]);
  lanes l < 2 do if l + x < N do out[l] {in(l, l)} += {l, 3} 1i32, t$1[l, l] max= {} 3i32;
  point[] and= {N} [c];
  if c {
    assert x < 3 "say \"x\\\n\x00\xff";
  }
  if v > 3i32 {
  } else {
    free t$1;
  }
  if c {
    free u;
  } else {
    out[0] *= {1} 2i32;
  }
  for i in [0, N) {
    par j in [1, 4) {
      vector k in [i, i + 8) {
        unrolled l in [i + j, M) {
          let x = i + j;
          out[x] min= {x} 3i32, out.1[x] += {} 1.0f32, point[] or= {} [false];
        }
      }
    }
  }
  atomic {
    accumulate out {
      out[0] := 1i32;
    }
  }
  semaphore f.full$1 = 0;
  semaphore free_cells = 2*N;
  fork {
    acquire select(c, 1, N) of free_cells;
    release 1 of f.full$1;
  } and {
    fork {
      acquire 1 of f.full$1;
    } and {}
  }
}
)";
    // A block without statements is printed on one line.
    std::string printed = text;
    printed.replace(printed.find("{\n  } else"), 4, "{");
    CHECK(reprint(text) == printed);
    CHECK(reprint(printed) == printed);
}

TEST_CASE("blank, comments and skip leave nothing behind") {
    CHECK(reprint("sched\ts ( )\r\n{#first\n skip ; let x=1;skip;if x<2{skip;}}#end") ==
          "sched s() {\n  let x = 1;\n  if x < 2 {}\n}\n");
}

TEST_CASE("brackets are printed where they are needed and nowhere else") {
    for (const std::string text : {"x + 1 - 2",
                                   "x - (1 - 2)",
                                   "2*x*3",
                                   "2*(x*3)",
                                   "x/2*3%4",
                                   "(x + 1)*2",
                                   "-x",
                                   "-(x + 1)",
                                   "--x",
                                   "-x*2",
                                   "-(x*2)",
                                   "-1*5",
                                   "-1*-5",
                                   "x - -5",
                                   "x - -N",
                                   "x%3/2",
                                   "x%(3/2)",
                                   "min(x + 1, max(N, M))",
                                   "select(x < 3, 1, N)",
                                   "x < 3",
                                   "x + 1 < 3*N",
                                   "x < 3 and N < 3 or M > 4",
                                   "x < 3 and (N < 3 or M > 4)",
                                   "not x < 3",
                                   "not (x < 3 and true)",
                                   "not not false",
                                   "not x < 3 and N = 4",
                                   "(not true) = x < 3",
                                   "x < 3 = N < 3 != false",
                                   "x < 3 = (true = false)",
                                   "let z = x in z + 1",
                                   "1 + (let z = x in z)",
                                   "let z = let t = x in t + 1 in let u = z in u",
                                   "(let z = x < 3 in z) and true",
                                   "int(i32<x>)",
                                   "int(i32<x + 1> < 3i32 || [x < 3])",
                                   "let z : i32 = i32<x> in int(z + z)",
                                   "let z[l < 4] : i32 = i32<x + l> in int(z[0] + z[N])",
                                   "int(sum lanes l < 4 of (i32<x*l>))",
                                   "-9223372036854775808",
                                   "9223372036854775807",
                                   "min(-x, -5)"}) {
        CHECK(as_index(text) == text);
    }
    CHECK(as_index("((x)) + ((1 * (2)))") == "x + 1*2");
    CHECK(as_index("(x < 3) and ((N < 3) and (M < 3))") == "x < 3 and (N < 3 and M < 3)");
    CHECK(as_index("- 5 + -(5)") == "-5 + -1*5");
}

TEST_CASE("values are written as in SAREs") {
    for (const std::string text : {"v + 1i32 - a[0, N - 1]",
                                   "v * (v + 1i32)",
                                   "-v",
                                   "-(5i32)",
                                   "-5i32",
                                   "--v",
                                   "~v",
                                   "v << 2i32 >> 1i32",
                                   "v & 3i32 | v ^ 4i32",
                                   "min(v, max(v, 3i32))",
                                   "select(N < M, v, 3i32)",
                                   "select(b, v, 3i32)",
                                   "a[0, 1]?(N < M)",
                                   "a[0, 1]?(b && [true])",
                                   "a[int(v), int(a[0, 0])]",
                                   "i32<N + M>",
                                   "i32<(let z = N in z)>",
                                   "i32<select(b, 1, 2)>",
                                   "i32(b) + i32(v < 3i32 && !b)",
                                   "let z : i32 = v in z * z",
                                   "let z[l < 2] : f32 = w[l + 1] in i32(z[0])",
                                   "sum lanes l < 4 of (i32(w[l]))",
                                   "min lanes l < 4 of (a[l, 0])",
                                   "3i32 / 0i32"}) {
        CHECK(as_value("i32", text) == text);
    }
    for (const std::string text :
         {"abs(i64(v)) > 3u64", "v % 3i32 == 0i32 != b", "nan_f32 > -inf_f32", "and lanes l < 4 of (w[l] < 1.5f32)",
          "[N < M or int(b)]", "w[N] >= f[int(v)] || v <= 3i32"}) {
        CHECK(as_value("bool", text) == text);
    }
}
