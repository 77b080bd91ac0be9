#include "oracle/pipeline/other_sizes.h"

#include <set>

#include "generators/random/random_case.h"
#include "generators/sare/build.h"
#include "generators/sare/text.h"
#include "oracle/pipeline/pipeline.h"
#include "tests/support/catch.h"

namespace haruspex::pipeline {
namespace {

// Lowers f(x) = x to what is right at one size and something else at all others, whichever of them it is asked about.
class Inconstant : public compiler::Compiler {
public:
    Inconstant(std::int64_t right, std::string wrong) : right_(right), wrong_(std::move(wrong)) {}
    compiler::Identity identity() const override { return {"halide", "14.0.0", 14}; }
    void warm_up() override {}
    compiler::Observation observe(const cases::Case& c, const compiler::Request&,
                                  const compiler::Progress& progress) override {
        const std::string body = c.sizes.at("W") == right_ ? "for x in [0, W) { f[x] {f(x)} := u8<x>; }" : wrong_;
        progress.regions({});
        progress.lowered({"final",
                          "sched p(W, f.min, f.extent, f.stride) {\n  output f : u8[f.extent from f.min stride "
                          "f.stride];\n  " +
                              body + "\n}\n",
                          "", ""});
        return {};
    }

private:
    std::int64_t right_;
    std::string wrong_;
};

}  // namespace

TEST_CASE("a proof for all sizes that another size contradicts is the validator's fault") {
    const auto sare = sare::parse_sare(
        "sare s(W) assuming W >= 1 {\n  f(x) = u8<x>\n  output f on { [x] : 0 <= x < W }\n}\n", "test");
    REQUIRE(sare.has_value());
    cases::Case c;
    c.sare = *sare;
    c.sizes = {{"W", 8}};
    c.target = cases::default_target;
    const std::string wrong = GENERATE("for x in [0, W) { f[x] {f(x)} := u8<x + 1>; }", "assert W < 0 \"never\";");
    Inconstant compiler(8, wrong);
    compiler::ForkServer server(compiler, {});
    Options options;
    options.native = false;
    options.validate = true;
    const auto trusting = judge_case(c, server, compiler.identity(), options).verdict;
    CHECK(verdict::name(trusting.cls) == "agrees");
    CHECK(to_string(trusting.all_sizes.value()) == "validated for all sizes");
    CHECK(trusting.indices == "fit 32 bits");
    options.other_sizes = 3;
    const auto doubting = judge_case(c, server, compiler.identity(), options).verdict;
    CHECK(verdict::name(doubting.cls) == "unsound_validator");
    CHECK(doubting.message.starts_with("validated for all sizes, but at W = "));
}

TEST_CASE("other sizes are distinct, not the case's, within its rules, and the same every time") {
    const compiler::Identity identity{"halide", "14.0.0", 14};
    std::size_t drawn = 0;
    for (std::uint64_t index = 0; index < 30; ++index) {
        const cases::Case c = random::campaign_case(11, index, {}, {identity.major});
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
