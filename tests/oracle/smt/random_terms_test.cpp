#include "oracle/smt/query.h"
#include "tests/oracle/smt/operations.h"
#include "tests/support/catch.h"

using namespace haruspex;
using namespace haruspex::smt;
using value::BinaryOp;
using value::Type;
using value::Value;

namespace {

// Random terms over one integer type and bool, from cells, atoms, embedded indices, guards and undefined values.
class RandomTerms {
public:
    RandomTerms(Terms& terms, Type type, Choices& choices) : terms_(terms), type_(type), choices_(choices) {}

    Term number(int depth) {
        if (depth == 0) { return leaf(); }
        switch (choices_.weighted({6, 2, 1, 1})) {
            case 0: {
                static constexpr BinaryOp cheap[]{BinaryOp::add, BinaryOp::sub, BinaryOp::min,
                                                  BinaryOp::max, BinaryOp::add, BinaryOp::bit_and};
                const auto op = static_cast<std::size_t>(choices_.integer(0, 5));
                return terms_.apply(cheap[op], number(depth - 1), number(depth - 1));
            }
            case 1: return terms_.select(condition(depth - 1), number(depth - 1), number(depth - 1));
            case 2: return terms_.apply(BinaryOp::mul, number(depth - 1), literal());
            default: return terms_.apply(BinaryOp::div, number(depth - 1), literal());
        }
    }

private:
    Term condition(int depth) {
        if (choices_.boolean(300)) { return terms_.guard({{{index()}}}); }
        static constexpr BinaryOp orders[]{BinaryOp::lt, BinaryOp::ge, BinaryOp::eq, BinaryOp::ne};
        const auto op = static_cast<std::size_t>(choices_.integer(0, 3));
        return terms_.apply(orders[op], number(depth), number(0));
    }
    Term leaf() {
        switch (choices_.weighted({4, 2, 3, 2, 1})) {
            case 0: return terms_.cell({"in", 0, type_, Definedness::always_defined, {index()}});
            case 1: return terms_.cell({"f", 1, type_, Definedness::may_be_undef, {index(), index()}});
            // With unbounded variables, the bits of wider embedded integers are sometimes too hard for Z3.
            case 2: return value::bits(type_) == 8 ? terms_.embed(type_, index()) : literal();
            case 3: return choices_.boolean(500) ? literal() : terms_.atom(type_, 0);
            default: return choices_.boolean(300) ? terms_.uninit(type_) : literal();
        }
    }
    Term literal() { return terms_.literal(Value::integer(type_, choices_.integer(-4, 9))); }
    affine::Affine index() {
        affine::Affine a = affine::variable(choices_.boolean(500) ? "x" : "y");
        if (choices_.boolean(200)) { a = affine::Affine{0, {}, {{1, a, 2}}}; }
        a.constant = choices_.integer(-2, 2);
        return a;
    }

    Terms& terms_;
    Type type_;
    Choices& choices_;
};

Interpretation random_interpretation(std::uint64_t seed, Choices& choices) {
    Interpretation i;
    i.variables = {{"x", choices.integer(-3, 3)}, {"y", choices.integer(-3, 3)}};
    const auto value = [](Type type, std::uint64_t key) {
        Choices c(random_source(key));
        return draw_value(type, c);
    };
    i.cell = [=](const Cell& cell, const std::vector<std::int64_t>& at) {
        std::uint64_t key = derive_seed(seed, static_cast<std::uint64_t>(cell.component));
        for (const std::int64_t c : at) { key = derive_seed(key, static_cast<std::uint64_t>(c)); }
        const bool undef = cell.definedness == Definedness::may_be_undef && key % 5 == 0;
        return undef ? Value::undef(cell.type) : value(cell.type, key);
    };
    i.atom = [=](const Atom& atom) { return value(atom.type, derive_seed(seed, 99 + atom.number)); };
    return i;
}

}  // namespace

TEST_CASE("whatever a random refinement's answer is, evaluation agrees with it") {
    Choices choices(random_source(5));
    int holds = 0;
    int fails = 0;
    for (int round = 0; round < 150; ++round) {
        static constexpr Type types[]{Type::u8, Type::i8, Type::i32, Type::u32, Type::w32};
        const Type type = types[round % 5];
        Terms terms;
        RandomTerms random(terms, type, choices);
        const Term a = random.number(2);
        // An equal term in another order, an unrelated one, or one with an addition.
        const Term b = random.number(1);
        const Term c = random.number(1);
        Term specification = terms.apply(BinaryOp::add, a, terms.apply(BinaryOp::min, b, c));
        Term implementation = terms.apply(BinaryOp::add, terms.apply(BinaryOp::min, c, b), a);
        if (choices.boolean(300)) { implementation = terms.apply(BinaryOp::max, implementation, b); }
        const affine::Affine x = affine::variable("x");
        affine::Affine below = affine::constant(50);
        below.summands = {{"x", -1}};
        const Query query{{{{x}, {below}}}, specification, implementation};
        const Outcome outcome = refines(terms, query, 1'000'000);
        INFO(to_string(terms, specification).value() << " and " << to_string(terms, implementation).value());
        if (const Model* m = outcome.counterexample()) {
            ++fails;
            REQUIRE(m->confirmed);
        }
        if (!outcome.holds()) { continue; }
        ++holds;
        for (std::uint64_t seed = 0; seed < 40; ++seed) {
            const Interpretation i = random_interpretation(seed, choices);
            if (!affine::contains(query.domain, i.variables).value()) { continue; }
            REQUIRE(!violates(evaluate(terms, specification, i).value(), evaluate(terms, implementation, i).value(),
                              Equality::same_result));
        }
    }
    INFO(holds << " hold, " << fails << " fail");
    CHECK(holds >= 25);
    CHECK(fails >= 25);
}
