#include "oracle/smt/gates.h"

#include "tests/support/catch.h"

namespace haruspex::smt {
namespace {

using value::BinaryOp;
using value::Type;
using value::Value;

class Fixture {
public:
    Term in(Type type, std::uint32_t i) { return terms.atom(type, i); }
    std::uint64_t of(Term s, Term i, Floats floats = Floats::ieee, Abstraction abstraction = Abstraction::arithmetic) {
        return gates(terms, {{affine::Conjunction{}}, s, i, abstraction, floats});
    }
    std::uint64_t of(BinaryOp op, Type type) {
        const Term t = terms.apply(op, in(type, 0), in(type, 1));
        return of(t, t);
    }

    Terms terms;
};

TEST_CASE("products have many more gates than sums, of wider types more, and quotients the most") {
    Fixture f;
    for (const Type type : {Type::u8, Type::u16, Type::u32, Type::u64, Type::i32, Type::i64, Type::w32, Type::w64}) {
        INFO(value::name(type));
        CHECK(f.of(BinaryOp::add, type) > 0);
        CHECK(f.of(BinaryOp::mul, type) >= 4 * f.of(BinaryOp::add, type));
        CHECK(f.of(BinaryOp::div, type) > 4 * f.of(BinaryOp::mul, type));
        const Term by_eight = f.terms.apply(BinaryOp::mul, f.in(type, 0), f.terms.literal(Value::integer(type, 8)));
        CHECK(f.of(by_eight, by_eight) <= f.of(BinaryOp::add, type));
    }
    CHECK(f.of(BinaryOp::mul, Type::u64) == 4 * f.of(BinaryOp::mul, Type::u32));
    // Detecting overflow needs more gates.
    CHECK(f.of(BinaryOp::mul, Type::i32) > f.of(BinaryOp::mul, Type::u32));
    CHECK(f.of(BinaryOp::mul, Type::w32) == f.of(BinaryOp::mul, Type::u32));
}

TEST_CASE("what is shared has its gates once, and what is not in the query has none") {
    Fixture f;
    const Term a = f.in(Type::u32, 0), b = f.in(Type::u32, 1);
    const Term product = f.terms.apply(BinaryOp::mul, a, b), sum = f.terms.apply(BinaryOp::add, product, product);
    const std::uint64_t of_product = f.of(product, product);
    CHECK(f.of(a, b) == 0);
    CHECK(f.of(sum, product) == of_product + f.of(BinaryOp::add, Type::u32));
}

TEST_CASE("only bit-vectors and IEEE floats are made of gates") {
    Fixture f;
    const Term a = f.in(Type::f32, 0), sum = f.terms.apply(BinaryOp::add, a, f.in(Type::f32, 1));
    CHECK(f.of(sum, a, Floats::ieee) > 1'000);
    CHECK(f.of(sum, a, Floats::real) < 10);
    const Term b = f.in(Type::u64, 0), product = f.terms.apply(BinaryOp::mul, b, f.in(Type::u64, 1));
    CHECK(f.of(product, b) > 1'000);
    CHECK(f.of(product, b, Floats::ieee, Abstraction::uninterpreted) == 0);
}

}  // namespace
}  // namespace haruspex::smt
