#include "oracle/pipeline/sizes.h"

#include "generators/sare/text.h"
#include "harness/sched/text.h"
#include "oracle/conversion/conversion.h"
#include "oracle/pipeline/validation.h"
#include "tests/support/catch.h"

namespace haruspex::pipeline {
namespace {

const compiler::Identity another{.name = "another"};

cases::Case a_case(const std::string& sare) {
    auto parsed = sare::parse_sare(sare, "test");
    if (!parsed) { FAIL(to_string(parsed.error())); }
    cases::Case c;
    c.compiler = "halide";
    c.sare = std::move(*parsed);
    return c;
}

sched::Program a_program(const std::string& text) {
    auto program = sched::parse_program(text, "test");
    if (!program) { FAIL(to_string(program.error())); }
    return std::move(*program);
}

const std::string bytes = "sare s(W) assuming W >= 0 {\n  f(x) = u8<x>\n  output f on { [x] : 0 <= x < W }\n}\n";
const std::string head =
    "sched p(W, f.min, f.extent, f.stride) {\n"
    "  output f : u8[f.extent from f.min stride f.stride];\n";

validator::Verdict at(const std::string& sare, const Sizes& sizes, const std::string& body) {
    return validate_large_sizes(a_case(sare), sizes, a_program(head + body + "}\n"), another);
}

}  // namespace

TEST_CASE("a size takes the place of its parameter, and of nothing that hides it") {
    const sched::Program program = a_program(head +
                                             "  for W in [0, W) { f[W] {f(W)} := u8<W>; }\n"
                                             "  if 0 < W { let W = W + 1; assert 0 <= W \"W\"; }\n}\n");
    const std::string text = sched::print(at_sizes(program, {{"W", 300}}));
    INFO(text);
    CHECK(text.starts_with("sched p(f.min, f.extent, f.stride) {"));
    CHECK(text.find("for W$1 in [0, 300) {") != std::string::npos);
    CHECK(text.find("f[W$1] {f(W$1)} := u8<W$1>;") != std::string::npos);
    CHECK(text.find("let W$1 = 301;") != std::string::npos);
    CHECK(text.find("assert 0 <= W$1 ") != std::string::npos);
}

TEST_CASE("a program whose loop has the name of a parameter is validated for large sizes") {
    const auto right = at(bytes, {{"W", 3000}}, "  for W in [0, W) { f[W] {f(W)} := u8<W>; }\n");
    INFO(reason(right));
    CHECK(right.outcome == validator::Outcome::validated);
    CHECK(reason(right) == "for the given sizes");
    // Every cell holds the size.
    const auto wrong = at(bytes, {{"W", 3000}}, "  for x in [0, W) { f[x] {f(x)} := u8<W>; }\n");
    CHECK(wrong.outcome == validator::Outcome::refuted);
}

TEST_CASE("what rounds is not refuted by its values at large sizes, and by an access out of bounds it is") {
    cases::Case c = a_case(bytes);
    c.comparison = cases::Comparison::not_compared;
    const auto at_large = [&](const std::string& body) {
        return validate_large_sizes(c, {{"W", 3000}}, a_program(head + body + "}\n"), another);
    };
    const auto wrong = at_large("  for x in [0, W) { f[x] {f(x)} := u8<W>; }\n");
    CHECK(wrong.outcome == validator::Outcome::undecided);
    CHECK(reason(wrong).starts_with("not compared: "));
    CHECK(at_large("  for x in [0, W + 1) { f[x] {f(x)} := u8<x>; }\n").outcome == validator::Outcome::refuted);
    CHECK(at_large("  for x in [0, W) { f[x] {f(x)} := u8<x>; }\n").outcome == validator::Outcome::validated);
}

TEST_CASE("what rounds is not refuted by its values at its own sizes, and by an access out of bounds it is") {
    cases::Case c = a_case(bytes);
    c.comparison = cases::Comparison::not_compared;
    c.sizes = {{"W", 30}};
    const auto at_own = [&](const std::string& body) {
        return validate_at_sizes(c, LoweredProgram{a_program(head + body + "}\n"), {}}, unrolled::Options());
    };
    const auto wrong = at_own("  for x in [0, W) { f[x] {f(x)} := u8<W>; }\n");
    CHECK(wrong.outcome == validator::Outcome::undecided);
    CHECK(reason(wrong).starts_with("not compared: "));
    CHECK_FALSE(wrong.counterexample);
    const auto beyond = at_own("  for x in [0, W + 1) { f[x] {f(x)} := u8<x>; }\n");
    CHECK(beyond.outcome == validator::Outcome::refuted);
    REQUIRE(beyond.counterexample);
    CHECK(beyond.counterexample->trouble == interp::TroubleKind::out_of_bounds_write);
    CHECK(at_own("  for x in [0, W) { f[x] {f(x)} := u8<x>; }\n").outcome == validator::Outcome::validated);
}

TEST_CASE("sizes beyond the conventions are not decided") {
    const std::string body = "  for x in [0, W) { f[x] {f(x)} := u8<x>; }\n";
    CHECK(at(bytes, {{"W", conversion::most_size}}, body).outcome == validator::Outcome::validated);
    const auto larger = at(bytes, {{"W", conversion::most_size + 1}}, body);
    CHECK(larger.outcome == validator::Outcome::undecided);
    CHECK(reason(larger) == "a size that is too large: W");
}

TEST_CASE("an output of more than 2^31 - 1 bytes, were they of 8 each, is not decided") {
    const std::string wide =
        "sare s(W) assuming W >= 0 {\n  f(x) = u8<x>\n  output f on { [x] : 0 <= x < 1024*W }\n}\n";
    const std::string body = "  for x in [0, 1024*W) { f[x] {f(x)} := u8<x>; }\n";
    const std::int64_t most = (std::int64_t{1} << 31) / 8 / 1024;
    CHECK(at(wide, {{"W", 8}}, body).outcome == validator::Outcome::validated);
    const auto larger = at(wide, {{"W", most}}, body);
    CHECK(larger.outcome == validator::Outcome::undecided);
    CHECK(reason(larger) == "a buffer that is too large: f");
}

TEST_CASE("an output whose extents multiply beyond 64 bits is too large, and an empty one is not") {
    const std::string plane =
        "sare s(W, H) assuming W >= 0 and H >= 0 {\n  f(x, y, z, w) = u8<x>\n"
        "  output f on { [x, y, z, w] : 0 <= x < W and 0 <= y < W and 0 <= z < W and "
        "0 <= w < H }\n}\n";
    const std::string program =
        "sched p(W, H, f.min.0, f.extent.0, f.stride.0, f.min.1, f.extent.1, f.stride.1, f.min.2, f.extent.2, "
        "f.stride.2, "
        "f.min.3, f.extent.3, f.stride.3) {\n  output f : u8[f.extent.0 from f.min.0 stride f.stride.0, "
        "f.extent.1 from f.min.1 stride f.stride.1, f.extent.2 from f.min.2 stride f.stride.2, "
        "f.extent.3 from f.min.3 stride f.stride.3];\n}\n";
    const auto at_plane = [&](std::int64_t w, std::int64_t h) {
        return reason(validate_large_sizes(a_case(plane), {{"W", w}, {"H", h}}, a_program(program), another));
    };
    CHECK(at_plane(conversion::most_size, conversion::most_size) == "a buffer that is too large: f");
    CHECK(at_plane(600, 0).find("too large") == std::string::npos);
}

}  // namespace haruspex::pipeline
