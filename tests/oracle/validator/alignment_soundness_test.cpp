#include "oracle/validator/alignment.h"
#include "tests/oracle/validator/random_pairs.h"
#include "tests/support/catch.h"

// Wherever alignment says that a term refines another one, it does.
namespace haruspex::validator {
namespace {

Prover aligned(verdict::Floats floats) {
    return [floats](const Specification& specification, const Term& mine, const Term& theirs,
                    const isl::set& environments) {
        Alignment alignment(specification, floats);
        return environments.subtract(alignment.unproved(mine, theirs, environments));
    };
}

TEST_CASE("alignment is sound for machine numbers") {
    const Counts counts = compare(60, 250, Arithmetic::machine, aligned(verdict::Floats::ieee));
    INFO(text_of(counts));
    CHECK(counts.pairs >= 15'000);
    CHECK(4 * counts.proved_otherwise >= counts.pairs);
    CHECK(counts.compared >= counts.pairs);
}

TEST_CASE("alignment is sound for exact reals") {
    const Counts counts = compare(24, 250, Arithmetic::exact, aligned(verdict::Floats::real));
    INFO(text_of(counts));
    CHECK(counts.pairs >= 6'000);
    CHECK(4 * counts.proved_otherwise >= counts.pairs);
    CHECK(counts.compared >= counts.pairs);
}

TEST_CASE("alignment is sound for floats that are numbers") {
    const Counts counts = compare(24, 250, Arithmetic::exact, aligned(verdict::Floats::numbers));
    INFO(text_of(counts));
    CHECK(counts.pairs >= 6'000);
    CHECK(8 * counts.proved_otherwise >= counts.pairs);
    CHECK(counts.compared >= counts.pairs);
}

}  // namespace
}  // namespace haruspex::validator
