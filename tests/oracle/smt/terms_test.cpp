#include "oracle/smt/terms.h"

#include "tests/oracle/smt/operations.h"
#include "tests/support/catch.h"

using namespace haruspex;
using namespace haruspex::smt;
using value::BinaryOp;
using value::Type;
using value::Value;

TEST_CASE("equal terms are the same term, and others are not") {
    Terms terms;
    const Term a = terms.atom(Type::i32, 0);
    CHECK(terms.atom(Type::i32, 0) == a);
    CHECK(terms.atom(Type::i32, 1) != a);
    CHECK(terms.atom(Type::u32, 0) != a);
    const Term sum = terms.apply(BinaryOp::add, a, a);
    CHECK(terms.apply(BinaryOp::add, a, a) == sum);
    CHECK(terms.apply(BinaryOp::sub, a, a) != sum);
    CHECK(terms.literal(Value::f32(0.0F)) != terms.literal(Value::f32(-0.0F)));
    CHECK(terms.undef(Type::u8) != terms.uninit(Type::u8));
    const Cell cell{"in", 0, Type::u8, Definedness::always_defined, {affine::variable("x")}};
    CHECK(terms.cell(cell) == terms.cell(cell));
    Cell other = cell;
    other.indices.front().constant = 1;
    CHECK(terms.cell(cell) != terms.cell(other));
    CHECK(terms.embed(Type::u8, affine::variable("x")) != terms.embed(Type::u8, affine::variable("y")));
    const std::size_t size = terms.size();
    (void)terms.apply(BinaryOp::add, a, a);
    CHECK(terms.size() == size);
}

TEST_CASE("ill-typed terms are faults") {
    Terms terms;
    const Term a = terms.atom(Type::i32, 0);
    const Term b = terms.atom(Type::u32, 0);
    CHECK_THROWS_AS(terms.apply(BinaryOp::add, a, b), InternalError);
    CHECK_THROWS_AS(terms.apply(value::UnaryOp::logical_not, a), InternalError);
    CHECK_THROWS_AS(terms.select(a, b, b), InternalError);
    CHECK_THROWS_AS(terms.embed(Type::boolean, affine::variable("x")), InternalError);
    (void)terms.cell({"in", 0, Type::u8, Definedness::always_defined, {affine::variable("x")}});
    CHECK_THROWS_AS(terms.cell({"in", 0, Type::u16, Definedness::always_defined, {affine::variable("x")}}),
                    InternalError);
    CHECK_THROWS_AS(terms.cell({"in", 0, Type::u8, Definedness::always_defined, {}}), InternalError);
}

TEST_CASE("terms evaluate by the operators of generators/value") {
    Choices choices(random_source(4));
    for (const Operation& operation : every_operation()) {
        for (int i = 0; i < 20; ++i) {
            Terms terms;
            std::vector<Term> atoms;
            std::vector<Value> values;
            for (const Type type : operation.operands) {
                atoms.push_back(terms.atom(type, static_cast<std::uint32_t>(atoms.size())));
                values.push_back(draw_value(type, choices));
            }
            const Interpretation interpretation{{}, {}, [&](const Atom& a) { return values.at(a.number); }};
            const auto v = evaluate(terms, operation.term(terms, atoms), interpretation);
            REQUIRE(v.has_value());
            INFO(operation.name);
            REQUIRE(*v == operation.apply(values));
        }
    }
}

TEST_CASE("cells, embedded integers and guards see the variables") {
    Terms terms;
    affine::Affine next = affine::variable("x");
    next.constant = 1;
    const Interpretation interpretation{{{"x", 300}},
                                        [](const Cell& cell, const std::vector<std::int64_t>& at) {
                                            return Value::integer(cell.type, at.at(0) + 1000 * cell.component);
                                        },
                                        {}};
    const auto of = [&](Term t) { return evaluate(terms, t, interpretation).value(); };
    CHECK(of(terms.cell({"in", 2, Type::i32, Definedness::always_defined, {next}})) == Value::integer(Type::i32, 2301));
    CHECK(of(terms.embed(Type::u8, next)) == Value::integer(Type::u8, 45));
    CHECK(of(terms.embed(Type::f32, next)) == Value::f32(301));
    CHECK(of(terms.guard({{{next, affine::Comparison::equals_zero}}})) == Value::boolean(false));
    CHECK(of(terms.guard({{{next}}})) == Value::boolean(true));
    affine::Affine large = affine::constant(INT32_MAX);
    large.summands = {{"x", 1}};
    CHECK(of(terms.embed(Type::i32, large)).is_undef());
    large.constant = INT64_MAX;
    const auto beyond = evaluate(terms, terms.embed(Type::i32, large), interpretation);
    REQUIRE(!beyond.has_value());
    CHECK(beyond.error().message == "an index of i32<x + 9223372036854775807> does not fit 64 bits");
}

TEST_CASE("a term is written as its expression, unless that is too long") {
    Terms terms;
    const Term x = terms.embed(Type::i32, affine::variable("x"));
    const Term cell = terms.cell({"in", 1, Type::i32, Definedness::always_defined, {affine::variable("x")}});
    const Term smaller = terms.apply(BinaryOp::lt, cell, terms.literal(Value::integer(Type::i32, 3)));
    Term sum = terms.select(smaller, terms.apply(BinaryOp::max, x, terms.atom(Type::i32, 4)), x);
    CHECK(to_string(terms, sum) == "select((in(x)[1] < 3i32), max(i32<x>, atom_4_i32), i32<x>)");
    for (int i = 0; i < 200; ++i) { sum = terms.apply(BinaryOp::add, sum, sum); }
    CHECK(!to_string(terms, sum).has_value());
}
