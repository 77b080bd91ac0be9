#include "tests/oracle/equivalence/programs.h"

// Effects of a program other than its values; the graph must not lose any of them.
namespace haruspex::equivalence {
namespace {

const std::string copy = R"(
    sare copy(N) assuming N >= 4 {
      input a : u8[1]
      f(x) = a(x) + 1
      output f on { [x] : 0 <= x < N }
    })";

std::string copied(const std::string& body) {
    return "sched copy(N) { input a : u8[N]; output f : u8[N]; " + body + " }";
}
std::string reason(const std::string& body) { return verdict_of(copy, copied(body)).reason; }
bool has_kind(const std::string& body, const std::string& kind) { return reason(body).starts_with(kind + ": "); }

TEST_CASE("an index that depends on data does so also where it is divided by zero, or multiplied by it") {
    for (const std::string index : {"int(t[0])/0", "int(t[0])%0", "0*int(t[0])", "int(t[0])*(N - N)"}) {
        INFO(index);
        CHECK(reason("allocate t : u8[1]; for x in [0, N) { f[x] := a[x] + 1u8; } f[" + index + "] := a[0] + 1u8;")
                  .starts_with("index that depends on data"));
    }
}

TEST_CASE("accesses lie in arrays that are there") {
    CHECK(is_proved(verdict_of(copy, copied("for x in [0, N) { f[x] := a[x] + 1u8; }"))));
    CHECK(has_kind("for x in [0, N) { f[x] := a[x] + 1u8; } for x in [0, N) { f[x] := f[x + 1]; }",
                   "out_of_bounds_read"));
    CHECK(has_kind("for x in [0, N) { f[x] := a[x] + 1u8; } f[N] := 0u8;", "out_of_bounds_write"));
    CHECK(has_kind("allocate t : u8[1] if N > 5; t[0] := 0u8; for x in [0, N) { f[x] := a[x] + 1u8; }",
                   "out_of_bounds_write"));
    CHECK(has_kind("allocate t : u8[1]; t[0] := 1u8; free t; for x in [0, N) { f[x] := a[x] + t[0]; }",
                   "read_after_free"));
    CHECK(is_proved(
        verdict_of(copy, copied("allocate t : u8[1]; t[0] := 1u8; free t; for x in [0, N) { f[x] := a[x] + 1u8; }"))));
    const std::string right = " for x in [0, N) { f[x] := a[x] + 1u8; }";
    CHECK(has_kind("allocate t : u8[1]; free t; free t;" + right, "free_after_free"));
    CHECK(has_kind("allocate t : u8[1]; for x in [0, N) { free t; }" + right, "free_after_free"));
    CHECK(is_proved(verdict_of(copy, copied("for x in [0, N) { allocate t : u8[1]; free t; }" + right))));
    CHECK(
        is_proved(verdict_of(copy, copied("allocate t : u8[1]; if N > 6 { free t; } if N <= 6 { free t; }" + right))));
    CHECK(has_kind("for x in [0, N) { assert x < 3 \"small\"; f[x] := a[x] + 1u8; }", "assertion_failed"));
}

TEST_CASE("floats that are not strict are proved of real numbers alone") {
    const std::string sum =
        "sare one(N) assuming N >= 1 { input a : f32[1] f(x) = a(x) + 1.0f32 output f on { [x] : 0 <= x < N } }";
    const auto verdict = [&](const std::string& floats, bool exact_reals) {
        Options options;
        options.exact_reals = exact_reals;
        return check(sare_of(sum),
                     program_of("sched one(N)" + floats +
                                " { input a : f32[N]; output f : f32[N]; for x in [0, N) { f[x] := a[x] + 1.0f32; } }"),
                     options);
    };
    CHECK(is_proved(verdict("", false)));
    CHECK(is_proved(verdict(" with loose floats", true)));
    const Verdict loose = verdict(" with loose floats", false);
    CHECK(loose.outcome == Outcome::unsupported);
    CHECK(loose.reason == "floats that are not strict");
}

TEST_CASE("the integer of a u64 may leave 64 bits, and no proof says that it does not") {
    const auto verdict = [](const std::string& type, const std::string& large) {
        const sare::Sare sare =
            sare_of("sare one(N) assuming N >= 1 { input a : " + type + "[1] f(x) : u32 = u32(a(x) + " + large +
                    ") output f on { [x] : 0 <= x < N } }");
        return check(
            sare, program_of("sched one(N) { input a : " + type +
                             "[N]; output f : u32[N]; for x in [0, N) { f[x] := u32<int(a[x] + " + large + ")>; } }"));
    };
    CHECK(verdict("u64", "9223372036854775808u64").outcome == Outcome::unsupported);
    CHECK(is_proved(verdict("u32", "2147483648u32")));
    CHECK(is_proved(verdict("w64", "9223372036854775807w64")));
}

TEST_CASE("value-lets are read at lanes that they have, also where nobody asks for what is read") {
    const std::string four = "let v[l < 4] : u8 = a[l] + 1u8; ";
    const auto read_at = [&](const std::string& lane) {
        return four + "allocate t : u8[N]; for x in [0, N) { t[x] := v[" + lane + "]; f[x] := a[x] + 1u8; }";
    };
    CHECK(is_proved(verdict_of(copy, copied(read_at("x % 4")))));
    CHECK(has_kind(read_at("x"), "out_of_bounds_read"));
    CHECK(has_kind(read_at("7"), "out_of_bounds_read"));
    CHECK(has_kind(read_at("-1"), "out_of_bounds_read"));
    CHECK(has_kind(four + "for x in [0, N) { f[x] := select(x >= 0, a[x] + 1u8, v[7]); }", "out_of_bounds_read"));
    CHECK(has_kind("for x in [0, N) { let v[l < 4] : u8 = a[x]; let w : u8 = v[x]; f[x] := a[x] + 1u8; }",
                   "out_of_bounds_read"));
    CHECK(is_proved(verdict_of(
        copy, copied(four + "for x in [0, N) { if x < 4 { f[x] := v[x]; } else { f[x] := a[x] + 1u8; } }"))));
}

TEST_CASE("a scalar is the first cell of an array that has a dimension") {
    const std::string specification =
        "sare s(N) assuming N >= 1 { input a : u8[0] f() = a() + 1 output f on { [] : true } }";
    const auto is_right = [&](const std::string& arrays, const std::string& body) {
        return is_proved(verdict_of(specification, "sched s(N) { " + arrays + " " + body + " }"));
    };
    CHECK(is_right("input a : u8[1 stride 1]; output f : u8[1 stride 1];", "f[0] := a[0] + 1u8;"));
    CHECK(is_right("input a : u8[2 from 3]; output f : u8[N from -1];", "f[-1] := a[3] + 1u8;"));
    CHECK_FALSE(is_right("input a : u8[2]; output f : u8[1];", "f[0] := a[1] + 1u8;"));
    CHECK_FALSE(is_right("input a : u8[1]; output f : u8[2];", "f[1] := a[0] + 1u8;"));
    CHECK_FALSE(is_right("input a : u8[1]; output f : u8[1];", "f[0] := a[0] + 1u8; f[1] := 0u8;"));
}

TEST_CASE("a second program has no buffer with cells that the first one's does not have") {
    const auto with_sizes = [](const std::string& a, const std::string& f) {
        return program_of("sched copy(N) { input a : u8[" + a + "]; output f : u8[" + f +
                          "]; for x in [0, 4) { f[x] := a[x]; } }");
    };
    const sched::Program first = with_sizes("8", "4");
    CHECK(is_proved(check(first, with_sizes("8", "4"))));
    CHECK(check(first, with_sizes("9", "4")).reason == "a buffer with cells that the first program's does not have: a");
    CHECK(check(first, with_sizes("8", "5")).reason == "a buffer with cells that the first program's does not have: f");
    CHECK(is_proved(check(first, with_sizes("4", "4"))));
}

TEST_CASE("memory that was not written is the same as nothing") {
    CHECK(reason("for x in [1, N) { f[x] := a[x] + 1u8; }") ==
          "a read of memory that was not written: output f | output f");
    // It does not even equal itself, and an iteration's own array does not keep the values of an earlier iteration.
    CHECK_FALSE(is_proved(verdict_of(
        copy, copied("for x in [0, N) { allocate t : u8[1]; if x = 0 { t[0] := 1u8; } f[x] := a[x] + t[0]; }"))));
    CHECK(is_proved(verdict_of(
        copy, copied("allocate t : u8[1]; for x in [0, N) { if x = 0 { t[0] := 1u8; } f[x] := a[x] + t[0]; }"))));
    CHECK_FALSE(is_proved(check(program_of(copied("")), program_of(copied("")))));
}

TEST_CASE("an accumulation adds to what the same assignment wrote before it") {
    const auto is_right = [](const std::string& before, const std::string& writes) {
        return is_proved(verdict_of(copy, copied("for x in [0, N) { " + before + writes + "; }")));
    };
    CHECK(is_right("f[x] := 7u8; ", "f[x] := a[x], f[x] += {} 1u8"));
    CHECK_FALSE(is_right("f[x] := a[x]; ", "f[x] := 7u8, f[x] += {} 1u8"));
    CHECK_FALSE(is_right("f[x] := a[x]; ", "f[x] += {} 1u8, f[x] += {} 1u8"));
    CHECK(is_right("f[x] := a[x]; ", "f[x] += {} 1u8, f[x] += {} 0u8") ==
          is_right("f[x] := a[x] + 1u8; ", "f[x] += {} 0u8"));
    // Other reads come before the writes.
    CHECK(is_right("f[x] := 1u8; ", "f[x] := a[x], f[x] += {} f[x]"));
}

TEST_CASE("which of two output arrays has to hold a tensor is not known") {
    const std::string both =
        "sched copy(N) { input a : u8[N]; output f : u8[N]; output g for f : u8[N]; "
        "for x in [0, N) { f[x] := a[x] + 1u8; g[x] := ";
    const Verdict right = verdict_of(copy, both + "a[x] + 1u8; } }"), wrong = verdict_of(copy, both + "a[x]; } }");
    CHECK(right.outcome == Outcome::unsupported);
    CHECK(wrong.outcome == Outcome::unsupported);
    CHECK(wrong.reason == "two output arrays for one component of f");
    const sched::Program one = program_of(both + "a[x] + 1u8; } }"), other = program_of(both + "a[x]; } }");
    CHECK(check(one, other).outcome == Outcome::unsupported);
}

TEST_CASE("iterations of a par loop do not read what others write, and leave the same where they both write") {
    CHECK(is_proved(verdict_of(copy, copied("par x in [0, N) { f[x] := a[x] + 1u8; }"))));
    CHECK(has_kind("allocate t : u8[1]; par x in [0, N) { t[0] := 1u8; f[x] := a[x] + t[0]; }", "read_write_race"));
    CHECK(is_proved(verdict_of(
        copy,
        copied(
            "par y in [0, (N + 3)/4) { for x in [min(4*y, N - 4), min(4*y, N - 4) + 4) { f[x] := a[x] + 1u8; } }"))));
    CHECK(is_proved(
        verdict_of(copy, copied("par y in [0, 2) { for x in [0, N) { f[x] := a[0]; f[x] := a[x] + 1u8; } }"))));
    CHECK(has_kind("par y in [0, 2) { for x in [0, N) { f[x] := a[x] + u8<y>; } }", "write_write_race"));
    CHECK(has_kind("lanes l < 2 do f[0] := u8<l>; for x in [0, N) { f[x] := a[x] + 1u8; }", "lane_conflict"));
    CHECK(is_proved(verdict_of(copy, copied("lanes l < 2 do f[0] := 7u8; for x in [0, N) { f[x] := a[x] + 1u8; }"))));
}

TEST_CASE("iterations leave what is the same before rounding and after, where floats are exact reals") {
    const std::string sum =
        "sare three(N) assuming N >= 1 { input A : f32[1] F(x) = A(x) + A(x + 1) + A(x + 2) "
        "output F on { [x] : 0 <= x < N } }";
    const auto outcome = [&](const std::string& other) {
        Options options = with("add");
        options.exact_reals = true;
        return check(
                   sare_of(sum),
                   program_of("sched three(N) { input a for A : f32[N + 2]; output f for F : f32[N]; par s in [0, 2) { "
                              "for x in [0, N) { if s = 0 { f[x] := a[x] + a[x + 1] + a[x + 2]; } else { f[x] := " +
                              other + "; } } } }"),
                   options)
            .outcome;
    };
    CHECK(outcome("a[x] + a[x + 1] + a[x + 2]") == Outcome::proved);
    CHECK(outcome("a[x] + (a[x + 1] + a[x + 2])") == Outcome::not_proved);
}

TEST_CASE("an alternative that is not chosen may not be undefined in the program, and may be so in the specification") {
    const std::string wide = R"(
        sare wide(N) assuming N >= 1 {
          input a : i32[1]
          f(x) = select([x < 3], a(x), a(x) * a(x))
          output f on { [x] : 0 <= x < 3 }
        })";
    const auto program = [](const std::string& value) {
        return "sched wide(N) { input a : i32[3]; output f : i32[3]; for x in [0, 3) { f[x] := " + value + "; } }";
    };
    CHECK(is_proved(verdict_of(wide, program("a[x]"))));
    CHECK(is_proved(verdict_of(wide, program("select(x < 3, a[x], a[x] * a[x])"))));
    CHECK(is_proved(verdict_of(wide, program("select(x < 3, a[x], 5i32)"))));
    CHECK_FALSE(is_proved(verdict_of(wide, program("select(x < 3, a[x], a[x] + a[x])"))));
}

TEST_CASE("parameters count within the assumptions only, and two programs can be compared") {
    const std::string first = "for x in [0, N) { f[x] := a[x] + 1u8; }";
    const std::string tiled = "for y in [0, N / 4) { for x in [0, 4) { f[4*y + x] := a[4*y + x] + 1u8; } }";
    CHECK_FALSE(is_proved(check(program_of(copied(first)), program_of(copied(tiled)))));
    const sare::Condition whole =
        sare_of("sare p(N) assuming N % 4 = 0 { f() = 0i32 output f on { [] : true } }").assumptions;
    CHECK(is_proved(check(program_of(copied(first)), program_of(copied(tiled)), whole)));
    const Verdict nothing =
        verdict_of("sare none(N) { input a : u8[1] f(x) = a(x) + 1 output f on { [x] : 0 <= x < 0 } }", copied(first));
    CHECK(nothing.reason == "vacuous: no output cell is ever requested");
}

TEST_CASE("what is not static and affine is named, and a budget that is spent decides nothing") {
    CHECK(reason("for x in [0, N) { if int(a[x]) < 3 { f[x] := a[x] + 1u8; } }") ==
          "index that depends on data: int(a[x])");
    CHECK(verdict_of(copy, copied("for x in [0, N) { f[x] := a[x * x] + 1u8; }")).outcome == Outcome::unsupported);
    Options little;
    little.operations = 100;
    CHECK(check(sare_of(copy), program_of(copied("for x in [0, N) { f[x] := a[x] + 1u8; }")), little).outcome ==
          Outcome::undecided);
}

}  // namespace
}  // namespace haruspex::equivalence
