#include "reports/bugs/concrete.h"
#include "generators/base/sizes.h"

#include "tests/support/catch.h"

namespace haruspex::bugs {
namespace {

using verdict::Class;

verdict::Verdict verdict_of(Class cls) {
    verdict::Verdict v;
    v.cls = cls;
    return v;
}

cases::Case with_input() {
    cases::Case c;
    c.compiler = "halide";
    c.sizes = {{"W", 8}};
    c.input_seed = 100;
    c.inputs["in"] = {{value::Type::u8, 3, 4, 0}, false};
    return c;
}

session::Judge wrong_when(std::function<bool(const cases::Case&)> condition, Class wrong = Class::wrong_lowering) {
    return [=](const cases::Case& c) { return verdict_of(condition(c) ? wrong : Class::agrees); };
}

const Sizes three{{"W", 3}};

}  // namespace

TEST_CASE("what is refuted at other sizes is run there") {
    const auto at_three = [](const cases::Case& c) { return c.sizes.at("W") == 3; };
    const auto found = shown_by_running(with_input(), three, wrong_when(at_three), wrong_when(at_three));
    REQUIRE(found.has_value());
    CHECK(found->sizes == three);
    CHECK(found->input_seed == 100);
}

TEST_CASE("what is refuted on other inputs is run on others, of wider range at last") {
    const auto of_seed = [](const cases::Case& c) { return c.input_seed == 7; };
    auto found = shown_by_running(with_input(), std::nullopt, wrong_when(of_seed), wrong_when(of_seed));
    REQUIRE(found.has_value());
    CHECK(found->inputs == with_input().inputs);
    CHECK(found->sizes == with_input().sizes);
    const auto on_large = [](const cases::Case& c) { return c.inputs.at("in").range.high == 255; };
    found = shown_by_running(with_input(), three, wrong_when(on_large), wrong_when(on_large));
    REQUIRE(found.has_value());
    CHECK(found->inputs.at("in").range.low == 0);
}

TEST_CASE("what is wrong in the lowered program alone is not shown by running") {
    const auto always = [](const cases::Case&) { return true; };
    const auto never = [](const cases::Case&) { return false; };
    CHECK_FALSE(shown_by_running(with_input(), three, wrong_when(always), wrong_when(never)).has_value());
    CHECK_FALSE(
        shown_by_running(with_input(), three, wrong_when(always), wrong_when(always, Class::latent_bug)).has_value());
    // Nothing is run if the lowered program is right.
    const session::Judge unexpected = [](const cases::Case&) -> verdict::Verdict {
        FAIL("asked");
        return {};
    };
    CHECK_FALSE(shown_by_running(with_input(), three, wrong_when(never), unexpected).has_value());
}

}  // namespace haruspex::bugs
