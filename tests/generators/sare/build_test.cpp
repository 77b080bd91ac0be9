#include "generators/sare/build.h"

#include <limits>

#include "generators/sare/names.h"
#include "generators/sare/text.h"
#include "generators/sare/traverse.h"
#include "tests/support/catch.h"
#include "tests/support/random_sare.h"

using namespace haruspex;
using sare::constant;
using sare::Relation;
using sare::truth;
using sare::variable;

namespace {
constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
const sare::Index x = variable("x");
const sare::Index y = variable("y");
}  // namespace

TEST_CASE("building folds constants in indices") {
    CHECK(constant(2) + constant(3) == constant(5));
    CHECK(x + constant(0) == x);
    CHECK(constant(0) + x == x);
    CHECK(x - constant(0) == x);
    CHECK(constant(2) - constant(3) == constant(-1));
    CHECK(3 * constant(4) == constant(12));
    CHECK(1 * x == x);
    CHECK(0 * x == constant(0));
    CHECK(floor_div(constant(-7), 2) == constant(-4));
    CHECK(floor_mod(constant(-7), 2) == constant(1));
    CHECK(floor_div(x, 1) == x);
    CHECK(floor_mod(x, 1) == constant(0));
    CHECK(sare::min(constant(1), constant(2)) == constant(1));
    CHECK(sare::max(constant(1), constant(2)) == constant(2));
    CHECK(sare::select(truth(false), x, y) == y);
    CHECK(sare::print(x + y - 2 * x) == "x + y - 2*x");
}

TEST_CASE("building folds nothing that would overflow") {
    CHECK(sare::print(constant(most) + constant(1)) == "9223372036854775807 + 1");
    CHECK(sare::print(constant(-most) - constant(2)) == "-9223372036854775807 - 2");
    CHECK(sare::print(2 * constant(most)) == "2*9223372036854775807");
}

TEST_CASE("building folds constants in conditions") {
    const sare::Condition c = sare::compare(Relation::lt, x, y);
    CHECK(sare::compare(Relation::ge, constant(1), constant(2)) == truth(false));
    CHECK((truth(true) && c) == c);
    CHECK((c && truth(false)) == truth(false));
    CHECK((truth(true) || c) == truth(true));
    CHECK((c || truth(false)) == c);
    CHECK((!truth(true)) == truth(false));
    CHECK(sare::print(!c) == "not x < y");
}

TEST_CASE("division of indices rounds down and its remainder is not negative") {
    for (std::int64_t a = -9; a <= 9; ++a) {
        for (std::int64_t d = 1; d <= 4; ++d) {
            const std::int64_t q = sare::evaluate(sare::floor_div(x, d), {{"x", a}});
            const std::int64_t r = sare::evaluate(sare::floor_mod(x, d), {{"x", a}});
            CHECK(q * d + r == a);
            CHECK((0 <= r && r < d));
        }
    }
}

TEST_CASE("an index beyond 64 bits has no value") {
    CHECK(sare::try_evaluate(x + constant(1), {{"x", most}}) == std::nullopt);
    CHECK(sare::try_evaluate(sare::compare(Relation::lt, 2 * x, y), {{"x", most}, {"y", 0}}) == std::nullopt);
    CHECK_THROWS_AS(sare::evaluate(x + constant(1), {{"x", most}}), InternalError);
    CHECK_THROWS_AS(sare::evaluate(x, {}), InternalError);
}

TEST_CASE("substitution is simultaneous, and evaluation agrees with it") {
    const sare::Substitution swap{{"x", y}, {"y", x}};
    CHECK(sare::print(sare::substitute(x - 2 * y, swap)) == "y - 2*x");
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        Choices choices(random_source(seed));
        const sare::Condition c = testing::random_condition(choices, {"x", "y"}, 3);
        const sare::Index a = testing::random_index(choices, {"x", "y"}, 2);
        const sare::Index b = testing::random_index(choices, {"x", "y"}, 2);
        const sare::Environment at{{"x", choices.integer(-5, 5)}, {"y", choices.integer(-5, 5)}};
        const sare::Environment moved{{"x", sare::evaluate(a, at)}, {"y", sare::evaluate(b, at)}};
        INFO(sare::print(c));
        REQUIRE(sare::evaluate(sare::substitute(c, {{"x", a}, {"y", b}}), at) == sare::evaluate(c, moved));
    }
}

TEST_CASE("substitution does not reach bound variables and captures none") {
    const auto sum = [](const sare::Index& index) {
        return sare::Expr{sare::Reduce{
            value::ReductionOp::sum,
            {"j"},
            sare::compare(Relation::le, constant(0), variable("j")) && sare::compare(Relation::lt, variable("j"), x),
            sare::Expr{sare::Embed{value::Type::i32, index}}}};
    };
    CHECK(sare::substitute(sum(variable("j")), {{"j", y}}) == sum(variable("j")));
    CHECK(sare::print(sare::substitute(sum(x + variable("j")), {{"x", variable("j")}})) ==
          "sum over { [j_1] : 0 <= j_1 < j } of (i32<j + j_1>)");
    CHECK(sare::print(sare::substitute(sum(variable("j_1") + variable("j")), {{"x", variable("j")}})) ==
          "sum over { [j_2] : 0 <= j_2 < j } of (i32<j_1 + j_2>)");
}

TEST_CASE("free variables leave out what reductions bind") {
    const auto sare = sare::parse_sare(
        "sare s(N) { a(x, y) = sum over { [j] : 0 <= j < N } of (i32<x + j>) output a on { [x, y] : 0 <= x < N and 0 "
        "<= y < N } }",
        "");
    REQUIRE(sare.has_value());
    CHECK(sare::free_variables(sare->tensors.front().equations.front().values.front()) ==
          std::set<std::string>{"N", "x"});
}

TEST_CASE("every expression of a well-formed system has the type that it was built with") {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        Choices choices(random_source(seed));
        const sare::Sare system = testing::random_sare(choices);
        const sare::TensorTypes types = sare::tensor_types(system);
        for (const sare::Tensor& tensor : system.tensors) {
            for (const sare::Equation& equation : tensor.equations) {
                for (std::size_t c = 0; c < equation.values.size(); ++c) {
                    REQUIRE(sare::type_of(equation.values[c], types) == tensor.types[c]);
                }
            }
        }
    }
}

TEST_CASE("names are identifiers that mean nothing else") {
    for (const char* name : {"x", "_a9", "in", "on", "of", "Sum", "nan_x", "i33"}) { CHECK(sare::is_name(name)); }
    for (const char* name :
         {"", "9a", "a-b", "a.0", "sum", "update", "i32", "bool", "nan_f32", "undef_u8", "abs", "\xc3\xa4"}) {
        CHECK(!sare::is_name(name));
    }
    CHECK(sare::is_tensor_name("D.10"));
    CHECK(sare::is_tensor_name("D.0"));
    for (const char* name : {"D.", "D.01", "D.x", ".1", "sum.1", "D.1.2"}) { CHECK(!sare::is_tensor_name(name)); }
}
