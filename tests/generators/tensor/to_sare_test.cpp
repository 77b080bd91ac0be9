#include "generators/tensor/to_sare.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "generators/base/fnv1a.h"
#include "generators/sare/print.h"
#include "generators/sare/text.h"
#include "generators/sare/wellformed.h"
#include "generators/tensor/dataflow.h"
#include "generators/tensor/from_sare.h"
#include "generators/tensor/parser.h"
#include "generators/tensor/print.h"
#include "oracle/interp/sare_interpreter.h"
#include "tests/support/catch.h"
#include "tests/support/random_tensor.h"

using namespace haruspex;
using tensor::NoProgram;
using tensor::Untranslatable;

namespace {

tensor::Program parsed(const std::string& text) {
    const auto program = tensor::parse_program(text, "t");
    INFO((program ? std::string() : to_string(program.error())));
    REQUIRE(program.has_value());
    return *program;
}

sare::Sare sare_of(const std::string& text) {
    const auto parsed = sare::parse_sare(text, "t");
    INFO((parsed ? std::string() : to_string(parsed.error())));
    REQUIRE(parsed.has_value());
    return *parsed;
}

tensor::Translation translated(const tensor::Program& program) {
    const auto translation = tensor::to_sare(program);
    INFO(tensor::print(program) << (translation ? "" : tensor::to_string(translation.error())));
    REQUIRE(translation.has_value());
    const auto checked = sare::check(translation->sare);
    INFO(sare::print(translation->sare) << (checked ? "" : checked.error().message));
    REQUIRE(checked.has_value());
    return *translation;
}

// Small numbers that depend on everything.
auto inputs(const sare::Sare& sare) {
    std::map<std::string, value::Type> types;
    for (const sare::Input& input : sare.inputs) { types[input.name] = input.type; }
    return [types](const std::string& input, const std::vector<std::int64_t>& indices) {
        std::string key = input;
        for (const std::int64_t index : indices) { key += "," + std::to_string(index); }
        const value::Type type = types.at(input);
        const auto number = static_cast<std::int64_t>(fnv1a(key) % 5);
        return value::Value::integer(type, value::is_unsigned_integer(type) ? number : number - 2);
    };
}

// The cells of each output, by its variable.
std::map<std::string, std::vector<value::Value>> outputs(const tensor::Translation& translation, const Sizes& sizes) {
    const auto values = interp::evaluate_outputs(translation.sare, sizes, inputs(translation.sare));
    INFO((values ? std::string() : values.error().message));
    REQUIRE(values.has_value());
    std::map<std::string, std::vector<value::Value>> cells;
    for (const auto& [variable, tensor] : translation.outputs) {
        for (const interp::OutputValues& output : *values) {
            if (output.tensor == tensor) { cells[variable] = output.cells; }
        }
    }
    REQUIRE(cells.size() == translation.outputs.size());
    return cells;
}

Untranslatable refused(const std::string& text) {
    const auto translation = tensor::to_sare(parsed(text));
    REQUIRE(!translation.has_value());
    CHECK(!tensor::to_string(translation.error()).empty());
    return translation.error();
}

NoProgram not_a_program(const std::string& text) {
    const auto program = tensor::from_sare(sare_of(text));
    REQUIRE(!program.has_value());
    CHECK(!tensor::to_string(program.error()).empty());
    return program.error();
}

std::string program_of(const std::string& text) {
    const auto program = tensor::from_sare(sare_of(text));
    INFO((program ? std::string() : tensor::to_string(program.error())));
    REQUIRE(program.has_value());
    return tensor::print(*program);
}

}  // namespace

TEST_CASE("the report's examples are the systems that one writes by hand") {
    // Figure 4, at smaller extents.
    CHECK(translated(parsed("var A : i32[3 4] var B : i32[4 5] var C : i32[3 5] C = (A # B) . [2 3]")).sare ==
          sare_of("sare tensors() { input A : i32[2] input B : i32[2]"
                  " C(i1, i2) = sum over { [k1] : 0 <= k1 < 4 } of (A(i1, k1) * B(k1, i2))"
                  " output C on { [i1, i2] : 0 <= i1 < 3 and 0 <= i2 < 5 } }"));
    // Figure 5.
    CHECK(translated(parsed("var A : i32[3 4] var B : i32[4 3] var s : i32[] s = ((A # B) . [2 3]) . [1 2]")).sare ==
          sare_of("sare tensors() { input A : i32[2] input B : i32[2]"
                  " s() = sum over { [k1] : 0 <= k1 < 3 } of"
                  " (sum over { [k2] : 0 <= k2 < 4 } of (A(k1, k2) * B(k2, k1)))"
                  " output s on { [] : true } }"));
    // Figure 6.
    CHECK(translated(parsed("var u : i32[2 3 4 5 6] var v : i32[2 5 4 3 6] v = u ^ [2 4]")).sare ==
          sare_of("sare tensors() { input u : i32[5]"
                  " v(i1, i2, i3, i4, i5) = u(i1, i4, i3, i2, i5)"
                  " output v on { [i1, i2, i3, i4, i5] :"
                  " 0 <= i1 < 2 and 0 <= i2 < 5 and 0 <= i3 < 4 and 0 <= i4 < 3 and 0 <= i5 < 6 } }"));
}

TEST_CASE("a scalar has no indices in a multiplication or division by it") {
    CHECK(translated(parsed("program p(N) assuming N >= 1 var input a : i32[N] var input s : i32[]"
                            " var output b : i32[N] b = (s * a) / s - a"))
              .sare == sare_of("sare p(N) assuming N >= 1 { input a : i32[1] input s : i32[0]"
                               " b(i1) = s() * a(i1) / s() - a(i1) output b on { [i1] : 0 <= i1 < N } }"));
}

TEST_CASE("each statement is a tensor of its own, and the last of a variable has its name") {
    const auto translation = translated(
        // The variables of equations avoid the program's names.
        parsed("var x : i32[3] var y : i32[3] var i1 : i32[3] x = y + y x = x * x y = x - y x = y"));
    INFO(sare::print(translation.sare));
    CHECK(translation.sare ==
          sare_of("sare tensors() { input y : i32[1]"
                  " x_1(i_1) = y(i_1) + y(i_1) x_2(i_1) = x_1(i_1) * x_1(i_1) y_1(i_1) = x_2(i_1) - y(i_1)"
                  " x(i_1) = y_1(i_1)"
                  " output x on { [i_1] : 0 <= i_1 < 3 } output y_1 on { [i_1] : 0 <= i_1 < 3 } }"));
    CHECK(translation.outputs == std::map<std::string, std::string>{{"x", "x"}, {"y", "y_1"}});
}

TEST_CASE("an output that is an input and never assigned is copied") {
    const auto translation = translated(parsed("var input output x : i32[3]"));
    CHECK(translation.sare ==
          sare_of("sare tensors() { input x : i32[1] x_1(i1) = x(i1) output x_1 on { [i1] : 0 <= i1 < 3 } }"));
    CHECK(translation.outputs == std::map<std::string, std::string>{{"x", "x_1"}});
}

TEST_CASE("a program that reads what nothing has initialised is not translated") {
    using Reason = Untranslatable::Reason;
    CHECK(refused("var input x : [3] var y : [3] var z : [3] z = x z = x + y") ==
          Untranslatable{Reason::uninitialised_read, "y", 1});
    CHECK(refused("var input x : [3] var output y : [3]") == Untranslatable{Reason::uninitialised_output, "y", 0});
    CHECK(refused("var x : [3]") == Untranslatable{Reason::no_output, "", 0});
}

TEST_CASE("values of the translation are those of plain loops") {
    const auto translation =
        translated(parsed("program p(N, M) assuming N >= 1 and M >= 1\n"
                          "var input A : i32[N M] var input B : i32[M N] var input s : i32[]\n"
                          "var output C : i32[N N] var output t : i32[]\n"
                          "C = (A # B) . [2 3] - (s * (A + (B ^ [1 2])) # B . [2 3])\n"
                          "t = C . [1 2]\n"));
    const std::int64_t n = 3;
    const std::int64_t m = 4;
    const auto input = inputs(translation.sare);
    const auto at = [&](const char* name, std::vector<std::int64_t> indices) {
        return input(name, indices).as_signed();
    };
    const auto cells = outputs(translation, {{"N", n}, {"M", m}});
    std::int64_t trace = 0;
    for (std::int64_t i = 0; i < n; ++i) {
        for (std::int64_t j = 0; j < n; ++j) {
            std::int64_t sum = 0;
            for (std::int64_t k = 0; k < m; ++k) {
                sum += at("A", {i, k}) * at("B", {k, j});
                sum -= at("s", {}) * (at("A", {i, k}) + at("B", {k, i})) * at("B", {k, j});
            }
            trace += i == j ? sum : 0;
            CHECK(cells.at("C")[static_cast<std::size_t>(i + n * j)].as_signed() == sum);
        }
    }
    CHECK(cells.at("t").front().as_signed() == trace);
}

TEST_CASE("random programs are translated to well-formed systems that read back as themselves") {
    int qualified = 0;
    for (std::uint64_t seed = 0; seed < 1500; ++seed) {
        Choices choices(random_source(seed));
        const tensor::Program program =
            testing::random_tensor_program(choices, {{value::Type::i32, value::Type::f32}, true, 4, 3});
        INFO("seed " << seed << "\n" << tensor::print(program));
        // Nothing says the extents of a tensor that is not needed.
        const sare::Sare sare = translated(tensor::eliminate_dead_code(program)).sare;
        const auto again = tensor::from_sare(sare);
        INFO(sare::print(sare) << (again ? "" : tensor::to_string(again.error())));
        REQUIRE(again.has_value());
        INFO(tensor::print(*again));
        REQUIRE(translated(*again).sare == sare);
        qualified += std::ranges::any_of(program.declarations, &tensor::Declaration::input) ? 1 : 0;
    }
    CHECK(qualified > 300);
    CHECK(qualified < 1400);
}

TEST_CASE("systems written by hand are read as whole tensors") {
    CHECK(program_of("sare s(N, M) assuming N >= 1 and M >= 1 { input a : f32[2] input b : f32[2]"
                     " sum2(x, y) = a(x, y) + b(y, x)"
                     " c(u, v) = sum over { [r] : 0 <= r < M } of (b(r, v) * sum2(u, r))"
                     " output c on { [u, v] : 0 <= u < N and 0 <= v < N } }") ==
          "program s(N, M) assuming N >= 1 and M >= 1\n"
          "var input a : f32[N M]\n"
          "var input b : f32[M N]\n"
          "var output c : f32[N N]\n"
          "var sum2 : f32[N M]\n"
          "sum2 = a + (b ^ [1 2])\n"
          "c = (b # sum2) . [1 4] ^ [1 2]\n");
    // The same product is element-wise where its variable is the tensor's, and an outer product in a sum.
    CHECK(program_of("sare s() { input a : i32[1] input b : i32[1] e(x) = a(x) * b(x)"
                     " d() = sum over { [k] : 0 <= k < 3 } of (a(k) * b(k))"
                     " output e on { [x] : 0 <= x < 3 } output d on { [] : true } }") ==
          "program s()\n"
          "var input a : i32[3]\n"
          "var input b : i32[3]\n"
          "var output e : i32[3]\n"
          "var output d : i32[]\n"
          "e = a * b\n"
          "d = (a # b) . [1 2]\n");
    // Scalars, a quotient and an order of items that is no order of evaluation.
    CHECK(program_of("sare s() { input a : i32[1] input s : i32[0] c(x) : i32 = b(x) / s() * s() b(x) = s() * a(x)"
                     " output c on { [x] : 0 <= x < 3 } }") ==
          "program s()\n"
          "var input a : i32[3]\n"
          "var input s : i32[]\n"
          "var output c : i32[3]\n"
          "var b : i32[3]\n"
          "b = s * a\n"
          "c = (b / s) # s\n");
}

TEST_CASE("a tensor that an update accumulates is read as a contraction") {
    const std::string head =
        "sare s(N, M) assuming N >= 1 and M >= 1 { input a : i32[2] input b : i32[2] c(x, y) = 0i32 ";
    const std::string rest = " output c on { [x, y] : 0 <= x < N and 0 <= y < N } }";
    CHECK(program_of(head + "update c(x, y) = c(x, y) + a(x, k) * b(k, y) over k in [0, M)" + rest) ==
          "program s(N, M) assuming N >= 1 and M >= 1\n"
          "var input a : i32[N M]\n"
          "var input b : i32[M N]\n"
          "var output c : i32[N N]\n"
          "c = (a # b) . [2 3]\n");
    using Reason = NoProgram::Reason;
    for (const char* update : {"update c(x, y) = c(x, y) + a(x, k) * b(k, y) over k in [1, M)",
                               "update c(x, y) = c(x, y) + a(x, k) * b(k, y) over k in [0, M) where k < x"}) {
        CHECK(not_a_program(head + update + rest) == NoProgram{Reason::sum, "c"});
    }
    CHECK(not_a_program(head + "update c(x, y) = c(x, y) - a(x, k) * b(k, y) over k in [0, M)" + rest) ==
          NoProgram{Reason::staged, "c"});
}

TEST_CASE("a system that is no program of whole tensors says why") {
    using Reason = NoProgram::Reason;
    const auto with = [](const std::string& items) {
        return not_a_program("sare s(N) assuming N >= 1 { input a : i32[1] input m : i32[2] " + items +
                             " output b on { [x] : 0 <= x < N } }");
    };
    CHECK(with("b(x) = a(x) + 1") == NoProgram{Reason::operation, "b"});
    CHECK(with("b(x) = max(a(x), a(x))") == NoProgram{Reason::operation, "b"});
    CHECK(with("b(x) = select([x < 3], a(x), a(x))") == NoProgram{Reason::operation, "b"});
    CHECK(with("b(x) = prod over { [k] : 0 <= k < N } of (m(x, k) * a(k))") == NoProgram{Reason::operation, "b"});
    CHECK(with("b(x) = a(x + 1)") == NoProgram{Reason::index, "b"});
    CHECK(with("b(x) = a(x) * a(N)") == NoProgram{Reason::occurrences, "b"});
    CHECK(with("b(x) = m(x, x)") == NoProgram{Reason::occurrences, "b"});
    CHECK(with("b(x) = sum over { [k] : 0 <= k < N } of (m(x, k))") == NoProgram{Reason::occurrences, "b"});
    CHECK(with("b(x) = a(x) + m(x, x)") == NoProgram{Reason::occurrences, "b"});
    CHECK(with("b(x) = sum over { [k] : 1 <= k < N } of (m(x, k) * a(k))") == NoProgram{Reason::sum, "b"});
    CHECK(with("b(x) = sum over { [k] : 0 <= k <= x } of (m(x, k) * a(k))") == NoProgram{Reason::sum, "b"});
    CHECK(with("b(x) = sum over { [k, l] : 0 <= k < N and 0 <= l < N } of (m(x, k) * m(k, l) * a(l))") ==
          NoProgram{Reason::sum, "b"});
    CHECK(with("b(x) = a(x) if x < 3 b(x) = a(x) if x >= 3") == NoProgram{Reason::several_equations, "b"});
    CHECK(with("b(x) = a(x) if x >= 0") == NoProgram{Reason::condition, "b"});
    CHECK(with("b(x) = { a(x), a(x) }") == NoProgram{Reason::several_values, "b"});
    CHECK(with("b(x) = a(x) update b(0) = a(0)") == NoProgram{Reason::staged, "b"});
    CHECK(with("b(x) : i32 = c(x) c(x) = b(x)") == NoProgram{Reason::recurrence, "b"});
    CHECK(with("b(x) = a(x)") == NoProgram{Reason::extent_unknown, "m"});
    CHECK(with("c() = sum over { [k] : 0 <= k < 3 } of (a(k) * a(k)) b(x) = a(x) * m(x, x) / c()") ==
          NoProgram{Reason::occurrences, "b"});
    CHECK(with("c() = sum over { [k] : 0 <= k < 3 } of (m(k, k)) b(x) = a(x) / c() d(x, y) = m(x, y) * a(x) / c()")
              .reason == Reason::occurrences);
    CHECK(with("c() = sum over { [k] : 0 <= k < 3 } of (a(k) * a(k)) e(x) = a(x) + a(x)"
               " f(x) = sum over { [k] : 0 <= k < N } of (m(x, k) * a(k)) b(x) = e(x) * c()") ==
          NoProgram{Reason::extents_differ, "f"});
    CHECK(not_a_program("sare s() { input a : i32[1] b(x) = a(x) output b on { [x] : 1 <= x < 4 } }") ==
          NoProgram{Reason::output_box, "b"});
    CHECK(not_a_program("sare s(N) { input a : i32[1] b(x) = a(x) output b on { [x] : 0 <= x < N } }").reason ==
          Reason::ill_formed);
    CHECK(not_a_program("sare s() { input a : i32[1] var(x) = a(x) output var on { [x] : 0 <= x < 4 } }") ==
          NoProgram{Reason::name, "var"});
    // Each square can be element-wise or an outer product.
    std::string squares;
    std::string variables;
    std::string box;
    for (int d = 0; d < 9; ++d) {
        const std::string x = "x" + std::to_string(d);
        squares += (d == 0 ? "" : " * ") + ("(a(" + x + ") * a(" + x + "))");
        variables += (d == 0 ? "" : ", ") + x;
        box += (d == 0 ? "0 <= " : " and 0 <= ") + x + " < 3";
    }
    CHECK(not_a_program("sare s() { input a : i32[1] b(" + variables + ") = " + squares + " output b on { [" +
                        variables + "] : " + box + " } }") == NoProgram{Reason::ambiguous, "b"});
}

TEST_CASE("dead code elimination keeps what outputs depend on and nothing else") {
    const auto program = parsed(
        "var input x : i32[3] var y : i32[3] var output z : i32[3] var w : i32[3]\n"
        "y = x\n"      // overwritten
        "w = x + y\n"  // never read
        "y = x * x\n"
        "z = w\n"  // overwritten
        "z = y + x\n"
        "y = z\n");  // no output
    const auto result = tensor::eliminate_dead_code(program);
    CHECK(tensor::print(result) ==
          "var input x : i32[3]\nvar y : i32[3]\nvar output z : i32[3]\nvar w : i32[3]\ny = x * x\nz = y + x\n");
    CHECK(tensor::eliminate_dead_code(result) == result);
    // Without qualifiers every variable that is assigned is an output.
    const auto open = parsed("var x : i32[3] var y : i32[3] x = y x = x + y y = x");
    CHECK(tensor::eliminate_dead_code(open) == open);
    CHECK(tensor::eliminate_dead_code(parsed("var x : i32[3] var y : i32[3] x = y x = y + y")).statements.size() == 1);
}

TEST_CASE("programs have the same outputs only if they compute them alike") {
    const std::string declared = "var input x : i32[3 3] var y : i32[3 3] var output z : i32[3 3] ";
    const auto same = [&](const std::string& a, const std::string& b) {
        return tensor::have_same_outputs(parsed(declared + a), parsed(declared + b));
    };
    CHECK(same("z = x + x", "y = x z = y + x"));
    CHECK(same("z = (x # x) . [2 3]", "y = x z = (y # x) . [3 2]"));
    CHECK(!same("z = x + x", "z = x - x"));
    CHECK(!same("z = x", "z = x ^ [1 2]"));
    CHECK(!same("z = (x # x) . [2 3]", "z = (x # x) . [1 3]"));
    CHECK(!same("z = x # x . [2 3]", "y = x # x . [2 3] z = y y = x z = y"));
    CHECK(!same("y = x z = y", "z = y y = x"));
}

TEST_CASE("a program without its dead code has the outputs that it had") {
    int shorter = 0;
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
        Choices choices(random_source(seed));
        const tensor::Program program = testing::random_tensor_program(choices);
        const tensor::Program result = tensor::eliminate_dead_code(program);
        INFO("seed " << seed << "\n" << tensor::print(program) << "\n" << tensor::print(result));
        const Sizes sizes{{"N", 2}, {"M", 3}};
        REQUIRE(outputs(translated(program), sizes) == outputs(translated(result), sizes));
        shorter += result.statements.size() < program.statements.size() ? 1 : 0;
    }
    CHECK(shorter > 50);
}
