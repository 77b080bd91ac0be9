#include "tests/oracle/equivalence/programs.h"

// Programs with recurrences: right ones, each beside slightly different wrong ones.
namespace haruspex::equivalence {
namespace {

const std::string prefix_sums = R"(
    sare sums(N) assuming N >= 1 {
      input a : i32[1]
      s(x) = a(0) if x = 0
      s(x) = s(x - 1) + a(x) if x > 0
      output s on { [x] : 0 <= x < N }
    })";

std::string summed(const std::string& body) {
    return "sched sums(N) { input a : i32[N]; output s : i32[N]; " + body + " }";
}

TEST_CASE("a recurrence is proved by induction over its affine hull") {
    const std::string loop = summed("s[0] := a[0]; for x in [1, N) { s[x] := s[x - 1] + a[x]; }");
    // Only the last cell is requested; all others follow from it one by one.
    std::string last = prefix_sums;
    last.replace(last.find("0 <= x < N"), 10, "N - 1 <= x < N");
    const Verdict right = verdict_of(last, loop);
    CHECK(is_proved(right));
    CHECK(is_proved(verdict_of(prefix_sums, loop)));
    CHECK(right.effort.widenings > 0);
    CHECK(right.effort.inductions > 0);
    REQUIRE(right.outputs.size() == 1);
    CHECK(right.outputs[0].is_proved);
    CHECK_FALSE(
        is_proved(verdict_of(prefix_sums, summed("s[0] := a[0]; for x in [1, N) { s[x] := s[x - 1] + a[x - 1]; }"))));
    CHECK_FALSE(
        is_proved(verdict_of(prefix_sums, summed("s[0] := 0i32; for x in [1, N) { s[x] := s[x - 1] + a[x]; }"))));
    CHECK_FALSE(is_proved(verdict_of(prefix_sums, summed("s[0] := a[0]; for x in [1, N) { s[x] := s[0] + a[x]; }"))));
}

TEST_CASE("a recurrence in a scalar, unrolled by two with a rest, is the same recurrence") {
    const std::string head = "allocate t : i32[]; t[] := a[0]; s[0] := t[]; for y in [0, (N - 1)/2) { ";
    const std::string two =
        "t[] := t[] + a[2*y + 1]; s[2*y + 1] := t[]; t[] := t[] + a[2*y + 2]; s[2*y + 2] := t[]; } ";
    const std::string rest = "if (N - 1) % 2 = 1 { s[N - 1] := t[] + a[N - 1]; }";
    CHECK(is_proved(verdict_of(prefix_sums, summed(head + two + rest))));
    const std::string wrong =
        "t[] := t[] + a[2*y + 1]; s[2*y + 1] := t[]; t[] := t[] + a[2*y + 1]; s[2*y + 2] := t[]; } ";
    CHECK_FALSE(is_proved(verdict_of(prefix_sums, summed(head + wrong + rest))));
}

// CAV 2009, section 1: the dependence distance is not constant.
const std::string halves = R"(
    sare halves(N) assuming N >= 1 {
      input a : u8[1]
      s(x) = a(0) if x = 0
      s(x) = s(x / 2) * a(x) if x > 0
      output s on { [x] : 0 <= x < N }
    })";

TEST_CASE("a non-uniform recurrence is proved by induction") {
    const auto program = [](const std::string& body) {
        return "sched halves(N) { input a : u8[N]; output s : u8[N]; allocate h : u8[N]; h[0] := a[0]; s[0] := a[0]; " +
               body + " }";
    };
    CHECK(is_proved(verdict_of(halves, program("for x in [1, N) { h[x] := h[x / 2] * a[x]; s[x] := h[x]; }"))));
    CHECK(
        is_proved(verdict_of(halves, program("for x in [1, N) { if x % 2 = 0 { h[x] := h[x / 2] * a[x]; } else { h[x] "
                                             ":= h[(x - 1)/2] * a[x]; } } for x in [1, N) { s[x] := h[x]; }"))));
    CHECK_FALSE(is_proved(
        verdict_of(halves, program("for x in [1, N) { h[x] := h[(x + 1)/2 - 1 + x % 2] * a[0]; s[x] := h[x]; }"))));
    CHECK_FALSE(is_proved(
        verdict_of(halves, program("for x in [1, N) { h[x] := h[max(x / 2 - 1, 0)] * a[x]; s[x] := h[x]; }"))));
}

TEST_CASE("loops that run backwards do the same, unless something flows from one iteration to another") {
    const std::string both = R"(
        sare both(N) assuming N >= 2 {
          input a : i32[1]
          f(x) = a(x) * a(x + 1)
          g(x) = f(x) - f(x + 1)
          output g on { [x] : 0 <= x < N }
        })";
    const auto program = [](const std::string& second) {
        return "sched both(N) { input a : i32[N + 2]; output g : i32[N]; allocate f : i32[N + 1]; "
               "for x in [0, N + 1) { f[N - x] := a[N - x] * a[N - x + 1]; } " +
               second + " }";
    };
    CHECK(is_proved(verdict_of(both, program("for x in [0, N) { g[N - 1 - x] := f[N - 1 - x] - f[N - x]; }"))));
    CHECK_FALSE(is_proved(verdict_of(both, program("for x in [0, N) { g[N - 1 - x] := f[N - x] - f[N - 1 - x]; }"))));
    CHECK_FALSE(is_proved(verdict_of(
        prefix_sums, summed("s[0] := a[0]; for x in [0, N - 1) { s[N - 1 - x] := s[N - 2 - x] + a[N - 1 - x]; }"))));
}

TEST_CASE("of the variables of an update the first is the innermost, and its last step is what is left") {
    const std::string sum = R"(
        sare sums(N) assuming N >= 1 {
          input a : i32[2]
          f(x) = 0i32
          update f(r + s) = a(r, s) over r in [0, N), s in [0, N)
          output f on { [x] : 0 <= x < 2*N - 1 }
        })";
    const auto loops = [](const std::string& outer, const std::string& inner) {
        return "sched sums(N) { input a : i32[N, N]; output f : i32[2*N - 1]; for " + outer + " in [0, N) { for " +
               inner + " in [0, N) { f[r + s] := a[r, s]; } } }";
    };
    CHECK(is_proved(verdict_of(sum, loops("s", "r"))));
    CHECK_FALSE(is_proved(verdict_of(sum, loops("r", "s"))));
    const std::string triangle = R"(
        sare triangle(N) assuming N >= 1 {
          input a : i32[2]
          f() = sum over { [i, j] : 0 <= i < N and 0 <= j < N and i + j < N } of (a(i, j))
          output f on { [] : true }
        })";
    const auto sums = [](const std::string& rows) {
        return "sched triangle(N) { input a : i32[N, N]; output f : i32[]; f[] := 0i32; " + rows + " }";
    };
    CHECK(is_proved(verdict_of(triangle, sums("for i in [0, N) { for j in [0, N - i) { f[] := f[] + a[i, j]; } }"))));
    CHECK_FALSE(is_proved(verdict_of(triangle, sums("for j in [0, N) { f[] := f[] + a[0, j]; }"))));
}

TEST_CASE("what stands in an iteration that parameters name is not before what stands in another") {
    const std::string two = R"(
        sare two(N) assuming N >= 0 and N < 10 {
          o(x) = 2u8
          output o on { [x] : 0 <= x < 1 }
        })";
    const auto program = [](const std::string& body) {
        return "sched two(N) { output o : u8[1]; allocate A : u8[1]; A[0] := 1u8; for x in [0, 10) { " + body + " } }";
    };
    CHECK_FALSE(is_proved(verdict_of(two, program("if x = N { A[0] := 2u8; } if x = 5 { o[0] := A[0]; }"))));
    CHECK_FALSE(is_proved(verdict_of(two, program("if x = 9 - N { o[0] := A[0]; } if x = 0 { A[0] := 2u8; }"))));
    CHECK(is_proved(verdict_of(two, program("if x = 0 { A[0] := 2u8; } if x = 9 - N { o[0] := A[0]; }"))));
}

TEST_CASE("a minimum on which cells depend is a dimension, over which hulls are affine") {
    const std::string scans = R"(
        sare scans(W, N) assuming W >= 4 and N >= 1 {
          input a : i32[2]
          s(x, k) = a(x, 0) if k = 0
          s(x, k) = s(x, k - 1) + a(x, k) if k > 0
          f(x) = s(x, N - 1)
          output f on { [x] : 0 <= x < W }
        })";
    // The last tile is shifted inwards.
    const auto tiles = [](const std::string& base, const std::string& added, const std::string& loop = "for") {
        return "sched scans(W, N) { input a : i32[W, N]; output f : i32[W]; " + loop +
               " t in [0, (W + 3)/4) { let base = " + base +
               "; allocate s : i32[4]; lanes l < 4 do s[l] := a[base + l, 0]; for k in [1, N) { "
               "let shifted = base + 1; lanes l < 4 do s[l] := s[l] + " +
               added + "; } lanes l < 4 do f[base + l] := s[l]; } }";
    };
    const Verdict shifted = verdict_of(scans, tiles("min(4*t, W - 4)", "a[shifted - 1 + l, k]"));
    CHECK(is_proved(shifted));
    CHECK(shifted.effort.narrowings == 0);
    // The results of two tiles are compared with the specification, by the same induction, and not with each other.
    const Verdict parallel = verdict_of(scans, tiles("min(4*t, W - 4)", "a[shifted - 1 + l, k]", "par"));
    CHECK(is_proved(parallel));
    CHECK(parallel.effort.inductions == shifted.effort.inductions);
    CHECK_FALSE(is_proved(verdict_of(scans, tiles("min(4*t, W - 4)", "a[base + l, k] + i32<t>", "par"))));
    CHECK_FALSE(is_proved(verdict_of(scans, tiles("min(4*t, W - 4)", "a[min(4*t + l, W - 1), k]"))));
    CHECK_FALSE(is_proved(verdict_of(scans, tiles("min(4*t, W - 5)", "a[shifted - 1 + l, k]"))));
    CHECK_FALSE(is_proved(verdict_of(scans, tiles("4*t", "a[shifted - 1 + l, k]"))));
}

TEST_CASE("a widened hypothesis that does not hold is narrowed to where it does") {
    const std::string two = R"(
        sare two(N) assuming N >= 2 {
          input a : i32[1]
          input b : i32[1]
          s(y, x) = a(x) if y = 0 and x = 0
          s(y, x) = b(x) if y = 1 and x = 0
          s(y, x) = s(y, x - 1) + a(x) if x > 0 and 0 <= y and y < 2
          output s on { [y, x] : 0 <= y < 2 and N - 1 <= x < N }
        })";
    const auto program = [](const std::string& first, const std::string& second) {
        return "sched two(N) { input a : i32[N]; input b : i32[N]; output s : i32[2, N]; s[0, 0] := " + first +
               "[0]; s[1, 0] := " + second +
               "[0]; for y in [0, 2) { for x in [1, N) { s[y, x] := s[y, x - 1] + a[x]; } } }";
    };
    CHECK(is_proved(verdict_of(two, program("a", "b"))));
    // If one of the sequences is wrong, the other one is still proved.
    const Verdict half = verdict_of(two, program("a", "a"));
    CHECK(half.outcome == Outcome::not_proved);
    CHECK(half.effort.narrowings > 0);
    REQUIRE(half.outputs.size() == 1);
    CHECK(half.outputs[0].proved == "[N] -> { [0, -1 + N] : N >= 2 }");
    CHECK(half.outputs[0].not_proved == "[N] -> { [1, -1 + N] : N >= 2 }");
    CHECK(verdict_of(two, program("b", "a")).outputs.at(0).proved == "[N] -> { [i0, i1] : false }");
}

TEST_CASE("a recurrence that is not seen to end proves nothing") {
    const std::string endless = R"(
        sare endless(N) assuming N >= 1 {
          input a : i32[1]
          tensor s : i32[1]
          s(x) = s(x)
          output s on { [x] : 0 <= x < N }
        })";
    CHECK(verdict_of(endless, summed("for x in [0, N) { s[x] := a[x]; }")).outcome == Outcome::unsupported);
    const std::string downwards = R"(
        sare downwards(N) assuming N >= 1 {
          input a : i32[1]
          tensor s : i32[1]
          s(x) = s(x - 1) + a(x)
          output s on { [x] : 0 <= x < N }
        })";
    const Verdict verdict = verdict_of(downwards, summed("for x in [0, N) { s[x] := a[x]; }"));
    CHECK(verdict.outcome == Outcome::unsupported);
    CHECK(verdict.reason == "recurrence that is not seen to end: s");
}

}  // namespace
}  // namespace haruspex::equivalence
