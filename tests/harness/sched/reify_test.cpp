#include "harness/sched/reify.h"
#include "generators/base/sizes.h"

#include <map>
#include <string>

#include "generators/base/choice.h"
#include "harness/sched/text.h"
#include "oracle/interp/sched_interpreter.h"
#include "tests/support/catch.h"

namespace haruspex::sched {
namespace {

const std::string variables[] = {"A", "B", "C"};

Expr random_index(Choices& choices, int depth) {
    const auto below = [&] { return random_index(choices, depth - 1); };
    switch (depth == 0 ? choices.integer(0, 1) : choices.integer(0, 7)) {
        case 0: return {Integer{choices.integer(-5, 5)}};
        case 1: return {Variable{variables[choices.integer(0, 2)]}};
        case 2: return {IndexBinary{IndexOp::add, below(), below()}};
        case 3: return {IndexBinary{IndexOp::sub, below(), below()}};
        case 4: return {IndexBinary{IndexOp::mul, below(), below()}};
        case 5: {
            const IndexOp op = choices.integer(0, 1) == 0 ? IndexOp::div : IndexOp::mod;
            // Some divisors are not constant.
            Expr divisor = choices.integer(0, 3) == 0 ? below() : Expr{Integer{choices.integer(-2, 6)}};
            return {IndexBinary{op, below(), std::move(divisor)}};
        }
        case 6: {
            const IndexOp op = choices.integer(0, 1) == 0 ? IndexOp::min : IndexOp::max;
            return {IndexBinary{op, below(), below()}};
        }
        default: {
            const auto relation = choices.integer(0, 1) == 0 ? Relation::lt : Relation::eq;
            return {Select{Expr{Comparison{relation, below(), below()}}, below(), below()}};
        }
    }
}

std::string value_of(const Expr& index, const Sizes& sizes) {
    Program program{.name = "t", .parameters = {"A", "B", "C"}};
    program.arrays.push_back(
        {.role = Role::output, .name = "f", .tensor = "f", .type = value::Type::i64, .dimensions = {}});
    program.body.push_back(
        {Assign{.writes = {{.array = "f", .indices = {}, .value = {Embed{value::Type::i64, index}}}}}});
    const auto run = interp::run(program, sizes, {});
    if (!run) { FAIL(to_string(run.error())); }
    if (!run->troubles.empty()) { return to_string(run->troubles[0]); }
    return value::to_string(run->outputs.at(0).cells.at(0));
}

}  // namespace

TEST_CASE("the index of a normal form is what the form was made of, for all values of its variables") {
    constexpr int programs = 3000;
    int reified = 0;
    for (int k = 0; k < programs; ++k) {
        Choices choices(random_source(derive_seed(17, static_cast<std::uint64_t>(k))));
        const Expr index = random_index(choices, 4);
        Atoms atoms;
        NormalForms forms(atoms);
        const Polynomial form = forms.of(index);
        const auto again = index_of(form, atoms);
        const auto with_lets = index_with_lets(form, atoms, "t");
        REQUIRE(with_lets.has_value() == (again || again.error() == NoIndex::too_large));
        if (!again) { continue; }
        ++reified;
        for (int run = 0; run < 6; ++run) {
            Sizes sizes;
            for (const std::string& v : variables) { sizes[v] = choices.integer(-9, 9); }
            INFO(print(index) << "\n" << print(*again) << "\n" << print(*with_lets));
            REQUIRE(value_of(index, sizes) == value_of(*again, sizes));
            REQUIRE(value_of(index, sizes) == value_of(*with_lets, sizes));
        }
    }
    CHECK(reified > programs / 2);
}

TEST_CASE("what is needed more than once is a let, and deep nests are as large as their form") {
    const auto with_lets = [](const std::string& index) {
        Atoms atoms;
        NormalForms forms(atoms);
        const auto parsed = parse_program("sched t(A, B) {\n  let x = " + index + ";\n}\n", "test");
        REQUIRE(parsed);
        const auto found = index_with_lets(forms.of(std::get<Let>(parsed->body[0].node).value), atoms, "t");
        REQUIRE(found);
        return print(*found);
    };
    CHECK(with_lets("min(A, 3) - B") == "min(0, A + -3) - B + 3");
    const std::string twice = with_lets("(A/2)*B + max(A/2, 5*B)");
    INFO(twice);
    CHECK(twice.starts_with("let t0 = A/2 in "));
    CHECK(twice.find("let t1") == std::string::npos);
    CHECK(twice.find("A/2", 16) == std::string::npos);
    Expr nested{Variable{"A"}};
    for (int depth = 0; depth < 30; ++depth) {
        const Expr half{IndexBinary{IndexOp::div, nested, Expr{Integer{2}}}};
        nested = {LetIn{"h", half, Expr{IndexBinary{IndexOp::mul, Expr{Variable{"h"}}, Expr{Integer{3}}}}}};
        nested = {LetIn{
            "n", nested,
            Expr{IndexBinary{IndexOp::sub, Expr{IndexBinary{IndexOp::min, Expr{Variable{"n"}}, Expr{Variable{"B"}}}},
                             Expr{IndexBinary{IndexOp::div, Expr{Variable{"n"}}, Expr{Integer{7}}}}}}}};
    }
    Atoms atoms;
    NormalForms forms(atoms);
    const auto found = index_with_lets(forms.of(nested), atoms, "t");
    REQUIRE(found);
    const auto without_lets = index_of(forms.of(nested), atoms);
    REQUIRE_FALSE(without_lets);
    CHECK(without_lets.error() == NoIndex::too_large);
    CHECK(print(*found).size() < 20'000);
    const Sizes sizes{{"A", 1'000'003}, {"B", 19}, {"C", 0}};
    CHECK(value_of(nested, sizes) == value_of(*found, sizes));
}

TEST_CASE("what is a value has no index") {
    Atoms atoms;
    NormalForms forms(atoms);
    const auto of_cell = index_of(forms.of({IntegerOf{Expr{Load{"a", {Expr{Integer{0}}}, {}}}}}), atoms);
    const auto of_let = index_of(forms.of({IntegerOf{Expr{ValueVariable{"v", {}}}}}), atoms);
    REQUIRE_FALSE((of_cell || of_let));
    CHECK(of_cell.error() == NoIndex::value);
    CHECK(of_let.error() == NoIndex::value);
}

}  // namespace haruspex::sched
