#include "oracle/validator/discharge/discharge.h"

#include "oracle/validator/discharge/alignment.h"

#include "tests/oracle/validator/support.h"

// The rungs that prove equations, and the remainders of unproved ones.
namespace haruspex::validator {
namespace {

using heap::Template;
using value::BinaryOp;
using value::Type;
using value::Value;

const char* const system_text = R"(sare system(N) assuming N >= 0 {
  input A : i32[1]
  input U : u8[1]
  input X : f32[1]
  F(x) = A(x) + A(x + 1)
  C(x) = U(0)
  P(x) = (U(x) + 1u8) * U(x + 1)
  S(x, k) = U(x) if k <= 0
  S(x, k) = S(x, k - 1) + U(x + k) if k > 0
  output F on { [x] : 0 <= x < N }
})";

// A system with templates, and equations between values that are put to the ladder.
class Question : public Specified {
public:
    Question() : Specified(system_text) {}

    Template a() { return templates.cell("A", 0, Type::i32, 1); }
    Template u() { return templates.cell("U", 0, Type::u8, 1); }
    Template x() { return templates.cell("X", 0, Type::f32, 1); }
    Template f() { return templates.cell("F", 0, Type::i32, 1); }
    Template op(BinaryOp op, Template p, Template q) { return templates.apply(op, p, q); }
    Template number(Type type, std::int64_t n) { return templates.literal(Value::integer(type, n)); }
    Template c() { return templates.cell("C", 0, Type::u8, 1); }
    // (u + 1)*v and v*u + v.
    Template product() { return op(BinaryOp::mul, op(BinaryOp::add, u(), number(Type::u8, 1)), u()); }
    Template expanded() { return op(BinaryOp::add, op(BinaryOp::mul, u(), u()), u()); }
    // (u & v) + (u | v); only a solver shows that it equals u + v.
    Template bits() { return op(BinaryOp::add, op(BinaryOp::bit_and, u(), u()), op(BinaryOp::bit_or, u(), u())); }
    Template sum() { return op(BinaryOp::add, u(), u()); }
    heap::Value value(Template t, const std::vector<std::string>& holes) const {
        std::vector<isl::pw_aff> indices;
        for (const std::string& hole : holes) { indices.push_back(index("[N, i] -> { [(" + hole + ")] }")); }
        return heap::value(context.ctx(), t, indices);
    }

    Discharge discharge(const heap::Value& s, const heap::Value& i, const Ladder& ladder = {},
                        const std::string& environments = "[N, i] -> { : 0 <= i < N }") const {
        const Obligation obligation{Kind::value, "a statement", "a rule", {}, Equation{s, i, set(environments)}};
        smt::SolverSession solvers;
        return validator::discharge(obligation, specification, templates, ladder, solvers);
    }

    heap::Templates templates;
};

TEST_CASE("A side without a value in some of the environments is a fault of ours, and no proof") {
    Question q;
    const heap::Value all = q.value(q.a(), {"i"});
    const auto within = [&](const std::string& where) { return all.intersect_params(q.set(where)); };
    Ladder briefly;
    briefly.checks_sides = false;
    for (const Ladder& ladder : {Ladder{}, briefly}) {
        CHECK(q.discharge(all, within("[N, i] -> { : i >= 0 }"), ladder).holds());
        const heap::Value none = within("[N, i] -> { : i < 0 }");
        CHECK_THROWS_AS(q.discharge(all, none, ladder), InternalError);
        CHECK_THROWS_AS(q.discharge(none, all, ladder), InternalError);
    }
    // Only the full check notices that some environments have no value.
    CHECK_THROWS_AS(q.discharge(all, within("[N, i] -> { : i != 3 }")), InternalError);
    CHECK_THROWS_AS(q.discharge(within("[N, i] -> { : i != 3 }"), all), InternalError);
}

TEST_CASE("A set has to be empty") {
    const Question question;
    const auto discharged = [&](const std::string& violations) {
        const Obligation obligation{Kind::bounds_read, "a statement", "a rule", Deferred(question.set(violations))};
        smt::SolverSession solvers;
        return discharge(obligation, question.specification, question.templates, {}, solvers);
    };
    CHECK(discharged("[N] -> { : N > N }").holds());
    CHECK(discharged("[N] -> { : N > N }").rung == Rung::presburger);
    const Discharge violated = discharged("[N] -> { : N > 4 }");
    CHECK_FALSE(violated.holds());
    REQUIRE(violated.violations.has_value());
    CHECK(violated.violations->is_equal(question.set("[N] -> { : N > 4 }")));
    CHECK(violated.queries == 0);
}

TEST_CASE("Alignment: a definition, unfolded and in any order") {
    Question q;
    const Template sum = q.op(BinaryOp::add, q.a(), q.a());
    const Discharge found = q.discharge(q.value(q.f(), {"i"}), q.value(sum, {"i + 1", "i"}));
    CHECK(found.holds());
    CHECK(found.rung == Rung::alignment);
    CHECK(found.queries == 0);
    CHECK_FALSE(q.discharge(q.value(q.f(), {"i"}), q.value(sum, {"i", "i"})).holds());
}

TEST_CASE("Alignment: of an operand that a sum has twice one is unfolded") {
    Question q;
    const auto s = [&](const std::string& step) {
        return make_cell("S", 0, Type::u8, {q.index("[i] -> { [(i)] }"), q.index("[i] -> { [(" + step + ")] }")});
    };
    const Term u = make_cell("U", 0, Type::u8, {q.index("[i] -> { [(2i)] }")});
    const Term last = s("i");
    const Term whole = make_binary(BinaryOp::add, last, last);
    const Term one = make_binary(BinaryOp::add, s("i - 1"), u);
    const isl::set environments = q.set("[i] -> { : i > 0 }");
    Alignment alignment(q.specification, Floats::ieee);
    CHECK_FALSE(alignment.unproved(whole, one, environments).is_empty());
    CHECK(alignment.unproved(whole, make_binary(BinaryOp::add, one, one), environments).is_empty());
}

TEST_CASE("Alignment: a value that is made of parts, each where it is the value") {
    Question q;
    const Template sum = q.op(BinaryOp::add, q.a(), q.a());
    const heap::Value parts = q.value(sum, {"i", "i + 1"})
                                  .intersect_params(q.set("[i] -> { : i > 3 }"))
                                  .unite(q.value(q.f(), {"i"}).intersect_params(q.set("[i] -> { : i <= 3 }")));
    CHECK(q.discharge(q.value(q.f(), {"i"}), parts).rung == Rung::alignment);
    CHECK(q.discharge(q.value(q.f(), {"i"}), parts).holds());
    const heap::Value wrong = q.value(sum, {"i", "i + 1"})
                                  .intersect_params(q.set("[i] -> { : i > 3 }"))
                                  .unite(q.value(q.a(), {"i"}).intersect_params(q.set("[i] -> { : i <= 3 }")));
    const Discharge found = q.discharge(q.value(q.f(), {"i"}), wrong);
    REQUIRE(found.remainders.size() == 1);
    CHECK(found.remainders[0].environments.is_subset(q.set("[N, i] -> { : 0 <= i < N and i <= 3 }")));
}

TEST_CASE(
    "An outline: reads that find several cells are the specification's, and then rewriting shows what they compute") {
    Question q;
    const auto u = [&](const std::string& index) {
        return make_cell("U", 0, Type::u8, {q.index("[N, i] -> { [(" + index + ")] }")});
    };
    const auto shown = [&](const std::string& first, const std::string& others, Rung highest = Rung::arithmetic) {
        const Term read = make_choice(
            Type::u8, {{q.set("[N, i] -> { : i <= 2 }"), u(first)}, {q.set("[N, i] -> { : 2 < i < 9 }"), u(others)}});
        const Term next = u("i + 1");
        const Term expanded = make_binary(BinaryOp::add, make_binary(BinaryOp::mul, read, next), next);
        Obligation obligation{Kind::value, "a statement", "a rule"};
        const heap::Value p = q.value(q.templates.cell("P", 0, Type::u8, 1), {"i"});
        obligation.outline = {p, Deferred(std::optional(expanded)), q.set("[N, i] -> { : 2 <= i < N and N < 9 }")};
        Ladder ladder;
        ladder.highest = highest;
        smt::SolverSession solvers;
        return shows_outline(obligation, q.specification, q.templates, ladder, solvers);
    };
    CHECK(shown("2", "i") == Rung::rewriting);
    CHECK(shown("i", "2i - i") == Rung::rewriting);
    CHECK_FALSE(shown("1", "i").has_value());
    CHECK_FALSE(shown("2", "i - 1").has_value());
    CHECK_FALSE(shown("2", "i", Rung::alignment).has_value());
    const auto of_factor = [&](const std::string& factor) {
        Obligation obligation{Kind::value, "a statement", "a rule"};
        const Term product =
            make_binary(BinaryOp::mul,
                        make_binary(BinaryOp::add,
                                    make_choice(Type::u8, {{q.set("[N, i] -> { : i <= 2 }"), u(factor)},
                                                           {q.set("[N, i] -> { : i > 2 }"), u("i")}}),
                                    make_literal(Value::integer(Type::u8, 1))),
                        u("i + 1"));
        const heap::Value p = q.value(q.templates.cell("P", 0, Type::u8, 1), {"i"});
        obligation.outline = {p, Deferred(std::optional(product)), q.set("[N, i] -> { : 0 <= i < N }")};
        smt::SolverSession solvers;
        return shows_outline(obligation, q.specification, q.templates, {}, solvers);
    };
    CHECK(of_factor("i") == Rung::alignment);
    CHECK_FALSE(of_factor("2").has_value());
}

TEST_CASE("Without arithmetic: what follows from equal operands alone") {
    Question q;
    // A sum of i32 may overflow in one grouping and not in the other.
    const Template left = q.op(BinaryOp::add, q.op(BinaryOp::add, q.a(), q.a()), q.a());
    const Template right = q.op(BinaryOp::add, q.a(), q.op(BinaryOp::add, q.a(), q.a()));
    CHECK_FALSE(q.discharge(q.value(left, {"0", "1", "2"}), q.value(right, {"0", "1", "2"})).holds());
    CHECK(q.discharge(q.value(left, {"0", "1", "2"}), q.value(left, {"1", "0", "2"})).holds());
}

TEST_CASE("Arithmetic: the solver knows numbers") {
    Question q;
    const heap::Value bits = q.value(q.bits(), {"i", "i + 1", "i", "i + 1"}), sum = q.value(q.sum(), {"i", "i + 1"});
    const Discharge found = q.discharge(bits, sum);
    CHECK(found.holds());
    CHECK(found.rung == Rung::arithmetic);
    CHECK(found.queries >= 1);
    CHECK(found.rlimit > 0);
    Ladder low;
    low.highest = Rung::uninterpreted;
    const Discharge without = q.discharge(bits, sum, low);
    REQUIRE(without.remainders.size() == 1);
    CHECK(without.remainders[0].reason == "not equal without arithmetic");
    Ladder small;
    small.most_gates = 10;
    const Discharge beyond = q.discharge(bits, sum, small);
    REQUIRE(beyond.remainders.size() == 1);
    CHECK(beyond.remainders[0].reason.find("gates") != std::string::npos);
}

TEST_CASE("Rewriting: products are multiplied out, and ranges of indices are known") {
    Question q;
    Ladder ladder;
    ladder.highest = Rung::rewriting;
    const auto asked = [&](const heap::Value& s, const heap::Value& i) { return q.discharge(s, i, ladder); };
    const Discharge found = asked(q.value(q.product(), {"i", "i + 1"}), q.value(q.expanded(), {"i", "i + 1", "i + 1"}));
    CHECK(found.holds());
    CHECK(found.rung == Rung::rewriting);
    CHECK(found.queries == 0);
    CHECK_FALSE(asked(q.value(q.product(), {"i", "i + 1"}), q.value(q.expanded(), {"i", "i + 1", "i"})).holds());
    CHECK_FALSE(asked(q.value(q.bits(), {"i", "i + 1", "i", "i + 1"}), q.value(q.sum(), {"i", "i + 1"})).holds());
}

TEST_CASE("Rewriting: a specification's cells are defined, as nothing is claimed elsewhere") {
    Question q;
    Ladder ladder;
    ladder.highest = Rung::rewriting;
    const heap::Value difference = q.value(q.op(BinaryOp::sub, q.f(), q.f()), {"i", "i"});
    const heap::Value zero = q.value(q.number(Type::i32, 0), {});
    CHECK(q.discharge(difference, zero, ladder).holds());
    CHECK_FALSE(q.discharge(zero, difference, ladder).holds());
}

TEST_CASE("Rewriting: cells have the ranges of their tensors, and those made of indices alone are these") {
    const Specified q(R"(sare ranges(N) assuming N >= 0 {
  input U : u8[1]
  input A : i64[1]
  I(x) = u32<x%7>
  L(x, k) = i64(U(x)) if k <= 0
  L(x, k) = min(L(x, k - 1), i64(U(x + k))) if k > 0
  R(x) = i32(I(x)) + i32<3*x + 87>
  V(x) = L(x, 3) + (L(x, 3) + 11i64)
  W(x) = A(x) + (A(x) + 11i64)
  output V on { [x] : 0 <= x < N }
})");
    heap::Templates templates;
    const isl::pw_aff i = q.index("[i] -> { [(i)] }"), three = q.index("{ [(3)] }");
    const auto holds = [&](heap::Template s, const std::vector<isl::pw_aff>& mine, heap::Template t,
                           const std::vector<isl::pw_aff>& theirs) {
        const isl::ctx ctx = q.context.ctx();
        const Obligation obligation{Kind::value,
                                    "a statement",
                                    "a rule",
                                    {},
                                    Equation{heap::value(ctx, s, mine), heap::value(ctx, t, theirs),
                                             q.set("[N, i] -> { : 0 <= i < N <= 1000 }")}};
        Ladder ladder;
        ladder.highest = Rung::rewriting;
        smt::SolverSession solvers;
        return validator::discharge(obligation, q.specification, templates, ladder, solvers).holds();
    };
    const auto twice = [&](const std::string& tensor, std::size_t rank) {
        const heap::Template cell = templates.cell(tensor, 0, Type::i64, rank);
        const heap::Template two = templates.literal(Value::integer(Type::i64, 2));
        return templates.apply(BinaryOp::add, templates.apply(BinaryOp::mul, cell, two),
                               templates.literal(Value::integer(Type::i64, 11)));
    };
    CHECK(holds(templates.cell("V", 0, Type::i64, 1), {i}, twice("L", 2), {i, three}));
    CHECK_FALSE(holds(templates.cell("W", 0, Type::i64, 1), {i}, twice("A", 1), {i}));
    const heap::Template moved =
        templates.apply(BinaryOp::add,
                        templates.apply(BinaryOp::add, templates.embed(Type::i32),
                                        templates.cast(Type::i32, templates.cell("I", 0, Type::u32, 1))),
                        templates.literal(Value::integer(Type::i32, -9)));
    CHECK(holds(templates.cell("R", 0, Type::i32, 1), {i}, moved, {q.index("[i] -> { [(3i + 96)] }"), i}));
    CHECK_FALSE(holds(templates.cell("R", 0, Type::i32, 1), {i}, moved, {q.index("[i] -> { [(3i + 97)] }"), i}));
}

TEST_CASE("SMT: integers made of real numbers may be equal whatever these are") {
    Question q;
    Ladder ladder;
    ladder.floats = Floats::real;
    const Template x = q.templates.cast(Type::u8, q.x());
    const Template bits = q.op(BinaryOp::add, q.op(BinaryOp::bit_and, x, q.u()), q.op(BinaryOp::bit_or, x, q.u()));
    const Template sum = q.op(BinaryOp::add, x, q.u());
    const Discharge found = q.discharge(q.value(sum, {"i", "i"}), q.value(bits, {"i", "i", "i", "i"}), ladder);
    CHECK(found.holds());
    CHECK(found.rung == Rung::arithmetic);
    CHECK_FALSE(q.discharge(q.value(sum, {"i", "i"}), q.value(bits, {"i", "i", "i + 1", "i"}), ladder).holds());
}

TEST_CASE("Environments in many pieces are looked at in what surrounds them, and no more is claimed") {
    Question q;
    const std::string parts = "[N, i] -> { : 0 <= i < N and (N = 8 or N = 20 or N >= 32) }";
    // The first is equal everywhere, the second except at N = 9, the third except at N = 20.
    CHECK(q.discharge(q.value(q.f(), {"i"}), q.value(q.op(BinaryOp::add, q.a(), q.a()), {"i", "i + 1"}), {}, parts)
              .holds());
    const heap::Value split =
        heap::value(q.context.ctx(), q.a(), {q.index("[N, i] -> { [(i)] : N != 9; [(i + 1)] : N = 9 }")});
    CHECK(q.discharge(q.value(q.a(), {"i"}), split, {}, parts).holds());
    const heap::Value wrong =
        heap::value(q.context.ctx(), q.a(), {q.index("[N, i] -> { [(i)] : N != 20; [(i + 1)] : N = 20 }")});
    const Discharge found = q.discharge(q.value(q.a(), {"i"}), wrong, {}, parts);
    REQUIRE_FALSE(found.holds());
    for (const Remainder& rest : found.remainders) {
        CHECK(rest.environments.is_subset(q.set("[N, i] -> { : 0 <= i < N and N = 20 }")));
    }
}

TEST_CASE("Cells of a specification that are the same are one") {
    Question q;
    const Template bits =
        q.op(BinaryOp::add, q.op(BinaryOp::bit_and, q.c(), q.u()), q.op(BinaryOp::bit_or, q.c(), q.u()));
    const Template sum = q.op(BinaryOp::add, q.c(), q.u());
    CHECK(q.discharge(q.value(bits, {"i", "i", "i + 1", "i"}), q.value(sum, {"i + 2", "i"})).holds());
    CHECK_FALSE(q.discharge(q.value(bits, {"i", "i", "i + 1", "i + 1"}), q.value(sum, {"i + 2", "i"})).holds());
}

TEST_CASE("Alignment: a sum and a multiple, a difference and what is added to it") {
    Question q;
    const Template twice = q.op(BinaryOp::mul, q.u(), q.number(Type::u8, 2));
    const Template both = q.op(BinaryOp::add, q.u(), q.u());
    CHECK(q.discharge(q.value(twice, {"i"}), q.value(both, {"i", "i"})).rung == Rung::alignment);
    CHECK(q.discharge(q.value(twice, {"i"}), q.value(both, {"i", "i"})).holds());
    CHECK_FALSE(q.discharge(q.value(twice, {"i"}), q.value(both, {"i", "i + 1"})).holds());
    const auto minus = [&](const Template& a, const Template& b) { return q.op(BinaryOp::sub, a, b); };
    const heap::Value one = q.value(minus(both, q.u()), {"0", "1", "2"});
    CHECK(q.discharge(one, q.value(q.op(BinaryOp::add, minus(q.u(), q.u()), q.u()), {"1", "2", "0"})).rung ==
          Rung::alignment);
    CHECK_FALSE(q.discharge(one, q.value(minus(q.u(), minus(q.u(), q.u())), {"0", "1", "2"})).holds());
    // A sum of i32 may overflow although the same parts in another order do not; a difference with a literal may not.
    const heap::Value less = q.value(minus(q.a(), q.number(Type::i32, 3)), {"i"});
    CHECK(q.discharge(less, q.value(q.op(BinaryOp::add, q.a(), q.number(Type::i32, -3)), {"i"})).rung ==
          Rung::alignment);
    CHECK_FALSE(q.discharge(less, q.value(q.op(BinaryOp::add, q.a(), q.number(Type::i32, 3)), {"i"})).holds());
}

TEST_CASE("Alignment: of what is the least or the greatest it does not matter how often") {
    Question q;
    const auto least = [&](const Template& a, const Template& b) { return q.op(BinaryOp::min, a, b); };
    const heap::Value twice = q.value(least(q.a(), least(q.a(), q.a())), {"0", "0", "1"});
    const heap::Value once = q.value(least(q.a(), q.a()), {"1", "0"});
    CHECK(q.discharge(twice, once).rung == Rung::alignment);
    CHECK(q.discharge(twice, once).holds());
    CHECK(q.discharge(once, twice).holds());
    CHECK_FALSE(q.discharge(twice, q.value(q.a(), {"0"})).holds());
    CHECK_FALSE(q.discharge(q.value(q.a(), {"0"}), twice).holds());
}

TEST_CASE("Arithmetic: what is not equal has a model at an admissible size") {
    Question q;
    const Template thrice = q.op(BinaryOp::mul, q.u(), q.number(Type::u8, 3));
    const Template sum = q.op(BinaryOp::add, q.u(), q.u());
    const Discharge found = q.discharge(q.value(thrice, {"i"}), q.value(sum, {"i", "i"}));
    REQUIRE(found.remainders.size() == 1);
    CHECK(found.remainders[0].reason == "not equal");
    REQUIRE(found.remainders[0].model.has_value());
    const auto& variables = found.remainders[0].model->variables;
    REQUIRE(variables.contains("i"));
    REQUIRE(variables.contains("N"));
    CHECK(0 <= variables.at("i"));
    CHECK(variables.at("i") < variables.at("N"));
}

TEST_CASE("Refinement: where the specification overflows nothing is asked, where the program does much is") {
    Question q;
    const Template safe = q.op(BinaryOp::bit_and, q.a(), q.number(Type::i32, 255));
    const Template overflowing = q.op(BinaryOp::sub, q.op(BinaryOp::add, q.a(), q.a()), q.a());
    // (a + b) - b equals a where it is defined, but it is not defined everywhere.
    CHECK(q.discharge(q.value(overflowing, {"0", "1", "1"}), q.value(q.a(), {"0"})).holds());
    CHECK_FALSE(q.discharge(q.value(q.a(), {"0"}), q.value(overflowing, {"0", "1", "1"})).holds());
    // Small numbers do not overflow.
    const Template small = q.op(BinaryOp::sub, q.op(BinaryOp::add, safe, safe), safe);
    CHECK(q.discharge(q.value(safe, {"0"}), q.value(small, {"0", "1", "1"})).holds());
}

TEST_CASE("Floats: reals may be regrouped, IEEE's may not") {
    Question q;
    const Template left = q.op(BinaryOp::add, q.op(BinaryOp::add, q.x(), q.x()), q.x());
    const Template right = q.op(BinaryOp::add, q.x(), q.op(BinaryOp::add, q.x(), q.x()));
    Ladder ladder;
    ladder.floats = Floats::real;
    CHECK(q.discharge(q.value(left, {"0", "1", "2"}), q.value(right, {"0", "1", "2"}), ladder).holds());
    ladder.floats = Floats::ieee;
    CHECK_FALSE(q.discharge(q.value(left, {"0", "1", "2"}), q.value(right, {"0", "1", "2"}), ladder).holds());
    CHECK(q.discharge(q.value(left, {"0", "1", "2"}), q.value(left, {"1", "0", "2"}), ladder).holds());
}

TEST_CASE("Memory that was not written, and values of which nothing is prophesied, are equal to nothing") {
    Question q;
    const heap::Value a = q.value(q.a(), {"i"});
    const auto reason = [&](Template t) {
        const Discharge found = q.discharge(a, q.value(t, {}));
        return found.remainders.size() == 1 ? found.remainders[0].reason : std::string("none");
    };
    CHECK(reason(q.templates.uninit(Type::i32)) == "memory not written");
    CHECK(reason(q.templates.unknown(Type::i32)) == "no prophecy");
    // An unknown value does not even equal itself: a race may leave it.
    const Discharge twice =
        q.discharge(q.value(q.templates.unknown(Type::i32), {}), q.value(q.templates.unknown(Type::i32), {}));
    CHECK_FALSE(twice.holds());
}

TEST_CASE("A recurrence unfolds as far as it is asked") {
    Question q;
    const Template s = q.templates.cell("S", 0, Type::u8, 2);
    const Template step = q.op(BinaryOp::add, s, q.u());
    const std::string positive = "[N, i] -> { : 0 < i < N }";
    CHECK(q.discharge(q.value(s, {"N", "i"}), q.value(step, {"N", "i - 1", "N + i"}), {}, positive).holds());
    // Unfold two steps, where there are two.
    const Template two = q.op(BinaryOp::add, q.op(BinaryOp::add, s, q.u()), q.u());
    const std::vector<std::string> holes{"N", "i - 2", "N + i", "N + i - 1"};
    CHECK(q.discharge(q.value(s, {"N", "i"}), q.value(two, holes), {}, "[N, i] -> { : 1 < i < N }").holds());
    const Discharge once = q.discharge(q.value(s, {"N", "i"}), q.value(two, holes), {}, positive);
    CHECK_FALSE(once.holds());
    for (const Remainder& rest : once.remainders) {
        CHECK(rest.environments.is_subset(q.set("[N, i] -> { : i = 1 and N > 1 }")));
    }
    CHECK_FALSE(q.discharge(q.value(s, {"N", "i"}), q.value(step, {"N", "i - 1", "N + i"})).holds());
}

TEST_CASE("Leaves that are equal in all environments are one to the solver, which hears of no index") {
    Question q;
    Ladder ladder;
    ladder.keep_queries = true;
    const std::string third = "floor(i/3)";
    const auto asked = [&](const std::string& index, const std::string& environments) {
        return q.discharge(q.value(q.bits(), {third, "i", third, "i"}), q.value(q.sum(), {index, "i"}), ladder,
                           environments);
    };
    const Discharge found = asked("floor((i - i mod 3)/3)", "[N, i] -> { : 0 <= i < N }");
    CHECK(found.holds());
    CHECK(found.rung == Rung::arithmetic);
    REQUIRE(found.smt.size() == 2);
    for (const std::string& text : found.smt) { CHECK(text.find(" Int") == std::string::npos); }
    // Equal only in these environments.
    CHECK(asked("0", "[N, i] -> { : 0 <= i < 3 }").smt.size() == 2);
    CHECK(asked("0", "[N, i] -> { : 0 <= i < 3 }").holds());
    CHECK_FALSE(asked("0", "[N, i] -> { : 0 <= i < 4 }").holds());
}

TEST_CASE("Embedded indices a constant apart are related without integers, others with them") {
    Question q;
    Ladder ladder;
    ladder.keep_queries = true;
    const Template i = q.templates.embed(Type::i32);
    const Template u = q.templates.embed(Type::u8);
    const auto asked = [&](const heap::Value& s, const heap::Value& i, const std::string& environments) {
        return q.discharge(s, i, ladder, environments);
    };
    const std::string small = "[N, i] -> { : -7 <= i < 100 }", all = "[N, i] -> { : i >= 0 }";
    const Template next = q.op(BinaryOp::add, i, q.number(Type::i32, 1));
    const Discharge moved = asked(q.value(i, {"i + 1"}), q.value(next, {"i"}), small);
    CHECK(moved.holds());
    CHECK(moved.rung == Rung::rewriting);
    CHECK_FALSE(asked(q.value(i, {"i + 1"}), q.value(i, {"i"}), small).holds());
    // Where i + 1 overflows first, nothing has to be shown. Where i fits, the program's i + 1 must fit, too.
    CHECK(asked(q.value(i, {"i + 1"}), q.value(next, {"i"}), all).holds());
    const Template minus = q.op(BinaryOp::sub, next, q.number(Type::i32, 1));
    CHECK(asked(q.value(i, {"i"}), q.value(minus, {"i"}), small).holds());
    CHECK_FALSE(asked(q.value(i, {"i"}), q.value(minus, {"i"}), all).holds());
    const Template nought = q.op(BinaryOp::sub, i, i);
    CHECK(asked(q.value(q.number(Type::i32, 0), {}), q.value(nought, {"i", "i"}), small).holds());
    CHECK_FALSE(asked(q.value(q.number(Type::i32, 0), {}), q.value(nought, {"i", "i"}), all).holds());
    const Template wide = q.templates.cast(Type::i32, u);
    // Casts of a single index need no solver.
    CHECK(asked(q.value(i, {"i"}), q.value(wide, {"i"}), "[N, i] -> { : 0 <= i < 256 }").rung == Rung::alignment);
    CHECK_FALSE(asked(q.value(i, {"i"}), q.value(wide, {"i"}), "[N, i] -> { : 0 <= i <= 256 }").holds());
    // -1 as a u32 is not an i32.
    const Template other = q.templates.cast(Type::i32, q.templates.embed(Type::u32));
    CHECK(asked(q.value(i, {"i"}), q.value(other, {"i"}), "[N, i] -> { : 0 <= i < 100 }").holds());
    CHECK_FALSE(asked(q.value(i, {"i"}), q.value(other, {"i"}), small).holds());
    // A float of an index is rounded once, from an integer that holds the index.
    const Template real = q.templates.embed(Type::f32), rounded = q.templates.cast(Type::f32, i);
    CHECK(asked(q.value(real, {"i"}), q.value(rounded, {"i"}), small).rung == Rung::alignment);
    CHECK_FALSE(asked(q.value(real, {"i"}), q.value(rounded, {"i + 1"}), small).holds());
    CHECK_FALSE(
        asked(q.value(real, {"i"}), q.value(q.templates.cast(Type::f32, u), {"i"}), "[N, i] -> { : 0 <= i <= 256 }")
            .holds());
    const Template twice_rounded = q.templates.cast(Type::f32, q.templates.embed(Type::f64));
    CHECK_FALSE(asked(q.value(real, {"i"}), q.value(twice_rounded, {"i"}), "[N, i] -> { : 0 <= i }").holds());
    const Template wider = q.op(BinaryOp::add, wide, q.number(Type::i32, 1));
    CHECK(asked(q.value(i, {"i + 1"}), q.value(wider, {"i"}), "[N, i] -> { : 0 <= i < 256 }").holds());
    CHECK_FALSE(asked(q.value(i, {"i + 1"}), q.value(wider, {"i"}), "[N, i] -> { : 0 <= i <= 256 }").holds());
    const Template twice = q.op(BinaryOp::mul, i, q.number(Type::i32, 2));
    const Discharge scaled = asked(q.value(i, {"2i"}), q.value(twice, {"i"}), small);
    CHECK(scaled.holds());
    CHECK(scaled.smt.size() == 4);
}

TEST_CASE("Queries are kept when they are asked for") {
    Question q;
    Ladder ladder;
    ladder.keep_queries = true;
    const Discharge found = q.discharge(q.value(q.bits(), {"i", "N", "i", "N"}), q.value(q.sum(), {"i", "N"}), ladder);
    CHECK(found.queries > 0);
    CHECK(found.smt.size() == found.queries);
    for (const std::string& text : found.smt) { CHECK(text.find("(check-sat)") != std::string::npos); }
}

}  // namespace
}  // namespace haruspex::validator
