#include "generators/random/exactness.h"

#include "generators/sare/staging.h"
#include "generators/sare/text.h"
#include "oracle/interp/sare_interpreter.h"
#include "tests/support/catch.h"

using namespace haruspex;

namespace {

// The algorithm, made exact for W in [1, 96], as a system.
sare::Sare made_exact(const std::string& text) {
    const auto parsed = sare::parse_sare(text, "test");
    INFO((parsed ? std::string() : to_string(parsed.error())));
    REQUIRE(parsed.has_value());
    auto algorithm = sare::unstage(*parsed);
    REQUIRE(algorithm.has_value());
    random::make_exact(*algorithm, {{}, {{"W", {1, 96}}}, false});
    return sare::stage(*algorithm);
}

void check_defined(const sare::Sare& sare, std::int64_t w) {
    const auto outputs = interp::evaluate_outputs(
        sare, {{"W", w}}, [](const auto&, const auto&) { return value::Value::integer(value::Type::i32, 0); });
    REQUIRE(outputs.has_value());
    for (const auto& output : *outputs) {
        for (const auto& cell : output.cells) { REQUIRE(cell.is_defined()); }
    }
}

}  // namespace

TEST_CASE("what grows with every step is limited, also after an update that was limited as a whole") {
    for (const std::string type : {"i32", "i64"}) {
        INFO(type);
        const auto sare = made_exact("sare s(W) assuming W >= 1 {\n  f(x) = 12" + type +
                                     "\n"
                                     "  update f(2*k) = -(f(k) + f(k)) over k in [0, (W + 1)/2)\n"
                                     "  update f(k) = f(k - 1) + (f(k) + f(k - 1)) over k in [1, W)\n"
                                     "  output f on { [x] : 0 <= x < W }\n}");
        for (const std::int64_t w : {1, 2, 17, 96}) { check_defined(sare, w); }
    }
}

TEST_CASE("what is exact already stays as it was drawn") {
    const std::string text =
        "sare s(W) assuming W >= 1 {\n"
        "  f(x) = 12i32\n"
        "  update f(x) = f(x) + i32<k> over k in [0, 9)\n"
        "  output f on { [x] : 0 <= x < W }\n}";
    const auto parsed = sare::parse_sare(text, "test");
    REQUIRE(parsed.has_value());
    CHECK(sare::print(made_exact(text)) == sare::print(*parsed));
}

TEST_CASE("values near an end of their type are exact where nothing sums them up") {
    struct Example {
        std::string value;
        bool is_exact;
    };
    for (const auto& [value, is_exact] : std::vector<Example>{
             {"max(in(x), in(x + 1))", true},
             {"select(in(x) < 2147483640i32, in(x), 7i32)", true},
             {"in(x) >> 3i32", true},
             {"in(x) % 61i32 + 1i32", true},
             {"max(min(in(x), 60i32), -60i32) + 1i32", true},
             {"i32(i64(in(x)) + i64(in(x + 1)) - 2147483647i64)", true},
             {"select(in(x) < in(x + 1), 1i32, 7i32)", true},
             // A compiler may move a term: in(x) < a + b is in(x) - a < b.
             {"select(in(x) < small(x) + small(0), 1i32, 7i32)", false},
             {"in(x) + 1i32", false},
             {"in(x) - in(x + 1)", false},
             {"-in(x)", false},
             // A compiler may move the sum into the minimum: min(in(x), y - 3) + 3 is min(in(x) + 3, y).
             {"min(in(x), small(x) - 3i32) + 3i32", false},
             {"select(small(x) > 0i32, in(x), 7i32) * 2i32", false},
             {"sum over {[k] : 0 <= k < 3} of (in(k))", false},
             {"max over {[k] : 0 <= k < 3} of (in(k))", true},
         }) {
        INFO(value);
        const auto parsed = sare::parse_sare(
            "sare s(W) assuming W >= 1 {\n  input in : i32[1]\n  input small : i32[1]\n  f(x) = " + value +
                "\n  output f on { [x] : 0 <= x < W }\n}",
            "test");
        INFO((parsed ? std::string() : to_string(parsed.error())));
        REQUIRE(parsed.has_value());
        auto algorithm = sare::unstage(*parsed);
        REQUIRE(algorithm.has_value());
        const random::ExactnessContext context{{{"in", {{value::Type::i32, 2147483600, 2147483647, 0}, false}},
                                                {"small", {{value::Type::i32, -60, 60, 0}, false}}},
                                               {{"W", {1, 96}}},
                                               false};
        CHECK(random::is_exact(*algorithm, context) == is_exact);
        random::make_exact(*algorithm, context);
        CHECK(random::is_exact(*algorithm, context));
    }
}

TEST_CASE("a program is exact when nothing of it would be repaired") {
    struct Example {
        std::string body;
        bool is_exact;
    };
    for (const auto& [body, is_exact] : std::vector<Example>{
             {"f(x) = in(x) * in(x + 1)", true},
             {"f(x) = in(x) * 2000000000i32", false},
             {"f(x) = 12i32\n  update f(x) = f(x) + i32<k> over k in [0, 9)", true},
             {"f(x) = 12i32\n  update f(x) = f(x) + f(x) over k in [0, W) where k >= 0", false},
             {"f(x) = sum over {[k] : 0 <= k < W} of (in(k))", true},
             {"f(x) = prod over {[k] : 0 <= k < W} of (in(k))", false},
             {"f(x) = i32(f32(in(x)) / 4.0f32)", true},
             {"f(x) = i32(f32(in(x)) / 3.0f32)", false},
         }) {
        INFO(body);
        const auto parsed = sare::parse_sare(
            "sare s(W) assuming W >= 1 {\n  input in : i32[1]\n  " + body + "\n  output f on { [x] : 0 <= x < W }\n}",
            "test");
        INFO((parsed ? std::string() : to_string(parsed.error())));
        REQUIRE(parsed.has_value());
        auto algorithm = sare::unstage(*parsed);
        REQUIRE(algorithm.has_value());
        const random::ExactnessContext context{
            {{"in", {{value::Type::i32, -60, 60, 0}, false}}}, {{"W", {1, 96}}}, false};
        CHECK(random::is_exact(*algorithm, context) == is_exact);
        // A repaired algorithm is exact, and an exact one is left unchanged.
        const auto before = *algorithm;
        random::make_exact(*algorithm, context);
        CHECK((*algorithm == before) == is_exact);
        CHECK(random::is_exact(*algorithm, context));
    }
}
