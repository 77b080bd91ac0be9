#include "generators/affine/parameters.h"
#include "oracle/smt/query.h"
#include "oracle/validator/discharge/translation.h"
#include "tests/oracle/validator/random_pairs.h"
#include "tests/support/catch.h"

// Tests that a solver that is asked without indices claims refinement only where it holds.
namespace haruspex::validator {
namespace {

// Asks about all environments, or only about those of the evaluation, in which indices have ranges.
enum class Asked : std::uint8_t { everywhere, here };

Prover solved(Embedded embedded, smt::Abstraction abstraction, Asked asked) {
    return [=](const Specification& specification, const Term& mine, const Term& theirs, const isl::set& environments) {
        const isl::set where = asked == Asked::here ? environments : affine::everywhere(environments.ctx());
        const Translation translation = without_indices({where, mine, theirs}, specification, embedded);
        smt::Query query;
        query.domain = translation.domain;
        query.specification = translation.specification;
        query.implementation = translation.implementation;
        query.abstraction = abstraction;
        const bool holds = smt::refines(translation.terms, query, 100'000).holds();
        return holds ? environments : environments.subtract(environments);
    };
}

void check(Embedded embedded, smt::Abstraction abstraction, Asked asked) {
    const Counts counts = compare(20, 20, Arithmetic::machine, solved(embedded, abstraction, asked));
    INFO(text_of(counts));
    CHECK(counts.pairs == 400);
    CHECK(8 * counts.proved_otherwise >= counts.pairs);
    CHECK(counts.compared >= counts.pairs);
}

TEST_CASE("what holds without indices and without arithmetic holds") {
    check(Embedded::opaque, smt::Abstraction::uninterpreted, Asked::here);
    check(Embedded::opaque, smt::Abstraction::uninterpreted, Asked::everywhere);
}

TEST_CASE("what holds without indices holds") {
    check(Embedded::numbers, smt::Abstraction::arithmetic, Asked::here);
    check(Embedded::numbers, smt::Abstraction::arithmetic, Asked::everywhere);
}

}  // namespace
}  // namespace haruspex::validator
