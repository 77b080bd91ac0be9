#include <utility>

#include "generators/sare/text.h"
#include "tests/support/catch.h"

using namespace haruspex;

namespace {

std::string message(const std::string& text) {
    const auto parsed = sare::parse_sare(text, "t");
    return parsed ? "accepted" : parsed.error().message;
}

// Puts items into a system with an input, parameters and output a.
std::string in_system(const std::string& items) {
    return message("sare s(N) assuming N >= 1 { input in : i32[1] " + items + " output a on { [x] : 0 <= x < N } }");
}

}  // namespace

// The corpus (rejected_test.cpp) holds the errors of everyday mistakes; these are the others.
TEST_CASE("what is expected is said wherever the text goes wrong") {
    const std::vector<std::pair<std::string, std::string>> table{
        {"a(x) = in(x)", "accepted"},
        {"a[x] = 1i32", "expected \"(\" and the variables of \"a\", found \"[\""},
        {"a(x+1) = 1i32", "expected \")\", found \"+\""},
        {"a(3) = 1i32", "expected a variable's name, found \"3\""},
        {"a(x, x) = 1i32", "variable \"x\" is already in scope; expected a new name"},
        {"a(N) = 1i32", "tensor \"a\": variable \"N\" is already in scope; expected a new name"},
        {"a(x) == 1i32", "expected \"=\", found \"==\""},
        {"a(x) = ", "expected an expression, found \"output\""},
        {"a(x) = 1i32 +", "expected an expression, found \"output\""},
        {"a(x) = { 1i32, 2i32", "expected \"}\", found \"output\""},
        {"a(x) = in", "expected \"(\" and the indices of \"in\", found \"output\""},
        {"a(x) = in(x", "expected \")\", found \"output\""},
        {"a(x) = i32 + 1", "expected \"(\" of a cast or \"<\" of an index, found \"+\""},
        {"a(x) = i32<x", "expected \">\", found \"output\""},
        {"a(x) = [x < 3", "expected \"]\", found \"output\""},
        {"a(x) = [x]", "expected a condition, found an index"},
        {"a(x) = in(x < 3)", "expected \")\", found \"<\""},
        {"a(x) = in(x and x)", "expected \")\", found \"and\""},
        {"a(x) = min(in(x))", "expected \",\", found \")\""},
        {"a(x) = select(in(x), in(x))", "expected \",\", found \")\""},
        {"a(x) = abs in(x)", "expected \"(\", found \"in\""},
        {"a(x) = sum(in(x))", "expected \"over\", found \"(\""},
        {"a(x) = sum over [j] of (in(j))", "expected \"{\", found \"[\""},
        {"a(x) = sum over { j : 0 <= j < 3 } of (in(j))", "expected \"[\", found \"j\""},
        {"a(x) = sum over { [3] : true } of (in(x))", "expected a variable's name, found \"3\""},
        {"a(x) = sum over { [j] 0 <= j < 3 } of (in(j))", "expected \":\", found \"0\""},
        {"a(x) = sum over { [j] : 0 <= j < 3 } in(j)", "expected \"of\", found \"in\""},
        {"a(x) = sum over { [j] : 0 <= j < 3 } of (in(k))", "unknown variable \"k\"; expected one of \"N\", \"x\""},
        {"a(x) = sum over { [j] : 0 <= j < 3 } of (in(j)) + in(j)",
         "unknown variable \"j\"; expected one of \"N\", \"x\""},
        {"a(x) = sum over { [x] : 0 <= x < 3 } of (in(x))",
         "tensor \"a\": variable \"x\" is already in scope; expected a new name"},
        {"a(x) = sum over { [] : true } of (in(x))",
         "tensor \"a\": a reduction has no variables; expected at least one"},
        {"a(x) = and over { [j] : 0 <= j < 3 } of (in(j))",
         "reduction and: expected a body of a type that supports the operator, found i32"},
        {"a(x) = in(x) if", "expected an index or a condition, found \"output\""},
        {"a(x) = in(x) if x", "expected a condition, found an index"},
        {"a(x) = in(x) if x < ", "expected an index or a condition, found \"output\""},
        {"a(x) = in(x) if not (x + 1)", "expected a condition, found an index"},
        {"a(x) = in(select(x, 1, 2))", "expected a condition, found an index"},
        {"a(x) = in(min(x))", "expected \",\", found \")\""},
        {"a(x) = in(5i32)", "expected an integer, found 5i32"},
        {"a(x) = in(x/-2)", "expected a positive integer as the divisor"},
        {"a(x) = in(x/N)", "expected a positive integer as the divisor"},
        {"a(x) = in(sum)", "expected an index or a condition, found \"sum\""},
        {"a(x) = in(-9223372036854775809)", "expected an integer that fits 64 bits, found -9223372036854775809"},
        {"a(x) = 1.5i32", "expected a literal in the range of its type, such as 5i32 or 0.5f32, found 1.5i32"},
        {"a(x) = 5i33", "expected a literal in the range of its type, such as 5i32 or 0.5f32, found 5i33"},
        {"a(x) = -1u8", "expected a literal in the range of its type, such as 5i32 or 0.5f32, found -1u8"},
        {"a(x) = in(x)[b]", "expected the number of a component, found \"b\""},
        {"a(x) = in(x)[1]", "\"in\" has no component 1; expected a number below 1"},
        {"a(x) = -[x < 3]", "operator -: expected a signed integer or a float, found bool"},
        {"a(x) = !in(x)", "operator !: expected a bool, found i32"},
        {"a(x) = in(x) && in(x)", "operator &&: expected two bools, found i32 and i32"},
        {"a(x) = in(x) | 1u8", "operator |: expected two integers of the same type, found i32 and u8"},
        {"a(x) : = in(x)",
         "expected a type (bool, u8, u16, u32, u64, i8, i16, i32, i64, f32, f64, w32, w64), found \"=\""},
        {"a(x) : {i32, } = in(x)",
         "expected a type (bool, u8, u16, u32, u64, i8, i16, i32, i64, f32, f64, w32, w64), found \"}\""},
        {"a(x) : i32 = 1 if x < 0 a(x) : u8 = 1 if x >= 0", "expected the types that \"a\" already has"},
        {"tensor a : i32[1] tensor a : i32[1] a(x) = 1", "\"a\" is declared twice; expected one declaration"},
        {"tensor a : i32[2] a(x) = 1", "\"a\" has rank 2; expected 2 variables, found 1"},
        {"tensor a : i32 a(x) = 1", "expected \"[\", found \"a\""},
        {"tensor b : i32[1] a(x) = 1i32", "\"b\" has no equation; expected at least one"},
        {"tensor b : i32[x] a(x) = 1i32", "expected a rank from 0 to 16, found \"x\""},
        {"input sum : i32[1] a(x) = 1i32", "expected the input's name, found \"sum\""},
        {"input b i32[1] a(x) = 1i32", "expected \":\", found \"i32\""},
        {"a(x) = 1i32 update a(x, x) = 2 over k in [0, 3)", "\"a\" has rank 1; expected 1 index, found 2"},
        {"a(x) = 1i32 update a(x) = 2 over k", "expected \"in\", found \"output\""},
        {"a(x) = 1i32 update a(x) = 2 over k in (0, 3)", "expected \"[\", found \"(\""},
        {"a(x) = 1i32 update a(x) = 2 over k in [0)", "expected \",\", found \")\""},
        {"a(x) = 1i32 update a(x) = 2 over k in [0, 3]", "expected \")\", found \"]\""},
        {"a(x) = 1i32 update a(x) = {2, 3} over k in [0, 3)", "expected 1 value of \"a\", found 2"},
        {"a(x) = 1i32 update a(x) = 2 over k in [0, 3), k in [0, 3)",
         "update 1 of \"a\": variable \"k\" is already in scope; expected a new name"},
        {"a(x) = 1i32 update a(x) = 2 over k in [0, 3) where j < 3",
         "unknown variable \"j\"; expected one of \"N\", \"x\", \"k\""},
        {"b(x, y) = 1i32 update b(y, x) = 2 a(x) = 1i32", "unknown variable \"y\"; expected one of \"N\""},
        {"b.0(x) = 1i32 update b.0(x) = 2 a(x) = 1i32",
         "\"b.0\" is a stage of another tensor; expected one that is not"},
        {"a(x) : i32 = a(x) update a(x) = 2",
         "tensor \"a\": a pure definition reads its own tensor as \"a\"; expected inputs and other tensors"},
        {"a(x) = 1i32 output b on { [x] : 0 <= x < N }", "output \"b\": expected a defined tensor, found \"b\""},
        {"a(x) = 1i32 b(x) = 1i32 output b on { [x, y] : 0 <= x < N and 0 <= y < N }",
         "output \"b\": \"b\" has rank 1; expected 1 dimension, found 2"},
        {"a(x) = 1i32 b(x, y) = 1i32 output b on { [x, y] : 0 <= x < N and x <= y < N }",
         "expected a box: a lower and an upper bound of each variable, joined by \"and\", such as 0 <= x < W"},
        {"a(x) = 1i32 output on { [x] : 0 <= x < N }", "expected \"on\", found \"{\""},
        {"a(x) = 1i32 }", "expected the end of the text, found \"output\""},
        {"a(x) = 1i32 3",
         "expected an item (\"input\", \"tensor\", \"update\", \"output\" or an equation) or \"}\", found \"3\""},
    };
    for (const auto& [items, expected] : table) {
        INFO(items);
        CHECK(in_system(items) == expected);
    }
}

TEST_CASE("the header's errors") {
    const std::vector<std::pair<std::string, std::string>> table{
        {"sare", "expected the system's name, found the end of the text"},
        {"sare 3()", "expected the system's name, found \"3\""},
        {"sare s {", "expected \"(\", found \"{\""},
        {"sare s(N M) {", "expected \")\", found \"M\""},
        {"sare s(i32) {", "expected a variable's name, found \"i32\""},
        {"sare s(N) assuming M > 0 { }", "unknown variable \"M\"; expected one of \"N\""},
        {"sare s() assuming x > 0 { }", "unknown variable \"x\"; expected no variables here"},
        {"sare s(N) assuming { }", "expected an index or a condition, found \"{\""},
    };
    for (const auto& [text, expected] : table) {
        INFO(text);
        CHECK(message(text) == expected);
    }
}

TEST_CASE("an error stands at its line and column, with the line below the message") {
    const auto parsed = sare::parse_sare("sare s(N) {\r\n\ta() = in(x)\r\n}", "dir/file.sare");
    REQUIRE(!parsed.has_value());
    CHECK(parsed.error().where == Location{"dir/file.sare", 2, 11});
    CHECK(parsed.error().excerpt == " a() = in(x)");
    const auto condition = sare::parse_condition("x <\n  ]", "c");
    REQUIRE(!condition.has_value());
    CHECK(to_string(condition.error()) == "c:2:3: expected an index or a condition, found \"]\"\n    ]\n    ^");
}

TEST_CASE("conditions and indices alone end where their text ends") {
    CHECK(sare::parse_condition("x < 3 y", "").error().message == "expected the end of the text, found \"y\"");
    CHECK(sare::parse_index("x + 1 < 3", "").error().message == "expected the end of the text, found \"<\"");
    CHECK(sare::parse_index("", "").error().message == "expected an index or a condition, found the end of the text");
    CHECK(sare::parse_index("x < 3", "").error().message == "expected the end of the text, found \"<\"");
    CHECK(sare::parse_condition("x + 1", "").error().message == "expected a condition, found an index");
}

TEST_CASE("no nesting overflows the stack") {
    const auto repeat = [](std::size_t times, const std::string& text) {
        std::string repeated;
        for (std::size_t i = 0; i < times; ++i) { repeated += text; }
        return repeated;
    };
    constexpr std::size_t deep = 50000;
    for (const char* open : {"(", "-", "not ", "min(1, ", "select(true, 1, "}) {
        INFO(open);
        CHECK(sare::parse_condition(repeat(deep, open) + "x", "").error().message ==
              "brackets are nested too deeply; expected at most 300 levels");
    }
    for (const char* link : {"x + ", "x - ", "x and ", "2*"}) {
        CHECK(!sare::parse_condition(repeat(deep, link) + "x", "").has_value());
    }
    CHECK(sare::parse_condition(repeat(deep, "x < ") + "x", "").error().message.find("is nested too deeply") !=
          std::string::npos);
    CHECK(sare::parse_index("x" + repeat(deep, "/2"), "").error().message.find("is nested too deeply") !=
          std::string::npos);
    for (const char* open :
         {"(", "-", "!", "abs(", "i32(", "select([true], 1, ", "sum over { [j] : 0 <= j < 1 } of ("}) {
        INFO(open);
        CHECK(in_system("a(x) = " + repeat(deep / 10, open)) ==
              "brackets are nested too deeply; expected at most 300 levels");
    }
    CHECK(in_system("a(x) = in(x)" + repeat(deep, " * 2")).find("is nested too deeply") != std::string::npos);
    CHECK(in_system("a(x) = in(x" + repeat(256, " + 1") + ")").find("is nested too deeply") != std::string::npos);
    CHECK(in_system("a(x) = in(x" + repeat(250, " + 1") + ")") == "accepted");
    CHECK(in_system("a(x) = in(x)" + repeat(250, " + 1")) == "accepted");
}

TEST_CASE("bytes that are no text are refused where they stand") {
    const std::vector<std::pair<std::string, std::string>> table{
        {std::string("x\0y", 3), "expected UTF-8 text, found byte 0x00"},
        {"x \x01", "expected UTF-8 text, found byte 0x01"},
        {"x \x7f", "expected UTF-8 text, found byte 0x7f"},
        {"x # \xc0\xaf", "expected UTF-8 text, found byte 0xc0"},
        {"x # \xed\xa0\x80", "expected UTF-8 text, found byte 0xed"},
        {"x # \xf5\x80\x80\x80", "expected UTF-8 text, found byte 0xf5"},
        {"x # \xe2\x82", "expected UTF-8 text, found byte 0xe2"},
    };
    for (const auto& [text, expected] : table) {
        const auto parsed = sare::parse_index(text, "");
        REQUIRE(!parsed.has_value());
        CHECK(parsed.error().message == expected);
    }
    CHECK(sare::parse_index("x # \xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80", "").has_value());
    CHECK(sare::parse_index("\xc3\xa4", "").error().message ==
          "expected a name, a number, an operator or a bracket, found \"\xc3\xa4\"");
    CHECK(sare::parse_index(std::string((std::size_t{1} << 20) + 1, ' '), "").error().message ==
          "the text is too long; expected at most 1048576 bytes");
}

TEST_CASE("no prefix of a text crashes the parser") {
    const std::string text =
        "sare s(N) assuming N >= 1 { input in : i32[1] t : {u8, f32}[0] a(x) : i32 = select([x < 3], -in(x), i32<x/2>) "
        "if x > 0 "
        "D(x) = 0i32 update D(x) = D(x) + sum over { [j] : 0 <= j < N } of (in(j)) over k in [0, N) where k < 3 "
        "output D on { [x] : 0 <= x < N } }";
    for (std::size_t length = 0; length < text.size(); ++length) {
        CHECK(!sare::parse_sare(text.substr(0, length), "").has_value());
        std::string damaged = text;
        damaged.erase(length, 1);
        (void)sare::parse_sare(damaged, "");
        damaged = text;
        damaged[length] = "(){}[],:=<>+-*/%&|^~!09ax.#\n"[length % 28];
        (void)sare::parse_sare(damaged, "");
    }
}
