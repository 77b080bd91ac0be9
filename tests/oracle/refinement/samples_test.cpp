#include "oracle/refinement/samples.h"

#include "tests/support/catch.h"

namespace haruspex::refinement {
namespace {

using smt::Equality;
using value::BinaryOp;
using value::Type;
using value::Value;

class Fixture {
public:
    explicit Fixture(bool exact_reals = false, std::uint64_t most_evaluations = 1'000'000)
        : values(1'000'000, exact_reals), samples(values, most_evaluations) {}

    Term in(std::int64_t i, Type type) { return values.input({std::string(value::name(type)), 0, {i}}, type); }
    Term number(Type type, double n) { return values.literal(value::cast(type, Value::f64(n))); }
    Term op(BinaryOp op, Term a, Term b) { return values.apply(op, a, b); }
    bool differ(Term s, Term i) { return samples.differ(s, i, Equality::same_result); }

    Values values;
    Samples samples;
};

TEST_CASE("terms that are not the same differ on a few inputs, terms that are do not") {
    for (const Type type : {Type::u8, Type::i16, Type::i32, Type::u64, Type::f32, Type::w32, Type::w64}) {
        INFO(value::name(type));
        Fixture f;
        const Term a = f.in(0, type), b = f.in(1, type);
        CHECK_FALSE(f.differ(f.op(BinaryOp::add, a, b), f.op(BinaryOp::add, b, a)));
        CHECK(f.differ(f.op(BinaryOp::add, a, b), f.op(BinaryOp::sub, a, b)));
        CHECK(f.differ(a, b));
        CHECK(f.differ(a, f.values.literal(Value::uninit(type))));
        CHECK_FALSE(f.differ(f.values.literal(Value::undef(type)), a));
    }
}

TEST_CASE("a sum that overflows in one order only is found, on inputs that show it") {
    for (const Type type : {Type::i32, Type::i64}) {
        Fixture f;
        const Term a = f.in(0, type), b = f.in(1, type), c = f.in(2, type);
        const Term s = f.op(BinaryOp::add, f.op(BinaryOp::add, a, b), c);
        const Term i = f.op(BinaryOp::add, a, f.op(BinaryOp::add, b, c));
        const auto inputs = f.samples.difference(s, i, Equality::same_result, 4'000, {});
        REQUIRE(inputs);
        CHECK(inputs->size() == 3);
        const auto value_of = [&](Term t) {
            return *smt::evaluate(f.values.terms(), t, {{}, {}, [&](const smt::Atom& atom) {
                                                            return inputs->at(f.in(atom.number, atom.type));
                                                        }});
        };
        CHECK(value_of(s).is_defined());
        CHECK(value_of(i).is_undef());
        // Inputs that are given are kept.
        const auto again = f.samples.difference(s, i, Equality::same_result, 1, *inputs);
        CHECK(again == inputs);
        CHECK_FALSE(f.samples.difference(s, s, Equality::same_result, 1, *inputs));
    }
}

TEST_CASE("of real numbers what is rounded is no difference, nor what is defined for it") {
    for (const bool exact_reals : {true, false}) {
        Fixture f(exact_reals);
        const Term a = f.in(0, Type::f32), many = f.number(Type::f32, 49);
        const Term part = f.op(BinaryOp::div, a, many);
        const Term whole = f.op(BinaryOp::mul, part, many);
        CHECK(f.samples.difference(a, whole, Equality::same_number, 1'000, {}).has_value() == !exact_reals);
        const Term half = f.op(BinaryOp::mul, a, f.number(Type::f32, 0.5));
        CHECK(f.samples.difference(a, half, Equality::same_number, 100, {}));
        // An integer that fits only because of rounding.
        const Term one = f.op(BinaryOp::add, part, f.op(BinaryOp::sub, f.number(Type::f32, 1), part));
        const Term large = f.values.cast(Type::i32, f.op(BinaryOp::mul, one, f.number(Type::f32, 2147483520.0)));
        const Term known = f.number(Type::i32, 2147483520.0);
        CHECK(f.samples.difference(known, large, Equality::same_number, 1'000, {}).has_value() == !exact_reals);
    }
}

TEST_CASE("when the evaluations are spent nothing differs") {
    for (const std::uint64_t most : {2, 1'000}) {
        Fixture f(false, most);
        const Term a = f.in(0, Type::u8), b = f.in(1, Type::u8);
        CHECK(f.differ(a, b) == (most == 1'000));
        const Term sum = f.op(BinaryOp::add, a, b);
        CHECK(f.samples.difference(sum, a, Equality::same_result, 10, {}).has_value() == (most == 1'000));
    }
}

}  // namespace
}  // namespace haruspex::refinement
