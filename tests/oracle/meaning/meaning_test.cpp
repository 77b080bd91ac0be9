#include "tests/support/meaning.h"

#include "tests/support/catch.h"
#include "tests/support/productions.h"

// Checks that no two engines disagree about programs over the whole grammar of SCHED (scripts/check-meaning runs more).
namespace haruspex::testing {

TEST_CASE("interpreter, validators and equivalence checker mean the same by random programs") {
    int right = 0, wrong = 0, proved = 0;
    Productions productions;
    for (std::uint64_t n = 0; n < 150; ++n) {
        const std::uint64_t seed = derive_seed(11, n);
        const Specimen specimen = draw_specimen(seed);
        INFO("program " << n << "\n" << specimen.specification << specimen.program);
        const Meaning meaning = meaning_of(specimen, seed);
        REQUIRE(meaning.refused.empty());
        for (const std::string& fault : meaning.faults) { FAIL_CHECK(fault); }
        productions.count(sched::parse_program(specimen.program, "program").value());
        ++(meaning.is_wrong ? wrong : right);
        proved += meaning.said.at("validator") == "validated" ? 1 : 0;
    }
    CHECK(right >= 60);
    CHECK(wrong >= 20);
    CHECK(proved >= 25);
    CHECK(productions.pairs().size() >= 450);
}

// Reproducers of two faults found by such programs.
TEST_CASE("what programs over the whole grammar have shown stays mended") {
    for (const std::uint64_t n : {19633, 19940}) {
        const std::uint64_t seed = derive_seed(5, n);
        const Meaning meaning = meaning_of(draw_specimen(seed), seed);
        CHECK(meaning.refused.empty());
        CHECK(meaning.faults.empty());
    }
}

}  // namespace haruspex::testing
