#include <string>

#include "oracle/validator/validator.h"
#include "tests/oracle/validator/support.h"

// Lets with several pieces, which are parameters while heaps are computed, and equations with many combinations.
namespace haruspex::validator {
namespace {

// Validates a program for F, a copy of A.
Verdict copied(const std::string& body, const std::string& assumption = "N >= 4") {
    const sare::Sare specification =
        parsed_sare("sare s(N) assuming " + assumption +
                    " {\n  input A : i32[1]\n  F(x) = A(x)\n  output F on { [x] : 0 <= x < N }\n}\n");
    const sched::Program program =
        parsed_program("sched s(N) {\n  input A : i32[N];\n  output F : i32[N];\n" + body + "}\n");
    return validate(specification, program);
}

TEST_CASE("a row of tiles, the last of which is shifted, is written whole") {
    const auto tiles = [](const std::string& base) {
        return "  let tiles = (N + 3)/4;\n  for o in [0, tiles) {\n    let base = min(4*o, " + base +
               ");\n    for i in [0, 4) { F[base + i] {F(base + i)} := A[base + i]; }\n  }\n";
    };
    CHECK(copied(tiles("N - 4")).outcome == Outcome::validated);
    // One cell beyond the end, and one too few.
    CHECK(copied(tiles("N - 3")).outcome == Outcome::refuted);
    CHECK(copied(tiles("N - 5"), "N >= 5").outcome == Outcome::refuted);
}

TEST_CASE("what a let of several pieces stands for matters to what is covered, read and asserted") {
    const std::string copy = "  for x in [0, n) { F[x] {F(x)} := A[x]; }\n";
    CHECK(copied("  let n = max(min(N, 8), N);\n" + copy).outcome == Outcome::validated);
    CHECK(copied("  let n = min(N, 8);\n" + copy).outcome == Outcome::refuted);
    CHECK(copied("  let n = max(N, 8);\n" + copy).outcome == Outcome::refuted);
    CHECK(copied("  let n = max(N, 3);\n  assert n = N \"\";\n" + copy).outcome == Outcome::validated);
    CHECK(copied("  let n = max(N, 5);\n  assert n = N \"\";\n  for x in [0, N) { F[x] {F(x)} := A[x]; }\n").outcome ==
          Outcome::refuted);
}

TEST_CASE("of two lets of one name each stands for its own") {
    const std::string halves =
        "  for h in [0, 2) {\n    let n = min(N, 4*h + 3);\n"
        "    for x in [0, n) { F[x] {F(x)} := A[x]; }\n  }\n";
    const std::string rest = "  let n = max(N - 7, 0);\n  for x in [0, n) { F[x + 7] {F(x + 7)} := A[x + 7]; }\n";
    CHECK(copied(halves + rest).outcome == Outcome::validated);
    CHECK(copied(rest + halves).outcome == Outcome::validated);
    const std::string short_rest = "  let n = max(N - 8, 0);\n  for x in [0, n) { F[x + 7] {F(x + 7)} := A[x + 7]; }\n";
    CHECK(copied(halves + short_rest).outcome == Outcome::refuted);
    CHECK(copied(short_rest + halves).outcome == Outcome::refuted);
}

TEST_CASE("iterations that depend on a let race as what it stands for does") {
    const auto scratch = [](const std::string& place) {
        return "  allocate s : i32[N + 8];\n  let n = max(N, 6);\n  par x in [0, N) {\n    let at = " + place +
               ";\n    s[at] {F(x)} := A[x];\n    F[x] {F(x)} := s[at];\n  }\n";
    };
    CHECK(copied(scratch("min(x + n - N, n)")).outcome == Outcome::validated);
    CHECK(copied(scratch("min(x + n - N, 3)")).outcome == Outcome::refuted);
}

TEST_CASE("branches under a let have what holds in them alone") {
    const auto branches = [](const std::string& limit) {
        return "  let n = min(N, 9);\n  for x in [0, N) {\n    if x < n { F[x] {F(x)} := A[x]; } else {\n"
               "      if " +
               limit + " <= x { F[x] {F(x)} := A[x]; }\n    }\n  }\n";
    };
    CHECK(copied(branches("9")).outcome == Outcome::validated);
    CHECK(copied(branches("10")).outcome == Outcome::refuted);
}

TEST_CASE("a value is read at lanes that it has, even where nothing depends on it and no small size shows it") {
    const auto outcome = [](const std::string& lanes) {
        const sare::Sare specification = parsed_sare(
            "sare s(N) assuming N >= 1 {\n  input A : i32[1]\n  F(x) = A(x)\n"
            "  output F on { [x] : 0 <= x < 4*N }\n}\n");
        const sched::Program program = parsed_program(
            "sched s(N) {\n  input A : i32[4*N];\n  output F : i32[4*N];\n  for t in [0, N) {\n    let v[l < " + lanes +
            "] : i32 = A[4*t + l];\n    if t < 100 { lanes l < 4 do F[4*t + l] {F(4*t + l)} := A[4*t + l]; } else {\n"
            "      lanes l < 4 do F[4*t + l] {F(4*t + l)} := select(l < 3, v[l], A[4*t + l]);\n    }\n  }\n}\n");
        return validate(specification, program).outcome;
    };
    CHECK(outcome("4") == Outcome::validated);
    CHECK(outcome("3") != Outcome::validated);
}

TEST_CASE("a value-let is what its expression was where it stands") {
    const auto outcome = [](const std::string& body) {
        return copied("  allocate s : i32[1];\n  for x in [0, N) {\n    let z = x;\n" + body + "  }\n  free s;\n")
            .outcome;
    };
    const std::string fill = "    s[0] {F(x)} := A[x];\n", let = "    let v : i32 = s[0];\n",
                      spoil = "    s[0] := 0i32;\n", use = "    F[z] {F(z)} := v;\n";
    CHECK(outcome(fill + let + spoil + use) == Outcome::validated);
    CHECK(outcome(fill + spoil + let + use) == Outcome::refuted);
    CHECK(outcome(fill + let + "    let w : i32 = v + 0i32;\n" + spoil + "    F[z] {F(z)} := w;\n") ==
          Outcome::validated);
    // Names in the let's expression are hidden after it, and before it.
    const std::string hide = "    let x = 0;\n", read = "    let v : i32 = A[x];\n";
    CHECK(outcome(read + hide + use) == Outcome::validated);
    CHECK(outcome(hide + read + use) == Outcome::refuted);
}

TEST_CASE("a chain of thousands of value-lets is followed to its end") {
    const auto outcome = [](const std::string& last) {
        std::string body = "    let v0 : i32 = A[x];\n";
        for (int n = 1; n <= 2'000; ++n) {
            const std::string before = "v" + std::to_string(n - 1);
            body += "    let v" + std::to_string(n) + " : i32 = " + before + ";\n";
        }
        return copied("  for x in [0, N) {\n" + body + "    F[x] {F(x)} := v2000" + last + ";\n  }\n").outcome;
    };
    CHECK(outcome("") == Outcome::validated);
    CHECK(outcome(" + 1i32") == Outcome::refuted);
}

TEST_CASE("a value-let with lanes is read lane by lane") {
    const auto outcome = [](const std::string& lane) {
        return copied(
                   "  for t in [0, N/4) {\n    let v[l < 4] : i32 = A[4*t + l];\n    let w[l < 4] : i32 = v[3 - l];\n"
                   "    lanes l < 4 do F[4*t + l] {F(4*t + l)} := w[" +
                       lane + "];\n  }\n",
                   "N >= 4 and N%4 = 0")
            .outcome;
    };
    CHECK(outcome("3 - l") == Outcome::validated);
    CHECK(outcome("l") == Outcome::refuted);
}

// F is computed from five reads, each of which finds a cell of one of three tensors.
Verdict product_of_choices(const std::string& first, std::uint64_t operations, bool has_lets = false) {
    const sare::Sare specification = parsed_sare(
        "sare s(N) assuming N >= 1 {\n  input A : u8[1]\n"
        "  L(x) = A(x) + 1u8\n  M(x) = A(x) ^ 5u8\n  R(x) = A(x)*3u8\n"
        "  T(x) = L(x) if x < 5\n  T(x) = M(x) if x >= 5 and x < 9\n  T(x) = R(x) if x >= 9\n"
        "  F(a, b, c, d, e) = T(a)*T(b) - T(c)*T(d) & T(e)\n"
        "  output F on { [a, b, c, d, e] : 0 <= a < N and 0 <= b < N and 0 <= c < N and 0 <= d < N and 0 <= e < N "
        "}\n}\n");
    const sched::Program program = parsed_program(
        "sched s(N) {\n  input A : u8[N];\n  output F : u8[N, N, N, N, N];\n  allocate t : u8[N];\n"
        "  for x in [0, min(N, " +
        first +
        ")) { t[x] {L(x)} := A[x] + 1u8; }\n"
        "  for x in [5, min(N, 9)) { t[x] {M(x)} := A[x] ^ 5u8; }\n"
        "  for x in [9, N) { t[x] {R(x)} := A[x]*3u8; }\n"
        "  for a in [0, N) {\n  for b in [0, N) {\n  for c in [0, N) {\n  for d in [0, N) {\n  for e in [0, N) {\n"
        "    let p : u8 = t[a];\n    let q : u8 = p*t[b];\n" +
        (has_lets ? "    F[a, b, c, d, e] {F(a, b, c, d, e)} := q - t[c]*t[d] & t[e];\n"
                  : "    F[a, b, c, d, e] {F(a, b, c, d, e)} := t[a]*t[b] - t[c]*t[d] & t[e];\n") +
        "  }\n  }\n  }\n  }\n  }\n}\n");
    Options options;
    options.obligation_operations = operations;
    return validate(specification, program, options);
}

TEST_CASE("an equation is shown read by read, and not for each combination of what the reads may find") {
    const Verdict verdict = product_of_choices("5", 3'200'000);
    INFO(reason(verdict));
    CHECK(verdict.outcome == Outcome::validated);
    // Lets that are used do not multiply combinations either.
    CHECK(product_of_choices("5", 3'200'000, true).outcome == Outcome::validated);
    // The same if it exceeds the first budget, and nothing else proves it.
    CHECK(product_of_choices("5", 600'000).outcome == Outcome::validated);
    // If a read may find memory that was not written, all combinations are examined.
    CHECK(product_of_choices("4", 5'000'000).outcome == Outcome::refuted);
}

}  // namespace
}  // namespace haruspex::validator
