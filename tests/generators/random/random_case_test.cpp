#include "generators/random/random_case.h"

#include <algorithm>
#include <set>
#include <string>

#include "generators/random/regions.h"
#include "generators/sare/build.h"
#include "generators/sare/staging.h"
#include "generators/sare/text.h"
#include "generators/sare/wellformed.h"
#include "generators/schedule/halide/admission.h"
#include "generators/schedule/halide/language.h"
#include "generators/schedule/halide/text.h"
#include "generators/schedule/language.h"
#include "oracle/interp/sare_interpreter.h"
#include "tests/support/catch.h"

using namespace haruspex;

namespace {

const random::Policy policy;
const schedule::halide::Vocabulary vocabulary{14};
const schedule::Language& language = schedule::halide::language(14);

cases::Case nth(std::uint64_t index) { return random::campaign_case(11, index, policy, language); }

}  // namespace

TEST_CASE("the same seed and index give the same case") {
    for (std::uint64_t i = 0; i < 50; ++i) { REQUIRE(nth(i) == nth(i)); }
    REQUIRE(!(nth(1) == nth(2)));
}

TEST_CASE("a recorded draw replays to the same case") {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        Choices first(random_source(seed));
        const cases::Case c = random::draw_case(first, policy, language);
        Choices again(replay_source(first.record()));
        REQUIRE(random::draw_case(again, policy, language) == c);
    }
}

TEST_CASE("every byte string gives a case") {
    Choices bytes(random_source(3));
    for (int n = 0; n < 200; ++n) {
        std::vector<std::uint8_t> text;
        bytes.sequence(0, 400, 990,
                       [&](std::size_t) { text.push_back(static_cast<std::uint8_t>(bytes.integer(0, 255))); });
        Choices choices(byte_source(text));
        const cases::Case c = random::draw_case(choices, policy, language);
        REQUIRE(sare::check(c.sare).has_value());
    }
}

TEST_CASE("random cases are well-formed, admitted, and within the documented size rules") {
    for (std::uint64_t i = 0; i < 1000; ++i) {
        const cases::Case c = nth(i);
        INFO(sare::print(c.sare) << schedule::print(c.schedule));
        const auto checked = sare::check(c.sare);
        INFO((checked ? "" : to_string(checked.error())));
        REQUIRE(checked.has_value());
        const auto algorithm = sare::unstage(c.sare);
        REQUIRE(algorithm.has_value());
        REQUIRE(sare::check(*algorithm).has_value());
        REQUIRE(schedule::halide::admits(*algorithm, schedule::halide::typed(c.schedule), vocabulary).has_value());
        for (const auto& rule : language.size_rules(*algorithm, c.schedule)) {
            REQUIRE(sare::evaluate(rule.condition, c.sizes));
        }
        REQUIRE(sare::evaluate(c.sare.assumptions, c.sizes));
    }
}

TEST_CASE("loops of a tile of the reader are vectorized and unrolled as a whole") {
    std::size_t vectorized = 0, unrolled = 0;
    for (std::uint64_t i = 0; i < 1000; ++i) {
        const cases::Case c = nth(i);
        schedule::halide::Admission admission(*sare::unstage(c.sare), vocabulary);
        const auto schedule = schedule::halide::typed(c.schedule);
        for (const auto& directive : schedule.directives) { REQUIRE(admission.apply(directive).has_value()); }
        for (const std::string& tensor : admission.tensors()) {
            for (const schedule::halide::StageRef& stage : admission.stages(tensor)) {
                for (const auto& loop : admission.nest(stage).loops) {
                    if (loop.extent) { continue; }
                    vectorized += loop.kind == schedule::halide::LoopKind::vectorized ? 1 : 0;
                    unrolled += loop.kind == schedule::halide::LoopKind::unrolled ? 1 : 0;
                }
            }
        }
    }
    CHECK(vectorized >= 3);
    CHECK(unrolled >= 10);
}

TEST_CASE("names are drawn for everything in a program, and nothing else changes") {
    random::Policy named = policy;
    named.random_names_per_mille = 1000;
    std::set<std::string> names;
    for (std::uint64_t i = 0; i < 300; ++i) {
        const cases::Case c = random::campaign_case(13, i, named, language);
        INFO(sare::print(c.sare));
        REQUIRE(sare::check(c.sare).has_value());
        std::set<std::string> of_case;
        for (const std::string& name : c.sare.parameters) {
            REQUIRE(of_case.insert(name).second);
            REQUIRE(c.sizes.contains(name));
        }
        for (const sare::Input& input : c.sare.inputs) {
            REQUIRE(of_case.insert(input.name).second);
            REQUIRE(c.inputs.contains(input.name));
        }
        const auto algorithm = sare::unstage(c.sare);
        REQUIRE(algorithm.has_value());
        std::set<std::string> variables;
        for (const sare::Function& f : algorithm->functions) {
            REQUIRE(of_case.insert(f.name).second);
            variables.insert(f.variables.begin(), f.variables.end());
        }
        for (const std::string& name : variables) { REQUIRE(of_case.insert(name).second); }
        names.merge(of_case);
    }
    for (const char* undrawn : {"f0", "in0", "x", "y", "W"}) { CHECK_FALSE(names.contains(undrawn)); }
    for (const char* drawn : {"row", "f_s0", "t0"}) { CHECK(names.contains(drawn)); }
    CHECK(names.size() > 300);
}

TEST_CASE("a long chain is affordable") {
    random::Policy chains = policy;
    chains.long_chain_per_mille = 1000;
    std::size_t longest = 0, cheap = 0;
    constexpr std::uint64_t count = 40;
    for (std::uint64_t i = 0; i < count; ++i) {
        const cases::Case c = random::campaign_case(14, i, chains, language);
        INFO(sare::print(c.sare));
        const auto algorithm = sare::unstage(c.sare);
        REQUIRE(algorithm.has_value());
        longest = std::max(longest, algorithm->functions.size());
        const random::Cost cost = random::cost(*algorithm, random::intervals_of(c.sizes));
        cheap += cost.evaluations <= chains.most_work && cost.input_cells <= chains.most_input_cells ? 1 : 0;
    }
    CHECK(longest >= 25);
    CHECK(10 * cheap >= 9 * count);
}

TEST_CASE("a schedule leaves strict floats accumulating in the algorithm's order") {
    random::Policy strict = policy;
    strict.strict_float_per_mille = 1000;
    std::size_t with_reductions = 0;
    for (std::uint64_t i = 0; i < 1000; ++i) {
        const cases::Case c = random::campaign_case(12, i, strict, language);
        schedule::halide::Admission admission(*sare::unstage(c.sare), vocabulary);
        const auto schedule = schedule::halide::typed(c.schedule);
        for (const auto& directive : schedule.directives) {
            REQUIRE(admission.apply(directive).has_value());
            with_reductions += std::holds_alternative<schedule::halide::RFactor>(directive.action) ? 1 : 0;
        }
        INFO(sare::print(c.sare) << schedule::print(c.schedule));
        REQUIRE((!c.strict_float || !admission.reorders_float_reductions()));
    }
    // Integer reductions of strict programs may be factored.
    CHECK(with_reductions > 0);
}

TEST_CASE("random cases round-trip through their text forms") {
    for (std::uint64_t i = 0; i < 1000; ++i) {
        const cases::Case c = nth(i);
        const std::string text = sare::print(c.sare);
        INFO(text);
        const auto parsed = sare::parse_sare(text, "case");
        INFO((parsed ? "" : to_string(parsed.error())));
        REQUIRE(parsed.has_value());
        REQUIRE(*parsed == c.sare);
        const auto schedule = schedule::language("halide").parse(schedule::print(c.schedule), "schedule");
        REQUIRE(schedule.has_value());
        REQUIRE(*schedule == c.schedule);
    }
}

TEST_CASE("every requested cell of an exact case is defined") {
    for (std::uint64_t i = 0; i < 400; ++i) {
        const cases::Case c = nth(i);
        INFO(sare::print(c.sare));
        const auto inputs = [&](const std::string& name, const std::vector<std::int64_t>& indices) {
            return cases::input_value(c.input_seed, name, c.inputs.at(name), indices);
        };
        const auto outputs = interp::evaluate_outputs(c.sare, c.sizes, inputs);
        REQUIRE(outputs.has_value());
        for (const auto& output : *outputs) {
            for (const auto& cell : output.cells) { REQUIRE(cell.is_defined()); }
        }
    }
}
