#include <string>

#include "oracle/validator/validator.h"
#include "tests/oracle/validator/support.h"
#include "tests/support/catch.h"

// Small programs that must not take a prover long. scripts/bench-growth measures the time; these tests check only the
// answers.
namespace haruspex::validator {
namespace {

Verdict verdict_of(const std::string& equations, const std::string& input, const std::string& body,
                   const std::string& type = "u32") {
    return validate(parsed_sare("sare s(N) assuming N >= 1 {\n  input A : " + type + "[1]\n" + equations +
                                "  output B on { [x] : 0 <= x < N }\n}\n"),
                    parsed_program("sched s(N) {\n  input a for A : " + type + "[" + input + "];\n  output b for B : " +
                                   type + "[N];\n  for x in [0, N) {\n" + body + "  }\n}\n"));
}

std::string chain(int count, const std::string& next, const std::string& type = "u32") {
    std::string body = "    let v0 : " + type + " = a[x];\n";
    for (int k = 1; k <= count; ++k) {
        std::string term = next;
        for (auto at = term.find('v'); at != std::string::npos; at = term.find('v', at + 1)) {
            term.insert(at + 1, std::to_string(k - 1));
        }
        body += "    let v" + std::to_string(k) + " : " + type + " = " + term + ";\n";
    }
    return body + "    b[x] {B(x)} := v" + std::to_string(count) + ";\n";
}

}  // namespace

TEST_CASE("value-lets that read one twice are validated, however many there are") {
    for (const std::string next :
         {"min(v, v)", "max(v, v)", "v & v", "v | v", "min(max(v, v), v)", "select(true, v, v)"}) {
        INFO(next);
        CHECK(verdict_of("  B(x) = A(x)\n", "N", chain(300, next)).outcome == Outcome::validated);
    }
    // A sum of 1,024 operands.
    CHECK(verdict_of("  B(x) = A(x) * 1024\n", "N", chain(10, "v + v")).outcome == Outcome::validated);
    // With this many operands the value is not known, but there is an answer.
    CHECK(verdict_of("  B(x) = A(x)\n", "N", chain(300, "v * (v + 1u32)")).outcome != Outcome::validated);
}

TEST_CASE("folds over hundreds of lanes are validated where each lane is the same") {
    for (const std::string op : {"max", "min", "and", "or"}) {
        INFO(op);
        const std::string type = op == "and" || op == "or" ? "bool" : "i32";
        CHECK(verdict_of("  B(x) = A(x)\n", "N", "    b[x] {B(x)} := " + op + " lanes l < 512 of (a[x]);\n", type)
                  .outcome == Outcome::validated);
    }
    CHECK(verdict_of("  B(x) = A(x) * 512\n", "N", "    b[x] {B(x)} := sum lanes l < 512 of (a[x]);\n").outcome ==
          Outcome::validated);
    CHECK(verdict_of("  B(x) = A(x)\n", "N + 511", "    b[x] {B(x)} := max lanes l < 512 of (a[x + l]);\n", "i32")
              .outcome == Outcome::refuted);
}

TEST_CASE("a long sum is a sum over lanes in any order, where sums commute") {
    const auto sum = [](int count, const std::string& index, const std::string& type, const std::string& op,
                        const std::string& fold) {
        const std::string n = std::to_string(count), first = op == "*" ? "1" : "0";
        const auto combined = [&](const std::string& a, const std::string& b) {
            return op == "max" ? "max(" + a + ", " + b + ")" : a + " " + op + " " + b;
        };
        return verdict_of("  tensor S : " + type + "[2]\n  S(x, k) = " + first +
                              " if k = 0\n  S(x, k) = " + combined("S(x, k - 1)", "A(" + n + "*x + k - 1)") +
                              " if 1 <= k <= " + n + "\n  B(x) = S(x, " + n + ")\n",
                          n + "*N", "    b[x] {B(x)} := " + fold + " lanes l < " + n + " of (a[" + index + "]);\n",
                          type)
            .outcome;
    };
    CHECK(sum(256, "256*x + l", "u32", "+", "sum") == Outcome::validated);
    CHECK(sum(128, "128*x + 127 - l", "u32", "+", "sum") == Outcome::validated);
    CHECK(sum(64, "64*x + l", "u16", "*", "prod") == Outcome::validated);
    CHECK(sum(64, "64*x + (l + 5)%64", "u8", "+", "sum") == Outcome::validated);
    CHECK(sum(64, "64*x + 63 - l", "u8", "max", "max") == Outcome::validated);
    CHECK(sum(64, "64*x + min(l, 62)", "u32", "+", "sum") == Outcome::refuted);
    // In another order, sums of i32 overflow in other places.
    CHECK(sum(16, "16*x + 15 - l", "i32", "+", "sum") != Outcome::validated);
}

TEST_CASE("a recurrence without an end is said to be one, before anything waits for it") {
    const auto outcome = [](const std::string& equations) {
        return verdict_of(equations, "N", "    b[x] {B(x)} := 0u32;\n");
    };
    for (const std::string equations :
         {"  tensor B : u32[1]\n  B(x) = B(x + 1) if x >= 0\n",
          "  tensor B : u32[1]\n  B(x) = B(x - 1) if x >= 0\n  B(x) = B(x - 1) if x < 0\n",
          "  tensor B : u32[1]\n  B(x) = B(x)\n",
          "  tensor T : u32[1]\n  tensor B : u32[1]\n  T(x) = B(x + 1)\n  B(x) = T(x + 1)\n",
          "  tensor T : u32[1]\n  T(x) = T(2*x + 1) + 1\n  B(x) = T(x) * 0\n",
          "  tensor T : u32[1]\n  T(x) = T(0 - x) if x > 0\n  T(x) = T(1 - x) if x <= 0\n  B(x) = T(x)\n"}) {
        INFO(equations);
        const Verdict verdict = outcome(equations);
        CHECK(verdict.outcome == Outcome::unsupported);
        CHECK(reason(verdict).starts_with("a specification without values: at N = 1"));
    }
    CHECK(outcome("  tensor T : u32[1]\n  T(x) = 0 if x >= 50\n  T(x) = T(x + 1) * 0 if x < 50\n  B(x) = T(x)\n")
              .outcome != Outcome::unsupported);
}

}  // namespace haruspex::validator
