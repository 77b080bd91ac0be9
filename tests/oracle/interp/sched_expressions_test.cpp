#include <cstdlib>
#include <limits>

#include "generators/base/choice.h"
#include "tests/oracle/interp/sched_support.h"

// The rules of thesis Fig. 4.3 and, tested by the races that they cause, Fig. 4.4.
namespace haruspex::interp {
namespace {

using value::Type;
using value::Value;

Value value_of(const std::string& expression, const std::string& type = "i32", std::int64_t n = 0) {
    const Run run("sched p(N) {\n  input in : i32[8, 8];\n  output f : " + type +
                      "[];\n  let x = N;\n  f[] := " + expression + ";\n}\n",
                  {{"N", n}});
    if (!run.troubles().empty()) { FAIL(to_string(run.troubles().front())); }
    return run.execution().outputs.front().cells.front();
}

// Evaluates the index, also in a loop where nothing is known before the run.
std::int64_t index_of(const std::string& expression, std::int64_t n = 0) {
    const Value folded = value_of("i64<(" + expression + ")>", "i64", n);
    const Run run("sched p(N) {\n  output f : i64[];\n  for x in [N, N + 1) { f[] := i64<(" + expression + ")>; }\n}\n",
                  {{"N", n}});
    REQUIRE(run.execution().outputs.front().cells.front() == folded);
    return folded.as_signed();
}

Value i32(std::int64_t v) { return Value::integer(Type::i32, v); }

TEST_CASE("Fig. 4.3, variable: a name has the value that it is bound to") {
    CHECK(index_of("x", 7) == 7);
    CHECK(value_of("let v : i32 = 5i32 in v") == i32(5));
}

TEST_CASE("Fig. 4.3, literal") {
    CHECK(value_of("-5i32") == i32(-5));
    CHECK(value_of("0.5f32", "f32") == Value::f32(0.5));
    CHECK(index_of("12") == 12);
    CHECK(value_of("[true]", "bool") == Value::boolean(true));
}

TEST_CASE("Fig. 4.3, array access: memory at the indices' values") {
    CHECK(value_of("in[x + 1, 2*x]", "i32", 2) == i32(43));
    CHECK(value_of("in[int(in[3, 0]), x]", "i32", 5) == i32(53));
}

TEST_CASE("Fig. 4.3, let: the body is evaluated where the name is bound") {
    CHECK(value_of("let y = x + 1 in in[y, y]", "i32", 2) == i32(33));
    CHECK(value_of("let v : i32 = in[x, 1] in v * v", "i32", 2) == i32(144));
    CHECK(value_of("let v[l < 4] : i32 = in[l, x] in v[1] + v[3]", "i32", 2) == i32(44));
    CHECK(index_of("let y = x*x in y + y", 3) == 18);
    CHECK(index_of("let v : i32 = i32<x + 1> in int(v) * 2", 3) == 8);
}

TEST_CASE("Fig. 4.3, sum and product of indices") {
    CHECK(index_of("x + 5", 7) == 12);
    CHECK(index_of("x - 10", 7) == -3);
    CHECK(index_of("3*x", -7) == -21);
    CHECK(index_of("x*x", -7) == 49);
}

TEST_CASE("Fig. 4.3, floor division and modulo, Euclidean for negative divisors, zero by zero") {
    CHECK(index_of("x / 4", 7) == 1);
    CHECK(index_of("x / 4", -1) == -1);
    CHECK(index_of("x / 4", -4) == -1);
    CHECK(index_of("x / (-2)", -7) == 4);
    CHECK(index_of("x / (-2)", 7) == -3);
    CHECK(index_of("x / 0", 7) == 0);
    CHECK(index_of("x % 4", 7) == 3);
    CHECK(index_of("x % 4", -1) == 3);
    CHECK(index_of("x % (-4)", -1) == 3);
    CHECK(index_of("x % 0", 7) == 0);
    CHECK(index_of("x % (-1)", std::numeric_limits<std::int64_t>::min()) == 0);
    CHECK(index_of("min(x, 3)", 7) == 3);
    CHECK(index_of("max(x, 3)", 7) == 7);
}

TEST_CASE("Fig. 4.3, comparisons of indices") {
    const auto holds = [](const std::string& condition, std::int64_t n) {
        return index_of("select(" + condition + ", 1, 0)", n) == 1;
    };
    for (const std::int64_t n : {2, 3, 4}) {
        CHECK(holds("x < 3", n) == (n < 3));
        CHECK(holds("x <= 3", n) == (n <= 3));
        CHECK(holds("x = 3", n) == (n == 3));
        CHECK(holds("x != 3", n) == (n != 3));
        CHECK(holds("x > 3", n) == (n > 3));
        CHECK(holds("x >= 3", n) == (n >= 3));
    }
}

TEST_CASE("Fig. 4.3, conjunction, disjunction and negation of conditions") {
    const auto holds = [](const std::string& condition, std::int64_t n) {
        return value_of("[" + condition + "]", "bool", n) == Value::boolean(true);
    };
    for (const std::int64_t n : {1, 3, 5}) {
        CHECK(holds("x > 2 and x < 4", n) == (n == 3));
        CHECK(holds("x < 2 or x > 4", n) == (n != 3));
        CHECK(holds("not x = 3", n) == (n != 3));
    }
}

TEST_CASE("Fig. 4.3, SELECT-TRUE and SELECT-FALSE evaluate both arms") {
    CHECK(value_of("select(x < 3, in[1, 0], in[2, 0])", "i32", 2) == i32(1));
    CHECK(value_of("select(x < 3, in[1, 0], in[2, 0])", "i32", 3) == i32(2));
    CHECK(value_of("select(in[x, 0] < 3i32, in[1, 0], in[2, 0])", "i32", 3) == i32(2));
    CHECK(index_of("select(x < 3, x, 2*x)", 2) == 2);
    CHECK(index_of("select(x < 3, x, 2*x)", 3) == 6);
    CHECK(value_of("select(x < 3, 1i32, 2147483647i32 + in[1, 0])", "i32", 2).is_undef());
    // Reading out of bounds is wrong even in the arm that is not chosen.
    CHECK(Run(over_f("  f[0] := select(N < 3, in[0], in[20]);"), {{"N", 0}}).kinds() == "out_of_bounds_read");
}

TEST_CASE("Fig. 4.3, CALL: operators of values") {
    CHECK(value_of("in[x, 1] / -2i32", "i32", 7) == i32(-8));
    CHECK(value_of("min(in[x, 0], 3i32)", "i32", 7) == i32(3));
    CHECK(value_of("abs(-in[x, 0])", "u32", 7) == Value::integer(Type::u32, 7));
    CHECK(value_of("u8(in[x, 3] * 10i32)", "u8", 7) == Value::integer(Type::u8, 370 % 256));
    CHECK(value_of("u8<x>", "u8", 300) == Value::integer(Type::u8, 44));
    CHECK(value_of("i32<x>", "i32", std::int64_t{1} << 40).is_undef());
    CHECK(value_of("f32<x>", "f32", 3) == Value::f32(3));
    CHECK(value_of("[x = 3]", "bool", 3) == Value::boolean(true));
}

// An expression over x and y, and its value; numbers are small, so that none exceeds 64 bits.
struct RandomIndex {
    std::string text;
    std::int64_t value = 0;
};

RandomIndex random_index(Choices& choices, std::int64_t x, std::int64_t y, int depth) {
    const auto inner = [&] { return random_index(choices, x, y, depth + 1); };
    switch (choices.weighted({2, 2, 1, depth < 4 ? 12 : 0, depth < 4 ? 2 : 0})) {
        case 0: return {"x", x};
        case 1: return {"y", y};
        case 2: {
            const std::int64_t n = choices.integer(-3, 5);
            return {n < 0 ? "(" + std::to_string(n) + ")" : std::to_string(n), n};
        }
        case 3: {
            const RandomIndex a = inner();
            const RandomIndex b = inner();
            const auto infix = [&](const std::string& op) { return "(" + a.text + op + b.text + ")"; };
            const std::int64_t divisor = b.value == 0 ? 1 : std::abs(b.value);
            const std::int64_t mod = ((a.value % divisor) + divisor) % divisor;
            switch (choices.integer(0, 6)) {
                case 0: return {infix(" + "), a.value + b.value};
                case 1: return {infix(" - "), a.value - b.value};
                case 2: return {"(" + infix(" * ") + " % 1000)", ((a.value * b.value) % 1000 + 1000) % 1000};
                case 3: return {infix("/"), b.value == 0 ? 0 : (a.value - mod) / b.value};
                case 4: return {infix(" % "), b.value == 0 ? 0 : mod};
                case 5: return {"min(" + a.text + ", " + b.text + ")", std::min(a.value, b.value)};
                default: return {"max(" + a.text + ", " + b.text + ")", std::max(a.value, b.value)};
            }
        }
        default: {
            const RandomIndex a = inner();
            const RandomIndex b = inner();
            return {"select(" + a.text + " < " + b.text + ", " + a.text + ", 3*(" + b.text + ") - (" + a.text + "))",
                    a.value < b.value ? a.value : 3 * b.value - a.value};
        }
    }
}

TEST_CASE("random index expressions have their value, whether it is known before the run or not") {
    for (std::uint64_t p = 0; p < 3000; ++p) {
        Choices choices(random_source(derive_seed(7, p)));
        const std::int64_t x = choices.integer(-9, 9);
        const std::int64_t y = choices.integer(-9, 9);
        const RandomIndex index = random_index(choices, x, y, 0);
        const std::string at_x = "[" + std::to_string(x) + ", " + std::to_string(x) + " + 1)";
        const std::string statement = "f[] := i64<(" + index.text + ")>; ";
        INFO(statement);
        const Sizes sizes{{"N", y}};
        for (const std::string& text : {"let x = " + std::to_string(x) + "; let y = N; " + statement,
                                        "let y = N; for x in " + at_x + " { " + statement + "}",
                                        "for y in [N, N + 1) { for x in " + at_x + " { " + statement + "} }"}) {
            CHECK(Run("sched p(N) { output f : i64[]; " + text + "}", sizes).cells("f") ==
                  std::to_string(index.value) + "i64");
        }
    }
}

TEST_CASE("lanes are folded in ascending order from the first one's value") {
    CHECK(value_of("sum lanes l < 4 of (in[l, x])", "i32", 2) == i32(86));
    CHECK(value_of("max lanes l < 3 of (in[3 - l, 0])") == i32(3));
    CHECK(value_of("prod lanes l < 1 of (in[5, l])") == i32(5));
    CHECK(value_of("or lanes l < 3 of (in[l, 0] == 2i32)", "bool") == Value::boolean(true));
    // -1e30 + 1e30 first, then 1: any other order loses the 1.
    CHECK(value_of("sum lanes l < 3 of (select(l < 1, -1e30f32, select(l < 2, 1e30f32, 1.0f32)))", "f32") ==
          Value::f32(1));
}

TEST_CASE("a read whose guard does not hold reads nothing and is Uninit") {
    CHECK(value_of("in[x, 0] ? (x < 8)", "i32", 3) == i32(3));
    CHECK(value_of("in[x, 0] ? (x < 8)", "i32", 100).is_uninit());
    CHECK(value_of("in[x, 0] ? (in[1, 0] == 2i32)", "i32", 100).is_uninit());
}

TEST_CASE("Uninit is loaded, computed with and stored without harm, and never mixed with Undef") {
    const Run run(over_f(R"(
  allocate t : i32[4];
  t[0] := in[3];
  f[0] := t[0];
  f[1] := t[1];
  f[2] := t[1] + 1i32;
  f[3] := select(N = 0, in[1], t[1]);
  f[4] := select(N = 0, t[1], in[1]);
  f[5] := t[1] + (2147483647i32 + in[1]);
  let v : i32 = t[1];
  let i = int(v);
  f[6] := i32<i + 1>;
  f[7] := i32<select(N = 0, 5, i)>;
)"),
                  {{"N", 0}});
    CHECK(run.kinds().empty());
    CHECK(run.cells("f") ==
          "3 uninit_i32 uninit_i32 1 uninit_i32 undef_i32 uninit_i32 5 uninit_i32 uninit_i32 uninit_i32 uninit_i32");
}

// --- Fig. 4.4: cells that an expression reads, shown by the race with another iteration's write -------------------

// Whether evaluating the expression in iteration 1 reads s[3], which iteration 0 writes.
bool reads_s3(const std::string& statements) {
    const Run run(R"(sched p(N) {
  output s : i32[12];
  output f : i32[12];
  for x in [0, 12) { s[x] := i32<x>; }
  par y in [0, 2) {
    if y = 0 { s[3] := 3i32; } else { )" +
                      statements + " }\n  }\n}\n",
                  {{"N", 0}});
    REQUIRE((run.kinds().empty() || run.kinds() == "read_write_race"));
    return !run.troubles().empty();
}

TEST_CASE("Fig. 4.4, variables and literals read nothing") {
    CHECK_FALSE(reads_s3("f[y] := i32<y + N> + 3i32;"));
    CHECK_FALSE(reads_s3("let v : i32 = s[4]; f[y] := v;"));
}

TEST_CASE("Fig. 4.4, an access reads its cell and what its indices read") {
    CHECK(reads_s3("f[y] := s[2 + y];"));
    CHECK_FALSE(reads_s3("f[y] := s[3 + y];"));
    CHECK(reads_s3("f[y] := s[int(s[3])];"));
    CHECK(reads_s3("f[int(s[3])] := 0i32;"));
    CHECK_FALSE(reads_s3("f[3] := s[int(s[4])];"));
}

TEST_CASE("Fig. 4.4, let reads what its binding and its body read") {
    CHECK(reads_s3("f[y] := let v : i32 = s[3] in 0i32;"));
    CHECK(reads_s3("f[y] := let z = 2 + y in s[z];"));
    CHECK(reads_s3("f[y] := let v[l < 4] : i32 = s[l] in v[0];"));
    CHECK_FALSE(reads_s3("f[y] := let v[l < 3] : i32 = s[l] in v[0];"));
}

TEST_CASE("Fig. 4.4, operators read what their operands read") {
    CHECK(reads_s3("f[y] := s[0] + s[3];"));
    CHECK(reads_s3("f[y] := s[3] * s[0];"));
    CHECK(reads_s3("f[y] := -s[3];"));
    CHECK(reads_s3("f[y] := i32(u8(s[3]));"));
    CHECK(reads_s3("f[y] := i32<3 * int(s[3])>;"));
    CHECK(reads_s3("f[y] := i32<int(s[3]) / 2 + int(s[0]) % 2>;"));
    CHECK(reads_s3("f[y] := i32([not (int(s[3]) = 2 or y = 1)]);"));
    CHECK(reads_s3("f[y] := sum lanes l < 4 of (s[l]);"));
    CHECK_FALSE(reads_s3("f[y] := sum lanes l < 3 of (s[l]);"));
}

TEST_CASE("Fig. 4.4, select reads what its condition and both of its arms read") {
    CHECK(reads_s3("f[y] := select(s[3] == 3i32, s[0], s[1]);"));
    CHECK(reads_s3("f[y] := select(y = 0, s[3], s[1]);"));
    CHECK(reads_s3("f[y] := select(y = 0, s[1], s[3]);"));
    CHECK_FALSE(reads_s3("f[y] := select(y = 0, s[1], s[2]);"));
}

TEST_CASE("a guarded read reads what its guard reads, and its cell only when the guard holds") {
    CHECK(reads_s3("f[y] := s[3] ? (y = 1);"));
    CHECK_FALSE(reads_s3("f[y] := s[3] ? (y = 0);"));
    CHECK(reads_s3("f[y] := s[4] ? (s[3] == 3i32);"));
}

}  // namespace
}  // namespace haruspex::interp
