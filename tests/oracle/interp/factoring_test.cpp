#include "generators/schedule/halide/factoring.h"

#include "generators/random/random_case.h"
#include "generators/sare/floats.h"
#include "generators/sare/outline.h"
#include "generators/sare/staging.h"
#include "generators/sare/text.h"
#include "generators/sare/wellformed.h"
#include "generators/schedule/halide/language.h"
#include "generators/schedule/halide/schedule_builder.h"
#include "oracle/interp/sare_interpreter.h"
#include "tests/support/catch.h"

namespace haruspex::interp {
namespace {

std::int64_t mismatches(const std::vector<OutputValues>& expected, const std::vector<OutputValues>& found,
                        std::int64_t& defined) {
    std::int64_t different = 0;
    for (std::size_t o = 0; o < expected.size(); ++o) {
        for (std::size_t i = 0; i < expected[o].cells.size(); ++i) {
            const value::Value &was = expected[o].cells[i], &is = found[o].cells[i];
            // Partial sums of signed integers may overflow although the whole sum does not, but not on generated
            // inputs.
            if (!was.is_defined()) { continue; }
            ++defined;
            different += is.is_defined() && value::same_number(was, is) ? 0 : 1;
        }
    }
    return different;
}

TEST_CASE("what rfactor makes of random algorithms computes the same, and is well-formed") {
    schedule::halide::Policy policy;
    policy.rfactor_per_mille = 1000;
    int factored = 0, twice = 0, guarded = 0;
    std::int64_t defined = 0;
    for (std::uint64_t index = 0; index < 1500; ++index) {
        const cases::Case c = random::campaign_case(505, index, {}, schedule::halide::language(14));
        const auto algorithm = sare::unstage(sare::outlined(c.sare));
        REQUIRE(algorithm);
        Choices choices(random_source(derive_seed(506, index)));
        const auto schedule = schedule::halide::draw_schedule(choices, schedule::halide::mixed(choices, policy),
                                                              *sare::unstage(c.sare), {14});
        const auto factorings = schedule::halide::factorings(*algorithm, schedule, {14});
        INFO("case " << index << ": " << (factorings ? sare::print(c.sare) : factorings.error().message));
        REQUIRE(factorings);
        // Strict floats may round, and a drawn case reduces none in another order.
        const bool may_round =
            c.comparison == cases::Comparison::not_compared || (c.strict_float && sare::has_floats(c.sare));
        if (factorings->empty() || may_round) { continue; }
        const sare::Sare after = sare::stage(schedule::factored(*algorithm, *factorings));
        INFO(sare::print(after));
        const auto checked = sare::check(after);
        INFO((checked ? "" : to_string(checked.error())));
        REQUIRE(checked);
        CHECK(sare::parse_sare(sare::print(after), "printed") == after);
        const InputFunction inputs = [&](const std::string& input, const std::vector<std::int64_t>& cell) {
            return cases::input_value(c.input_seed, input, c.inputs.at(input), cell);
        };
        const auto expected = evaluate_outputs(c.sare, c.sizes, inputs);
        const auto found = evaluate_outputs(after, c.sizes, inputs);
        REQUIRE(expected.has_value() == found.has_value());
        if (!expected) { continue; }
        CHECK(mismatches(*expected, *found, defined) == 0);
        ++factored;
        twice += factorings->size() > 1 ? 1 : 0;
        guarded += factorings->front().intermediate.updates[0].where != sare::truth(true) ? 1 : 0;
    }
    CHECK(factored > 150);
    CHECK(twice > 5);
    CHECK(guarded > 25);
    CHECK(defined > 10'000);
}

TEST_CASE("an intermediate is factored again, and both have names that can be read") {
    const auto parsed = sare::parse_sare(
        "sare s(W, K) assuming W >= 1 and K >= 1 {\n  input in : u16[2]\n  f(x) = in(x, 0)\n"
        "  update f(x) = f(x) + in(x, k) over k in [2, 2 + K) where k > 3 and x < 7\n"
        "  output f on { [x] : 0 <= x < W }\n}\n",
        "test");
    REQUIRE(parsed);
    const auto algorithm = sare::unstage(*parsed);
    REQUIRE(algorithm);
    schedule::halide::Schedule schedule;
    const auto update = [](const char* tensor) { return schedule::halide::StageRef{tensor, 0, {}}; };
    schedule.directives.push_back({update("f"), schedule::halide::Split{"k", "ko", "ki", 8}});
    schedule.directives.push_back({update("f"), schedule::halide::RFactor{{{"ko", "u"}}, "g"}});
    schedule.directives.push_back({update("g"), schedule::halide::Split{"ki", "kio", "kii", 4}});
    schedule.directives.push_back({update("g"), schedule::halide::RFactor{{{"kio", "v"}}, "h"}});
    const auto factorings = schedule::halide::factorings(*algorithm, schedule, {14});
    REQUIRE(factorings);
    CHECK(sare::print(sare::stage(schedule::factored(*algorithm, *factorings))) ==
          "sare s(W, K) assuming W >= 1 and K >= 1 {\n  input in : u16[2]\n"
          "  h(x, u, v) = 0u16\n"
          "  update h(x, u, v) = h(x, u, v) + in(x, 8*u + (4*v + k_ki_kii) + 2) over k_ki_kii in [0, 4) where "
          "8*u + (4*v + k_ki_kii) + 2 > 3 and x < 7 and 8*u + (4*v + k_ki_kii) + 2 < 2 + K\n"
          "  g(x, u) = 0u16\n"
          "  update g(x, u) = g(x, u) + h(x, u, k_ki_kio) over k_ki_kio in [0, 2) where x < 7\n"
          "  f(x) = in(x, 0)\n"
          "  update f(x) = f(x) + g(x, k_ko) over k_ko in [0, (K + 7)/8) where x < 7\n"
          "  output f on { [x] : 0 <= x < W }\n}\n");
}

}  // namespace
}  // namespace haruspex::interp
