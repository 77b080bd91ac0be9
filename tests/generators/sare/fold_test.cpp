#include "generators/sare/fold.h"

#include <string>

#include "generators/sare/outline.h"
#include "generators/sare/staging.h"
#include "generators/sare/text.h"
#include "generators/sare/wellformed.h"
#include "tests/support/catch.h"
#include "tests/support/naive_sare.h"
#include "tests/support/random_sare.h"

using namespace haruspex;

namespace {

sare::Sare with(const std::string& items) {
    const auto parsed = sare::parse_sare(
        "sare s(N, M) assuming N >= 1 {\n  input in : i32[2]\n" + items + "\n  output f on { [x] : 0 <= x < N }\n}",
        "test");
    if (!parsed) { FAIL(to_string(parsed.error())); }
    return *parsed;
}

// The items between the inputs and the output.
std::string items_of(const sare::Sare& sare) {
    const auto checked = sare::check(sare);
    if (!checked) { FAIL(to_string(checked.error())); }
    const std::string text = sare::print(sare);
    const std::size_t first = text.find('\n', text.find("  input in")) + 1;
    return text.substr(first, text.find("  output") - first);
}

constexpr const char* inline_sum = "  f(x) = sum over { [k] : 0 <= k and k < M } of (in(x, k) * in(k, x))\n";
constexpr const char* update =
    "  f(x) = 0i32\n"
    "  update f(x) = f(x) + in(x, k) * in(k, x) over k in [0, M)\n";

}  // namespace

TEST_CASE("a sum that is a whole definition and the update that accumulates it are exchanged") {
    CHECK(items_of(sare::folded(with(inline_sum))) == update);
    CHECK(items_of(sare::unfolded(with(update))) == items_of(with(inline_sum)));
    CHECK(sare::folded(with(update)) == with(update));
    CHECK(sare::unfolded(with(inline_sum)) == with(inline_sum));
    // The extent of an update that was outlined.
    CHECK(sare::unfolded(sare::outlined(with("  f(x) = 1 + sum over { [k] : 0 <= k < M } of (in(x, k))"))) ==
          with("  f_sum0(x) = sum over { [k] : 0 <= k < M } of (in(x, k))\n  f(x) = 1 + f_sum0(x)"));
}

TEST_CASE("what is no whole sum, and what is no accumulation from the neutral element, stays") {
    for (const char* items : {"  f(x) = 1i32 + sum over { [k] : 0 <= k < M } of (in(x, k))",
                              "  f(x) = 1i32\n  update f(x) = f(x) + in(x, k) over k in [0, M)",
                              "  f(x) = 0i32\n  update f(x) = in(x, k) + f(x) over k in [0, M)",
                              "  f(x) = 0i32\n  update f(x) = f(x) - in(x, k) over k in [0, M)",
                              "  f(x) = 0i32\n  update f(0) = f(0) + in(0, k) over k in [0, M)",
                              "  f(x) = 0i32\n  update f(x) = f(x) + in(x, 0)",
                              "  f(x) = 0i32\n  update f(x) = f(x) + f(x) * in(x, k) over k in [0, M)",
                              "  f(x) = 0i32\n  update f(x) = f(x) + in(x, k) over k in [0, M)\n"
                              "  update f(x) = f(x) + in(x, k) over k in [0, M)"}) {
        INFO(items);
        CHECK(sare::folded(with(items)) == with(items));
        CHECK(sare::unfolded(with(items)) == with(items));
    }
}

TEST_CASE("other reductions are exchanged as sums are, filters included") {
    const sare::Sare least =
        with("  f(x) = min over { [i, j] : 0 <= i < N and 0 <= j < M and i + j <= 5 } of (in(i, j))");
    const std::string text = items_of(sare::folded(least));
    CHECK(text.find("over j in [0, M), i in [0, N) where i + j <= 5\n") != std::string::npos);
    CHECK(items_of(sare::folded(sare::unfolded(sare::folded(least)))) == text);
}

TEST_CASE("reductions and updates that are exchanged keep every value") {
    int changed = 0, known = 0;
    for (std::uint64_t seed = 0; seed < 600; ++seed) {
        INFO("seed " << seed);
        Choices choices(random_source(seed));
        const sare::Algorithm algorithm = sare::outlined(testing::random_algorithm(choices));
        const sare::Algorithm inlined = sare::unfolded(algorithm);
        if (inlined == algorithm) { continue; }
        ++changed;
        const sare::Environment parameters{{"N", choices.integer(0, 3)}, {"M", choices.integer(-1, 3)}};
        const auto inputs = testing::small_inputs(algorithm);
        testing::NaiveSare expected(sare::stage(algorithm), parameters, inputs);
        for (const sare::Sare& after : {sare::stage(inlined), sare::stage(sare::folded(inlined))}) {
            const auto checked = sare::check(after);
            INFO(sare::print(after) << (checked ? "" : to_string(checked.error())));
            REQUIRE(checked.has_value());
            testing::NaiveSare found(after, parameters, inputs);
            for (const sare::Function& f : algorithm.functions) {
                testing::Cell cell;
                for (std::size_t d = 0; d < f.variables.size(); ++d) { cell.push_back(choices.integer(-3, 3)); }
                for (int c = 0; c < static_cast<int>(f.types.size()); ++c) {
                    const value::Value was = expected.at(f.name, c, cell), is = found.at(f.name, c, cell);
                    known += was.is_defined() ? 1 : 0;
                    REQUIRE(was.state() == is.state());
                    if (was.is_defined()) { REQUIRE(value::same_result(was, is)); }
                }
            }
        }
    }
    CHECK(changed > 100);
    CHECK(known > 500);
}
