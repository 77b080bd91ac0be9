#include <cstdlib>
#include <string>

#include "generators/sare/text.h"
#include "harness/sched/text.h"
#include "harness/transform/random_program.h"
#include "oracle/validator/validator.h"
#include "tests/support/catch.h"
#include "tests/support/known_truth.h"

// Programs whose reductions are reordered, and wrong mutations of them. The proofs stand alone: nothing is run at small
// sizes before, so a wrong program is caught by its obligations or not at all.
namespace haruspex::validator {
namespace {

// HARUSPEX_PROGRAMS and HARUSPEX_SEED set the number of programs and the seed.
std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
    const char* text = std::getenv(name);
    return text != nullptr ? std::stoull(text) : otherwise;
}

Verdict proof_of(const sare::Sare& sare, const sched::Program& program) {
    Options options;
    options.probes = false;
    return validate(sare, program, options);
}

TEST_CASE("reordered reductions are proved, and none of their wrong mutations") {
    const std::uint64_t programs = from_environment("HARUSPEX_PROGRAMS", 20),
                        seed = from_environment("HARUSPEX_SEED", 1);
    std::size_t right = 0, proved = 0, wrong = 0, refuted = 0;
    for (std::uint64_t p = 0; p < programs; ++p) {
        Choices choices(random_source(derive_seed(seed, p)));
        const transform::RandomProgram random = transform::random_program(choices, transform::reordering_policy());
        ++right;
        const Verdict verdict = proof_of(random.sare, random.program);
        INFO("program " << p << " of seed " << seed << ":\n"
                        << sare::print(random.sare) << "\n"
                        << sched::print(random.program));
        CHECK(verdict.outcome != Outcome::refuted);
        proved += verdict.outcome == Outcome::validated ? 1 : 0;
        for (int mutations = 0; mutations < 4; ++mutations) {
            const auto mutated = test::wrong_mutation(random.sare, random.program, choices);
            if (!mutated) { continue; }
            ++wrong;
            const Verdict of_wrong = proof_of(random.sare, *mutated);
            INFO("mutated:\n" << sched::print(*mutated));
            CHECK(of_wrong.outcome != Outcome::validated);
            refuted += of_wrong.outcome == Outcome::refuted ? 1 : 0;
        }
    }
    INFO(proved << " of " << right << " right programs proved; " << refuted << " of " << wrong
                << " wrong ones refuted");
    CHECK(10 * proved >= 9 * right);
    CHECK(wrong >= right);
}

}  // namespace
}  // namespace haruspex::validator
