#include <string>
#include <utility>
#include <vector>

#include "generators/tensor/parser.h"
#include "tests/support/catch.h"
#include "tests/support/rejected.h"

using namespace haruspex;

namespace {

// "line:column: message", or "accepted".
std::string message(const std::string& text) {
    const auto program = tensor::parse_program(text, "t");
    if (program) { return "accepted"; }
    const Error& error = program.error();
    return std::to_string(error.where.line) + ":" + std::to_string(error.where.column) + ": " + error.message;
}

using Table = std::vector<std::pair<std::string, std::string>>;

void check(const Table& table) {
    for (const auto& [text, expected] : table) {
        INFO(text);
        CHECK(message(text) == expected);
    }
}

}  // namespace

TEST_CASE("every malformed program of whole tensors in the corpus is refused with its message") {
    test::check_rejected(".tensor", 20, [](const std::string& text, const std::string& file) {
        return tensor::parse_program(text, file);
    });
}

TEST_CASE("what is expected in a program of whole tensors is said wherever the text goes wrong") {
    check({
        {"var a : [3]\na = a", "accepted"},
        {"a", "1:2: expected \"=\", found the end of the text"},
        {"= a", "1:1: expected a declaration, a statement or the end of the text, found \"=\""},
        {"var", "1:4: expected \"input\", \"output\" or a variable's name, found the end of the text"},
        {"var output input a : []", "1:12: expected a variable's name, found \"input\""},
        {"var var : []", "1:5: expected \"input\", \"output\" or a variable's name, found \"var\""},
        {"var a.1 : []", "1:5: expected \"input\", \"output\" or a variable's name, found \"a.1\""},
        {"var a [3]", "1:7: expected \":\", found \"[\""},
        {"var a : bool[3]",
         "1:9: expected \"[\" or a type (u8, u16, u32, u64, i8, i16, i32, i64, f32, f64, w32, w64), found \"bool\""},
        {"var a : i32", "1:12: expected \"[\", found the end of the text"},
        {"var a : [3, 4]",
         "1:11: expected an extent (an integer, a parameter or an index in parentheses) or \"]\", found \",\""},
        {"var a : [-3]",
         "1:10: expected an extent (an integer, a parameter or an index in parentheses) or \"]\", found \"-\""},
        {"var a : [3.5]", "1:10: expected an integer that fits 64 bits, found \"3.5\""},
        {"var a : [99999999999999999999]",
         "1:10: expected an integer that fits 64 bits, found \"99999999999999999999\""},
        {"var a : [N]", "1:10: unknown variable \"N\"; expected no variables here"},
        {"program p(N) assuming N >= 1 var a : [(N + M)]", "1:44: unknown variable \"M\"; expected one of \"N\""},
        {"program p(N) assuming N >= 1 var a : [(N < 3)]", "1:42: expected \")\", found \"<\""},
        {"program", "1:8: expected the program's name, found the end of the text"},
        {"program p", "1:10: expected \"(\", found the end of the text"},
        {"program p(3)", "1:11: expected a parameter's name, found \"3\""},
        {"program p(N, N)", "1:14: variable \"N\" is already in scope; expected a new name"},
        {"program p(N) assuming N", "1:23: expected a condition, found an index"},
        {"program p(N) assuming N >= 1 and M >= 1", "1:34: unknown variable \"M\"; expected one of \"N\""},
        {"var a : [3 3]\na = ", "2:5: expected a variable or \"(\", found the end of the text"},
        {"var a : [3 3]\na = a +", "2:8: expected a variable or \"(\", found the end of the text"},
        {"var a : [3 3]\na = (a", "2:7: expected \")\", found the end of the text"},
        {"var a : [3 3]\na = a . 1 2", "2:9: expected \"[\", found \"1\""},
        {"var a : [3 3]\na = a . [1]", "2:11: expected the number of a dimension, found \"]\""},
        {"var a : [3 3]\na = a . [1 2 3]", "2:14: expected \"]\", found \"3\""},
        {"var a : [3 3]\na = a ^ [i j]", "2:10: expected the number of a dimension, found \"i\""},
        {"var a : [3 3]\na = 2 * a", "2:5: expected a variable or \"(\", found \"2\""},
        {"var a : [3 3]\na = a % a", "2:7: expected an operator, a statement or the end of the text, found \"%\""},
        {"var a : [3 3]\na = a\nvar b : [3]",
         "3:1: expected an operator, a statement or the end of the text, found \"var\""},
    });
}

TEST_CASE("the formation of programs fails in the report's five ways, each where it does") {
    const std::string declared = "var A : [3 4] var B : [4 5] var C : [3 5] var s : []\n";
    check({
        {declared + "C = (A # B) . [2 3]", "accepted"},
        // 1: re-declaration.
        {declared + "var A : [3 4]", "2:5: \"A\" is already declared; expected a new name"},
        {"program p(N) assuming N >= 1 var N : [3]", "1:34: \"N\" is already declared; expected a new name"},
        // 2: assignment to an undeclared variable.
        {declared + "D = A", "2:1: \"D\" is assigned but not declared; expected one of \"A\", \"B\", \"C\", \"s\""},
        // 3: types of an assignment.
        {declared + "C = A # B . [2 3] ^ [1 2]",
         "2:1: expected a value of the type of \"C\", f32[3 5], found f32[5 3]"},
        {declared + "s = A", "2:1: expected a value of the type of \"s\", f32[], found f32[3 4]"},
        // 4: use of an undeclared variable.
        {declared + "C = (A # D) . [2 3]", "2:10: unknown variable \"D\"; expected one of \"A\", \"B\", \"C\", \"s\""},
        // 5: types of operands.
        {declared + "C = (A # B) . [1 3]", "2:13: expected dimensions of one extent, found 3 and 4"},
        {declared + "C = (A # B) . [2 5]", "2:13: expected a dimension from 1 to 4 of f32[3 4 4 5], found 5"},
        {declared + "C = (A # B) . [2 2]", "2:13: expected two different dimensions, found 2 twice"},
        {declared + "s = s ^ [1 2]", "2:7: expected a tensor of at least two dimensions, found f32[]"},
        {declared + "C = C + A", "2:7: expected operands of one type, found f32[3 5] and f32[3 4]"},
        {declared + "C = C * s",
         "2:7: expected operands of one type, or a scalar on the left, found f32[3 5] and f32[]"},
        {declared + "C = s / C",
         "2:7: expected operands of one type, or a scalar on the right, found f32[] and f32[3 5]"},
        {declared + "C = s + C", "2:7: expected operands of one type, found f32[] and f32[3 5]"},
        {"var a : i32[3] var b : i16[3] a = a + b",
         "1:37: expected operands of one element type, found i32[3] and i16[3]"},
        {"var s : i16[] var b : i32[3] b = s * b",
         "1:36: expected operands of one element type, found i16[] and i32[3]"},
        {"var a : i32[3] var b : i16[3] a = (a # b) . [1 2]",
         "1:38: expected operands of one element type, found i32[3] and i16[3]"},
    });
}

TEST_CASE("extents are positive and assumptions satisfiable") {
    check({
        {"var a : [0]", "1:10: expected an extent that is at least 1 for all parameters, found 0"},
        {"program p(N) var a : [N]", "1:23: expected an extent that is at least 1 for all parameters, found N"},
        {"program p(N) assuming N >= 1 var a : [2 (N - 1)]",
         "1:41: expected an extent that is at least 1 for all parameters, found (N - 1)"},
        {"program p(N) assuming N >= 2 var a : [2 (N - 1)]", "accepted"},
        {"program p(N) assuming N >= 2 and N < 2",
         "1:23: no parameters satisfy the assumptions; expected some that do"},
    });
}

TEST_CASE("a rank or a depth that no SARE may have is refused") {
    std::string extents;
    for (int d = 0; d < 17; ++d) { extents += " 2"; }
    CHECK(message("var a : [" + extents + "]") == "1:5: expected at most 16 dimensions, found 17");
    std::string product = "a";
    for (int d = 0; d < 16; ++d) { product += " # a"; }
    CHECK(message("var a : [2]\na = " + product) ==
          "2:67: expected an outer product of at most 16 dimensions, found 17");
    std::string sum = "a";
    for (int d = 0; d < 255; ++d) { sum += " + a"; }
    CHECK(message("var a : [2]\na = " + sum) == "accepted");
    CHECK(message("var a : [2]\na = " + sum + " + a") ==
          "2:1027: an expression is nested too deeply; expected at most 256 levels");
    CHECK(message("var a : [2]\na = " + std::string(400, '(') + "a" + std::string(400, ')')) ==
          "2:305: brackets are nested too deeply; expected at most 300 levels");
}
