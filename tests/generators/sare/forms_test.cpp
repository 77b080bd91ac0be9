#include "generators/sare/build.h"
#include "generators/sare/staging.h"
#include "generators/sare/text.h"
#include "tests/support/catch.h"

using namespace haruspex;
using sare::constant;
using sare::Relation;
using sare::variable;

namespace {

sare::Sare parse(const std::string& text) {
    const auto parsed = sare::parse_sare(text, "test");
    if (!parsed) { FAIL(to_string(parsed.error())); }
    return *parsed;
}

std::string index(const std::string& text) {
    const auto parsed = sare::parse_index(text, "test");
    return parsed ? sare::print(*parsed) : to_string(parsed.error());
}

std::string condition(const std::string& text) {
    const auto parsed = sare::parse_condition(text, "test");
    return parsed ? sare::print(*parsed) : to_string(parsed.error());
}

// Parses an expression as the value of an i32 tensor's cell, or of another type, and prints it.
std::string expr(const std::string& text, const std::string& type = "i32") {
    const auto parsed =
        sare::parse_sare("sare s(N) { input a : i32[2] input c : bool[0] b(x) = { 1.0f32, 7u8 } e(x, y) : " + type +
                             " = " + text + " output e on { [x, y] : 0 <= x < N and 0 <= y < N } }",
                         "test");
    return parsed ? sare::print(parsed->tensors.back().equations.front().values.front()) : parsed.error().message;
}

const sare::Index x = variable("x");
const sare::Index y = variable("y");

}  // namespace

TEST_CASE("the example of the design parses") {
    const sare::Sare blur = parse(R"(sare blur(W, H) assuming W >= 8 and H >= 1 {
  input in : i32[2]
  bh(x, y) = in(x-1, y) + in(x, y) + in(x+1, y)
  bv(x, y) = bh(x, y-1) + bh(x, y) + bh(x, y+1)
  output bv on { [x, y] : 0 <= x < W and 0 <= y < H }
})");
    CHECK(blur.name == "blur");
    CHECK(blur.parameters == std::vector<std::string>{"W", "H"});
    CHECK(blur.inputs == std::vector<sare::Input>{{"in", value::Type::i32, 2}});
    REQUIRE(blur.tensors.size() == 2);
    CHECK(blur.tensors[0].types == std::vector{value::Type::i32});
    CHECK(sare::print(blur.tensors[1].equations[0].values[0]) == "bh(x, y - 1) + bh(x, y) + bh(x, y + 1)");
    CHECK(blur.outputs ==
          std::vector<sare::Output>{{"bv", {{constant(0), variable("W")}, {constant(0), variable("H")}}}});
}

TEST_CASE("indices: every form, with as few brackets as the tree needs") {
    for (const char* text : {"5",
                             "-5",
                             "x",
                             "x + y",
                             "x - y - 1",
                             "x - (y - 1)",
                             "x + (y + 1)",
                             "2*x",
                             "-2*x",
                             "-x",
                             "-(x + y)",
                             "-1*5",
                             "2*(x + y)",
                             "2*(3*x)",
                             "2*-x",
                             "x/2",
                             "x%3",
                             "2*x/3",
                             "2*(x/3)",
                             "x/2%3",
                             "(x + 1)/2",
                             "-x/2",
                             "-(x/2)",
                             "min(x, y + 1)",
                             "max(x, y)",
                             "select(x < y and x < 3, x, -y)",
                             "x - -5",
                             "9223372036854775807",
                             "-9223372036854775808"}) {
        CHECK(index(text) == text);
    }
    CHECK(index("((x))+(1)") == "x + 1");
    CHECK(index("x*2") == "2*x");
    CHECK(index("(3)*x") == "3*x");
    CHECK(index("- 5") == "-5");
    CHECK(sare::parse_index("-x/2", "") == sare::Index{sare::IndexDiv{sare::Index{sare::IndexScale{-1, x}}, 2}});
    CHECK(sare::parse_index("x - y - 1", "") == (x - y) - constant(1));
}

TEST_CASE("conditions: every form, with as few brackets as the tree needs") {
    for (const char* text : {"true",
                             "false",
                             "x < y",
                             "x <= y",
                             "x = y",
                             "x != y",
                             "x > y",
                             "x >= y",
                             "x + 1 < 2*y",
                             "0 <= x < y <= 9",
                             "x < 1 and y < 2 and x < 3",
                             "x < 1 and (y < 2 and x < 3)",
                             "x < 1 or y < 2 and x < 3",
                             "(x < 1 or y < 2) and x < 3",
                             "not x < 1",
                             "not (x < 1 and y < 2)",
                             "not not x < 1",
                             "not 0 <= x < 3",
                             "not true",
                             "x < 1 and 0 <= y < 3",
                             "0 <= x < 3 and 0 <= y < 3",
                             "x < 1 or (y < 2 or x < 3)"}) {
        CHECK(condition(text) == text);
    }
    CHECK(condition("(x + 1) < (3)") == "x + 1 < 3");
    CHECK(condition("((x < 3))") == "x < 3");
    CHECK(condition("0 <= x and x < 3") == "0 <= x < 3");
    CHECK(sare::parse_condition("0 <= x < y", "") ==
          (sare::compare(Relation::le, constant(0), x) && sare::compare(Relation::lt, x, y)));
    CHECK(sare::parse_condition("not x < 1 and y < 2", "") ==
          ((!sare::compare(Relation::lt, x, constant(1))) && sare::compare(Relation::lt, y, constant(2))));
}

TEST_CASE("expressions: every form, with as few brackets as the tree needs") {
    for (const char* text : {"5i32",
                             "-5i32",
                             "a(x, y)",
                             "a(x + 1, y/2)",
                             "b(x)[1]",
                             "i32<x + y>",
                             "i32(1.5f32)",
                             "i32(u8<x>)",
                             "i32(b(x))",
                             "select(c(), 1i32, 2i32)",
                             "select([x < 3 and y < 2], 1i32, 2i32)",
                             "-a(x, y)",
                             "-(5i32)",
                             "-(-5i32)",
                             "--a(x, y)",
                             "~a(x, y)",
                             "i32(abs(a(x, y)))",
                             "min(a(x, y), 3i32)",
                             "max(a(x, y), 3i32)",
                             "sum over { [j] : 0 <= j < 3 } of (a(j, x))",
                             "prod over { [j, k] : 0 <= j < 3 and 0 <= k < j } of (a(j, k))",
                             "min over { [j] : 0 <= j < 3 } of (a(j, x))",
                             "max over { [j] : 0 <= j < 3 } of (a(j, x))",
                             "(1i32 + 2i32) * 3i32",
                             "1i32 + 2i32 * 3i32",
                             "1i32 - (2i32 - 3i32)",
                             "1i32 - 2i32 - 3i32",
                             "1i32 / 2i32 % 3i32",
                             "1i32 << 2i32 >> 3i32",
                             "1i32 << 2i32 + 3i32",
                             "(1i32 << 2i32) + 3i32",
                             "1i32 | 2i32 ^ 3i32 & 4i32",
                             "((1i32 | 2i32) ^ 3i32) & 4i32",
                             "1i32 - -2i32",
                             "i32<x> >> i32<y>",
                             "i32(i32<x> > i32<y>)",
                             "select(1i32 < 2i32 == c(), 1i32, 2i32)",
                             "i32(!c() || c() && !(c() || c()))",
                             "i32([true] != [x = y])",
                             "i32(and over { [j] : 0 <= j < 3 } of (c()))",
                             "i32(or over { [j] : 0 <= j < 3 } of (c()))"}) {
        const std::string expected = text;
        CHECK(expr(text) == (expected == "b(x)[1]" ? "expected a value of type i32, found u8" : expected));
    }
    CHECK(expr("i32<x>>>i32<y>") == "i32<x> >> i32<y>");
    CHECK(expr("i32(i32<x>>=i32<y>)") == "i32(i32<x> >= i32<y>)");
    CHECK(expr("(((a(x,y))))") == "a(x, y)");
    CHECK(expr("a(x, y)[0]") == "a(x, y)");
}

TEST_CASE("literals of every type, and the signs of zero and infinity") {
    for (const value::Type type : value::all_types) {
        if (type == value::Type::boolean) { continue; }
        const std::string literal = value::to_string(value::Value::integer(type, 3));
        CHECK(expr(literal, std::string(value::name(type))) == literal);
    }
    for (const char* text : {"-0.0f64", "inf_f64", "-inf_f64", "nan_f64", "0.1f64", "1e+300f64", "5e-324f64"}) {
        CHECK(expr(text, "f64") == text);
    }
    CHECK(expr("18446744073709551615u64", "u64") == "18446744073709551615u64");
    CHECK(expr("-9223372036854775808i64", "i64") == "-9223372036854775808i64");
    CHECK(expr("true", "bool") == "true");
    CHECK(expr("1e2f32", "f32") == value::to_string(value::Value::f32(100)));
}

TEST_CASE("a literal without a type takes that of the operand beside it") {
    CHECK(expr("a(x, y) + 1") == "a(x, y) + 1i32");
    CHECK(expr("1 - a(x, y)") == "1i32 - a(x, y)");
    CHECK(expr("-3 * (2 + a(x, y))") == "-3i32 * (2i32 + a(x, y))");
    CHECK(expr("select(a(x, y) < 3, 1, 2)") == "select(a(x, y) < 3i32, 1i32, 2i32)");
    CHECK(expr("select(b(x) > 0.5, a(x, y), 2)") == "select(b(x) > 0.5f32, a(x, y), 2i32)");
    CHECK(expr("min(3, a(x, y))") == "min(3i32, a(x, y))");
    CHECK(expr("i32(b(x)[1] / 2)") == "i32(b(x)[1] / 2u8)");
    CHECK(expr("b(x) * 2", "f32") == "b(x) * 2.0f32");
    CHECK(expr("sum over { [j] : 0 <= j < 3 } of (2)") == "sum over { [j] : 0 <= j < 3 } of (2i32)");
    CHECK(expr("1 + 2 * 3", "u8") == "1u8 + 2u8 * 3u8");
    CHECK(expr("2.5", "i32") == "expected a literal of type i32, found 2.5");
    CHECK(expr("i32(5)") == "nothing here determines the type of 5; expected a suffix, such as 5i32");
    CHECK(expr("i32(1 < 2)") == "nothing here determines the type of 1; expected a suffix, such as 1i32");
    CHECK(expr("i32(0.5)") == "nothing here determines the type of 0.5; expected a suffix, such as 0.5f32");
}

TEST_CASE("items: declarations, components, domains, updates and outputs") {
    const std::string text = R"(sare all(N, M) assuming N >= 1 {
  input in : u8[1]
  input flag : bool[0]
  t(x) = { in(x), 2.0f32 }
  u(x, y) = 0i32 if x = 0
  u(x, y) = u(x - 1, y) + i32(w(x)) if x > 0
  u(x, y) = 1i32 if x < 0
  w(x) = t(x)[0]
  D(x, y) = 0i32
  update D(x, y) = D(x, y) + u(k, y) over k in [0, N)
  update D(2*k, y) = D(k, y) over k in [1, M), l in [-1, 2) where k < l
  update D(0, y) = D(1, y)
  S() = select(flag(), 1i32, D(0, 0))
  output D on { [x, y] : 0 <= x < N and 3 <= y < 3 + M }
  output S on { [] : true }
}
)";
    const sare::Sare all = parse(text);
    CHECK(sare::print(all) == text);
    CHECK(all.stagings.size() == 1);
    CHECK(all.stagings[0].updates[1].where == sare::compare(Relation::lt, variable("k"), variable("l")));
    CHECK(all.outputs[0].box[1] == sare::Span{constant(3), variable("M")});

    // A declaration is equivalent to annotations.
    const sare::Sare declared = parse(R"(sare all(N) {
        tensor t : {i32, f32}[1]
        t(x) = { t(x - 1)[0] + 1, t(x)[1] }
        output t on { [x] : 0 <= x < N }
    })");
    CHECK(declared.tensors[0].types == std::vector{value::Type::i32, value::Type::f32});
    CHECK(sare::print(declared).find("t(x) : {i32, f32} = { t(x - 1)[0] + 1i32, t(x)[1] }") != std::string::npos);
}

TEST_CASE("items stand in any order, and an update belongs to the tensor of its name") {
    const sare::Sare mixed = parse(R"(sare s(N) {  # a comment
        output b on { [x] : 0 <= x < N }
        a(x) = in(x)  # another ' one
        b(x) = a(x)
        update a(x) = a(x) + 1 over k in [0, N)
        input in : i32[1]
    })");
    CHECK(sare::print(mixed) == R"(sare s(N) {
  input in : i32[1]
  a(x) = in(x)
  update a(x) = a(x) + 1i32 over k in [0, N)
  b(x) = a(x)
  output b on { [x] : 0 <= x < N }
}
)");
}

TEST_CASE("stage tensors written by hand are general tensors") {
    const sare::Sare hand = parse(R"(sare s(N) {
        D.0(x) = 0i32
        D(x) = D.0(x) + 1
        output D on { [x] : 0 <= x < N }
    })");
    CHECK(hand.stagings.empty());
    CHECK(hand.tensors[0].name == "D.0");
}

TEST_CASE("an output's box may be said in other words") {
    const auto box = [&](const std::string& condition) {
        const auto parsed = sare::parse_sare("sare s(N) { a(x) = 1i32 output a on { [x] : " + condition + " } }", "");
        return parsed
                   ? sare::print(parsed->outputs[0].box[0].min) + " + " + sare::print(parsed->outputs[0].box[0].extent)
                   : parsed.error().message;
    };
    CHECK(box("0 <= x < N") == "0 + N");
    CHECK(box("x < N and x >= 0") == "0 + N");
    CHECK(box("N > x > 1") == "2 + N - 2");
    CHECK(box("-1 <= x <= N") == "-1 + N + 1 - -1");
    CHECK(box("2 <= x < 2 + N") == "2 + N");
    CHECK(box("2 <= x < 10") == "2 + 8");
    CHECK(box("0 <= x < 3 and true") == "0 + 3");
    CHECK(box("x = 3").starts_with("expected a box"));
    CHECK(box("0 <= x < N and x < 7").starts_with("expected a box"));
    CHECK(box("0 <= x < N and N > 3").starts_with("expected a box"));
    CHECK(box("not x < 3").starts_with("expected a box"));
}
