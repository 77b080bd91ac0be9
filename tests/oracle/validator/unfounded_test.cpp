#include <string>

#include "oracle/validator/validator.h"
#include "tests/oracle/validator/support.h"

// Programs that are wrong at large sizes alone, where no run shows it, and that were proved once.
namespace haruspex::validator {
namespace {

std::string spec(const std::string& equations) {
    return "sare s(N) assuming N >= 1 {\n" + equations + "  output F on { [x] : 0 <= x < N }\n}\n";
}

Verdict verdict_of(const std::string& equations, const std::string& body, Floats floats = Floats::ieee) {
    Options options;
    options.ladder.floats = floats;
    options.operations = 20'000'000;
    const Verdict verdict =
        validate(parsed_sare(spec(equations)), parsed_program("sched s(N) {\n" + body + "}\n"), options);
    INFO(verdict.reason);
    // Every obligation holds of a program that is wrong: then the obligations are.
    CHECK(verdict.reason.find("but the interpreters say") == std::string::npos);
    return verdict;
}

TEST_CASE("from a recurrence that never ends nothing follows") {
    const auto equations = [](const std::string& recurrence) {
        return "  tensor T : u8[1]\n" + recurrence + "  F(x) = 0u8\n";
    };
    const std::string head = "  output f for F : u8[N];\n  allocate m : u8[1];\n";
    const std::string wrong = head + "  m[0] {(T(0) + 1u8) - T(0)} := 1u8;\n";
    const std::string all = wrong + "  for x in [0, N) { f[x] {T(0) - T(0)} := m[0]; }\n";
    const std::string late = wrong +
                             "  for x in [0, N) {\n    f[x] {F(x)} := 0u8;\n"
                             "    if x >= 1000 { f[x] {T(0) - T(0)} := m[0]; }\n  }\n";
    for (const std::string recurrence : {"  T(x) = T(x) + 1u8\n", "  T(x) = T(x/2) + 1u8\n",
                                         "  tensor U : u8[1]\n  T(x) = U(x) + 1u8\n  U(x) = T(x)\n",
                                         "  T(x) = T(1 - x) + 1u8\n", "  T(x) = T(x + 1) + 1u8\n"}) {
        INFO(recurrence);
        CHECK(verdict_of(equations(recurrence), all).outcome != Outcome::validated);
        CHECK(verdict_of(equations(recurrence), late).outcome != Outcome::validated);
    }
}

TEST_CASE("what a recurrence that ends has is taken for what it is") {
    for (const std::string recurrence :
         {"  T(x) = 1u8 if x <= 0\n  T(x) = T(x - 1) + 1u8 if x > 0\n",
          "  T(x) = 1u8 if x <= 0\n  T(x) = T(x/2) + 1u8 if x > 0\n",
          "  T(x) = 1u8 if x >= 0\n  T(x) = T(x + 1) + 1u8 if x < 0\n",
          "  tensor U : u8[1]\n  T(x) = 1u8 if x <= 0\n  T(x) = U(x - 1) + 1u8 if x > 0\n  U(x) = T(x)\n"}) {
        INFO(recurrence);
        CHECK(verdict_of("  tensor T : u8[1]\n" + recurrence + "  F(x) = 0u8\n",
                         "  output f for F : u8[N];\n  allocate m : u8[1];\n  m[0] {T(0) - T(0)} := 0u8;\n"
                         "  for x in [0, N) { f[x] {T(0) - T(0)} := m[0]; }\n")
                  .outcome == Outcome::validated);
    }
}

TEST_CASE("a cell without an equation is nothing that a value can be made of") {
    CHECK(verdict_of("  T(x) = 1u8 if x > 0\n  F(x) = 0u8\n",
                     "  output f for F : u8[N];\n  allocate m : u8[1];\n  m[0] {T(0) - T(0)} := 1u8;\n"
                     "  for x in [0, N) {\n    f[x] {F(x)} := 0u8;\n"
                     "    if x >= 1000 { f[x] {T(0) - T(0)} := m[0]; }\n  }\n")
              .outcome != Outcome::validated);
}

TEST_CASE("of a real product each factor counts, a number beyond 63 bits too") {
    const std::string product = "  input A : u64[1]\n  F(x) = f64((A(x) % 2u64) * 9223372036854775808u64)\n";
    const std::string head = "  input a for A : u64[N];\n  output f for F : f64[N];\n";
    const std::string same = "f[x] {F(x)} := f64((a[x] % 2u64) * 9223372036854775808u64);";
    const std::string other = "f[x] {F(x)} := f64((a[x] % 2u64) * 13835058055282163712u64);";
    CHECK(verdict_of(product, head + "  for x in [0, N) { " + same + " }\n", Floats::real).outcome ==
          Outcome::validated);
    CHECK(verdict_of(product, head + "  for x in [0, N) { " + other + " }\n", Floats::real).outcome !=
          Outcome::validated);
    CHECK(verdict_of(product,
                     head + "  for x in [0, N) {\n    if x < 1000 { " + same + " } else { " + other + " }\n  }\n",
                     Floats::real)
              .outcome != Outcome::validated);
}

TEST_CASE("a let has the value of where it stands, whatever hides its names where it is read") {
    const std::string copy = "  input A : i32[1]\n  F(x) = A(x)\n";
    const std::string garbage =
        "  input a for A : i32[N];\n  output f for F : i32[N];\n  allocate u : i32[N];\n  allocate g : i32[N];\n"
        "  for x in [0, N) {\n    let w : i32 = a[x] * a[x];\n    let v : i32 = w;\n"
        "    g[x] {A(x)} := (let w : i32 = 0i32 in v) ^ u[x];\n  }\n";
    const std::string read = "{ f[x] {F(x)} := select([true], a[x], g[x]); }\n";
    CHECK(verdict_of(copy, garbage + "  for x in [0, N) " + read).outcome != Outcome::validated);
    CHECK(
        verdict_of(copy, garbage + "  for x in [0, N) {\n    f[x] {F(x)} := a[x];\n    if x >= 1000 " + read + "  }\n")
            .outcome != Outcome::validated);
}

TEST_CASE("lets and arrays that hide others of their name are no trouble") {
    const std::string copy = "  input A : i32[1]\n  F(x) = A(x)\n";
    const std::string head = "  input a for A : i32[N];\n  output f for F : i32[N];\n";
    CHECK(verdict_of(copy, head +
                               "  allocate u : i32[N];\n  for x in [0, N) {\n    let v : i32 = a[x];\n    if true {\n"
                               "      let v : i32 = v ^ u[x];\n      f[x] {F(x)} := v;\n    }\n"
                               "    f[x] {F(x)} := a[x];\n  }\n")
              .outcome == Outcome::validated);
    CHECK(verdict_of(copy, head + "  for x in [0, N) {\n    allocate t : u8[2];\n    t[0] := 1u8;\n  }\n"
                                  "  for x in [0, N) {\n    allocate t : i32[2];\n    f[x] {F(x)} := t[0] + 1i32;\n"
                                  "    f[x] {F(x)} := a[x];\n  }\n")
              .outcome != Outcome::unsupported);
}

}  // namespace
}  // namespace haruspex::validator
