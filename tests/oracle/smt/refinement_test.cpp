#include <limits>
#include <string>

#include "generators/affine/context.h"
#include "oracle/smt/cvc5.h"
#include "oracle/smt/query.h"
#include "tests/oracle/smt/operations.h"
#include "tests/support/catch.h"

using namespace haruspex;
using namespace haruspex::smt;
using value::BinaryOp;
using value::Type;
using value::UnaryOp;
using value::Value;

namespace {

constexpr std::uint64_t enough = 80'000'000;  // for all versions of Z3
const affine::Disjunction everywhere{{}};

class Fixture {
public:
    Terms terms;

    affine::Disjunction where(const char* set) const {
        return affine::disjunction(isl::set(context_.ctx(), set)).value();
    }
    affine::Affine index(const char* expression) const {
        return affine::affine(isl::aff(context_.ctx(), expression)).value();
    }
    Term in(Type type, const char* expression, Definedness definedness = Definedness::always_defined) {
        return terms.cell({"in_" + std::string(value::name(type)), 0, type, definedness, {index(expression)}});
    }
    Term add(Term a, Term b) { return terms.apply(BinaryOp::add, a, b); }
    Term mul(Term a, Term b) { return terms.apply(BinaryOp::mul, a, b); }
    Term number(Type type, std::int64_t v) { return terms.literal(Value::integer(type, v)); }

    // Asks Z3, and cvc5 with the same text for a second opinion.
    Outcome ask(const Query& query) const {
        Outcome outcome = refines(terms, query, enough);
        REQUIRE(!outcome.is_unknown());
        const auto text = to_smtlib(terms, query);
        REQUIRE(text.has_value());
        Cvc5 patient;
        patient.rlimit = 2'000'000;
        const auto second = check_with_cvc5(*text, patient);
        REQUIRE(second.has_value());
        INFO(*text);
        CHECK(second->answer == (outcome.holds() ? Satisfiability::unsat : Satisfiability::sat));
        return outcome;
    }

private:
    affine::Context context_;
};

}  // namespace

TEST_CASE("addition commutes; it is associative only where it wraps") {
    Fixture f;
    for (const Type type : {Type::u8, Type::i16, Type::i32, Type::u32, Type::i64, Type::u64, Type::w32, Type::w64}) {
        const Term a = f.in(type, "[x] -> { [x] }");
        const Term b = f.in(type, "[x] -> { [x + 1] }");
        const Term c = f.in(type, "[x] -> { [2x] }");
        INFO(value::name(type));
        CHECK(f.ask({everywhere, f.add(a, b), f.add(b, a)}).holds());
        CHECK(f.ask({everywhere, f.add(a, b), f.add(b, a), Abstraction::uninterpreted}).holds());
        const Query regrouped{everywhere, f.add(f.add(a, b), c), f.add(f.add(a, c), b)};
        const Outcome outcome = f.ask(regrouped);
        if (value::wraps(type)) {
            CHECK(outcome.holds());
            continue;
        }
        const Model* m = outcome.counterexample();
        REQUIRE(m != nullptr);
        CHECK(m->confirmed);
        CHECK(m->specification.is_defined());
        CHECK(m->implementation.is_undef());
    }
}

TEST_CASE("a specification that overflows demands nothing, and one that is not written is refined by nothing") {
    Fixture f;
    const Term a = f.terms.atom(Type::i32, 0);
    const Term big = f.number(Type::i32, INT32_MAX);
    const affine::Disjunction all = everywhere;
    const Term overflow = f.add(f.add(big, f.number(Type::i32, 1)), a);
    CHECK(f.ask({all, overflow, a}).holds());
    CHECK(f.ask({all, f.terms.undef(Type::i32), a}).holds());
    CHECK(!f.ask({all, a, f.terms.undef(Type::i32)}).holds());
    CHECK(!f.ask({all, f.terms.uninit(Type::i32), f.terms.uninit(Type::i32)}).holds());
    // Not even a product with zero hides memory that was not written; a select that does not choose it does.
    CHECK(!f.ask({all, f.number(Type::u8, 0), f.mul(f.terms.uninit(Type::u8), f.number(Type::u8, 0))}).holds());
    const Term inside = f.terms.guard(f.where("[x] -> { : x >= 0 }"));
    const Term guarded = f.terms.select(inside, a, f.terms.uninit(Type::i32));
    CHECK(f.ask({f.where("[x] -> { : x >= 3 }"), a, guarded}).holds());
    const Outcome beyond = f.ask({f.where("[x] -> { : x >= -1 }"), a, guarded});
    REQUIRE(beyond.counterexample() != nullptr);
    CHECK(beyond.counterexample()->variables.at("x") == -1);
    CHECK(beyond.counterexample()->implementation.is_uninit());
    // Undef propagates from the arm that is not chosen.
    const Term eager = f.terms.select(inside, a, f.terms.undef(Type::i32));
    CHECK(!f.ask({f.where("[x] -> { : x >= 3 }"), a, eager}).holds());
}

TEST_CASE("cells are equal where their indices are") {
    Fixture f;
    for (const Abstraction level : {Abstraction::uninterpreted, Abstraction::arithmetic}) {
        const auto query = [&](const char* domain, Term a, Term b) { return Query{f.where(domain), a, b, level}; };
        const Term next = f.in(Type::i32, "[x] -> { [x + 1] }");
        const Term y = f.in(Type::i32, "[y] -> { [y] }");
        CHECK(f.ask(query("[x, y] -> { : y = x + 1 }", next, y)).holds());
        const Outcome fails = f.ask(query("[x, y] -> { : x <= y <= x + 1 }", next, y));
        REQUIRE(fails.counterexample() != nullptr);
        const Model& m = *fails.counterexample();
        CHECK(m.confirmed);
        CHECK(m.variables.at("x") == m.variables.at("y"));
        REQUIRE(m.cells.size() == 2);
        CHECK(m.cells[0].coordinates == std::vector<std::int64_t>{m.variables.at("x")});
        CHECK(m.cells[1].coordinates == std::vector<std::int64_t>{m.variables.at("x") + 1});
        CHECK(m.cells[0].value != m.cells[1].value);

        const Term tile = f.in(Type::i32, "[x] -> { [8*floor(x/8) + (x mod 8)] }");
        CHECK(f.ask(query("[x] -> { : }", f.in(Type::i32, "[x] -> { [x] }"), tile)).holds());
        const Term half = f.in(Type::i32, "[x] -> { [floor((x)/2)] }");
        const Term other_half = f.in(Type::i32, "[x] -> { [floor((x + 1)/2)] }");
        CHECK(f.ask(query("[x] -> { : exists k : x = 2k }", half, other_half)).holds());
        CHECK(!f.ask(query("[x] -> { : x >= 5 }", half, other_half)).holds());
        // Within operators, with the operands in another order.
        CHECK(f.ask(query("[x, y] -> { : y = x + 1 }", f.mul(next, half), f.mul(half, y))).holds());
        CHECK(f.ask(query("[x] -> { : x < x }", next, half)).holds());
    }
}

TEST_CASE("embedded indices are reasoned about as integers") {
    Fixture f;
    const auto embed = [&](Type type, const char* e) { return f.terms.embed(type, f.index(e)); };
    for (const Type type : {Type::i32, Type::i64, Type::u8, Type::i8, Type::u64, Type::w32, Type::w64}) {
        INFO(value::name(type));
        const Term x = embed(type, "[x] -> { [x] }");
        const Term y = embed(type, "[y] -> { [y] }");
        const Term sum = embed(type, "[x, y] -> { [x + y] }");
        const bool overflows = value::overflow_is_undefined(type);
        CHECK(f.ask({everywhere, f.add(x, y), sum}).holds());
        // The sum fits where a summand does not; a counterexample that does not fit i64 cannot be run.
        const Outcome split = refines(f.terms, {everywhere, sum, f.add(x, y)}, enough);
        CHECK(split.holds() == !overflows);
        CHECK(split.is_unknown() == (type == Type::i64));
        CHECK(f.ask({f.where("[x, y] -> { : -100 <= x, y <= 100 }"), sum, f.add(x, y)}).holds());
        CHECK(
            f.ask({f.where("[x] -> { : -20 <= x <= 20 }"), f.mul(x, f.number(type, 3)), embed(type, "[x] -> { [3x] }")})
                .holds());
        const Term quotient = f.terms.apply(BinaryOp::div, x, f.number(type, 4));
        CHECK(f.ask({f.where("[x] -> { : 0 <= x <= 100 }"), embed(type, "[x] -> { [floor(x/4)] }"), quotient}).holds());
        const Outcome negative =
            f.ask({f.where("[x] -> { : -100 <= x <= 100 }"), embed(type, "[x] -> { [floor(x/4)] }"), quotient});
        CHECK(negative.holds() == value::is_signed_integer(type));
        const Term smaller = f.terms.apply(BinaryOp::lt, x, y);
        const Outcome order =
            f.ask({f.where("[x, y] -> { : 0 <= x < y <= 200 }"), f.terms.literal(Value::boolean(true)), smaller});
        CHECK(order.holds() == (type != Type::i8));
        if (!order.holds()) { CHECK(order.counterexample()->confirmed); }
        // Both sides' bits come from the same integer.
        const Term low = f.terms.apply(BinaryOp::bit_and, x, f.number(type, 3));
        CHECK(f.ask({f.where("[x] -> { : 0 <= x <= 100 }"), embed(type, "[x] -> { [x mod 4] }"), low}).holds());
    }
    // Equal where both conversions fit; Undef where the narrow one does not.
    const Term wide = f.terms.cast(Type::i64, embed(Type::i32, "[x] -> { [x] }"));
    CHECK(f.ask({f.where("[x] -> { : 0 <= x < 100 }"), embed(Type::i64, "[x] -> { [x] }"), wide}).holds());
    const Outcome narrow = f.ask({everywhere, embed(Type::i64, "[x] -> { [x] }"), wide});
    REQUIRE(narrow.counterexample() != nullptr);
    CHECK(narrow.counterexample()->confirmed);
    CHECK(narrow.counterexample()->implementation.is_undef());
}

TEST_CASE("an embedded integer and a machine integer agree at the border of every type") {
    Fixture f;
    for (const Type type : value::all_types) {
        if (!value::is_integer(type)) { continue; }
        for (const Value& corner : special_values(type)) {
            const std::int64_t integer = static_cast<std::int64_t>(corner.bit_pattern());
            affine::Affine at = affine::variable("x");
            at.constant = -1;
            const affine::Disjunction here{
                {{affine::Affine{-integer, {{"x", 1}}, {}}, affine::Comparison::equals_zero}}};
            if (integer == INT64_MIN) { continue; }
            const Value expected = value::cast(type, Value::integer(Type::i64, integer));
            const Term x = f.terms.embed(type, affine::variable("x"));
            const Term zero = f.number(type, 0);
            // The literal zero between them makes it a question of bits; without it, it is one of integers.
            for (const Term term : {x, f.terms.apply(BinaryOp::bit_or, x, zero)}) {
                INFO(value::name(type) << " " << integer);
                const Term literal = f.terms.literal(Value::from_bits(type, corner.bit_pattern()));
                CHECK(refines(f.terms, {here, literal, term}, enough).holds() == expected.is_defined());
                CHECK(refines(f.terms, {here, term, literal}, enough).holds());
                const Term wrong = f.terms.literal(another(corner));
                CHECK(refines(f.terms, {here, term, wrong}, enough).holds() == expected.is_undef());
            }
        }
    }
}

TEST_CASE("cells that may be undefined must be so on both sides") {
    Fixture f;
    const Term partial = f.in(Type::i32, "[x] -> { [x] }", Definedness::may_be_undef);
    const Term zero = f.number(Type::i32, 0);
    for (const Abstraction level : {Abstraction::uninterpreted, Abstraction::arithmetic}) {
        CHECK(f.ask({everywhere, partial, partial, level}).holds());
        CHECK(f.ask({f.where("[x, y] -> { : x = y }"), partial,
                     f.in(Type::i32, "[y] -> { [y] }", Definedness::may_be_undef), level})
                  .holds());
    }
    const Outcome outcome = f.ask({everywhere, zero, f.mul(partial, zero)});
    REQUIRE(outcome.counterexample() != nullptr);
    const Model& m = *outcome.counterexample();
    CHECK(m.confirmed);
    REQUIRE(m.cells.size() == 1);
    CHECK(m.cells[0].value.is_undef());
}

TEST_CASE("what is defined is said of each cell once, in however many ways a term depends on it") {
    Fixture f;
    const auto cell = [&](int at) {
        return f.in(Type::u8, ("[] -> { [" + std::to_string(at) + "] }").c_str(), Definedness::may_be_undef);
    };
    // There are 2^40 paths from the last to the first.
    Term one = cell(0);
    Term other = cell(0);
    for (int k = 1; k <= 40; ++k) {
        one = f.terms.apply(BinaryOp::min, one, f.add(one, cell(k)));
        other = f.terms.apply(BinaryOp::min, other, f.add(cell(k), other));
    }
    CHECK(f.ask({everywhere, one, other, Abstraction::uninterpreted}).holds());
    CHECK(f.ask({everywhere, f.terms.apply(BinaryOp::min, one, f.number(Type::u8, 1)), f.number(Type::u8, 1)})
              .counterexample() != nullptr);
}

TEST_CASE("floats: what each choice of theory proves") {
    Fixture f;
    const Term a = f.in(Type::f32, "[x] -> { [x] }");
    const Term b = f.in(Type::f32, "[x] -> { [x + 1] }");
    const Term c = f.in(Type::f32, "[x] -> { [2x + 9] }");
    const auto query = [&](Term s, Term i, Floats floats, Equality equality = Equality::same_result) {
        return Query{everywhere, s, i, Abstraction::arithmetic, floats, equality};
    };
    for (const Floats floats : {Floats::uninterpreted, Floats::real, Floats::ieee}) {
        CHECK(f.ask(query(f.mul(a, f.add(b, c)), f.mul(f.add(c, b), a), floats)).holds());
    }
    const Term one = f.terms.literal(Value::f32(1));
    CHECK(f.ask(query(a, f.mul(a, one), Floats::ieee)).holds());
    const Term left = f.add(f.add(a, b), c);
    const Term right = f.add(a, f.add(b, c));
    CHECK(f.ask(query(left, right, Floats::real)).holds());
    CHECK(!f.ask(query(left, right, Floats::uninterpreted)).holds());
    const Outcome rounded = f.ask(query(left, right, Floats::ieee));
    REQUIRE(rounded.counterexample() != nullptr);
    CHECK(rounded.counterexample()->confirmed);

    // -(-a) is 0 - (0 - a): it loses the sign of a zero, and nothing else.
    const Term twice = f.terms.apply(UnaryOp::negate, f.terms.apply(UnaryOp::negate, a));
    CHECK(f.ask(query(a, twice, Floats::ieee, Equality::same_number)).holds());
    const Outcome sign = f.ask(query(a, twice, Floats::ieee));
    REQUIRE(sign.counterexample() != nullptr);
    CHECK(sign.counterexample()->specification == Value::f32(-0.0F));
    CHECK(sign.counterexample()->implementation == Value::f32(0.0F));
    CHECK(f.ask(query(a, twice, Floats::real)).holds());

    // The minimum of two zeros depends on the order; with a NaN it is Undef.
    const Term ab = f.terms.apply(BinaryOp::min, a, b);
    const Term ba = f.terms.apply(BinaryOp::min, b, a);
    CHECK(f.ask(query(ab, ba, Floats::ieee, Equality::same_number)).holds());
    CHECK(!f.ask(query(ab, ba, Floats::ieee)).holds());
    CHECK(!f.ask(query(ab, ba, Floats::uninterpreted)).holds());
    // Dividing one by it distinguishes zeros, even where zeros count as equal.
    const auto inverse = [&](Term t) { return f.terms.apply(BinaryOp::div, one, t); };
    for (const Abstraction abstraction : {Abstraction::uninterpreted, Abstraction::arithmetic}) {
        Query inverses = query(inverse(ab), inverse(ba), Floats::ieee, Equality::same_number);
        inverses.abstraction = abstraction;
        CHECK(!f.ask(inverses).holds());
        inverses.floats = Floats::real;
        CHECK(f.ask(inverses).holds());
    }
    const Outcome nan = f.ask(query(a, f.terms.apply(BinaryOp::min, a, a), Floats::ieee));
    REQUIRE(nan.counterexample() != nullptr);
    CHECK(nan.counterexample()->specification.is_nan());
    CHECK(nan.counterexample()->implementation.is_undef());

    // A division became a product, which is exact only for powers of two.
    const auto single = [&](float v) { return f.terms.literal(Value::f32(v)); };
    const Term by_three = f.terms.apply(BinaryOp::div, a, single(3));
    const Outcome third = f.ask(query(by_three, f.mul(a, single(1.0F / 3)), Floats::ieee));
    REQUIRE(third.counterexample() != nullptr);
    CHECK(third.counterexample()->confirmed);
}

TEST_CASE("what reals cannot express is unknown, with the reason") {
    Fixture f;
    const Term infinity = f.terms.literal(Value::f32(std::numeric_limits<float>::infinity()));
    const Query query{everywhere, infinity, infinity, Abstraction::arithmetic, Floats::real};
    const Outcome outcome = refines(f.terms, query, enough);
    REQUIRE(outcome.is_unknown());
    CHECK(std::get<Unknown>(outcome.answer).reason == "inf_f32 is no real number");
    REQUIRE(!to_smtlib(f.terms, query).has_value());
    CHECK(to_smtlib(f.terms, query).error().message == "inf_f32 is no real number");
}

TEST_CASE("a model of reals becomes floats, and says whether it is more than an artefact") {
    Fixture f;
    const Term a = f.in(Type::f64, "[x] -> { [x] }");
    const Term quarter = f.terms.literal(Value::f64(0.25));
    const Query wrong{everywhere, f.mul(a, quarter), f.add(a, quarter), Abstraction::arithmetic, Floats::real};
    const Outcome outcome = f.ask(wrong);
    REQUIRE(outcome.counterexample() != nullptr);
    CHECK(outcome.counterexample()->confirmed);
    // a*a = 2 has a solution only in the reals.
    const Term square = f.terms.apply(BinaryOp::eq, f.mul(a, a), f.terms.literal(Value::f64(2)));
    const Outcome root = refines(
        f.terms, {everywhere, f.terms.literal(Value::boolean(false)), square, Abstraction::arithmetic, Floats::real},
        enough);
    REQUIRE(root.counterexample() != nullptr);
    CHECK(!root.counterexample()->confirmed);
    REQUIRE(root.counterexample()->cells.size() == 1);
    CHECK(std::abs(std::abs(root.counterexample()->cells[0].value.as_double()) - 1.4142135623730951) < 1e-15);
}
