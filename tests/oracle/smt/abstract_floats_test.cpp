#include "oracle/smt/abstract_floats.h"

#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "generators/base/choice.h"
#include "oracle/smt/query.h"
#include "tests/support/catch.h"

// Floats::abstract (abstract_floats.h; CAV 2022, sections 4 and 5.3).
namespace haruspex::smt {
namespace {

using value::BinaryOp;
using value::Type;
using value::UnaryOp;
using value::Value;

constexpr std::uint64_t enough = 50'000'000;

class Fixture {
public:
    Terms terms;

    Term x(std::uint32_t number = 0, Type type = Type::f32) { return terms.atom(type, number); }
    Term number(double v, Type type = Type::f32) { return terms.literal(value::cast(type, Value::f64(v))); }
    Term op(BinaryOp op, Term a, Term b) { return terms.apply(op, a, b); }
    Term add(Term a, Term b) { return op(BinaryOp::add, a, b); }
    Term mul(Term a, Term b) { return op(BinaryOp::mul, a, b); }
    Term sum(const std::vector<Term>& all) {
        Term total = all.front();
        for (std::size_t n = 1; n < all.size(); ++n) { total = add(total, all[n]); }
        return total;
    }

    Outcome ask(Term s, Term i, Sums sums = Sums::ordered, Floats floats = Floats::abstract) const {
        Query query{{affine::Conjunction{}}, s, i};
        query.floats = floats;
        query.sums = sums;
        return refines(terms, query, enough);
    }
    bool holds(Term s, Term i, Sums sums = Sums::ordered) const {
        const Outcome outcome = ask(s, i, sums);
        if (const auto* unknown = std::get_if<Unknown>(&outcome.answer)) { FAIL(unknown->reason); }
        return outcome.holds();
    }
    bool holds_for_reals(Term s, Term i) const { return ask(s, i, Sums::ordered, Floats::real).holds(); }
    // Whether the model, run by the operators themselves, shows the difference.
    bool is_confirmed(Term s, Term i) const {
        const Outcome outcome = ask(s, i);
        return outcome.counterexample() != nullptr && outcome.counterexample()->confirmed;
    }
};

}  // namespace

TEST_CASE("adding a zero changes a negative zero, or nothing, and not only for real numbers") {
    Fixture f;
    const Term x = f.x();
    CHECK(f.holds_for_reals(x, f.add(x, f.number(0))));
    CHECK_FALSE(f.holds(x, f.add(x, f.number(0))));
    CHECK(f.is_confirmed(x, f.add(x, f.number(0))));
    CHECK(f.holds(x, f.add(x, f.number(-0.0))));
    CHECK(f.holds(x, f.op(BinaryOp::sub, x, f.number(0))));
    CHECK_FALSE(f.holds(x, f.op(BinaryOp::sub, x, f.number(-0.0))));
    Query query{{affine::Conjunction{}}, x, f.add(x, f.number(0))};
    query.floats = Floats::abstract;
    query.equality = Equality::same_number;
    CHECK(refines(f.terms, query, enough).holds());
}

TEST_CASE("products and quotients by one are copies, by zero or infinity they are not always what they seem") {
    Fixture f;
    const Term x = f.x();
    CHECK(f.holds(x, f.mul(x, f.number(1))));
    CHECK(f.holds(x, f.mul(f.number(1), x)));
    CHECK(f.holds(x, f.op(BinaryOp::div, x, f.number(1))));
    CHECK(f.holds(f.terms.apply(UnaryOp::absolute, x), f.terms.apply(UnaryOp::absolute, f.mul(x, f.number(-1)))));
    // NaN times zero, and the sign of a zero.
    CHECK(f.holds_for_reals(f.number(0), f.mul(x, f.number(0))));
    CHECK_FALSE(f.holds(f.number(0), f.mul(x, f.number(0))));
    CHECK(f.is_confirmed(f.number(0), f.mul(x, f.number(0))));
    // Infinity less itself.
    CHECK(f.holds_for_reals(f.number(0), f.op(BinaryOp::sub, x, x)));
    CHECK_FALSE(f.holds(f.number(0), f.op(BinaryOp::sub, x, x)));
    CHECK_FALSE(f.holds(x, f.mul(x, f.number(2))));
}

TEST_CASE("choosing by a comparison is not choosing by the opposite one where a value is NaN") {
    Fixture f;
    const Term x = f.x(0), y = f.x(1);
    const Term least = f.terms.select(f.op(BinaryOp::lt, x, y), x, y);
    const Term other = f.terms.select(f.op(BinaryOp::gt, x, y), y, x);
    CHECK(f.holds_for_reals(least, other));
    CHECK_FALSE(f.holds(least, other));
    CHECK(f.is_confirmed(least, other));
    CHECK(f.holds(least, f.terms.select(f.op(BinaryOp::gt, y, x), x, y)));
    // A minimum is Undef for NaN, and takes the second of two zeros.
    CHECK(f.holds(f.op(BinaryOp::min, x, y), least));
    CHECK_FALSE(f.holds(least, f.op(BinaryOp::min, x, y)));
    CHECK_FALSE(f.holds(f.op(BinaryOp::min, x, y), f.op(BinaryOp::min, y, x)));
    CHECK(f.holds(f.op(BinaryOp::lt, x, y), f.op(BinaryOp::gt, y, x)));
    CHECK_FALSE(f.holds(f.op(BinaryOp::lt, x, y), f.terms.apply(UnaryOp::logical_not, f.op(BinaryOp::ge, x, y))));
}

TEST_CASE("what is rounded twice is not what is rounded once, and literals are folded where nothing is rounded") {
    Fixture f;
    const Term x = f.x();
    CHECK(f.holds_for_reals(f.mul(f.mul(x, f.number(3)), f.number(5)), f.mul(x, f.number(15))));
    CHECK_FALSE(f.holds(f.mul(f.mul(x, f.number(3)), f.number(5)), f.mul(x, f.number(15))));
    CHECK(f.holds(f.add(x, f.add(f.number(1), f.number(2))), f.add(f.number(3), x)));
    const Term large = f.number(16777216);
    CHECK_FALSE(f.holds(f.add(large, f.number(1)), large));
    CHECK_FALSE(f.holds(f.add(large, f.number(1)), large, Sums::hashed));
    // With a sum that rounds among the terms, nothing disappears from other sums.
    const Term both = f.terms.select(f.op(BinaryOp::eq, f.add(large, f.number(1)), large), f.add(x, f.number(1)), x);
    CHECK_FALSE(f.holds(both, x, Sums::hashed));
}

TEST_CASE("sums and products commute; only sums of multisets are regrouped") {
    Fixture f;
    const Term x = f.x(0), y = f.x(1), z = f.x(2);
    CHECK(f.holds(f.add(x, y), f.add(y, x)));
    CHECK(f.holds(f.mul(x, y), f.mul(y, x)));
    CHECK_FALSE(f.holds(f.op(BinaryOp::div, x, y), f.op(BinaryOp::div, y, x)));
    CHECK_FALSE(f.holds(f.add(f.add(x, y), z), f.add(x, f.add(y, z))));
    CHECK_FALSE(f.holds(f.mul(f.mul(x, y), z), f.mul(x, f.mul(y, z))));
    for (const Sums sums : {Sums::hashed, Sums::counted}) {
        CHECK(f.holds(f.add(f.add(x, y), z), f.add(x, f.add(y, z)), sums));
        CHECK(f.holds(f.add(f.add(x, y), z), f.add(f.add(z, y), x), sums));
        CHECK(f.holds(f.op(BinaryOp::sub, f.op(BinaryOp::sub, x, y), z),
                      f.op(BinaryOp::sub, f.op(BinaryOp::sub, x, z), y), sums));
        CHECK(f.holds(f.add(x, y), f.add(f.add(x, f.number(-0.0)), y), sums));
        CHECK_FALSE(f.holds(f.add(x, x), x, sums));
        CHECK_FALSE(f.holds(f.add(f.add(x, x), y), f.add(f.add(x, y), y), sums));
        CHECK_FALSE(f.holds(f.add(f.add(x, y), z), f.add(x, y), sums));
        CHECK_FALSE(f.holds(f.add(f.add(x, y), z), f.mul(f.add(x, y), z), sums));
        CHECK_FALSE(
            f.holds(f.op(BinaryOp::sub, x, f.add(y, z)), f.op(BinaryOp::sub, f.op(BinaryOp::sub, x, y), z), sums));
    }
}

TEST_CASE("a sum is a function of the multiset of its summands and of nothing less (Theorem 1)") {
    Fixture f;
    constexpr std::uint32_t most = 8;
    Choices choices(random_source(4));
    for (int round = 0; round < 30; ++round) {
        const auto size = static_cast<std::size_t>(choices.integer(2, most));
        std::vector<Term> summands, others;
        for (std::size_t n = 0; n < size; ++n) {
            summands.push_back(f.x(static_cast<std::uint32_t>(choices.integer(0, 3))));
        }
        others = summands;
        for (std::size_t n = size; n > 1; --n) {
            std::swap(others[n - 1],
                      others[static_cast<std::size_t>(choices.integer(0, static_cast<std::int64_t>(n) - 1))]);
        }
        // Regrouped as well: a part of it is added up first.
        const auto cut = static_cast<std::ptrdiff_t>(choices.integer(1, static_cast<std::int64_t>(size) - 1));
        const Term regrouped =
            f.add(f.sum({others.begin(), others.begin() + cut}), f.sum({others.begin() + cut, others.end()}));
        std::vector<Term> wrong = others;
        wrong[0] = wrong[0] == f.x(0) ? f.x(1) : f.x(0);
        for (const Sums sums : {Sums::hashed, Sums::counted}) {
            CHECK(f.holds(f.sum(summands), regrouped, sums));
            CHECK_FALSE(f.holds(f.sum(summands), f.sum(wrong), sums));
        }
    }
}

TEST_CASE("floats are converted with their special values, their signs and the order of their magnitudes") {
    Fixture f;
    const Term x = f.x(), y = f.x(0, Type::f64);
    const auto wide = [&](Term t) { return f.terms.cast(Type::f64, t); };
    const auto narrow = [&](Term t) { return f.terms.cast(Type::f32, t); };
    CHECK(f.holds(x, narrow(wide(x))));
    CHECK_FALSE(f.holds(y, wide(narrow(y))));
    CHECK(f.holds(narrow(y), narrow(wide(narrow(y)))));
    CHECK(f.holds(f.op(BinaryOp::lt, x, f.x(1)), f.op(BinaryOp::lt, wide(x), wide(f.x(1)))));
    CHECK_FALSE(
        f.holds(f.op(BinaryOp::lt, y, f.x(1, Type::f64)), f.op(BinaryOp::lt, narrow(y), narrow(f.x(1, Type::f64)))));
    // A sum of f64 is not the sum of f32.
    CHECK_FALSE(f.holds(f.add(x, f.x(1)), narrow(f.add(wide(x), wide(f.x(1))))));
    const Term i = f.terms.atom(Type::i32, 0);
    const auto converted = [&](Term t) { return f.terms.cast(Type::f32, t); };
    CHECK(f.holds(f.op(BinaryOp::lt, converted(i), f.number(0)),
                  f.op(BinaryOp::lt, i, f.terms.literal(Value::integer(Type::i32, 0)))));
    CHECK(f.holds(converted(i), f.add(converted(i), f.number(-0.0))));
    CHECK(f.holds(converted(i), f.add(converted(i), f.number(0))));
    CHECK_FALSE(f.holds(i, f.terms.cast(Type::i32, converted(i))));
}

// The soundness of the abstraction: what is false for IEEE's operations is never shown.
TEST_CASE("nothing is shown of random terms that an evaluation contradicts") {
    Choices choices(random_source(11));
    int shown = 0, contradicted = 0;
    for (int round = 0; round < 400; ++round) {
        Fixture f;
        std::vector<Term> pool{f.x(0), f.x(1), f.x(2), f.number(0), f.number(-0.0), f.number(1), f.number(0.1)};
        const auto drawn = [&] {
            return pool[static_cast<std::size_t>(choices.integer(0, static_cast<std::int64_t>(pool.size()) - 1))];
        };
        constexpr std::array ops{BinaryOp::add, BinaryOp::add, BinaryOp::sub, BinaryOp::mul,
                                 BinaryOp::div, BinaryOp::min, BinaryOp::max};
        for (int n = 0; n < 6; ++n) {
            if (choices.integer(0, 5) == 0) {
                pool.push_back(f.terms.select(f.op(BinaryOp::lt, drawn(), drawn()), drawn(), drawn()));
            } else if (choices.integer(0, 5) == 0) {
                pool.push_back(f.terms.cast(Type::f32, f.terms.cast(Type::f64, drawn())));
            } else {
                pool.push_back(f.op(ops[static_cast<std::size_t>(choices.integer(0, 6))], drawn(), drawn()));
            }
        }
        const Term s = pool[pool.size() - 1 - static_cast<std::size_t>(choices.integer(0, 3))];
        const Term i = pool[pool.size() - 1 - static_cast<std::size_t>(choices.integer(0, 3))];
        if (s == i || !f.ask(s, i).holds()) { continue; }
        ++shown;
        for (int run = 0; run < 300; ++run) {
            const double infinity = std::numeric_limits<double>::infinity();
            const std::array special{0.0,          -0.0, 1.0,   -1.0, infinity, -infinity,
                                     std::nan(""), 1e38, 1e-45, 0.1,  -3.0,     1e20};
            Interpretation interpretation;
            std::array<Value, 3> values{Value::f32(0), Value::f32(0), Value::f32(0)};
            for (Value& v : values) {
                v = value::cast(Type::f32, Value::f64(special[static_cast<std::size_t>(choices.integer(0, 11))]));
            }
            interpretation.atom = [&](const Atom& atom) { return values.at(atom.number); };
            const Value mine = evaluate(f.terms, s, interpretation).value(),
                        theirs = evaluate(f.terms, i, interpretation).value();
            contradicted += violates(mine, theirs, Equality::same_result) ? 1 : 0;
        }
    }
    CHECK(contradicted == 0);
    CHECK(shown >= 10);
}

// The same for sums of multisets, on numbers with which nothing is rounded.
TEST_CASE("nothing is shown of random sums that an exact evaluation contradicts") {
    Choices choices(random_source(12));
    const auto below = [&](std::size_t n) {
        return static_cast<std::size_t>(choices.integer(0, static_cast<std::int64_t>(n) - 1));
    };
    int shown = 0, shown_in_order = 0, contradicted = 0;
    for (int round = 0; round < 400; ++round) {
        Fixture f;
        std::vector<Term> pool{f.x(0), f.x(1), f.x(2), f.number(0), f.number(-0.0), f.number(1)};
        constexpr std::array ops{BinaryOp::add, BinaryOp::add, BinaryOp::add, BinaryOp::sub, BinaryOp::min};
        for (int n = 0; n < 6; ++n) {
            const Term a = pool[below(pool.size())], b = pool[below(pool.size())];
            const bool is_choice = choices.integer(0, 7) == 0;
            pool.push_back(is_choice ? f.terms.select(f.op(BinaryOp::lt, a, b), b, a)
                                     : f.op(ops[below(ops.size())], a, b));
        }
        // Every second time, a sum that is regrouped, or nearly so.
        Term s = pool[pool.size() - 1 - below(4)], i = pool[pool.size() - 1 - below(4)];
        if (round % 2 == 0) {
            const Term a = pool[below(pool.size())], c = pool[below(pool.size())], d = pool[below(pool.size())];
            s = f.add(f.add(a, c), d);
            i = f.add(a, f.add(c, choices.integer(0, 1) == 0 ? d : pool[below(pool.size())]));
        }
        if (s == i || !f.ask(s, i, Sums::hashed).holds()) { continue; }
        ++shown;
        shown_in_order += f.ask(s, i).holds() ? 1 : 0;
        for (int run = 0; run < 300; ++run) {
            const double infinity = std::numeric_limits<double>::infinity();
            const std::array special{0.0,          -0.0, 1.0,  -1.0, infinity, -infinity,
                                     std::nan(""), 2.0,  -2.0, 3.0,  0.5,      -7.0};
            Interpretation interpretation;
            std::array<Value, 3> values{Value::f32(0), Value::f32(0), Value::f32(0)};
            for (Value& v : values) { v = value::cast(Type::f32, Value::f64(special[below(special.size())])); }
            interpretation.atom = [&](const Atom& atom) { return values.at(atom.number); };
            const Value mine = evaluate(f.terms, s, interpretation).value();
            const Value theirs = evaluate(f.terms, i, interpretation).value();
            contradicted += violates(mine, theirs, Equality::same_result) ? 1 : 0;
        }
    }
    CHECK(contradicted == 0);
    CHECK(shown > shown_in_order);
    CHECK(shown_in_order >= 5);
}

}  // namespace haruspex::smt
