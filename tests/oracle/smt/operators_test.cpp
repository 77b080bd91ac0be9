#include <algorithm>
#include <set>

#include "oracle/smt/query.h"
#include "tests/oracle/smt/operations.h"
#include "tests/oracle/smt/programs.h"
#include "tests/support/catch.h"

using namespace haruspex;
using namespace haruspex::smt;
using value::Type;
using value::Value;

namespace {

const affine::Disjunction everywhere{{}};

struct Expectation {
    std::string what;
    Query query;
    bool holds;
};

// Two queries that have the expected answers only if the result is exactly right.
std::vector<Expectation> expectations(Terms& terms, const Operation& operation, const std::vector<Value>& operands,
                                      Floats floats) {
    std::vector<Term> literals;
    std::string what = operation.name;
    for (const Value& v : operands) {
        literals.push_back(terms.literal(v));
        what += " " + value::to_string(v);
    }
    const Term term = operation.term(terms, literals);
    const Value expected = operation.apply(operands);
    what += " = " + value::to_string(expected);
    const auto query = [&](Term specification, Term implementation) {
        return Query{everywhere, specification, implementation, Abstraction::arithmetic, floats};
    };
    if (expected.is_defined()) {
        return {{what, query(terms.literal(expected), term), true},
                {what, query(terms.literal(another(expected)), term), false}};
    }
    const Term any = terms.literal(Value::from_bits(operation.result, 0));
    return {{what, query(any, term), false}, {what, query(term, any), expected.is_undef()}};
}

std::vector<std::vector<Value>> drawn_operands(const Operation& operation, std::size_t count, Choices& choices) {
    std::vector<std::vector<Value>> all;
    for (std::size_t i = 0; i < count; ++i) {
        std::vector<Value> operands;
        for (const Type type : operation.operands) { operands.push_back(draw_value(type, choices)); }
        all.push_back(std::move(operands));
    }
    return all;
}

}  // namespace

TEST_CASE("both solvers' programs compute every operator at every type as generators/value does") {
    Choices choices(random_source(1));
    Terms terms;
    std::vector<Expectation> expected;
    for (const Operation& operation : every_operation()) {
        for (const auto& operands : drawn_operands(operation, 8, choices)) {
            std::ranges::move(expectations(terms, operation, operands, Floats::ieee), std::back_inserter(expected));
        }
    }
    std::vector<std::string> texts;
    std::size_t undefined = 0;
    for (const Expectation& e : expected) {
        texts.push_back(to_smtlib(terms, e.query).value());
        undefined += e.what.find("= undef") != std::string::npos ? 1 : 0;
    }
    CHECK(expected.size() > 5000);
    CHECK(undefined > 200);
    for (const std::string program : {"z3", "cvc5 --lang=smt2"}) {
        const auto said = answers(program, texts);
        REQUIRE(said.size() == texts.size());
        for (std::size_t i = 0; i < said.size(); ++i) {
            if (said[i] != (expected[i].holds ? "unsat" : "sat")) {
                FAIL_CHECK(program << " says " << said[i] << " of " << expected[i].what << "\n" << texts[i]);
            }
        }
    }
}

TEST_CASE("states of operands spread as generators/value lets them") {
    Choices choices(random_source(2));
    Terms terms;
    std::vector<Expectation> expected;
    for (const Operation& operation : every_operation()) {
        for (auto operands : drawn_operands(operation, 3, choices)) {
            for (Value& v : operands) {
                const std::size_t state = choices.weighted({2, 2, 1});
                if (state == 1) { v = Value::uninit(v.type()); }
                if (state == 2) { v = Value::undef(v.type()); }
            }
            // A formula does not know the bits of an arm's NaN: two NaNs count as different.
            if (operation.name.starts_with("select f") && operands.at(0).is_uninit()) {
                operands.at(1) = another(Value::integer(operands.at(1).type(), 4));
            }
            std::ranges::move(expectations(terms, operation, operands, Floats::ieee), std::back_inserter(expected));
        }
    }
    std::vector<std::string> texts;
    for (const Expectation& e : expected) { texts.push_back(to_smtlib(terms, e.query).value()); }
    const auto said = answers("z3", texts);
    REQUIRE(said.size() == texts.size());
    for (std::size_t i = 0; i < said.size(); ++i) {
        if (said[i] != (expected[i].holds ? "unsat" : "sat")) {
            FAIL_CHECK("z3 says " << said[i] << " of " << expected[i].what << "\n" << texts[i]);
        }
    }
}

TEST_CASE("exact reals compute what rounds nowhere") {
    Terms terms;
    std::vector<Expectation> expected;
    for (const Operation& operation : every_operation()) {
        const bool on_floats = value::is_float(operation.result) || value::is_float(operation.operands.back());
        if (!on_floats || operation.operands.size() > 2) { continue; }
        for (const double a : {0.0, 1.0, -1.5, 6.25, -96.0, 40000.0}) {
            for (const double b : {1.0, -2.0, 0.5, 4.0}) {
                std::vector<Value> operands{value::cast(operation.operands.front(), Value::f64(a))};
                if (operation.operands.size() == 2) {
                    operands.push_back(value::cast(operation.operands.back(), Value::f64(b)));
                } else if (b != 1.0) {
                    continue;
                }
                if (!operands.front().is_defined() || !operands.back().is_defined()) { continue; }
                // The reals have only one zero.
                Value result = operation.apply(operands);
                if (result.is_defined() && value::is_float(result.type()) && result.as_double() == 0) { continue; }
                std::ranges::move(expectations(terms, operation, operands, Floats::real), std::back_inserter(expected));
            }
        }
    }
    std::vector<std::string> texts;
    for (const Expectation& e : expected) { texts.push_back(to_smtlib(terms, e.query).value()); }
    CHECK(expected.size() > 800);
    for (const std::string program : {"z3", "cvc5 --lang=smt2"}) {
        const auto said = answers(program, texts);
        REQUIRE(said.size() == texts.size());
        for (std::size_t i = 0; i < said.size(); ++i) {
            if (said[i] != (expected[i].holds ? "unsat" : "sat")) {
                FAIL_CHECK(program << " says " << said[i] << " of " << expected[i].what << "\n" << texts[i]);
            }
        }
    }
}
