#include <iostream>

#include "harness/transform/random_program.h"
#include "oracle/equivalence/equivalence.h"
#include "tests/support/catch.h"
#include "tests/support/known_truth.h"

namespace haruspex::equivalence {
namespace {

constexpr std::uint64_t seed = 2012, operations = 2'000'000;

TEST_CASE("random programs that are right are mostly proved, and mutated ones that are wrong never") {
    constexpr int right = 40, wrong = 60;
    int proved = 0;
    for (int n = 0; n < right; ++n) {
        Choices choices(random_source(derive_seed(seed, static_cast<std::uint64_t>(n))));
        const transform::RandomProgram drawn = transform::random_program(choices);
        proved += check(drawn.sare, drawn.program, {{}, false, {}, operations}).outcome == Outcome::proved ? 1 : 0;
    }
    std::cout << "random programs: " << proved << " of " << right << " right ones proved\n";
    CHECK(10 * proved >= 7 * right);
    int put = 0;
    for (std::uint64_t n = 0; put < wrong; ++n) {
        Choices choices(random_source(derive_seed(seed + 1, n)));
        const transform::RandomProgram drawn = transform::random_program(choices);
        const auto mutated = test::wrong_mutation(drawn.sare, drawn.program, choices);
        if (!mutated) { continue; }
        ++put;
        INFO("program " << n);
        // All operators are reorderable, which gives the most ways to be wrong.
        const Options options{*parse_reorderable("add,mul,min,max"), false, {}, operations};
        CHECK(check(drawn.sare, *mutated, options).outcome != Outcome::proved);
    }
}

TEST_CASE("the same programs have the same verdict on every run") {
    for (std::uint64_t n = 2; n < 5; ++n) {
        Choices choices(random_source(derive_seed(seed, n)));
        const transform::RandomProgram drawn = transform::random_program(choices);
        const Options options{{}, false, {}, operations};
        CHECK(explain(check(drawn.sare, drawn.program, options)) == explain(check(drawn.sare, drawn.program, options)));
    }
}

}  // namespace
}  // namespace haruspex::equivalence
