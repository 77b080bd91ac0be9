#include "harness/sched/traverse.h"

#include <string>
#include <vector>

#include "harness/sched/text.h"
#include "harness/sched/typing.h"
#include "tests/support/catch.h"
#include "tests/support/random_sched.h"

using namespace haruspex;
using namespace haruspex::sched;

namespace {

// Parses statements over N and M, with an input a : i32[N] and an output out : i32[N].
Program parsed(const std::string& statements) {
    const auto program =
        parse_program("sched s(N, M) { input a : i32[N]; output out : i32[N]; " + statements + " }", "t");
    INFO((program ? "" : to_string(program.error())));
    REQUIRE(program.has_value());
    return *program;
}

// Parses an index over x, y and z.
Expr parsed_index(const std::string& text) {
    const Program program = parsed("let x = 1; let y = 2; let z = 3; out[" + text + "] := 1i32;");
    return std::get<Assign>(program.body.back().node).writes.front().indices.front();
}

std::string substituted(const std::string& text, const std::string& name, const std::string& replacement) {
    return print(substitute(parsed_index(text), {{name, parsed_index(replacement)}}));
}

using Names = std::set<std::string>;

}  // namespace

TEST_CASE("a free variable is replaced wherever it stands") {
    CHECK(substituted("x + 2*x - y", "x", "y + 1") == "y + 1 + 2*(y + 1) - y");
    CHECK(substituted("int(a[x]?(x < 3) + i32<x> + i32([x = 1]))", "x", "N") ==
          "int(a[N]?(N < 3) + i32<N> + i32([N = 1]))");
    CHECK(substituted("x + y", "z", "N") == "x + y");
    CHECK(print(substitute(parsed_index("x + y"), {{"x", parsed_index("y")}, {"y", parsed_index("x")}})) == "y + x");
}

TEST_CASE("a bound variable is not replaced") {
    CHECK(substituted("x + (let x = x + 1 in x)", "x", "N") == "N + (let x = N + 1 in x)");
    CHECK(substituted("int(sum lanes x < 4 of (i32<x>)) + x", "x", "N") == "int(sum lanes x < 4 of (i32<x>)) + N");
    CHECK(substituted("let x[y < 4] : i32 = i32<x + y> in int(x[y])", "y", "N") ==
          "let x[y < 4] : i32 = i32<x + y> in int(x[N])");
    CHECK(substituted("let x[y < 4] : i32 = i32<x + y> in int(x[y])", "x", "N") ==
          "let x[y < 4] : i32 = i32<N + y> in int(x[y])");
}

TEST_CASE("what is put in is not captured") {
    CHECK(substituted("let y = 3 in x + y", "x", "y") == "let y$1 = 3 in y + y$1");
    CHECK(substituted("let y = x in y", "x", "y") == "let y = y in y");
    CHECK(substituted("int(sum lanes y < 4 of (i32<x + y>))", "x", "y*2") ==
          "int(sum lanes y$1 < 4 of (i32<y*2 + y$1>))");
    CHECK(substituted("let v[y < 4] : i32 = i32<x + y> in int(v[y])", "x", "y") ==
          "let v[y$1 < 4] : i32 = i32<y + y$1> in int(v[y])");
    // Names of value-lets and arrays can be captured, too.
    CHECK(substituted("let a : i32 = 1i32 in int(a) + x", "x", "int(a[0])") ==
          "let a$1 : i32 = 1i32 in int(a$1) + int(a[0])");
    CHECK(substituted("let y$1 = 1 in let y = 2 in x + y + y$1", "x", "y") ==
          "let y$1 = 1 in let y$2 = 2 in y + y$2 + y$1");
    CHECK(substituted("let y = 1 in let y$1 = 2 in x + y + y$1", "x", "y") ==
          "let y$1 = 1 in let y$1$1 = 2 in y + y$1 + y$1$1");
    CHECK(substituted("let y = 1 in let y = 2 in x + y", "x", "y") == "let y$1 = 1 in let y$2 = 2 in y + y$2");
}

TEST_CASE("free names are those of variables, value-lets and arrays that nothing around binds") {
    CHECK(free_names(parsed_index("x + (let y = z in y) + int(a[N]?(M < 3))")) == Names{"x", "z", "a", "N", "M"});
    CHECK(free_names(parsed_index("let v[l < 4] : i32 = i32<l + x> in int(v[y])")) == Names{"x", "y"});
    CHECK(free_names(parsed_index("int(max lanes l < 4 of (i32<l + x>)) + 3")) == Names{"x"});
    CHECK(free_names(parsed_index("(let y = y in 1)")) == Names{"y"});
}

TEST_CASE("the arrays of reads are found in indices and guards too") {
    CHECK(arrays_read(parsed_index("x + y")) == Names{});
    CHECK(arrays_read(parsed_index("int(a[int(out[0])]?(int(a[0]) < 3))")) == Names{"a", "out"});
}

TEST_CASE("substitution keeps programs well-typed and removes the variable") {
    const Scope scope{{{"x", Kind::index}, {"y", Kind::index}, {"c", Kind::condition}},
                      {{"v", {value::Type::i32, false}}},
                      {{"a", {value::Type::u8, 1}}}};
    int present = 0;
    for (std::uint64_t seed = 0; seed < 1000; ++seed) {
        Choices choices(random_source(seed));
        testing::SchedBuilder builder(choices, {});
        builder.add_variable("x", Kind::index);
        builder.add_variable("y", Kind::index);
        builder.add_variable("c", Kind::condition);
        builder.add_value("v", {value::Type::i32, false});
        builder.add_array("a", {value::Type::u8, 1});
        const Expr expr = builder.value(testing::random_type(choices), 5);
        const Expr replacement = builder.index(2);
        const Expr result = substitute(expr, {{"x", replacement}});
        INFO("seed " << seed << "\n" << print(expr) << "\n" << print(replacement) << "\n" << print(result));
        const auto before = type_of(expr, scope, Rules::extended, Context::code);
        REQUIRE(before.has_value());
        // The typing rules do not see nested contexts: only an affine let may reject a substituted read of memory.
        const auto after = type_of(result, scope, Rules::extended, Context::code);
        if (arrays_read(replacement).empty()) {
            REQUIRE(after.has_value());
            REQUIRE(*after == *before);
        }
        Names expected = free_names(expr);
        const bool occurs = expected.erase("x") > 0;
        present += occurs ? 1 : 0;
        if (occurs) { expected.merge(free_names(replacement)); }
        REQUIRE(free_names(result) == expected);
        if (!occurs) { REQUIRE(result == expr); }
    }
    CHECK(present > 300);
}

TEST_CASE("depth counts the nodes of the longest path") {
    CHECK(depth(parsed_index("x")) == 1);
    CHECK(depth(parsed_index("x + 2*(y + 1)")) == 4);
    CHECK(depth(parsed_index("int(a[0]?(x < 3))")) == 4);
}

TEST_CASE("statements are visited in the order of the text, with what is inside them") {
    const Program program = parsed(
        "let x = 1; for i in [0, 2) { if i < 3 { let y = 2; } else { let z = 3; } } atomic { let u = 4; } "
        "accumulate out { let w = 5; }");
    std::vector<std::string> heads;
    for_each_statement(program.body, [&](const Stmt& stmt) { heads.push_back(headline(stmt)); });
    CHECK(heads == std::vector<std::string>{"let x = 1", "for i in [0, 2)", "if i < 3", "let y = 2", "let z = 3",
                                            "atomic", "let u = 4", "accumulate out", "let w = 5"});
}

TEST_CASE("the parts of a statement are its expressions in the order of the text") {
    const Program program = parsed(
        "allocate t : i32[1 from 2, 3] if N < 4; lanes l < 8 do if l < 5 do out[6] {A(7)} += {8} 9i32, "
        "t[10, 11] := 12i32;");
    std::vector<std::string> parts;
    for_each_statement(program.body, [&](const Stmt& stmt) {
        for_each_part(stmt, [&](const Expr& part) { parts.push_back(print(part)); });
    });
    CHECK(parts == std::vector<std::string>{"1", "2", "3", "0", "N < 4", "l < 5", "6", "A(7)", "8", "9i32", "10", "11",
                                            "12i32"});
}

TEST_CASE("parts can be changed in place") {
    Program program = parsed("for i in [0, N) { out[i + 1] := i32<i>; }");
    for_each_statement(program.body, [&](Stmt& stmt) {
        for_each_part(stmt, [&](Expr& part) { part = substitute(std::move(part), {{"N", Expr{Integer{7}}}}); });
    });
    CHECK(program == parsed("for i in [0, 7) { out[i + 1] := i32<i>; }"));
}

TEST_CASE("without prophecies a program does what it did") {
    const Program program = parsed("for i in [0, N) { out[i] {A(i)} += {i} a[i], out[0] {A(0)} := 1i32; }");
    CHECK(erase_prophecies(program) == parsed("for i in [0, N) { out[i] += {i} a[i], out[0] := 1i32; }"));
}
