#include "oracle/validator/flow/write_dependences.h"

#include "harness/sched/traverse.h"
#include "oracle/validator/validator.h"
#include "tests/oracle/validator/support.h"

namespace haruspex::validator {
namespace {

// The arrays behind each write, in the order of the text: "f: a f, …".
std::string behind(const std::string& body) {
    const sched::Program program = parsed_program(
        "sched s(N) { input a for A : i32[N]; input b for B : i32[N]; output f for F : i32[N]; "
        "allocate t : i32[N]; allocate u : i32[N]; " +
        body + " }");
    const auto arrays = write_dependences(program);
    std::string text;
    sched::for_each_statement(program.body, [&](const sched::Stmt& stmt) {
        const auto* assign = std::get_if<sched::Assign>(&stmt.node);
        if (assign == nullptr) { return; }
        for (const sched::Write& write : assign->writes) {
            text += (text.empty() ? "" : ", ") + write.array + ":";
            for (const std::string& array : arrays.at(&write)) { text += " " + array; }
        }
    });
    return text;
}

const char* const copy = R"(sare s(N) assuming N >= 0 {
  input A : i32[1]
  F(x) = A(x)
  output F on { [x] : 0 <= x < N }
})";

// t has garbage in its last cell, prophesied as the cell before; `first` computes u from t, and `second` f from u.
Outcome of_chain(const std::string& first, const std::string& second, const std::string& requested) {
    return validate(parsed_sare(copy),
                    parsed_program("sched s(N) { input a for A : i32[N]; output f for F : i32[N + 1]; "
                                   "allocate s : i32[N + 1]; allocate t : i32[N + 1]; allocate u : i32[N + 1]; "
                                   "for x in [0, N) { s[x] {A(x)} := a[x]; } "
                                   "for x in [0, N + 1) { t[x] {A(min(x, N - 1))} := s[x]; } "
                                   "for x in [0, N + 1) { " +
                                   first + " } for x in [0, N + 1) { " + second + " } " + requested + " }"))
        .outcome;
}

}  // namespace

TEST_CASE("behind a write are its array, and what its value and its condition read") {
    CHECK(behind("f[0] {F(0)} := 1i32;") == "f: f");
    CHECK(behind("for x in [0, N) { f[x] {F(x)} := a[x] + t[x]; u[x] := b[x]; }") == "f: a f t, u: b u");
    CHECK(behind("f[0] {F(0)} := (let v : i32 = a[0] in v + t[0]);") == "f: a f t");
    CHECK(behind("if a[0] == 0i32 do f[0] {F(0)} := 1i32;") == "f: a f");
}

TEST_CASE("behind a write are the arrays behind the lets that it names, and those that these name") {
    CHECK(behind("let v : i32 = a[0]; let w : i32 = v + t[0]; f[0] {F(0)} := w; u[0] := 1i32;") == "f: a f t, u: u");
    // Lets with the same name are not distinguished.
    CHECK(behind("for x in [0, N) { let v : i32 = a[x]; t[x] := v; } for x in [0, N) { let v : i32 = b[x]; u[x] := v; "
                 "}") == "t: a b t, u: a b u");
}

TEST_CASE("what was shown before something it is made of turned out to be garbage is shown again") {
    const std::string u = "u[x] {A(min(x, N - 1))} := t[x];", f = "f[x] {F(min(x, N - 1))} := u[x];";
    const std::string let_u = "let v : i32 = t[x]; let w : i32 = v; u[x] {A(min(x, N - 1))} := w;";
    const std::string let_f = "let y : i32 = u[x]; f[x] {F(min(x, N - 1))} := y;";
    const std::string last = "if N > 0 { f[N - 1] {F(N - 1)} := u[N]; }";
    for (const std::string& first : {u, let_u}) {
        for (const std::string& second : {f, let_f}) {
            INFO(first << " " << second);
            CHECK(of_chain(first, second, "") == Outcome::validated);
            CHECK(of_chain(first, second, last) == Outcome::refuted);
        }
    }
}

}  // namespace haruspex::validator
