#include "generators/tensor/typing.h"

#include <string>
#include <vector>

#include "generators/sare/build.h"
#include "generators/tensor/wellformed.h"
#include "tests/support/catch.h"
#include "tests/support/random_tensor.h"

using namespace haruspex;
using tensor::ElementOp;
using tensor::Extents;
using tensor::Flaw;
using tensor::TensorType;

namespace {

const Extents constants({}, sare::truth(true));

TensorType f32(const std::vector<std::int64_t>& extents) {
    TensorType type;
    for (const std::int64_t extent : extents) { type.extents.push_back(sare::constant(extent)); }
    return type;
}

TensorType i32(const std::vector<std::int64_t>& extents) {
    TensorType type = f32(extents);
    type.element = value::Type::i32;
    return type;
}

void check_type(const tensor::Typed& typed, const TensorType& expected) {
    REQUIRE(typed.has_value());
    CHECK(*typed == expected);
}

void check_flaw(const tensor::Typed& typed, Flaw flaw) {
    REQUIRE(!typed.has_value());
    CHECK(typed.error().flaw == flaw);
    CHECK(typed.error().message.find("expected") != std::string::npos);
}

Flaw flaw_of(const tensor::Program& program) {
    const auto checked = tensor::find_fault(program);
    REQUIRE(!checked.has_value());
    return checked.error().flaw;
}

tensor::Expr named(const std::string& name) { return tensor::Expr{tensor::Variable{name}}; }

}  // namespace

TEST_CASE("t-var looks the variable up in the context") {
    check_type(tensor::t_var({{"x", f32({3, 4})}}, "x"), f32({3, 4}));
    check_flaw(tensor::t_var({{"x", f32({3, 4})}}, "y"), Flaw::reads_undeclared);
    check_flaw(tensor::t_var({}, "x"), Flaw::reads_undeclared);
}

TEST_CASE("t-prod joins the types") {
    check_type(tensor::t_prod(f32({3, 4}), f32({5})), f32({3, 4, 5}));
    check_type(tensor::t_prod(f32({}), f32({5})), f32({5}));
    check_flaw(tensor::t_prod(f32({3}), i32({3})), Flaw::operands_do_not_fit);
    const std::vector<std::int64_t> nine(9, 2);
    check_flaw(tensor::t_prod(f32(nine), f32(nine)), Flaw::too_large);
}

TEST_CASE("t-trans exchanges two dimensions") {
    check_type(tensor::t_trans(f32({2, 3, 4, 5, 6}), {2, 4}), f32({2, 5, 4, 3, 6}));
    check_type(tensor::t_trans(f32({2, 3}), {2, 1}), f32({3, 2}));
    check_flaw(tensor::t_trans(f32({2, 3}), {1, 3}), Flaw::operands_do_not_fit);
    check_flaw(tensor::t_trans(f32({2, 3}), {0, 1}), Flaw::operands_do_not_fit);
    check_flaw(tensor::t_trans(f32({2, 3}), {1, 1}), Flaw::operands_do_not_fit);
    check_flaw(tensor::t_trans(f32({2}), {1, 2}), Flaw::operands_do_not_fit);
}

TEST_CASE("t-contr drops two dimensions of one extent") {
    check_type(tensor::t_contr(f32({3, 4, 4, 5}), {2, 3}, constants), f32({3, 5}));
    check_type(tensor::t_contr(f32({4, 3, 4}), {3, 1}, constants), f32({3}));
    check_type(tensor::t_contr(f32({3, 3}), {1, 2}, constants), f32({}));
    check_flaw(tensor::t_contr(f32({3, 4}), {1, 2}, constants), Flaw::operands_do_not_fit);
    check_flaw(tensor::t_contr(f32({3, 3}), {1, 3}, constants), Flaw::operands_do_not_fit);
    check_flaw(tensor::t_contr(f32({3, 3}), {2, 2}, constants), Flaw::operands_do_not_fit);
    check_flaw(tensor::t_contr(f32({}), {1, 2}, constants), Flaw::operands_do_not_fit);
}

TEST_CASE("t-elem takes operands of one type") {
    for (const ElementOp op : {ElementOp::add, ElementOp::sub, ElementOp::mul, ElementOp::div}) {
        CHECK(tensor::rule_of(op, f32({3, 4}), f32({3, 4})) == tensor::ElementRule::elem);
        CHECK(tensor::rule_of(op, f32({}), f32({})) == tensor::ElementRule::elem);
        check_type(tensor::t_elem(op, f32({3, 4}), f32({3, 4}), constants), f32({3, 4}));
        check_type(tensor::t_elem(op, f32({}), f32({}), constants), f32({}));
        check_flaw(tensor::t_elem(op, f32({3, 4}), f32({4, 3}), constants), Flaw::operands_do_not_fit);
        check_flaw(tensor::t_elem(op, f32({3, 4}), f32({3}), constants), Flaw::operands_do_not_fit);
        check_flaw(tensor::t_elem(op, f32({3, 4}), i32({3, 4}), constants), Flaw::operands_do_not_fit);
    }
}

TEST_CASE("t-smul multiplies by a scalar from the left only") {
    check_type(tensor::t_smul(f32({}), f32({3, 4})), f32({3, 4}));
    check_flaw(tensor::t_smul(f32({}), i32({3, 4})), Flaw::operands_do_not_fit);
    CHECK(tensor::rule_of(ElementOp::mul, f32({}), f32({3})) == tensor::ElementRule::smul);
    for (const ElementOp op : {ElementOp::add, ElementOp::sub, ElementOp::div}) {
        CHECK(tensor::rule_of(op, f32({}), f32({3})) == tensor::ElementRule::elem);
    }
    CHECK(tensor::rule_of(ElementOp::mul, f32({3}), f32({})) == tensor::ElementRule::elem);
}

TEST_CASE("t-sdiv divides by a scalar only") {
    check_type(tensor::t_sdiv(f32({3, 4}), f32({})), f32({3, 4}));
    check_flaw(tensor::t_sdiv(f32({3, 4}), i32({})), Flaw::operands_do_not_fit);
    CHECK(tensor::rule_of(ElementOp::div, f32({3}), f32({})) == tensor::ElementRule::sdiv);
    for (const ElementOp op : {ElementOp::add, ElementOp::sub, ElementOp::mul}) {
        CHECK(tensor::rule_of(op, f32({3}), f32({})) == tensor::ElementRule::elem);
    }
}

TEST_CASE("extents that depend on parameters are equal under the assumptions or not at all") {
    const sare::Index n = sare::variable("N");
    const sare::Index m = sare::variable("M");
    const Extents free({"N", "M"}, sare::truth(true));
    const Extents equal({"N", "M"}, sare::compare(sare::Relation::eq, n, m));
    CHECK(free.are_equal(n, n));
    CHECK(free.are_equal(n + m, m + n));
    CHECK(!free.are_equal(n, m));
    CHECK(!free.are_equal(n, sare::constant(3)));
    CHECK(equal.are_equal(n, m));
    CHECK(!equal.are_equal(n, m + sare::constant(1)));
    CHECK(!free.is_positive(n));
    const Extents positive({"N"}, sare::compare(sare::Relation::ge, n, sare::constant(1)));
    CHECK(positive.is_positive(n));
    CHECK(!positive.is_positive(n - sare::constant(1)));
    TensorType a = f32({3});
    a.extents.push_back(n);
    a.extents.push_back(m);
    check_type(tensor::t_contr(a, {2, 3}, equal), f32({3}));
    check_flaw(tensor::t_contr(a, {2, 3}, free), Flaw::operands_do_not_fit);
}

TEST_CASE("s-var refuses a variable that the context has") {
    tensor::Program program{.declarations = {{"x", value::Type::f32, {}}, {"y", value::Type::f32, {}}}};
    CHECK(tensor::find_fault(program).has_value());
    program.declarations.push_back({"x", value::Type::f32, {sare::constant(3)}});
    CHECK(flaw_of(program) == Flaw::redeclared);
    program.declarations.back().name = "var";
    CHECK(flaw_of(program) == Flaw::not_a_name);
    program.declarations.back() = {"z", value::Type::boolean, {}};
    CHECK(flaw_of(program) == Flaw::element_has_no_algebra);
    program.declarations.back() = {"z", value::Type::f32, {sare::constant(0)}};
    CHECK(flaw_of(program) == Flaw::extent_not_positive);
    program.declarations.back() = {"z", value::Type::f32, {sare::variable("N")}};
    CHECK(flaw_of(program) == Flaw::malformed_extent);
}

TEST_CASE("ok-stmt refuses an undeclared variable and another type") {
    tensor::Program program{
        .declarations = {{"x", value::Type::f32, {sare::constant(3)}}, {"y", value::Type::f32, {sare::constant(4)}}}};
    program.statements = {{"x", named("x")}};
    CHECK(tensor::find_fault(program).has_value());
    program.statements = {{"x", named("x")}, {"x", named("y")}};
    const auto other = tensor::find_fault(program);
    REQUIRE(!other.has_value());
    CHECK(other.error().flaw == Flaw::assigns_other_type);
    CHECK(other.error().subject == tensor::Subject{tensor::Subject::Kind::statement, 1, 0});
    program.statements = {{"z", named("x")}};
    CHECK(flaw_of(program) == Flaw::assigns_undeclared);
    program.declarations[1].element = value::Type::f64;
    program.declarations[1].extents = program.declarations[0].extents;
    program.statements = {{"x", named("y")}};
    CHECK(flaw_of(program) == Flaw::assigns_other_type);
}

TEST_CASE("a fault of an expression names its node, operands before operators") {
    tensor::Program program{.declarations = {{"x", value::Type::f32, {sare::constant(3)}}}};
    // x + (x # z): z is node 2.
    program.statements = {{"x", tensor::Expr{tensor::Elementwise{
                                    ElementOp::add, named("x"), tensor::Expr{tensor::Outer{named("x"), named("z")}}}}}};
    const auto checked = tensor::find_fault(program);
    REQUIRE(!checked.has_value());
    CHECK(checked.error().flaw == Flaw::reads_undeclared);
    CHECK(checked.error().subject == tensor::Subject{tensor::Subject::Kind::expression, 0, 2});
}

TEST_CASE("random programs are well-formed, and their types hold at every size that is assumed") {
    for (std::uint64_t seed = 0; seed < 1000; ++seed) {
        Choices choices(random_source(seed));
        const tensor::Program program = testing::random_tensor_program(choices, {{value::Type::i32}, true, 4, 4});
        const auto checked = tensor::check(program);
        INFO("seed " << seed << (checked ? std::string() : checked.error().message));
        REQUIRE(checked.has_value());
        const auto context = tensor::context_at(program, {{"N", 2}, {"M", 5}});
        REQUIRE(context.has_value());
        for (std::size_t s = 0; s < program.statements.size(); ++s) {
            REQUIRE(tensor::ok_stmt(program.statements[s], s, *context, constants).has_value());
        }
    }
    const tensor::Program one{.parameters = {"N"},
                              .assumptions = sare::compare(sare::Relation::ge, sare::variable("N"), sare::constant(2)),
                              .declarations = {{"x", value::Type::f32, {sare::variable("N")}}}};
    CHECK(!tensor::context_at(one, {}).has_value());
    CHECK(!tensor::context_at(one, {{"N", 1}}).has_value());
    REQUIRE(tensor::context_at(one, {{"N", 3}}).has_value());
    CHECK(tensor::context_at(one, {{"N", 3}})->at("x") == f32({3}));
}
