#include "oracle/pipeline/other_sizes.h"

#include <set>

#include "generators/random/random_case.h"
#include "generators/sare/build.h"
#include "generators/sare/text.h"
#include "oracle/pipeline/pipeline.h"
#include "tests/support/catch.h"

namespace haruspex::pipeline {
namespace {

// Lowers f(x) = x to one program for one size and another one for all others.
class Inconstant : public compiler::Compiler {
public:
    Inconstant(std::int64_t size, std::string there, std::string elsewhere)
        : size_(size), there_(std::move(there)), elsewhere_(std::move(elsewhere)) {}
    compiler::Identity identity() const override { return {"halide", "14.0.0", 14}; }
    void warm_up() override {}
    compiler::Observation observe(const cases::Case& c, const compiler::Request&,
                                  const compiler::Progress& progress) override {
        const std::string& body = c.sizes.at("W") == size_ ? there_ : elsewhere_;
        progress.regions({{"A", {0}, {c.sizes.at("W")}}});
        progress.lowered({"final",
                          "sched p(W, A.min, A.extent, A.stride, f.min, f.extent, f.stride) {\n"
                          "  input A : u8[A.extent from A.min stride A.stride];\n"
                          "  output f : u8[f.extent from f.min stride f.stride];\n  " +
                              body + "\n}\n",
                          "", ""});
        return {};
    }

private:
    std::int64_t size_;
    std::string there_, elsewhere_;
};

cases::Case case_of_numbers() {
    cases::Case c;
    c.sare = sare::parse_sare(
                 "sare s(W) assuming W >= 1 {\n  input A : u8[1]\n  f(x) = A(x) - A(x) + u8<x>\n  output f on { [x] : "
                 "0 <= x < W }\n}\n",
                 "test")
                 .value();
    c.sizes = {{"W", 8}};
    c.inputs = {{"A", {{value::Type::u8, 0, 9, 0}}}};
    c.target = cases::default_target;
    return c;
}

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
    CHECK(trusting.indices == "fit 32 bits");
    options.other_sizes = 3;
    const auto doubting = judge_case(c, server, compiler.identity(), options).verdict;
    CHECK(verdict::name(doubting.cls) == "unsound_validator");
    CHECK(doubting.message.starts_with("validated for all sizes, but at W = "));
}

TEST_CASE("a counterexample at other sizes counts, unless the program is proved to be right at them") {
    // At the sizes of the counterexample, what runs is right; it is proved or not.
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
