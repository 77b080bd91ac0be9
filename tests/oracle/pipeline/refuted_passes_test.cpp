#include "oracle/pipeline/refuted_passes.h"

#include "generators/sare/text.h"
#include "generators/schedule/language.h"
#include "harness/halide/halide_compiler.h"
#include "tests/support/catch.h"

namespace haruspex::pipeline {
namespace {

TEST_CASE("no pass is to blame for another value of what rounds") {
    const auto sare = sare::parse_sare(
        "sare thirds(W) assuming W >= 1 {\n  input in : f32[1]\n  f(x) = in(x) / 3.0f32\n"
        "  output f on { [x] : 0 <= x < W }\n}\n",
        "test");
    REQUIRE(sare);
    cases::Case c;
    c.sare = *sare;
    c.sizes = {{"W", 40}};
    c.inputs = {{"in", {value::Range{value::Type::f32, -100, 100, 2}, false}}};
    c.compiler = "halide";
    c.target = schedule::language("halide").default_target();
    const auto compiler = halide::make_halide();
    compiler::ForkServer server(*compiler, {});
    const auto blamed = [&](cases::Comparison comparison) {
        c.comparison = comparison;
        return first_wrong_pass(trace_refuted_passes(c, {validator::Inputs::Style::small, 1, {}}, server));
    };
    // The compiler multiplies by the reciprocal.
    CHECK(blamed(cases::Comparison::exact));
    CHECK_FALSE(blamed(cases::Comparison::not_compared));
}

}  // namespace
}  // namespace haruspex::pipeline
