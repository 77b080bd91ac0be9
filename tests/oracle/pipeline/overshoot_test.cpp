#include "oracle/pipeline/overshoot.h"

#include <string>

#include "generators/random/random_case.h"
#include "generators/sare/text.h"
#include "harness/halide/halide_compiler.h"
#include "oracle/pipeline/prophecies.h"
#include "tests/support/catch.h"

namespace haruspex::pipeline {
namespace {

constexpr std::uint64_t most_steps = 300'000;

// Twice the input, and what reads that: t is needed in [0, N + 1).
cases::Case doubled(const std::string& schedule_text, std::int64_t size) {
    const auto sare = sare::parse_sare(
        "sare doubled(N) assuming N >= 1 {\n"
        "  input in : i32[1]\n"
        "  t(x) = in(x) + in(x)\n"
        "  u(x) = t(x) + t(x + 1)\n"
        "  output u on { [x] : 0 <= x < N }\n"
        "}",
        "test");
    REQUIRE(sare.has_value());
    const auto schedule = schedule::language("halide").parse(schedule_text, "test");
    REQUIRE(schedule.has_value());
    cases::Case c;
    c.sare = *sare;
    c.schedule = *schedule;
    c.sizes = {{"N", size}};
    c.inputs = {{"in", {value::Range{value::Type::i32, -100, 100, 0}, false}}};
    c.compiler = "halide";
    c.target = schedule::language("halide").default_target();
    return c;
}

Overshoot seen_of(const cases::Case& c, compiler::ForkServer& server) {
    const auto lowered = lower_with_prophecies(c, server);
    INFO((lowered ? "" : to_string(lowered.error())));
    REQUIRE(lowered.has_value());
    const auto seen = measure_overshoot(c, *lowered, most_steps);
    INFO((seen ? "" : to_string(seen.error())));
    REQUIRE(seen.has_value());
    return *seen;
}

}  // namespace

TEST_CASE("stores beyond what the outputs need are those of rounded and aligned tensors, and of nothing else") {
    const auto halide = halide::make_halide();
    compiler::ForkServer server(*halide, {});
    // The outputs need 10 cells of t.
    const auto beyond = [&](const std::string& schedule, std::int64_t size = 9) {
        return seen_of(doubled("t.compute_root()\n" + schedule, size), server).beyond;
    };
    CHECK(beyond("") == 0);
    CHECK(beyond("t.vectorize(x, 8, GuardWithIf)") == 0);
    CHECK(beyond("t.vectorize(x, 8, ShiftInwards)") == 0);
    CHECK(beyond("t.align_storage(x, 8)") == 0);
    CHECK(beyond("t.vectorize(x, 5, RoundUp)") == 0);
    CHECK(beyond("t.vectorize(x, 8, RoundUp)") == 6);
    CHECK(beyond("t.split(x, xo, xi, 4, RoundUp)") == 2);
    CHECK(beyond("t.align_bounds(x, 8)") == 6);
    // A vector of 8 has no room to be shifted in 5 cells.
    CHECK(beyond("t.vectorize(x, 8, ShiftInwards)", 4) == 3);
    const Overshoot seen = seen_of(doubled("t.compute_root()\nt.vectorize(x, 8, RoundUp)\n", 9), server);
    CHECK(seen.within == 10 + 9);
    CHECK(seen.first_beyond == "t(10), of [0, 9]");
}

TEST_CASE("at least half of the cases of whole tensors store beyond the extents of a tensor") {
    const auto halide = halide::make_halide();
    compiler::ForkServer server(*halide, {});
    const schedule::Language& language = compiler::language_of(halide->identity());
    const auto share = [&](random::ProgramKind kind, std::uint64_t cases) {
        random::Policy policy;
        policy.programs = kind;
        std::uint64_t beyond = 0;
        for (std::uint64_t index = 0; index < cases; ++index) {
            const cases::Case c = random::campaign_case(63, index, policy, language);
            const auto lowered = lower_with_prophecies(c, server);
            const auto seen = lowered ? measure_overshoot(c, *lowered, most_steps) : fail("not lowered");
            beyond += seen && seen->beyond > 0 ? 1 : 0;
        }
        return beyond;
    };
    CHECK(share(random::ProgramKind::tensor, 200) >= 100);
}

}  // namespace haruspex::pipeline
