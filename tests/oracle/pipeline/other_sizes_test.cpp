#include "oracle/pipeline/other_sizes.h"

#include <csignal>
#include <set>

#include "generators/random/random_case.h"
#include "generators/sare/build.h"
#include "harness/compiler/compiler.h"
#include "oracle/pipeline/documented_rules.h"
#include "oracle/pipeline/judge_case.h"
#include "tests/support/catch.h"
#include "tests/support/inconstant.h"

namespace haruspex::pipeline {
namespace {

using test::case_of_numbers;
using test::Inconstant;

}  // namespace

TEST_CASE("a proof for all sizes that another size contradicts is the validator's fault") {
    const cases::Case c = case_of_numbers();
    const std::string wrong = GENERATE("for x in [0, W) { f[x] {f(x)} := u8<x + 1>; }", "assert W < 0 \"never\";");
    Inconstant compiler(8, "for x in [0, W) { f[x] {f(x)} := u8<x>; }", wrong);
    compiler::ForkServer server(compiler, {});
    Options options;
    options.native = false;
    options.validate = true;
    const auto trusting = judge_case(c, server, compiler.identity(), options).verdict;
    CHECK(verdict::name(trusting.cls) == "agrees");
    CHECK(to_string(trusting.all_sizes.value()) == "validated for all sizes");
    CHECK(trusting.indices == verdict::IndexFit{true, true});
    options.other_sizes = 3;
    const Judged doubting = judge_case(c, server, compiler.identity(), options);
    CHECK(verdict::name(doubting.verdict.cls) == "unsound_validator");
    CHECK(doubting.verdict.message.starts_with("validated for all sizes, but "));
    CHECK(doubting.verdict.all_sizes == trusting.all_sizes);
    REQUIRE(doubting.found_at);
    CHECK(*doubting.found_at != c.sizes);
}

TEST_CASE("an unsound proof shows again at the sizes at which it was found, though the program is refuted there") {
    const cases::Case c = case_of_numbers();
    test::Deceptive compiler("for x in [0, W) { f[x] {f(x)} := u8<x>; }",
                             "for x in [0, W) { f[x] {f(x)} := u8<x + 1>; }");
    compiler::ForkServer server(compiler, {});
    Options options;
    options.validate = true;
    options.other_sizes = 3;
    const Judged doubting = judge_case(c, server, compiler.identity(), options);
    REQUIRE(doubting.found_at);
    const cases::Case found = cases::at_sizes(c, *doubting.found_at);
    options.other_sizes = 0;
    CHECK(verdict::name(judge_case(found, server, compiler.identity(), options).verdict.cls) == "translation_fault");
    options.validate_refuted = true;
    const auto again = judge_case(found, server, compiler.identity(), options).verdict;
    CHECK(verdict::name(again.cls) == "unsound_validator");
    CHECK(again == doubting.verdict);
    CHECK(has_outcome(again.own_sizes, verdict::Outcome::refuted));
    CHECK(has_outcome(again.all_sizes, verdict::Outcome::validated));
}

TEST_CASE("compiled code that is wrong at another size is found there, beside the proof of what was lowered") {
    const cases::Case c = case_of_numbers();
    const auto [expected, mischief] = GENERATE(table<std::string, Inconstant::Mischief>(
        {{"wrong_code", [](compiler::Observation& seen) { seen.first[0].bits[0] ^= 1U; }},
         {"stray_write", [](compiler::Observation& seen) { seen.stray_write = "f"; }},
         {"program_crash", [](compiler::Observation&) { std::raise(SIGILL); }}}));
    const std::string right = "for x in [0, W) { f[x] {f(x)} := u8<x>; }";
    Inconstant compiler(8, right, right, mischief);
    compiler::ForkServer server(compiler, {});
    Options options;
    options.validate = true;
    const Judged trusting = judge_case(c, server, compiler.identity(), options);
    CHECK(verdict::name(trusting.verdict.cls) == "agrees");
    CHECK_FALSE(trusting.found_at);
    options.other_sizes = 3;
    const Judged doubting = judge_case(c, server, compiler.identity(), options);
    CHECK(verdict::name(doubting.verdict.cls) == expected);
    REQUIRE(doubting.found_at);
    CHECK(*doubting.found_at != c.sizes);
    CHECK(doubting.verdict.own_sizes == trusting.verdict.own_sizes);
    CHECK(doubting.verdict.all_sizes == trusting.verdict.all_sizes);
    // These sizes give a case of its own.
    const cases::Case found = cases::at_sizes(c, *doubting.found_at);
    CHECK(verdict::name(judge_case(found, server, compiler.identity()).verdict.cls) == expected);
}

TEST_CASE("a proof is contradicted by a lowered program that is wrong at another size, though its code crashes there") {
    const cases::Case c = case_of_numbers();
    Inconstant compiler(8, "for x in [0, W) { f[x] {f(x)} := u8<x>; }", "for x in [0, W) { f[x] {f(x)} := 0u8; }",
                        [](compiler::Observation&) { std::raise(SIGILL); });
    compiler::ForkServer server(compiler, {});
    Options options;
    options.validate = true;
    options.other_sizes = 3;
    const Judged judged = judge_case(c, server, compiler.identity(), options);
    CHECK(verdict::name(judged.verdict.cls) == "unsound_validator");
    CHECK(judged.verdict.message ==
          "validated for all sizes, but wrong_lowering: f(1) is 0u8, expected 1u8; 6 of 7 cells differ");
    CHECK(judged.found_at);
}

TEST_CASE("a counterexample at other sizes counts, unless the program is proved to be right at them") {
    // At the counterexample's sizes the program is right; it is proved or not.
    const auto [elsewhere, is_proved] = GENERATE(table<std::string, bool>(
        {{"for x in [0, W) { f[x] {f(x)} := u8<x>; }", true},
         {"for x in [0, W) { f[x] {f(x)} := u8<x>; }\n  if A[0] == 255u8 { f[0] {f(0)} := 0u8; }", false}}));
    const cases::Case c = case_of_numbers();
    Inconstant compiler(8, "for x in [0, W) { f[x] {f(x)} := u8<x>; if W > 8 { f[x] {f(x)} := u8<x + 1>; } }",
                        elsewhere);
    compiler::ForkServer server(compiler, {});
    Options options;
    options.native = false;
    options.validate = true;
    const auto judged = judge_case(c, server, compiler.identity(), options).verdict;
    INFO(judged.message << to_string(judged.all_sizes.value()));
    CHECK(verdict::name(judged.cls) == (is_proved ? "agrees" : "refuted_lowering"));
    CHECK(to_string(judged.all_sizes.value())
              .starts_with(is_proved ? "undecided: refuted, not confirmed: " : "refuted: "));
    const auto& sizes = judged.all_sizes->refuted_at;
    CHECK(sizes.has_value() != is_proved);
    if (sizes) { CHECK(sizes->at("W") > 8); }
}

TEST_CASE("other sizes are distinct, not the case's, within its rules, and the same every time") {
    const compiler::Identity identity{"halide", "14.0.0", 14};
    std::size_t drawn = 0;
    for (std::uint64_t index = 0; index < 30; ++index) {
        const cases::Case c = random::campaign_case(11, index, {}, compiler::language_of(identity));
        const auto rules = size_rules(c, identity);
        const auto sizes = other_sizes(c, rules, 10);
        INFO("case " << index);
        CHECK(sizes == other_sizes(c, rules, 10));
        CHECK(sizes.size() <= 10);
        CHECK(std::set<Sizes>(sizes.begin(), sizes.end()).size() == sizes.size());
        for (const Sizes& other : sizes) {
            CHECK(other != c.sizes);
            CHECK(sare::evaluate(c.sare.assumptions, other));
            for (const auto& rule : rules) { CHECK(sare::evaluate(rule.condition, other)); }
        }
        drawn += sizes.size();
    }
    CHECK(drawn >= 200);
}

}  // namespace haruspex::pipeline
