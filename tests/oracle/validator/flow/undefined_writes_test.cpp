#include "oracle/validator/flow/undefined_writes.h"

#include "harness/sched/traverse.h"
#include "tests/oracle/validator/support.h"

namespace haruspex::validator {
namespace {

// The arrays of writes that may be Undef, in the order of the text.
std::string undefined(const std::string& statements) {
    const sched::Program program = parsed_program(
        "sched s(N) { input a for A : i32[N]; input u for U : u8[N]; input x for X : f32[N]; output f for F : i32[N]; "
        "allocate g : i32[N]; allocate h : i32[N]; allocate v : u8[N]; " +
        statements + "}");
    const std::set<const sched::Write*> found = writes_that_may_be_undef(program);
    std::string names;
    sched::for_each_statement(program.body, [&](const sched::Stmt& stmt) {
        const auto* assign = std::get_if<sched::Assign>(&stmt.node);
        if (assign == nullptr) { return; }
        for (const sched::Write& write : assign->writes) { names += found.contains(&write) ? write.array + " " : ""; }
    });
    return names;
}

TEST_CASE("a write may be Undef when something on the way may overflow, by types and ranges") {
    CHECK(undefined("f[0] := a[0]; g[0] := a[0] & 7i32; v[0] := u[0] * u[1];").empty());
    CHECK(undefined("f[0] := a[0] + 1i32; g[0] := i32(u[0]) * i32(u[1]) + 9i32;") == "f ");
    CHECK(undefined("f[0] := i32(x[0]); v[0] := u8(a[0]);") == "f ");
    CHECK(undefined("f[0] := i32<N>; v[0] := u8<N>;") == "f ");
    CHECK(undefined("f[0] := select(a[0] * a[0] < 1i32, 1i32, 2i32); g[0] := select(N < 3, 1i32, 2i32);") == "f ");
}

TEST_CASE("a write may be Undef when it reads what may be, through memory and lets, before or after") {
    CHECK(undefined("f[0] := g[0]; g[0] := h[0]; h[0] := a[0] * a[0];") == "f g h ");
    CHECK(undefined("let t : i32 = a[0] * a[0]; f[0] := t; g[0] := a[0];") == "f ");
    CHECK(undefined("f[0] := (let t : i32 = a[0] * a[0] in t); g[0] := (let t : i32 = a[0] in t);") == "f ");
    CHECK(undefined("let t[l < 4] : i32 = a[l]; f[0] := t[1]; lanes l < 4 do g[l] := t[l];").empty());
}

}  // namespace
}  // namespace haruspex::validator
