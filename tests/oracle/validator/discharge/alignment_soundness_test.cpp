#include "oracle/validator/discharge/alignment.h"
#include "tests/oracle/validator/random_pairs.h"
#include "tests/support/catch.h"

// Tests that alignment claims refinement only where it holds.
namespace haruspex::validator {
namespace {

Prover aligned(verdict::Floats floats) {
    return [floats](const Specification& specification, const Term& mine, const Term& theirs,
                    const isl::set& environments) {
        Alignment alignment(specification, floats);
        return environments.subtract(alignment.unproved(mine, theirs, environments));
    };
}

// Checks that there are at least `pairs` pairs, and that one in `share` is proved though its terms are written
// differently.
void check(const Counts& counts, std::size_t pairs, std::size_t share) {
    INFO(text_of(counts));
    CHECK(counts.pairs >= pairs);
    CHECK(share * counts.proved_otherwise >= counts.pairs);
    CHECK(counts.compared >= counts.pairs);
}

TEST_CASE("alignment is sound for machine numbers") {
    check(compare(60, 250, Arithmetic::machine, aligned(verdict::Floats::ieee)), 15'000, 4);
}

TEST_CASE("alignment is sound for exact reals") {
    check(compare(24, 250, Arithmetic::exact, aligned(verdict::Floats::real)), 6'000, 4);
}

TEST_CASE("alignment is sound for floats that are numbers") {
    check(compare(24, 250, Arithmetic::rounded, aligned(verdict::Floats::numbers)), 6'000, 8);
}

}  // namespace
}  // namespace haruspex::validator
