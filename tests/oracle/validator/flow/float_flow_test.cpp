#include "oracle/validator/flow/float_flow.h"

#include <string>

#include "tests/oracle/validator/support.h"
#include "tests/support/catch.h"

// The flow of floats.
namespace haruspex::validator {
namespace {

sched::Program program(const std::string& body) {
    return parsed_program(
        "sched p(N) {\n  input a for A : i32[N];\n  input b for B : f32[N];\n  output f for F : i32[N];\n"
        "  output g0 for G : f32[N];\n  output g1 for G[1] : i32[N];\n" +
        body + "}\n");
}

bool is_apart(const std::string& body, const std::set<sare::Component>& components) {
    return are_independent_of_floats(program(body), components);
}

bool is_apart(const std::string& body) { return is_apart(body, {{"F", 0}}); }

}  // namespace

TEST_CASE("an output that is made of integers alone is apart from the floats beside it") {
    CHECK(is_apart("  for x in [0, N) { f[x] := a[x] + 1i32; g0[x] := b[x] + b[0]; g1[x] := i32(g0[x]); }\n"));
    CHECK(is_apart(
        "  allocate m : f32[N];\n  for x in [0, N) { m[x] := b[x]; f[x] := select([x < 3], a[x], i32<x>); }\n"));
    // Floats in prophecies do not count, only those in computations.
    CHECK(is_apart("  for x in [0, N) { f[x] {i32(f32(A(x)))} := a[x]; }\n"));
    CHECK(is_apart("  for x in [0, N) { f[x] := let v : f32 = b[x] in a[x]; }\n"));
}

TEST_CASE("floats flow through values, memory and lets") {
    CHECK_FALSE(is_apart("  for x in [0, N) { f[x] := i32(b[x]); }\n"));
    CHECK_FALSE(is_apart("  for x in [0, N) { f[x] := i32(f32(a[x])); }\n"));
    CHECK_FALSE(is_apart("  for x in [0, N) { f[x] := i32(f64<x>); }\n"));
    CHECK_FALSE(is_apart("  for x in [0, N) { f[x] := a[x] + i32(2.0f32); }\n"));
    CHECK_FALSE(is_apart("  for x in [0, N) { f[x] := select(b[x] < b[0], a[x], 1i32); }\n"));
    CHECK_FALSE(is_apart("  for x in [0, N) { f[x] += {} i32(b[x]); }\n"));
    CHECK_FALSE(is_apart("  for x in [0, N) { let v : i32 = i32(b[x]); f[x] := v; }\n"));
    CHECK_FALSE(is_apart("  for x in [0, N) { f[x] := let v : f32 = b[x] in i32(v); }\n"));
    // A later write is read in the next iteration, and the float flows on.
    CHECK_FALSE(
        is_apart("  allocate m : i32[N];\n  allocate n : i32[N];\n"
                 "  for x in [0, N) { f[x] := n[x]; n[x] := m[x]; m[x] := i32(b[x]); }\n"));
}

TEST_CASE("where floats decide what is done, nothing is apart from them") {
    CHECK_FALSE(is_apart("  for x in [0, N) { if b[x] < b[0] { g0[x] := b[x]; } f[x] := a[x]; }\n"));
    CHECK_FALSE(is_apart("  for x in [0, N) { g0[int(i32(b[x]))] := b[x]; f[x] := a[x]; }\n"));
    CHECK_FALSE(is_apart("  for x in [0, N) { f[x] := a[int(i32(b[x]))]; }\n"));
    CHECK_FALSE(is_apart("  for x in [0, N) { let v : i32 = i32(b[x]); f[x] := let i = int(v) in a[i]; }\n"));
    CHECK_FALSE(is_apart("  for x in [0, N) { g0[x] := b[int(i32(b[x]))]; f[x] := a[x]; }\n"));
    CHECK_FALSE(is_apart("  for x in [0, int(i32(b[0]))) { f[x] := a[x]; }\n"));
    // The assertion counts even if no output is asked for.
    CHECK_FALSE(is_apart("  assert b[0] < 1.0f32 \"m\";\n  for x in [0, N) { g0[x] := b[x]; }\n", {}));
}

TEST_CASE("components are looked at one by one") {
    const std::string body = "  for x in [0, N) { f[x] := a[x]; g0[x] := b[x]; g1[x] := i32(b[x]); }\n";
    CHECK(is_apart(body, {{"F", 0}}));
    CHECK_FALSE(is_apart(body, {{"F", 0}, {"G", 1}}));
    CHECK_FALSE(is_apart(body, {{"G", 0}}));
    CHECK(is_apart(body, {}));
}

TEST_CASE("a write is prophesied with floats where floats flow, and without where none does") {
    const auto are_alike = [](const std::string& body) {
        const std::string loop = "  allocate m : bool[N];\n  for x in [0, N) { " + body + " }\n";
        return use_floats_as_prophesied(program(loop), {{"B", 0}, {"M", 0}});
    };
    CHECK(are_alike("f[x] {A(x)} := a[x]; m[x] {M(x)} := b[x] < b[0];"));
    CHECK(are_alike("m[x] {B(x) < 1.0f32} := b[x] < 1.0f32; m[x] {M(x)} := [false];"));
    CHECK(are_alike("m[x] := b[x] < 1.0f32; f[x] := i32(m[x]);"));
    CHECK_FALSE(are_alike("m[x] {M(x)} := [false];"));
    CHECK_FALSE(are_alike("m[x] {f32(A(x)) < 1.0f32} := a[x] < 1i32;"));
    CHECK_FALSE(are_alike("f[x] {A(x)} := i32(b[x]);"));
    CHECK_FALSE(are_alike("m[x] {M(x)} := b[x] < b[0]; f[x] {A(x)} := i32(m[x]);"));
}

}  // namespace haruspex::validator
