#include "reports/triage/features.h"

#include "generators/random/random_case.h"
#include "generators/sare/text.h"
#include "generators/schedule/halide/text.h"
#include "generators/schedule/language.h"
#include "tests/support/catch.h"

using namespace haruspex;

namespace {

using Names = std::set<std::string>;

Names of(const std::string& items, const std::string& schedule = "") {
    const std::string text = "sare s(W) assuming W >= 16 {\n  input a : i32[2]\n  input b : i32[1]\n" + items + "}\n";
    auto sare = sare::parse_sare(text, "s");
    INFO(text);
    INFO((sare ? std::string() : to_string(sare.error())));
    REQUIRE(sare.has_value());
    cases::Case c;
    c.compiler = "halide";
    c.sare = *sare;
    auto parsed = schedule::language("halide").parse(schedule, "s");
    REQUIRE(parsed.has_value());
    c.schedule = *parsed;
    return triage::features(c);
}

// The kinds of the only access in f(x, y) = …
Names accesses(const std::string& access) {
    Names kinds;
    for (const std::string& name :
         of("  f(x, y) = " + access + "\n  output f on { [x, y] : 0 <= x < W and 0 <= y < W }\n")) {
        if (name.starts_with("access:")) { kinds.insert(name.substr(7)); }
    }
    return kinds;
}

}  // namespace

TEST_CASE("every kind of access is told from the others") {
    CHECK(accesses("a(x, y)") == Names{"input", "point"});
    CHECK(accesses("a(x - 1, y)") == Names{"input", "stencil"});
    CHECK(accesses("a(x + y, y)") == Names{"input", "diagonal"});
    CHECK(accesses("a(x, x)") == Names{"input", "diagonal", "broadcast"});
    CHECK(accesses("a(W - x, y)") == Names{"input", "reversed"});
    CHECK(accesses("a(2*x, y)") == Names{"input", "strided"});
    CHECK(accesses("a(-2*x + 1, y)") == Names{"input", "strided", "reversed", "stencil"});
    CHECK(accesses("a(x / 2, y)") == Names{"input", "divided"});
    CHECK(accesses("a(x % 4, y)") == Names{"input", "modulo"});
    CHECK(accesses("a(min(max(x - 1, 0), W), y)") == Names{"input", "clamped", "stencil"});
    CHECK(accesses("a(select(x < 3, x, y), y)") == Names{"input", "select", "diagonal"});
    CHECK(accesses("a(y, x)") == Names{"input", "transposed"});
    CHECK(accesses("a(x, 3)") == Names{"input", "broadcast"});
    CHECK(accesses("b(x)") == Names{"input", "broadcast", "point"});
}

TEST_CASE("operators, types and forms of expressions are counted") {
    const Names names =
        of("  f(x) = {select(b(x) < 3i32, -b(x), i32(abs(b(x) / 2i32 + 1i32))), select([x < 4], u8(b(x)), u8<x>)}\n"
           "  update f(2*k) = {f(k)[0] + 1i32, f(2*k)[1]} over k in [0, 4), l in [0, 2) where k < l\n"
           "  output f on { [x] : 0 <= x < W }\n");
    for (const char* name :
         {"select:value", "select:affine", "op:<", "op:unary -", "op:/", "op:+", "type:i32", "type:u8", "cast", "embed",
          "guard", "tuple", "update", "update:two-rvars", "update:predicate", "access:self", "rank:1", "rank:2"}) {
        INFO(name);
        CHECK(names.contains(name));
    }
    CHECK_FALSE(names.contains("reduce:sum"));
    CHECK_FALSE(names.contains("op:*"));
    CHECK_FALSE(names.contains("type:f32"));
}

TEST_CASE("reductions are counted by their operator") {
    const Names names =
        of("  f(x) = sum over { [k] : 0 <= k < 4 } of (b(x + k))\n  output f on { [x] : 0 <= x < W }\n");
    CHECK(names.contains("reduce:sum"));
    CHECK_FALSE(names.contains("update"));
}

TEST_CASE("directives and the tails of those that split are counted") {
    const Names names = of("  f(x) = b(x)\n  output f on { [x] : 0 <= x < W }\n",
                           "f.split(x, xo, xi, 4, RoundUp)\nf.vectorize(xi)\nf.unroll(xo, 2, GuardWithIf)\n");
    for (const char* name :
         {"directive:split", "directive:vectorize", "directive:unroll", "tail:RoundUp", "tail:GuardWithIf"}) {
        INFO(name);
        CHECK(names.contains(name));
    }
    std::size_t tails = 0;
    for (const std::string& name : names) { tails += name.starts_with("tail:") ? 1 : 0; }
    // vectorize without a factor does not split.
    CHECK(tails == 2);
}

TEST_CASE("what is drawn has no feature that the language is not said to have") {
    const schedule::Language& language = schedule::language("halide");
    const Names all = triage::all_features(language);
    Names seen;
    for (std::uint64_t index = 0; index < 300; ++index) {
        for (const std::string& name : triage::features(random::campaign_case(5, index, {}, language))) {
            CAPTURE(index, name);
            CHECK(all.contains(name));
            seen.insert(name);
        }
    }
    CHECK(seen.size() > 80);
}
