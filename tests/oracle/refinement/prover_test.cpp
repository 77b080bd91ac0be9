#include "oracle/refinement/prover.h"

#include <malloc.h>

#include <map>
#include <set>

#include "generators/base/choice.h"
#include "tests/support/catch.h"

namespace haruspex::refinement {
namespace {

using value::BinaryOp;
using value::Type;
using value::UnaryOp;
using value::Value;

class Question {
public:
    explicit Question(bool exact_reals = false, std::uint64_t most_queries = 0)
        : values(100'000, exact_reals), prover(values, {100'000, 10'000'000, most_queries}) {}

    Term in(std::int64_t i, Type type) { return values.input({std::string(value::name(type)), 0, {i}}, type); }
    Term number(Type type, std::int64_t n) { return values.literal(value::cast(type, Value::integer(Type::i64, n))); }
    Term add(Term a, Term b) { return values.apply(BinaryOp::add, a, b); }
    Term sub(Term a, Term b) { return values.apply(BinaryOp::sub, a, b); }
    Term mul(Term a, Term b) { return values.apply(BinaryOp::mul, a, b); }

    Values values;
    Prover prover;
};

TEST_CASE("sums that wrap around are the same in any order and with any multiples; those that may overflow are not") {
    Question q;
    for (const Type type : {Type::u8, Type::i16, Type::u64, Type::i32, Type::w32, Type::w64}) {
        const Term a = q.in(0, type), b = q.in(1, type), c = q.in(2, type);
        INFO(value::name(type));
        const bool wraps = value::wraps(type);
        CHECK(q.prover.shows(q.add(a, b), q.add(b, a)));
        CHECK(q.prover.shows(q.add(q.add(a, b), c), q.add(a, q.add(c, b))) == wraps);
        CHECK(q.prover.shows(q.sub(a, b), q.add(a, q.sub(q.number(type, 0), b))) == wraps);
        // Each is defined where the other one is.
        CHECK(q.prover.shows(q.add(a, q.add(a, a)), q.mul(q.number(type, 3), a)));
        CHECK(q.prover.shows(q.mul(q.number(type, 3), a), q.add(a, q.add(a, a))));
        CHECK(q.prover.shows(q.mul(q.number(type, 2), q.add(a, b)), q.add(q.add(a, b), q.add(b, a))));
        CHECK_FALSE(q.prover.shows(q.add(a, a), a));
        CHECK_FALSE(q.prover.shows(q.add(a, q.number(type, 1)), a));
        CHECK_FALSE(q.prover.shows(q.sub(a, b), q.sub(b, a)));
    }
}

TEST_CASE("sums that may overflow are the same in any order where their parts are too small for it") {
    Question q;
    const auto byte = [&](std::int64_t i) { return q.values.cast(Type::i32, q.in(i, Type::i8)); };
    const Term a = byte(0), b = byte(1), c = byte(2), any = q.in(0, Type::i32);
    CHECK(q.prover.shows(q.add(q.add(a, b), c), q.add(a, q.add(c, b))));
    CHECK(q.prover.shows(q.sub(a, q.sub(b, c)), q.sub(q.add(a, c), b)));
    CHECK(q.prover.shows(q.add(a, q.add(a, b)), q.add(q.mul(q.number(Type::i32, 2), a), b)));
    CHECK_FALSE(q.prover.shows(q.add(q.add(a, b), c), q.add(a, q.add(a, b))));
    CHECK_FALSE(q.prover.shows(q.add(q.add(a, b), any), q.add(a, q.add(any, b))));
}

TEST_CASE("what the specification computes does not overflow where it is defined, and what else that bounds") {
    for (const Type type : {Type::i32, Type::i64}) {
        Question q;
        const Term a = q.in(0, type), b = q.in(1, type), byte = q.values.cast(type, q.in(0, Type::i8));
        const auto n = [&](std::int64_t number) { return q.number(type, number); };
        // 2 a fits, so a and a byte fit.
        CHECK(q.prover.shows(q.add(byte, q.mul(a, n(2))), q.add(a, q.add(byte, a))));
        CHECK_FALSE(q.prover.shows(q.add(byte, q.add(a, b)), q.add(q.add(byte, a), b)));
        CHECK(q.prover.shows(q.add(q.add(a, b), n(7)), q.add(n(7), q.add(a, b))));
        CHECK(q.prover.shows(q.add(q.add(a, n(3)), n(4)), q.add(a, n(7))));
        CHECK_FALSE(q.prover.shows(q.add(a, n(7)), q.add(q.add(a, n(10)), n(-3))));
        // (a + b) * a is not bounded by a * a + b * a, whose parts may cancel.
        CHECK_FALSE(q.prover.shows(q.mul(q.add(a, b), b), q.add(q.mul(a, b), q.mul(b, b))));
    }
}

// The prover makes casts as it goes, and the pool of values moves when it grows. Freed memory is filled with eq here,
// the only comparison whose operands may be swapped.
TEST_CASE("a comparison is not turned round, wherever values are moved to") {
    for (int more = 0; more < 64; ++more) {
        Question q;
        for (int k = 0; k < more; ++k) { q.in(100 + k, Type::u8); }
        const auto wide = [&](Type type, std::int64_t i) { return q.values.cast(type, q.in(i, Type::u8)); };
        const auto least = [&](Term a, Term b) { return q.values.apply(BinaryOp::min, a, b); };
        const auto is_less = [&](Term a, Term b) { return q.values.apply(BinaryOp::lt, a, b); };
        constexpr Type narrow = Type::i16, large = Type::i32;
        const Term mine = q.add(least(wide(narrow, 0), least(wide(narrow, 1), wide(narrow, 2))), wide(narrow, 3));
        const Term theirs = q.add(least(least(wide(large, 0), wide(large, 1)), wide(large, 2)), wide(large, 3));
        const Term s = is_less(mine, wide(narrow, 4)), i = is_less(wide(large, 4), theirs);
        ::mallopt(M_PERTURB, static_cast<int>(BinaryOp::eq));
        const bool is_shown = q.prover.shows(s, i);
        ::mallopt(M_PERTURB, 0);
        INFO(more);
        CHECK_FALSE(is_shown);
        CHECK(q.prover.shows(s, is_less(theirs, wide(large, 4))));
    }
}

TEST_CASE("products are multiplied out where nothing overflows") {
    for (const Type type : {Type::u8, Type::i16, Type::u64, Type::i32, Type::w32, Type::w64}) {
        INFO(value::name(type));
        Question q;
        const bool wraps = value::wraps(type);
        const Term a = q.in(0, type), b = q.in(1, type), c = q.in(2, type);
        CHECK(q.prover.shows(q.mul(q.add(a, b), c), q.add(q.mul(c, a), q.mul(b, c))) == wraps);
        CHECK(q.prover.shows(q.mul(a, q.mul(b, c)), q.mul(q.mul(c, a), b)) == wraps);
        CHECK_FALSE(q.prover.shows(q.mul(q.add(a, b), c), q.add(q.mul(c, a), b)));
        const auto narrow = [&](std::int64_t i) { return q.values.cast(Type::i32, q.in(i, Type::i8)); };
        const Term x = narrow(0), y = narrow(1), z = narrow(2);
        CHECK(q.prover.shows(q.mul(q.add(x, y), z), q.add(q.mul(z, x), q.mul(y, z))));
        CHECK(q.prover.shows(q.mul(x, q.mul(y, z)), q.mul(q.mul(z, x), y)));
    }
    Question reals(true);
    const Term a = reals.in(0, Type::f32), b = reals.in(1, Type::f32), one = reals.number(Type::f32, 1);
    CHECK(reals.prover.shows(reals.sub(b, reals.mul(a, b)), reals.mul(reals.sub(one, a), b)));
    const auto number = [&](float n) { return reals.values.literal(Value::f32(n)); };
    CHECK(reals.prover.shows(reals.add(a, number(2.5F)), reals.add(reals.add(a, number(1)), number(1.5F))));
    CHECK(reals.prover.shows(reals.mul(a, number(0.375F)), reals.mul(reals.mul(a, number(0.75F)), number(0.5F))));
    CHECK_FALSE(reals.prover.shows(reals.mul(a, number(0.375F)), reals.mul(a, number(0.374F))));
    CHECK_FALSE(reals.prover.shows(reals.mul(a, number(1e-9F)), reals.mul(a, number(0))));
    CHECK_FALSE(reals.prover.shows(reals.sub(b, reals.mul(a, b)), reals.mul(reals.sub(a, one), b)));
}

TEST_CASE("comparisons are the same whatever side a summand stands on, where nothing overflows") {
    Question q;
    const auto wide = [&](std::int64_t i) { return q.values.cast(Type::i64, q.in(i, Type::i32)); };
    const auto op = [&](BinaryOp of, Term x, Term y) { return q.values.apply(of, x, y); };
    const Term a = wide(0), b = wide(1), c = wide(2), any = q.in(0, Type::i64);
    for (const BinaryOp order : {BinaryOp::lt, BinaryOp::le, BinaryOp::eq}) {
        CHECK(q.prover.shows(op(order, a, q.sub(b, c)), op(order, q.add(a, c), b)));
        CHECK_FALSE(q.prover.shows(op(order, a, q.sub(b, c)), op(order, q.add(b, c), a)));
        CHECK_FALSE(q.prover.shows(op(order, a, q.sub(b, any)), op(order, q.add(a, any), b)));
        const Term x = q.in(0, Type::u8), y = q.in(1, Type::u8), z = q.in(2, Type::u8);
        CHECK_FALSE(q.prover.shows(op(order, x, q.sub(y, z)), op(order, q.add(x, z), y)));
    }
    CHECK(q.prover.shows(op(BinaryOp::eq, a, q.sub(b, c)), op(BinaryOp::eq, b, q.add(a, c))));
    CHECK_FALSE(q.prover.shows(op(BinaryOp::lt, a, b), op(BinaryOp::le, a, b)));
    // Some unsigned 64-bit numbers have the bits of negative ones.
    const Term large = q.values.literal(Value::from_bits(Type::u64, ~std::uint64_t{0})), u = q.in(0, Type::u64);
    const Term sum = q.add(op(BinaryOp::mod, u, q.number(Type::u64, 8)), q.number(Type::u64, 1));
    CHECK_FALSE(q.prover.shows(op(BinaryOp::lt, sum, large),
                               op(BinaryOp::lt, q.add(sum, q.number(Type::u64, 1)), q.number(Type::u64, 0))));
}

TEST_CASE("a number is the same at every type that holds it") {
    Question reals(true);
    const Term x = reals.in(0, Type::u8), y = reals.in(1, Type::u8);
    const auto as = [&](Type type, Term t) { return reals.values.cast(type, t); };
    const auto max = [&](Term a, Term b) { return reals.values.apply(BinaryOp::max, a, b); };
    const Term apart = reals.add(as(Type::f32, max(x, y)), as(Type::f32, y));
    CHECK(
        reals.prover.shows(apart, as(Type::f32, reals.add(max(as(Type::u16, y), as(Type::u16, x)), as(Type::u16, y)))));
    CHECK_FALSE(reals.prover.shows(apart, as(Type::f32, reals.add(max(x, y), y))));
    CHECK_FALSE(reals.prover.shows(reals.add(as(Type::f32, x), as(Type::f32, reals.in(0, Type::boolean))),
                                   as(Type::f32, reals.add(x, as(Type::u8, reals.in(0, Type::boolean))))));
}

TEST_CASE("what adds up to nothing must not be able to be undefined") {
    Question q;
    const Term a = q.in(0, Type::u8);
    const Term overflows = q.values.cast(Type::u8, q.add(q.in(1, Type::i32), q.in(2, Type::i32)));
    const Term wraps = q.values.cast(Type::u8, q.add(q.in(1, Type::u32), q.in(2, Type::u32)));
    CHECK(q.prover.shows(a, q.sub(q.add(a, wraps), wraps)));
    CHECK_FALSE(q.prover.shows(a, q.sub(q.add(a, overflows), overflows)));
    // In the other direction the specification is undefined wherever the sum is.
    CHECK(q.prover.shows(q.sub(q.add(a, overflows), overflows), a));
    const Term garbage = q.values.literal(Value::uninit(Type::u8));
    CHECK_FALSE(q.prover.shows(a, q.sub(q.add(a, garbage), garbage)));
}

TEST_CASE("floats are rearranged as real numbers only") {
    for (const bool exact_reals : {true, false}) {
        Question q(exact_reals);
        const Term a = q.in(0, Type::f32), b = q.in(1, Type::f32), c = q.in(2, Type::f32);
        const Term infinity = q.values.literal(*value::neutral(value::ReductionOp::min, Type::f32));
        const auto max = [&](Term x, Term y) { return q.values.apply(BinaryOp::max, x, y); };
        const auto min = [&](Term x, Term y) { return q.values.apply(BinaryOp::min, x, y); };
        CHECK(q.prover.shows(q.add(q.add(a, b), c), q.add(a, q.add(b, c))) == exact_reals);
        CHECK(q.prover.shows(q.values.apply(UnaryOp::negate, q.sub(a, b)), q.sub(b, a)) == exact_reals);
        CHECK(q.prover.shows(max(max(a, b), c), max(c, max(b, a))) == exact_reals);
        CHECK(q.prover.shows(min(a, b), min(infinity, min(b, a))) == exact_reals);
        CHECK_FALSE(q.prover.shows(max(a, b), max(infinity, max(a, b))));
        CHECK_FALSE(q.prover.shows(q.sub(a, b), q.sub(b, a)));
    }
}

TEST_CASE("what is too long or too large to be compared is not shown") {
    Question q;
    const Term a = q.in(0, Type::u8), b = q.in(1, Type::u8);
    Term chain = q.values.apply(BinaryOp::max, a, q.number(Type::u8, 100));
    for (int k = 0; k < 4'500; ++k) { chain = q.values.apply(BinaryOp::min, chain, b); }
    CHECK_FALSE(q.prover.shows(b, chain));
    Term sum = b;
    for (int k = 0; k < 20'000; ++k) { sum = q.values.apply(BinaryOp::bit_or, q.add(sum, a), b); }
    CHECK_FALSE(q.prover.shows(sum, q.add(sum, a)));
    Question reals(true);
    const Term x = reals.in(0, Type::f32), y = reals.in(1, Type::f32);
    const Term large = reals.values.literal(Value::f32(4294967296.0F));
    CHECK_FALSE(reals.prover.shows(x, reals.add(x, reals.mul(reals.mul(y, large), large))));
    CHECK_FALSE(reals.prover.shows(x, reals.add(x, reals.mul(y, large))));
}

TEST_CASE("a select whose condition is known is its arm, where the other one is defined") {
    Question q;
    const Term a = q.in(0, Type::u8), yes = q.values.literal(Value::boolean(true));
    const Term overflows = q.values.cast(Type::u8, q.add(q.in(1, Type::i32), q.in(2, Type::i32)));
    CHECK(q.values.select(yes, a, q.in(1, Type::u8)) == a);
    CHECK(q.values.select(yes, a, q.values.literal(Value::uninit(Type::u8))) == a);
    CHECK(q.prover.shows(q.values.select(yes, a, overflows), a));
    CHECK_FALSE(q.prover.shows(a, q.values.select(yes, a, overflows)));
}

TEST_CASE("what is known of the specification where it is defined is not taken for granted of the program") {
    Question q;
    const Term overflows = q.values.cast(Type::u8, q.add(q.in(1, Type::i32), q.in(2, Type::i32)));
    const Term nothing = q.mul(overflows, q.number(Type::u8, 0)), zero = q.number(Type::u8, 0);
    const Term no = q.values.literal(Value::boolean(false)), a = q.in(0, Type::u8);
    const auto wide = [&](Term t) { return q.values.cast(Type::f32, t); };
    for (const BinaryOp op : {BinaryOp::sub, BinaryOp::mod}) {
        CHECK(q.prover.shows(q.values.apply(op, overflows, overflows), zero));
        CHECK_FALSE(q.prover.shows(zero, q.values.apply(op, overflows, overflows)));
    }
    const Term unknown = q.values.unknown(Type::u8, smt::Definedness::may_be_undef);
    CHECK(q.prover.shows(q.sub(unknown, unknown), zero));
    CHECK_FALSE(q.prover.shows(zero, q.sub(unknown, unknown)));
    CHECK(q.prover.shows(nothing, zero));
    CHECK(q.prover.shows(nothing, nothing));
    CHECK_FALSE(q.prover.shows(zero, nothing));
    CHECK(q.prover.shows(wide(q.values.select(no, overflows, a)), wide(a)));
    CHECK_FALSE(q.prover.shows(wide(a), wide(q.values.select(no, overflows, a))));
    CHECK_FALSE(q.prover.shows(wide(q.values.select(no, a, overflows)), wide(a)));
    Term deep = q.add(nothing, a);
    for (int k = 0; k < 3'000; ++k) {
        deep = q.values.apply(k % 2 == 0 ? BinaryOp::bit_or : BinaryOp::bit_xor, deep, a);
    }
    CHECK(q.prover.shows(deep, deep));
}

TEST_CASE("values are simplified while they are made, and stay what they are for all inputs") {
    Question q;
    const std::array types{Type::u8,  Type::i8,  Type::u16,     Type::i16, Type::i32,
                           Type::i64, Type::u64, Type::boolean, Type::w32, Type::w64};
    int simplified = 0;
    for (const Type from : types) {
        const Term x = q.in(0, from);
        for (const Type through : types) {
            for (const Type to : types) {
                const Term made = q.values.cast(to, q.values.cast(through, x));
                simplified += std::get_if<smt::Cast>(&q.values.terms()[made]) == nullptr ||
                                      std::get<smt::Cast>(q.values.terms()[made]).a == x
                                  ? 1
                                  : 0;
                for (const std::int64_t n : {0, 1, -1, 127, 128, 255, 256, 32768, -32769, INT32_MAX, INT32_MIN}) {
                    const Value v = value::cast(from, Value::integer(Type::i64, n));
                    if (!v.is_defined()) { continue; }
                    smt::Interpretation interpretation;
                    interpretation.atom = [&](const smt::Atom&) { return v; };
                    const auto found = smt::evaluate(q.values.terms(), made, interpretation);
                    REQUIRE(found);
                    INFO(value::to_string(v) << " through " << value::name(through) << " to " << value::name(to));
                    CHECK(*found == value::cast(to, value::cast(through, v)));
                }
            }
        }
    }
    CHECK(simplified > 200);
    const Term unknown = q.values.apply(BinaryOp::lt, q.in(0, Type::u8), q.in(1, Type::u8));
    const Term overflows =
        q.values.apply(BinaryOp::lt, q.add(q.in(0, Type::i32), q.in(1, Type::i32)), q.in(2, Type::i32));
    const Term no = q.values.literal(Value::boolean(false)), yes = q.values.literal(Value::boolean(true));
    CHECK(q.values.apply(BinaryOp::logical_and, unknown, no) == no);
    CHECK(q.values.apply(BinaryOp::logical_and, yes, overflows) == overflows);
    CHECK(q.values.apply(BinaryOp::logical_and, overflows, no) != no);
    CHECK(q.values.apply(BinaryOp::ge, q.in(0, Type::i64), q.in(0, Type::i64)) == yes);
    const Term twice = q.add(q.in(0, Type::i32), q.in(1, Type::i32));
    CHECK(q.values.apply(BinaryOp::le, twice, twice) != yes);
    CHECK(q.values.apply(BinaryOp::eq, q.in(0, Type::f32), q.in(0, Type::f32)) != yes);
    const Term byte = q.values.apply(BinaryOp::bit_and, q.values.cast(Type::u8, unknown), q.number(Type::u8, 1));
    CHECK(q.values.apply(BinaryOp::ne, byte, q.number(Type::u8, 0)) == unknown);
    CHECK(q.values.apply(BinaryOp::ne, byte, q.number(Type::u8, 1)) != unknown);
    const Term garbage = q.values.apply(BinaryOp::lt, q.in(0, Type::u8), q.values.literal(Value::uninit(Type::u8)));
    CHECK(q.values.apply(BinaryOp::logical_or, garbage, yes) != yes);
}

TEST_CASE("a solver is asked about the rest, and says on which inputs it differs") {
    Question q(false, 50);
    const Term a = q.in(0, Type::u8), b = q.in(1, Type::u8);
    const auto bits = [&](BinaryOp op, Term x, Term y) { return q.values.apply(op, x, y); };
    // x + y = (x ^ y) + 2 (x & y)
    const Term halves =
        q.add(bits(BinaryOp::bit_xor, a, b), q.mul(q.number(Type::u8, 2), bits(BinaryOp::bit_and, a, b)));
    CHECK(q.prover.shows(q.add(a, b), halves));
    const std::uint64_t queries = q.prover.queries();
    CHECK(queries > 0);
    // The same question about other cells is not asked again.
    const Term c = q.in(2, Type::u8), d = q.in(3, Type::u8);
    CHECK(q.prover.shows(q.add(c, d), q.add(bits(BinaryOp::bit_xor, c, d),
                                            q.mul(q.number(Type::u8, 2), bits(BinaryOp::bit_and, c, d)))));
    CHECK(q.prover.queries() == queries);
    CHECK_FALSE(q.prover.shows(q.add(a, b), bits(BinaryOp::bit_or, a, b)));
    CHECK(q.prover.queries() == queries);
    q.prover.refute(q.add(a, b), bits(BinaryOp::bit_or, a, b), smt::Equality::same_result);
    REQUIRE(q.prover.counterexample().size() == 2);
    std::set<std::vector<std::int64_t>> cells;
    for (const smt::CellValue& cell : q.prover.counterexample()) { cells.insert(cell.coordinates); }
    CHECK(cells == std::set<std::vector<std::int64_t>>{{0}, {1}});
    // A difference on few inputs is found by the solver.
    const Term word = q.in(0, Type::u32), secret = q.number(Type::u32, 1'234'567);
    const Term rare = q.values.cast(Type::u32, q.values.apply(BinaryOp::eq, word, secret));
    const Term zero = q.values.apply(BinaryOp::bit_and, q.add(word, secret), q.number(Type::u32, 0));
    CHECK_FALSE(q.prover.shows(zero, rare));
    CHECK(q.prover.queries() > queries);
    q.prover.refute(zero, rare, smt::Equality::same_result);
    REQUIRE(q.prover.counterexample().size() == 1);
    CHECK(q.prover.counterexample().front().value == Value::integer(Type::u32, 1'234'567));
}

TEST_CASE("a solver's counterexample is one of inputs, beside which others may be unknown") {
    Question q(false, 50);
    const Term unknown = q.values.unknown(Type::u32, smt::Definedness::may_be_undef), x = q.in(0, Type::u32);
    const Term code = q.number(Type::u32, 123'456'789);
    const Term hit = q.values.apply(BinaryOp::eq, q.values.apply(BinaryOp::bit_xor, unknown, x), code);
    CHECK_FALSE(q.prover.shows(hit, q.values.literal(Value::boolean(false))));
    CHECK(q.prover.queries() > 0);
}

TEST_CASE("a query of too many gates is not put, and that is said") {
    for (const std::uint64_t most_gates : {10, 1'000}) {
        Values values(1'000);
        Prover prover(values, {100'000, 10'000'000, 50, most_gates});
        const Term a = values.input({"a", 0, {0}}, Type::u8), b = values.input({"b", 0, {0}}, Type::u8);
        const Term carried = values.apply(BinaryOp::mul, values.apply(BinaryOp::bit_and, a, b),
                                          values.literal(Value::integer(Type::u8, 2)));
        const Term halves = values.apply(BinaryOp::add, values.apply(BinaryOp::bit_xor, a, b), carried);
        CHECK(prover.shows(values.apply(BinaryOp::add, a, b), halves) == (most_gates == 1'000));
        CHECK((prover.queries() > 0) == (most_gates == 1'000));
        CHECK(prover.beyond().empty() == (most_gates == 1'000));
    }
}

// Random pairs: rearranged copies, some with a mistake, compared by evaluation on random inputs.
class RandomPair {
public:
    RandomPair(Question& q, Choices& choices) : q_(q), choices_(choices) {}

    Term term(Type type, int depth) {
        const std::int64_t kind = depth == 0 ? choices_.integer(0, 1) : choices_.integer(0, 9);
        if (kind == 0) { return leaf(type); }
        if (kind == 1 && choices_.boolean(500)) { return q_.number(type, choices_.integer(-3, 3)); }
        // Sums of small parts do not overflow on their own.
        if (kind == 1) { return q_.values.cast(type, q_.in(choices_.integer(0, 3), Type::i8)); }
        const Term a = term(type, depth - 1);
        if (kind == 2) { return negated(a); }
        if (kind == 3) {
            const Type through = type == Type::w32 || type == Type::w64 ? Type::w32 : Type::i32;
            return q_.values.cast(type, q_.values.cast(through, a));
        }
        const Term b = term(type, depth - 1);
        return q_.values.apply(operators[static_cast<std::size_t>(kind) - 4], a, b);
    }

    Term copy(Term t) {
        const Type type = q_.values.type(t);
        if (choices_.integer(0, 40) == 0) { return leaf(type); }
        const smt::Node node = q_.values.terms()[t];  // the pool grows
        if (const auto* n = std::get_if<smt::Unary>(&node)) {
            const Term a = copy(n->a);
            return choices_.boolean(500) ? q_.sub(q_.number(type, 0), a) : q_.values.apply(n->op, a);
        }
        if (const auto* n = std::get_if<smt::Cast>(&node)) { return q_.values.cast(type, copy(n->a)); }
        const auto* n = std::get_if<smt::Binary>(&node);
        if (n == nullptr) { return t; }
        const BinaryOp op = n->op;
        const Term b = n->b, a = copy(n->a);
        const auto* inner = std::get_if<smt::Binary>(&q_.values.terms()[b]);
        if (inner != nullptr && inner->op == op && choices_.boolean(500)) {
            const Term first = inner->a, second = inner->b;
            const Term middle = copy(first);
            const Term last = copy(second);
            return q_.values.apply(op, q_.values.apply(op, a, middle), last);
        }
        const Term other = copy(b);
        if (op == BinaryOp::sub && choices_.boolean(300)) { return q_.add(a, negated(other)); }
        if (op == BinaryOp::mul && choices_.boolean(600)) { return multiplied(a, other); }
        const bool is_comparison = type == Type::boolean && q_.values.type(a) != Type::boolean;
        if (is_comparison && choices_.boolean(700)) { return moved(op, a, other); }
        return q_.values.apply(op, a, other);
    }

    Term comparison(Type type) {
        constexpr std::array orders{BinaryOp::lt, BinaryOp::le, BinaryOp::eq, BinaryOp::ne};
        const Term a = term(type, 3);
        return q_.values.apply(orders[static_cast<std::size_t>(choices_.integer(0, 3))], a, term(type, 3));
    }

private:
    // Another input cell, or an unknown that may be Undef.
    Term leaf(Type type) {
        const std::int64_t which = choices_.integer(0, 4);
        if (which < 4) { return q_.in(which, type); }
        const auto found = unknowns_.find(type);
        if (found != unknowns_.end()) { return found->second; }
        return unknowns_.emplace(type, q_.values.unknown(type, smt::Definedness::may_be_undef)).first->second;
    }

    // (x + y) * b as x * b + y * b.
    Term multiplied(Term a, Term b) {
        const smt::Node node = q_.values.terms()[a];  // the pool grows
        const auto* sum = std::get_if<smt::Binary>(&node);
        if (sum == nullptr || (sum->op != BinaryOp::add && sum->op != BinaryOp::sub)) { return q_.mul(b, a); }
        const Term x = q_.mul(sum->a, b);
        return q_.values.apply(sum->op, x, q_.mul(b, sum->b));
    }

    // x + y < b as y < b - x.
    Term moved(BinaryOp op, Term a, Term b) {
        const smt::Node node = q_.values.terms()[a];
        const auto* sum = std::get_if<smt::Binary>(&node);
        if (sum == nullptr || sum->op != BinaryOp::add) { return q_.values.apply(op, a, b); }
        return q_.values.apply(op, sum->b, q_.sub(b, sum->a));
    }

    Term negated(Term a) {
        const Type type = q_.values.type(a);
        return value::is_signed_integer(type) ? q_.values.apply(UnaryOp::negate, a) : q_.sub(q_.number(type, 0), a);
    }

    static constexpr std::array operators{BinaryOp::add, BinaryOp::add, BinaryOp::sub,
                                          BinaryOp::mul, BinaryOp::min, BinaryOp::bit_xor};
    Question& q_;
    Choices& choices_;
    std::map<Type, Term> unknowns_;
};

TEST_CASE("what is shown without a solver is true of random inputs") {
    int shown = 0, different = 0;
    for (std::uint64_t seed = 0; seed < 8'000; ++seed) {
        Choices choices(random_source(derive_seed(31, seed)));
        Question q;
        RandomPair pair(q, choices);
        constexpr std::array types{Type::u8, Type::i16, Type::i32, Type::i64, Type::w32, Type::w64};
        const Type type = types[static_cast<std::size_t>(seed % types.size())];
        const Term s = seed % 5 == 0 ? pair.comparison(type) : pair.term(type, 4);
        const Term i = pair.copy(s);
        const bool is_shown = q.prover.shows(s, i);
        bool is_refined = true;
        for (int attempt = 0; attempt < 24 && is_refined; ++attempt) {
            std::map<std::uint32_t, Value> inputs;
            smt::Interpretation interpretation;
            interpretation.atom = [&](const smt::Atom& atom) {
                const std::uint64_t corner = std::uint64_t{1} << (value::bits(atom.type) - 1);
                const auto near = static_cast<std::uint64_t>(choices.integer(-2, 2));
                const bool is_undef = q.values.cell_of(atom).tensor.empty() && choices.boolean(200);
                const Value drawn = is_undef ? Value::undef(atom.type)
                                             : Value::from_bits(atom.type, choices.boolean(500) ? corner + near : near);
                return inputs.try_emplace(atom.number, drawn).first->second;
            };
            const auto expected = smt::evaluate(q.values.terms(), s, interpretation);
            const auto actual = smt::evaluate(q.values.terms(), i, interpretation);
            REQUIRE((expected && actual));
            is_refined = !expected->is_defined() || *expected == *actual;
        }
        different += is_refined ? 0 : 1;
        shown += is_shown && s != i ? 1 : 0;
        INFO(seed << ": " << smt::to_string(q.values.terms(), s).value_or("?") << " = "
                  << smt::to_string(q.values.terms(), i).value_or("?"));
        CHECK((!is_shown || is_refined));
    }
    CHECK(shown > 150);
    CHECK(different > 300);
}

}  // namespace
}  // namespace haruspex::refinement
