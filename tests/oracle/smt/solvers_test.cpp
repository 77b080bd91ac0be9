#include "oracle/smt/solvers.h"

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "oracle/smt/cvc5.h"
#include "oracle/smt/query.h"
#include "tests/oracle/smt/operations.h"
#include "tests/oracle/smt/programs.h"
#include "tests/support/catch.h"
#include "tests/support/scratch.h"

using namespace haruspex;
using namespace haruspex::smt;
using value::BinaryOp;
using value::Type;
using value::Value;

namespace {

constexpr std::uint64_t enough = 20'000'000;
const affine::Disjunction everywhere{{}};

std::string shown(const Outcome& outcome) {
    std::ostringstream text;
    text << outcome.rlimit_spent << ": ";
    if (outcome.holds()) { text << "holds"; }
    if (const auto* unknown = std::get_if<Unknown>(&outcome.answer)) { text << unknown->reason; }
    if (const Model* m = outcome.counterexample()) {
        for (const auto& [name, v] : m->variables) { text << name << "=" << v << " "; }
        for (const CellValue& c : m->cells) {
            text << c.tensor << "." << c.component << "(";
            for (const std::int64_t x : c.coordinates) { text << x << ","; }
            text << ")=" << value::to_string(c.value) << " ";
        }
        for (const AtomValue& a : m->atoms) { text << a.atom.number << "=" << value::to_string(a.value) << " "; }
        text << value::to_string(m->specification) << " " << value::to_string(m->implementation);
    }
    return text.str();
}

// a*(b + c) against a*b + c at u16, cells at indices that may coincide.
Query wrong_distribution(Terms& terms) {
    const auto cell = [&](affine::Affine index) {
        return terms.cell({"in", 0, Type::u16, Definedness::always_defined, {std::move(index)}});
    };
    const Term a = cell(affine::variable("x"));
    const Term b = cell(affine::variable("y"));
    const Term c = terms.atom(Type::u16, 7);
    return {everywhere, terms.apply(BinaryOp::mul, a, terms.apply(BinaryOp::add, b, c)),
            terms.apply(BinaryOp::add, terms.apply(BinaryOp::mul, a, b), c)};
}

// Quotients of sums of 64-bit squares: too hard for bits, whatever the answer.
Query hard(Terms& terms) {
    const Term a = terms.atom(Type::u64, 0);
    const Term b = terms.atom(Type::u64, 1);
    const Term c = terms.atom(Type::u64, 2);
    const auto square = [&](Term t) { return terms.apply(BinaryOp::mul, t, t); };
    const auto add = [&](Term s, Term t) { return terms.apply(BinaryOp::add, s, t); };
    return {
        everywhere, terms.apply(BinaryOp::div, square(add(a, b)), add(c, a)),
        terms.apply(BinaryOp::div, add(square(a), add(square(b), terms.apply(BinaryOp::bit_xor, a, c))), add(c, b))};
}

}  // namespace

TEST_CASE("a wrong operator has a counterexample that evaluates as the model says") {
    // Compares every operation with another of the same signature: the solver finds operands, generators/value judges.
    const std::vector<Operation> all = every_operation();
    Choices choices(random_source(3));
    std::size_t refuted = 0;
    std::size_t held = 0;
    std::size_t open = 0;
    for (const Operation& right : all) {
        // The bits of f64 operations are too many to search; operators_test covers them.
        const bool heavy = right.operands.back() == Type::f64 || right.result == Type::f64;
        if (heavy) { continue; }
        Terms terms;
        std::vector<Term> operands;
        for (std::uint32_t i = 0; i < right.operands.size(); ++i) {
            operands.push_back(terms.atom(right.operands[i], i));
        }
        std::vector<const Operation*> candidates;
        for (const Operation& wrong : all) {
            if (wrong.name != right.name && wrong.operands == right.operands && wrong.result == right.result) {
                candidates.push_back(&wrong);
            }
        }
        if (candidates.empty()) { continue; }
        const Operation& wrong = *candidates.at(
            static_cast<std::size_t>(choices.integer(0, static_cast<std::int64_t>(candidates.size()) - 1)));
        const Query query{everywhere, right.term(terms, operands), wrong.term(terms, operands)};
        const Outcome outcome = refines(terms, query, enough);
        INFO(right.name << " against " << wrong.name << ": " << shown(outcome));
        // Newer versions of Z3 exceed the rlimit when they distinguish a product from a remainder.
        if (outcome.is_unknown()) {
            ++open;
            continue;
        }
        if (outcome.holds()) {
            // No operands may distinguish them.
            ++held;
            for (int i = 0; i < 300; ++i) {
                std::vector<Value> values;
                for (const Type type : right.operands) { values.push_back(draw_value(type, choices)); }
                REQUIRE(!violates(right.apply(values), wrong.apply(values), Equality::same_result));
            }
            continue;
        }
        ++refuted;
        const Model& m = *outcome.counterexample();
        CHECK(m.confirmed);
        std::vector<Value> values;
        for (std::uint32_t i = 0; i < right.operands.size(); ++i) {
            for (const AtomValue& a : m.atoms) {
                if (a.atom == Atom{right.operands[i], i}) { values.push_back(a.value); }
            }
        }
        REQUIRE(values.size() == right.operands.size());
        CHECK(right.apply(values) == m.specification);
        CHECK(wrong.apply(values) == m.implementation);
        CHECK(violates(right.apply(values), wrong.apply(values), Equality::same_result));
    }
    INFO(refuted << " refuted, " << held << " held, " << open << " open");
    CHECK(refuted > 150);
    CHECK(open <= 3);
}

TEST_CASE("the same query has the same outcome, whatever was asked before") {
    Terms terms;
    const Query query = wrong_distribution(terms);
    const std::string first = shown(refines(terms, query, enough));
    CHECK(first.find("in.0(") != std::string::npos);
    CHECK(shown(refines(terms, query, enough)) == first);
    Terms others;
    (void)refines(others, hard(others), 100'000);
    CHECK(shown(refines(terms, query, enough)) == first);
    CHECK(to_smtlib(terms, query).value() == to_smtlib(terms, query).value());
}

TEST_CASE("a spent budget is unknown, with its reason and the same account every time") {
    Terms terms;
    const Query query = hard(terms);
    for (const std::uint64_t rlimit : {1'000U, 200'000U}) {
        const Outcome outcome = refines(terms, query, rlimit);
        REQUIRE(outcome.is_unknown());
        CHECK(std::get<Unknown>(outcome.answer).reason == "the rlimit of " + std::to_string(rlimit) + " is spent");
        CHECK(outcome.rlimit_spent >= rlimit);
        CHECK(outcome.rlimit_spent < rlimit + rlimit / 2 + 1000);
        CHECK(refines(terms, query, rlimit).rlimit_spent == outcome.rlimit_spent);
    }
    CHECK(refines(terms, query, 0).is_unknown());
}

// Unfolding a chain of 60 definitions by cases would give 2^60 cases.
TEST_CASE("choices within choices are not unfolded") {
    Terms terms;
    const auto chain = [&](bool swapped) {
        Term t = terms.atom(Type::i32, 0);
        for (std::uint32_t i = 1; i <= 60; ++i) {
            const Term bound = terms.atom(Type::i32, i);
            const Term a = swapped ? bound : t;
            const Term b = swapped ? t : bound;
            t = terms.select(terms.apply(BinaryOp::lt, t, bound), a, b);
        }
        return t;
    };
    CHECK(refines(terms, {everywhere, chain(false), chain(false)}, enough).holds());
    CHECK(refines(terms, {everywhere, chain(false), chain(true)}, enough).counterexample() != nullptr);
}

// A product of 6 factors, each to the 7th power, has 8^6 divisors.
TEST_CASE("a polynomial of high degree ends within its rlimit") {
    Terms terms;
    const auto product = [&](std::uint32_t bit) {
        Term t = terms.apply(BinaryOp::add, terms.cast(Type::f32, terms.atom(Type::u16, 0)),
                             terms.cast(Type::f32, terms.atom(Type::boolean, bit)));
        for (std::uint32_t i = 0; i < 42; ++i) { t = terms.apply(BinaryOp::mul, terms.atom(Type::f32, 10 + i / 7), t); }
        return t;
    };
    constexpr std::uint64_t rlimit = 100'000;
    const Outcome outcome =
        refines(terms, {everywhere, product(1), product(2), Abstraction::arithmetic, Floats::real}, rlimit);
    CHECK(!outcome.holds());
    CHECK(outcome.rlimit_spent < 2 * rlimit);
}

// The integers have 32 bits, and each factor has a choice.
TEST_CASE("a product of integers that are made real numbers ends within its rlimit") {
    Terms terms;
    const auto literal = [&](Type type, std::int64_t n) {
        return terms.cast(type, terms.literal(Value::integer(Type::i32, n)));
    };
    const auto least = [&](Term a, Term b) { return terms.apply(BinaryOp::min, a, b); };
    const auto sum = [&](Term a, Term b) { return terms.apply(BinaryOp::add, a, b); };
    const auto factor = [&](std::uint32_t k, bool chooses_first) {
        const Term i = terms.atom(Type::i32, k), x = terms.atom(Type::f32, k + 1);
        if (chooses_first) { return sum(terms.cast(Type::f32, least(i, literal(Type::i32, -4))), x); }
        return least(sum(terms.cast(Type::f32, i), x), sum(x, literal(Type::f32, -4)));
    };
    const auto product = [&](bool chooses_first) {
        const Term a = factor(0, chooses_first), b = factor(2, chooses_first);
        return chooses_first ? terms.apply(BinaryOp::mul, b, a) : terms.apply(BinaryOp::mul, a, b);
    };
    constexpr std::uint64_t rlimit = 100'000;
    const Outcome outcome =
        refines(terms, {everywhere, product(false), product(true), Abstraction::arithmetic, Floats::real}, rlimit);
    CHECK(outcome.rlimit_spent < 2 * rlimit);
}

TEST_CASE("a counterexample far beyond all sizes is looked for within 64 bits") {
    Terms terms;
    // Both conditions have solutions beyond 64 bits; the second also has some within.
    const affine::Disjunction far{
        {{affine::Affine{-1, {{"x", 1}, {"y", -INT64_MAX}}, {}}}, {affine::Affine{-2, {{"y", 1}}, {}}}}};
    const Term zero = terms.literal(Value::integer(Type::u8, 0));
    const Term one = terms.literal(Value::integer(Type::u8, 1));
    const Outcome outcome = refines(terms, {far, zero, one}, enough);
    REQUIRE(outcome.is_unknown());
    CHECK(std::get<Unknown>(outcome.answer).reason == "every counterexample found lies beyond 64 bits");
    const affine::Disjunction either{far.front(), {{affine::Affine{-5, {{"x", 1}}, {}}}}};
    const Outcome found = refines(terms, {either, zero, one}, enough);
    REQUIRE(found.counterexample() != nullptr);
    CHECK(found.counterexample()->confirmed);
}

TEST_CASE("a query is written out for people and for both programs") {
    Terms terms;
    const Query query = wrong_distribution(terms);
    const std::string text = to_smtlib(terms, query).value();
    CHECK(text.starts_with("; Does the implementation refine the specification, wherever\n;   true?\n"));
    CHECK(text.find("; specification:  (in(x)[0] * (in(y)[0] + atom_7_u16))\n") != std::string::npos);
    CHECK(text.find("; unsat: it does. sat: it does not") != std::string::npos);
    CHECK(answers("z3", {text, text}) == std::vector<std::string>{"sat", "sat"});
    CHECK(answers("cvc5 --lang=smt2", {text}) == std::vector<std::string>{"sat"});
}

TEST_CASE("cvc5 answers, gives up within its budget, or says what is wrong") {
    const auto trivial = check_with_cvc5("(set-logic ALL)(assert false)(check-sat)");
    REQUIRE(trivial.has_value());
    CHECK(trivial->answer == Satisfiability::unsat);

    Terms terms;
    const std::string text = to_smtlib(terms, hard(terms)).value();
    Cvc5 little;
    little.rlimit = 1000;
    const auto given_up = check_with_cvc5(text, little);
    REQUIRE(given_up.has_value());
    CHECK(given_up->answer == Satisfiability::unknown);
    CHECK(!given_up->reason.empty());

    Cvc5 missing;
    missing.program = "no-such-solver";
    const auto none = check_with_cvc5(text, missing);
    REQUIRE(!none.has_value());
    CHECK(none.error().message == "cannot run no-such-solver: No such file or directory");

    const auto nonsense = check_with_cvc5("(assert (= x 1))(check-sat)");
    REQUIRE(!nonsense.has_value());
    CHECK(nonsense.error().message.starts_with("cvc5 does not answer but says: "));

    Cvc5 silent;
    silent.program = "true";
    const auto nothing = check_with_cvc5(text, silent);
    REQUIRE(!nothing.has_value());
    CHECK(nothing.error().message == "true does not answer but says: nothing");
}

TEST_CASE("both solvers are asked, or one query in some by its hash, and what the second one says is counted") {
    const tests::ScratchFolder scratch;
    const auto saying = [&](const std::string& answer) {
        const std::string program = (scratch.path() / answer).string();
        std::ofstream(program) << "#!/bin/sh\ncat > /dev/null\necho " << answer << "\n";
        REQUIRE(std::system(("chmod +x " + program).c_str()) == 0);
        Cvc5 cvc5;
        cvc5.program = program;
        return cvc5;
    };
    Terms terms;
    const Query wrong = wrong_distribution(terms);
    const Query right{wrong.domain, wrong.specification, wrong.specification};

    SolverSession honest(Solvers{.solver = Solver::both});
    CHECK(honest.refines(terms, right, enough).holds());
    CHECK(honest.refines(terms, wrong, enough).counterexample() != nullptr);
    CHECK(honest.cross_checks() == CrossChecks{.agreed = 2});

    SolverSession lied_to(Solvers{.solver = Solver::both, .cvc5 = saying("sat")});
    const Outcome doubted = lied_to.refines(terms, right, enough);
    REQUIRE(doubted.is_unknown());
    CHECK(std::get<Unknown>(doubted.answer).reason == "z3 says unsat, cvc5 says sat");
    REQUIRE(lied_to.cross_checks().contradictions.size() == 1);
    const Contradiction& contradiction = lied_to.cross_checks().contradictions.front();
    CHECK(contradiction.query == to_smtlib(terms, right).value());
    CHECK(contradiction.z3 == Satisfiability::unsat);
    CHECK(contradiction.cvc5 == Satisfiability::sat);
    CHECK(lied_to.refines(terms, wrong, enough).counterexample() != nullptr);
    CHECK(to_string(lied_to.cross_checks()) == "2 by cvc5: 1 agreed, 1 CONTRADICTED");

    SolverSession undecided(Solvers{.solver = Solver::both, .cvc5 = saying("unknown")});
    CHECK(undecided.refines(terms, right, enough).holds());
    CHECK(undecided.cross_checks() == CrossChecks{.undecided = 1, .reason = "cvc5: unknown"});

    Cvc5 missing;
    missing.program = "no-such-solver";
    SolverSession absent(Solvers{.cross_check = 1, .cvc5 = missing});
    CHECK(absent.refines(terms, right, enough).holds());
    CHECK(absent.cross_checks().unanswered == 1);
    CHECK(absent.cross_checks().reason == "cannot run no-such-solver: No such file or directory");
    CHECK_FALSE(are_there(Solvers{.cross_check = 1, .cvc5 = missing}).has_value());
    CHECK(are_there(Solvers{.cvc5 = missing}).has_value());

    SolverSession alone(Solvers{.solver = Solver::cvc5});
    CHECK(alone.refines(terms, right, enough).holds());
    const Outcome fails = alone.refines(terms, wrong, enough);
    CHECK(std::holds_alternative<Fails>(fails.answer));
    CHECK(fails.counterexample() == nullptr);
    CHECK(alone.cross_checks().checked() == 0);

    // The share depends on the queries alone.
    constexpr std::uint64_t queries = 200;
    SolverSession share(Solvers{.cross_check = 4, .cvc5 = saying("unsat")}),
        again(Solvers{.cross_check = 4, .cvc5 = missing});
    for (std::uint64_t n = 0; n < queries; ++n) {
        const Term t = terms.literal(value::Value::integer(value::Type::u16, static_cast<std::int64_t>(n)));
        const Query easy{everywhere, t, t};
        share.refines(terms, easy, enough);
        again.refines(terms, easy, enough);
    }
    CHECK(share.cross_checks().agreed == again.cross_checks().unanswered);
    CHECK(share.cross_checks().agreed > queries / 8);
    CHECK(share.cross_checks().agreed < queries / 2);
    SolverSession none{Solvers{}};
    none.refines(terms, right, enough);
    CHECK(none.cross_checks().checked() == 0);
}
