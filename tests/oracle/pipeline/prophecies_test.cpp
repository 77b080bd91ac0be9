#include "oracle/pipeline/prophecies.h"

#include "generators/base/choice.h"
#include "generators/random/random_case.h"
#include "harness/compiler/compiler.h"
#include "harness/halide/halide_compiler.h"
#include "harness/mutants/sched/mutations.h"
#include "oracle/pipeline/judge_case.h"
#include "tests/support/catch.h"

namespace haruspex::pipeline {
namespace {

constexpr std::uint64_t most_steps = 300'000;

TEST_CASE("what Halide writes on right cases is what is prophesied, and a mutated prophecy is noticed") {
    const auto halide = halide::make_halide();
    compiler::ForkServer server(*halide, {});
    const random::Policy policy;
    Options options;
    options.native = false;
    options.localise = false;
    options.most_steps = most_steps;
    int checked = 0, mutated = 0, noticed = 0;
    for (std::uint64_t index = 0; index < 72; ++index) {
        const cases::Case c = random::campaign_case(4242, index, policy, compiler::language_of(halide->identity()));
        if (judge_case(c, server, halide->identity(), options).verdict.cls != verdict::Class::agrees) { continue; }
        const auto prophesied = lower_with_prophecies(c, server);
        if (!prophesied) { continue; }
        const auto check = check_prophecies(c, *prophesied, most_steps);
        if (!check) { continue; }
        INFO("case " << index << ": " << check->first_wrong);
        CHECK(check->wrong == 0);
        checked += check->right > 0 ? 1 : 0;
        for (const mutants::sched::Mutation& mutation : mutants::sched::mutations(prophesied->program)) {
            if (mutation.kind != mutants::sched::MutationKind::prophecy_index) { continue; }
            const LoweredProgram other{mutants::sched::apply(prophesied->program, mutation), prophesied->regions};
            const auto wrong = check_prophecies(c, other, most_steps);
            ++mutated;
            noticed += wrong && wrong->wrong > 0 ? 1 : 0;
            break;
        }
    }
    CHECK(checked >= 36);
    CHECK(mutated >= 30);
    // If an extent is one, another index may be equally true; this is more frequent in later versions' programs.
    const int major = halide->identity().major;
    const int percent = major == 14 ? 50 : major <= 19 ? 40 : 35;
    INFO(noticed << " of " << mutated);
    CHECK(100 * noticed >= percent * mutated);
}

TEST_CASE("a program that is not run has no checked prophecies") {
    const auto halide = halide::make_halide();
    compiler::ForkServer server(*halide, {});
    const cases::Case c = random::campaign_case(4242, 0, {}, compiler::language_of(halide->identity()));
    const auto prophesied = lower_with_prophecies(c, server);
    REQUIRE(prophesied);
    CHECK(!check_prophecies(c, *prophesied, 1));
}

}  // namespace
}  // namespace haruspex::pipeline
