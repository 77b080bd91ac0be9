#include "reports/triage/features.h"

#include "generators/random/random_case.h"
#include "generators/sare/text.h"
#include "generators/schedule/halide/text.h"
#include "generators/schedule/language.h"
#include "generators/value/range.h"
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

namespace {

Names forms_in(const std::string& items) {
    Names names;
    for (const std::string& name : of(items)) {
        if (name.starts_with("form:")) { names.insert(name.substr(5)); }
    }
    return names;
}

Names forms_of(const std::string& value) {
    return forms_in("  f(x) = " + value + "\n  output f on { [x] : 0 <= x < W }\n");
}

}  // namespace

TEST_CASE("idioms are told from what looks like them") {
    CHECK(forms_of("(b(x) + b(x + 1)) / 2i32") == Names{"average"});
    CHECK(forms_of("i32((i64(b(x)) + i64(b(x + 1)) + 1i64) >> 1i64)") == Names{"average"});
    CHECK(forms_of("(b(x) + b(x + 1)) / 3i32") == Names{});
    CHECK(forms_of("b(x) / 2i32") == Names{});
    CHECK(forms_of("i32(abs(b(x) - b(x + 1)))") == Names{"absolute-difference"});
    CHECK(forms_of("i32(abs(b(x)))") == Names{});
    CHECK(forms_of("max(b(x), b(0)) - min(b(x), b(0))") == Names{"absolute-difference"});
    CHECK(forms_of("max(b(x), b(0)) - min(b(x), b(1))") == Names{});
    CHECK(forms_of("select(b(x) < b(0), b(0) - b(x), b(x) - b(0))") == Names{"absolute-difference"});
    CHECK(forms_of("select(b(x) < b(0), b(x) - b(0), b(0) - b(x))") == Names{});
    CHECK(forms_of("i32(u8(min(u16(b(x)) + u16(b(0)), 255u16)))") == Names{"saturating-sum"});
    CHECK(forms_of("i32(i8(max(min(i16(b(x)) - i16(b(0)), 127i16), -128i16)))") == Names{"saturating-sum"});
    CHECK(forms_of("i32(u8(min(u16(b(x)) + u16(b(0)), 200u16)))") == Names{});
    CHECK(forms_of("i32(u8(min(u16(b(x)), 255u16)))") == Names{});
    CHECK(forms_of("b(x) << -2i32") == Names{"negative-shift"});
    CHECK(forms_of("b(x) >> ((b(x) & 3i32) - 2i32)") == Names{"negative-shift"});
    CHECK(forms_of("b(x) >> (b(x) & 3i32)") == Names{});
}

TEST_CASE("values near an end of their type are told from others") {
    CHECK(forms_of("min(b(x), 2147483640i32)") == Names{"literal-near-end"});
    CHECK(forms_of("max(b(x), -2147483640i32)") == Names{"literal-near-end"});
    CHECK(forms_of("min(b(x), 1073741824i32)") == Names{});
    CHECK(forms_of("i32(u8(b(x)) + 250u8)") == Names{"literal-near-end"});
    CHECK(forms_of("i32(u8(b(x)) + 3u8)") == Names{});
    cases::Case c;
    c.compiler = "halide";
    c.sare = *sare::parse_sare(
        "sare s(W) {\n  input b : i32[1]\n  f(x) = b(x)\n"
        "  output f on { [x] : 0 <= x < W }\n}\n",
        "s");
    c.inputs["b"] = {{value::Type::i32, 2147483600, 2147483647, 0}, false};
    CHECK(triage::features(c).contains("form:input-near-end"));
    c.inputs["b"] = {value::full_range(value::Type::i32), false};
    CHECK_FALSE(triage::features(c).contains("form:input-near-end"));
}

TEST_CASE("a producer under one arm is read nowhere else, and the condition is the same in all iterations") {
    const auto with = [](const std::string& value) {
        return forms_in("  p(x) = b(x)\n  f(x) = " + value + "\n  output f on { [x] : 0 <= x < W }\n");
    };
    CHECK(with("select([W > 20], p(x), 3i32)") == Names{"invariant-select", "one-arm-producer"});
    CHECK(with("select(b(3) > 5i32, 3i32, p(x) + p(x + 1))") == Names{"invariant-select", "one-arm-producer"});
    CHECK(with("select([x > 20], p(x), 3i32)") == Names{});
    CHECK(with("select(b(x) > 5i32, p(x), 3i32)") == Names{});
    CHECK(with("select([W > 20], p(x), p(0))") == Names{"invariant-select"});
    CHECK(with("select([W > 20], p(x), 3i32) + p(1)") == Names{"invariant-select"});
    CHECK(with("select([W > 20], b(x), 3i32)") == Names{"invariant-select"});
    CHECK(forms_in("  p(x) = b(x)\n  f(x) = 0i32\n"
                   "  update f(x) = f(x) + select([W > 20], p(k), 3i32) over k in [0, 3)\n"
                   "  output f on { [x] : 0 <= x < W }\n") ==
          Names{"invariant-select", "one-arm-producer", "one-arm-producer-update"});
}

TEST_CASE("an update that keeps its old value by data is told from one by indices") {
    const auto with = [](const std::string& condition) {
        return forms_in("  f(x) = 0i32\n  update f(x) = select(" + condition +
                        ", f(x) + b(k), f(x)) over k in [0, 3)\n  output f on { [x] : 0 <= x < W }\n");
    };
    CHECK(with("b(k) > 3i32") == Names{"data-predicate"});
    CHECK(with("[k > 1]") == Names{});
}

TEST_CASE("ten tensors that each read the one before are a long chain") {
    const auto chain = [](int length) {
        std::string items = "  f0(x) = b(x)\n";
        for (int i = 1; i < length; ++i) {
            items += "  f" + std::to_string(i) + "(x) = f" + std::to_string(i - 1) + "(x)\n";
        }
        return forms_in(items + "  output f" + std::to_string(length - 1) + " on { [x] : 0 <= x < W }\n");
    };
    CHECK(chain(9) == Names{});
    CHECK(chain(10) == Names{"long-chain"});
}

TEST_CASE("a variable that is called as compilers call theirs is told from others") {
    const auto with = [](const std::string& x) {
        return forms_in("  f(" + x + ") = b(" + x + ")\n  output f on { [x] : 0 <= x < W }\n");
    };
    CHECK(with("t0") == Names{"compiler-name"});
    CHECK(with("v12") == Names{"compiler-name"});
    CHECK(with("t") == Names{});
    CHECK(with("xo1") == Names{});
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
