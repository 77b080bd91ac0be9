#include "generators/sare/wellformed.h"

#include <algorithm>
#include <chrono>

#include "generators/sare/build.h"
#include "generators/sare/staging.h"
#include "generators/sare/text.h"
#include "tests/support/catch.h"

using namespace haruspex;
using sare::constant;
using sare::Relation;
using sare::truth;
using sare::variable;

namespace {

const sare::Expr one{sare::Literal{value::Value::integer(value::Type::i32, 1)}};

// a(x) = 1 with one parameter and one output: the smallest well-formed system.
sare::Sare least() {
    sare::Sare s;
    s.name = "s";
    s.parameters = {"N"};
    s.inputs = {{"in", value::Type::i32, 1}};
    s.tensors = {{"a", {value::Type::i32}, {"x"}, {{truth(true), {one}}}}};
    s.outputs = {{"a", {{constant(0), variable("N")}}}};
    return s;
}

std::string fault(const sare::Sare& s) {
    const auto checked = sare::check(s);
    return checked ? "none" : checked.error().message;
}

template <typename Change>
std::string fault_after(Change&& change) {
    sare::Sare s = least();
    change(s);
    return fault(s);
}

// The fault found by the parser's own check, over parameters N and M.
std::string text_fault(const std::string& items, const std::string& assumptions = "N >= 1") {
    const auto parsed = sare::parse_sare(
        "sare s(N, M) assuming " + assumptions + " { input in : i32[1] " + items +
            (items.find("output") == std::string::npos ? " output a on { [x] : 0 <= x < N }" : "") + " }",
        "");
    return parsed ? "none" : parsed.error().message;
}

sare::Expr read(const std::string& tensor, const std::vector<sare::Index>& indices, int component = 0) {
    return sare::Expr{sare::Access{tensor, indices, component}};
}

}  // namespace

TEST_CASE("the least system is well-formed") { CHECK(fault(least()) == "none"); }

TEST_CASE("names are proper and distinct") {
    CHECK(fault_after([](sare::Sare& s) { s.name = "1s"; }) == "expected the system's name, found \"1s\"");
    CHECK(fault_after([](sare::Sare& s) { s.parameters = {"sum"}; }) == "expected a variable's name, found \"sum\"");
    CHECK(fault_after([](sare::Sare& s) { s.parameters = {"N", "N"}; }) ==
          "variable \"N\" is already in scope; expected a new name");
    CHECK(fault_after([](sare::Sare& s) { s.inputs[0].name = "in.0"; }) ==
          "input \"in.0\": expected an input's name, found \"in.0\"");
    CHECK(fault_after([](sare::Sare& s) { s.inputs[0].name = "N"; }) ==
          "input \"N\": the name \"N\" is already used; expected a new one");
    CHECK(fault_after([](sare::Sare& s) { s.inputs[0].name = "a"; }) ==
          "tensor \"a\": the name \"a\" is already used; expected a new one");
    CHECK(fault_after([](sare::Sare& s) { s.tensors[0].name = "f32"; }) ==
          "tensor \"f32\": expected a tensor's name, found \"f32\"");
    CHECK(fault_after([](sare::Sare& s) { s.tensors[0].variables = {"N"}; }) ==
          "tensor \"a\": variable \"N\" is already in scope; expected a new name");
    CHECK(fault_after([](sare::Sare& s) {
              s.tensors[0].name = "a.3";
              s.outputs[0].tensor = "a.3";
          }) == "none");
}

TEST_CASE("ranks fit") {
    CHECK(fault_after([](sare::Sare& s) { s.inputs[0].rank = -1; }) ==
          "input \"in\": expected a rank of at least 0, found -1");
    CHECK(fault_after([](sare::Sare& s) { s.inputs[0].rank = 17; }) ==
          "input \"in\": rank 17 is too large; expected at most 16");
    CHECK(fault_after([](sare::Sare& s) { s.inputs[0].rank = 16; }) == "none");
    CHECK(fault_after([](sare::Sare& s) { s.outputs[0].box.clear(); }) ==
          "output \"a\": \"a\" has rank 1; expected 1 dimension, found 0");
    CHECK(fault_after([](sare::Sare& s) { s.tensors[0].equations[0].values = {read("in", {})}; }) ==
          "tensor \"a\": \"in\" has rank 1; expected 1 index, found 0");
    CHECK(fault_after([](sare::Sare& s) { s.tensors[0].equations[0].values = {read("in", {variable("x")})}; }) ==
          "none");
}

TEST_CASE("types fit, one value for each component") {
    CHECK(fault_after([](sare::Sare& s) { s.tensors[0].types = {}; }) ==
          "tensor \"a\": it has no components; expected at least one");
    CHECK(fault_after([](sare::Sare& s) { s.tensors[0].types = {value::Type::u8}; }) ==
          "tensor \"a\": expected a value of type u8, found i32");
    CHECK(fault_after([](sare::Sare& s) { s.tensors[0].types = {value::Type::i32, value::Type::i32}; }) ==
          "tensor \"a\": expected 2 values, one for each component, found 1");
    CHECK(fault_after([](sare::Sare& s) { s.tensors[0].equations[0].values = {read("in", {variable("x")}, 1)}; }) ==
          "tensor \"a\": \"in\" has no component 1; expected a number below 1");
    CHECK(fault_after([](sare::Sare& s) {
              s.tensors[0].equations[0].values = {sare::Expr{sare::Unary{value::UnaryOp::absolute, one}}};
          }) == "tensor \"a\": expected a value of type i32, found u32");
    CHECK(fault_after([](sare::Sare& s) {
              s.tensors[0].equations[0].values = {
                  sare::Expr{sare::Cast{value::Type::i32, sare::Expr{sare::Unary{value::UnaryOp::absolute, one}}}}};
          }) == "none");
    CHECK(fault_after([](sare::Sare& s) {
              s.tensors[0].equations[0].values = {sare::Expr{sare::Literal{value::Value::undef(value::Type::i32)}}};
          }) == "tensor \"a\": expected a literal of a defined value, found undef_i32");
}

TEST_CASE("indices and conditions are over variables in scope, divisors positive") {
    CHECK(fault_after([](sare::Sare& s) { s.assumptions = sare::compare(Relation::lt, variable("x"), constant(3)); }) ==
          "assumptions: unknown variable \"x\"; expected one of \"N\"");
    CHECK(fault_after([](sare::Sare& s) {
              s.tensors[0].equations[0].domain = sare::compare(Relation::lt, variable("y"), constant(3));
          }) == "tensor \"a\": unknown variable \"y\"; expected one of \"N\", \"x\"");
    CHECK(fault_after([](sare::Sare& s) { s.tensors[0].equations[0].values = {read("in", {variable("y")})}; }) ==
          "tensor \"a\": unknown variable \"y\"; expected one of \"N\", \"x\"");
    CHECK(fault_after([](sare::Sare& s) { s.outputs[0].box[0].extent = variable("x"); }) ==
          "output \"a\": unknown variable \"x\"; expected one of \"N\"");
    CHECK(fault_after([](sare::Sare& s) {
              s.tensors[0].equations[0].values = {read("in", {sare::Index{sare::IndexMod{variable("x"), 0}}})};
          }) == "tensor \"a\": expected a positive divisor");
}

TEST_CASE("trees are of a depth that can be walked") {
    sare::Index deep = variable("x");
    for (int i = 0; i < 300; ++i) { deep = deep + constant(1); }
    CHECK(fault_after([&](sare::Sare& s) { s.tensors[0].equations[0].values = {read("in", {deep})}; }) ==
          "tensor \"a\": an expression is nested too deeply; expected at most 256 levels");
    sare::Expr long_sum = one;
    for (int i = 0; i < 300; ++i) { long_sum = sare::Expr{sare::Binary{value::BinaryOp::add, long_sum, one}}; }
    CHECK(fault_after([&](sare::Sare& s) { s.tensors[0].equations[0].values = {long_sum}; }) ==
          "tensor \"a\": an expression is nested too deeply; expected at most 256 levels");
}

TEST_CASE("every tensor has an equation, every output a tensor, and something is requested") {
    CHECK(fault_after([](sare::Sare& s) { s.tensors[0].equations.clear(); }) ==
          "tensor \"a\": it has no equation; expected at least one");
    CHECK(fault_after([](sare::Sare& s) { s.outputs.clear(); }) == "no output is requested; expected at least one");
    CHECK(fault_after([](sare::Sare& s) { s.outputs[0].tensor = "in"; }) ==
          "output \"in\": expected a defined tensor, found \"in\"");
    CHECK(fault_after([](sare::Sare& s) { s.outputs.push_back(s.outputs[0]); }) ==
          "output \"a\": \"a\" is requested twice; expected one output of each tensor");
}

TEST_CASE("domains of one tensor are disjoint under the assumptions") {
    CHECK(text_fault("a(x) = 1i32 if x < M a(x) = 2 if x >= N", "N >= 1 and M = N") == "none");
    CHECK(text_fault("a(x) = 1i32 if x < M a(x) = 2 if x >= N", "N >= 1 and M <= N and M >= N") == "none");
    CHECK(text_fault("a(x) = 1i32 if x < M a(x) = 2 if x >= N") ==
          "tensor \"a\": equations 1 and 2 overlap at N = 1, M = 2, x = 1; expected disjoint domains");
    CHECK(text_fault("a(x) = 1i32 if x%3 = 0 a(x) = 2 if x%3 = 1 a(x) = 3 if x%3 = 2") == "none");
    CHECK(text_fault("a(x) = 1i32 if x%3 = 0 a(x) = 2 if x%3 = 1 a(x) = 3 if x%2 = 1") ==
          "tensor \"a\": equations 1 and 3 overlap at N = 1, M = 0, x = 3; expected disjoint domains");
    CHECK(text_fault("a(x) = 1i32 a(x) = 2") ==
          "tensor \"a\": equations 1 and 2 overlap at N = 1, M = 0, x = 0; expected disjoint domains");
}

TEST_CASE("every cell that is read is defined") {
    CHECK(text_fault("b(x) = in(x) if 0 <= x < 10 a(x) = b(min(max(x, 0), 9))") == "none");
    CHECK(text_fault("b(x) = in(x) if 0 <= x < 10 a(x) = b(min(max(x, 0), 10))") ==
          "tensor \"a\": b(10) is read at N = 1, M = 0, x = 10 but not defined; expected a cell in the domain of an "
          "equation");
    CHECK(text_fault("b(x) = in(x) if x <= 0 b(x) = in(0) if x > 0 a(x) = b(x)") == "none");
    CHECK(text_fault("b(x) = in(x) if x <= 0 b(x) = in(0) if x > 1 a(x) = b(x)") ==
          "tensor \"a\": b(1) is read at N = 1, M = 0, x = 1 but not defined; expected a cell in the domain of an "
          "equation");
    // Accesses in a reduction count only at its points.
    CHECK(text_fault("b(x) = in(x) if 0 <= x < 10 a(x) = sum over { [j] : 0 <= j < 10 } of (b(j))") == "none");
    CHECK(text_fault("b(x) = in(x) if 0 <= x < 10 a(x) = sum over { [j] : 0 <= j <= 10 } of (b(j))") ==
          "tensor \"a\": b(10) is read at N = 1, M = 0, x = 0, j = 10 but not defined; expected a cell in the domain "
          "of an "
          "equation");
    // Accesses in an update count only at its steps that satisfy the filter.
    CHECK(text_fault("b(x) = in(x) if 0 <= x < N a(x) = 0i32 update a(x) = a(x) + b(k) over k in [0, N)") == "none");
    CHECK(
        text_fault("b(x) = in(x) if 1 <= x < N a(x) = 0i32 update a(x) = a(x) + b(k) over k in [0, N) where k != 0") ==
        "none");
    CHECK(text_fault("b(x) = in(x) if 1 <= x < N a(x) = 0i32 update a(x) = a(x) + b(k) over k in [0, N)") ==
          "update 1 of \"a\": b(0) is read at N = 1, M = 0, x = 0, k = 0 but not defined; expected a cell in the "
          "domain of an equation");
}

TEST_CASE("a select does not narrow where its alternatives are read; an equation's domain does") {
    CHECK(
        text_fault("b(x) = in(x) if 0 <= x a(x) = select([x >= 0], b(x), 0)") ==
        "tensor \"a\": b(-16) is read at N = 1, M = -16, x = -16 but not defined; expected a cell in the domain of an "
        "equation");
    CHECK(text_fault("b(x) = in(x) if 0 <= x a(x) = b(x) if x >= 0 a(x) = 0 if x < 0") == "none");
}

TEST_CASE("a recurrence reads cells that other equations of its tensor define") {
    CHECK(text_fault("a(x) : i32 = 1 if x = 0 a(x) = a(x - 1) + 1 if x > 0") == "none");
    CHECK(text_fault("a(x) : i32 = 1 if x = 0 a(x) = a(x - 2) + 1 if x > 0") ==
          "tensor \"a\": a(-1) is read at N = 1, M = 0, x = 1 but not defined; expected a cell in the domain of an "
          "equation");
}

TEST_CASE("every requested cell is defined") {
    CHECK(text_fault("a(x) = in(x) if 0 <= x < N") == "none");
    CHECK(text_fault("a(x) = in(x) if 0 < x < N") ==
          "output \"a\": a(0) is read at N = 1, M = 0, x = 0 but not defined; expected a cell in the domain of an "
          "equation");
    CHECK(text_fault("a(x) = in(x) if 0 <= x < N output a on { [x] : M <= x < N }", "0 <= M") == "none");
    CHECK(text_fault("a(x) = in(x) if 0 <= x < N output a on { [x] : M <= x < N }", "-1 <= M") ==
          "output \"a\": a(-1) is read at N = 0, M = -1, x = -1 but not defined; expected a cell in the domain of an "
          "equation");
}

TEST_CASE("reductions are bounded") {
    for (const char* domain : {"0 <= j < N", "j >= 0 and N > j", "j = x", "0 <= j < 3 and j != 1", "x <= 2*j < N",
                               "0 <= j < 3 or 7 <= j < x", "0 <= j and not j > x", "0 <= j%4 and -x <= j <= x"}) {
        CHECK(text_fault(std::string("a(x) = sum over { [j] : ") + domain + " } of (in(j))") == "none");
    }
    for (const char* domain : {"0 <= j", "true", "j < x", "j != 3", "0 <= j < 3 or 7 <= j", "j%2 = 0", "0 <= j/2"}) {
        CHECK(text_fault(std::string("a(x) = sum over { [j] : ") + domain + " } of (in(j))") ==
              std::string("tensor \"a\": the reduction over { [j] : ") + domain +
                  " } is unbounded; expected finitely many points");
    }
    CHECK(text_fault("a(x) = sum over { [i, j] : 0 <= i < N and i <= j < 2*i } of (in(i + j))") == "none");
    CHECK(text_fault("a(x) = sum over { [i, j] : 0 <= i < j and i < 3 } of (in(i + j))") ==
          "tensor \"a\": the reduction over { [i, j] : 0 <= i < j and i < 3 } is unbounded; expected finitely many "
          "points");
    CHECK(text_fault("a(x) = sum over { [i, j] : i < j < i + 3 } of (in(i + j))") ==
          "tensor \"a\": the reduction over { [i, j] : i < j < i + 3 } is unbounded; expected finitely many points");
    CHECK(text_fault("a(x) = sum over { [i] : 0 <= i < N } of (sum over { [j] : 0 <= j < i } of (in(j)))") == "none");
    CHECK(text_fault("a(x) = 0i32 update a(x) = a(x) + sum over { [j] : j < k } of (in(j)) over k in [0, N)") ==
          "update 1 of \"a\": the reduction over { [j] : j < k } is unbounded; expected finitely many points");
}

TEST_CASE("some parameters satisfy the assumptions") {
    CHECK(text_fault("a(x) = 1i32", "N = 2*M and M = 3") == "none");
    CHECK(text_fault("a(x) = 1i32", "N < M and M < N") ==
          "assumptions: no parameters satisfy them; expected some that do");
    CHECK(text_fault("a(x) = 1i32", "2*N = 2*M + 1") ==
          "assumptions: no parameters satisfy them; expected some that do");
}

TEST_CASE("staged tensors do not depend on each other in a cycle; general ones may") {
    CHECK(text_fault("a(x) = in(x) update a(x) = a(x) + b(k) over k in [0, N) b(x) = in(x)") == "none");
    CHECK(text_fault("a(x) = in(x) update a(x) = a(x) + b(k) over k in [0, N) b(x) : i32 = c(x) c(x) = a(x)") ==
          "tensor \"a\": staged tensors depend on each other in a cycle (a reads b reads c reads a); expected an order "
          "in "
          "which each reads only earlier ones");
    CHECK(text_fault("a(x) : i32 = 0 if x = 0 a(x) = b(x - 1) if x > 0 b(x) = a(x) if x >= 0") == "none");
}

TEST_CASE("what isl cannot settle within its budget is refused, not guessed") {
    std::string condition;  // has 2^20 disjuncts
    for (int i = 2; i < 22; ++i) {
        const std::string n = std::to_string(i);
        condition += (i == 2 ? "" : " and ") + ("((x + " + n + "*N)%" + n + " = 1 or (x - M)%" + n + "7 < 5)");
    }
    const std::string found = text_fault("a(x) = in(x) if " + condition + " a(x) = in(x) if x%3 = 1");
    CHECK(found == "tensor \"a\": its domains could not be checked: isl ran out of its budget of operations");
}

TEST_CASE("an algorithm's functions read earlier functions and themselves as Halide allows") {
    sare::Algorithm good;
    good.name = "s";
    good.parameters = {"N"};
    good.inputs = {{"in", value::Type::i32, 1}};
    good.functions = {{"f", {value::Type::i32}, {"x"}, {one}, {}},
                      {"g", {value::Type::i32}, {"x", "y"}, {read("f", {variable("y")})}, {}}};
    good.functions[1].updates = {{{{"k", constant(0), variable("N")}},
                                  {variable("x"), variable("k")},
                                  {read("g", {variable("x"), variable("k") - constant(1)})},
                                  truth(true)}};
    good.outputs = {{"g", {{constant(0), constant(4)}, {constant(0), constant(4)}}}};
    CHECK(sare::check(good).has_value());

    const auto refused = [&](auto&& change) {
        sare::Algorithm algorithm = good;
        change(algorithm);
        const auto checked = sare::check(algorithm);
        return checked ? "none" : checked.error().message;
    };
    CHECK(refused([](auto& a) { a.functions[0].values = {read("g", {variable("x"), variable("x")})}; }) ==
          "tensor \"f\": \"g\" is defined after \"f\"; expected an input or an earlier tensor");
    CHECK(refused([](auto& a) { a.functions[0].values = {read("f", {variable("x")})}; }) ==
          "tensor \"f\": a pure definition reads its own tensor as \"f\"; expected inputs and other tensors");
    CHECK(refused([](auto& a) { a.functions[0].name = "f.0"; }) ==
          "tensor \"f.0\": expected a function's name, found \"f.0\"");
    CHECK(refused([](auto& a) {
              a.functions[1].updates[0].values = {read("g", {variable("x") + constant(1), variable("k")})};
          }) ==
          "update 1 of \"g\": an update reads its own tensor at other pure variables than it writes; expected \"x\" as "
          "index 1 of \"g\"");
    CHECK(refused([](auto& a) { a.functions[1].updates[0].values = {read("f", {variable("y")})}; }) ==
          "update 1 of \"g\": unknown variable \"y\"; expected one of \"N\", \"x\", \"k\"");
    CHECK(refused([](auto& a) { a.functions[1].updates[0].over[0].extent = variable("x"); }) ==
          "update 1 of \"g\": unknown variable \"x\"; expected one of \"N\"");
    CHECK(refused([](auto& a) { a.functions[1].updates[0].over[0].name = "y"; }) ==
          "update 1 of \"g\": variable \"y\" is already in scope; expected a new name");
    CHECK(refused([](auto& a) { a.functions[1].updates[0].target.pop_back(); }) ==
          "update 1 of \"g\": \"g\" has rank 2; expected 2 indices, found 1");
    CHECK(refused([](auto& a) {
              a.functions[1].updates[0].where = sare::compare(Relation::lt, variable("y"), constant(3));
          }) == "update 1 of \"g\": unknown variable \"y\"; expected one of \"N\", \"x\", \"k\"");
    CHECK(refused([](auto& a) { a.assumptions = truth(false); }) ==
          "assumptions: no parameters satisfy them; expected some that do");
    // A pure variable may also occur in another position.
    CHECK(refused([](auto& a) { a.functions[1].updates[0].target = {variable("x"), variable("x") + variable("k")}; }) ==
          "none");
}

TEST_CASE("the check of a staged system is cheap") {
    std::string text = "sare s(W, H) assuming W >= 8 and H >= 1 and W <= 4096 { input in : i32[2]\n";
    std::string previous = "in";
    for (int i = 0; i < 6; ++i) {
        const std::string f = "f" + std::to_string(i);
        text += f + "(x, y) = " + previous + "(x - 1, y) + select(" + previous + "(x, y) < 3, " + previous +
                "(y, x), " + previous + "(x%3, y/2))\n";
        text += "update " + f + "(x, 2*k) = " + f + "(x, k) + " + previous +
                "(x, l) over k in [0, W), l in [1, 1 + H) where l < k\n";
        text += "update " + f + "(x, y) = max(" + f + "(x, y), " + previous + "(k, y)) over k in [0, W)\n";
        previous = f;
    }
    const auto system =
        sare::parse_sare(text + "output " + previous + " on { [x, y] : 0 <= x < W and 0 <= y < H } }", "");
    REQUIRE(system.has_value());
    // Takes the best of several runs, so that a busy machine does not fail the test: 0.3 ms when written. The check
    // runs once for each fuzzing case.
    double best = 1e9;
    for (int i = 0; i < 20; ++i) {
        const auto start = std::chrono::steady_clock::now();
        REQUIRE(sare::check(*system).has_value());
        best =
            std::min(best, std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    }
#ifdef NDEBUG
    CHECK(best < 3);
#else
    CHECK(best < 30);
#endif
}
