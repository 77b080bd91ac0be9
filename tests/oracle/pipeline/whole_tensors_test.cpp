#include "oracle/pipeline/whole_tensors.h"

#include <algorithm>
#include <cstdint>

#include "generators/random/random_case.h"
#include "generators/sare/text.h"
#include "generators/schedule/halide/language.h"
#include "tests/support/catch.h"

namespace haruspex::pipeline {

TEST_CASE("the rules of whole tensors compute what the equations of drawn cases do, with padding as well") {
    random::Policy policy;
    policy.programs = random::ProgramKind::tensor;
    std::size_t evaluated = 0;
    for (std::uint64_t index = 0; index < 200; ++index) {
        cases::Case c = random::campaign_case(65, index, policy, schedule::halide::language(14));
        const Reference reference = evaluate_reference(c);
        const auto seen = evaluate_whole_tensors(c, reference, 4, 1'000'000);
        if (!seen) { continue; }
        INFO(sare::print(c.sare));
        REQUIRE(seen->agree());
        ++evaluated;
        // Other inputs, other values, unless the program computes a constant; those of the reference stay.
        if (index > 20) { continue; }
        c.input_seed += 1;
        const auto other = evaluate_whole_tensors(c, reference, 4, 1'000'000);
        REQUIRE(other.has_value());
        const auto own = evaluate_reference(c);
        REQUIRE(own.has_value());
        REQUIRE(other->from_reference.has_value() ==
                !std::ranges::equal(*own, *reference, {}, &interp::OutputValues::cells, &interp::OutputValues::cells));
        REQUIRE_FALSE(other->from_exact.has_value());
    }
    CHECK(evaluated > 150);
}

TEST_CASE("what is no program of whole tensors is not evaluated as one") {
    const cases::Case c = random::campaign_case(1, 0, {}, schedule::halide::language(14));
    CHECK_FALSE(evaluate_whole_tensors(c, evaluate_reference(c), 4, 1'000'000).has_value());
}

}  // namespace haruspex::pipeline
