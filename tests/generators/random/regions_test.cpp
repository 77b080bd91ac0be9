#include "generators/random/regions.h"

#include "generators/base/choice.h"
#include "generators/sare/build.h"
#include "tests/support/catch.h"

using namespace haruspex;
using namespace haruspex::random;

namespace {

// A random index over x and k that interval arithmetic has to bound.
sare::Index draw_index(Choices& choices, int depth) {
    if (depth == 0 || choices.boolean(250)) {
        if (choices.boolean(300)) { return sare::constant(choices.integer(-6, 6)); }
        return sare::variable(choices.boolean(500) ? "x" : "k");
    }
    const sare::Index a = draw_index(choices, depth - 1);
    const sare::Index b = draw_index(choices, depth - 1);
    switch (choices.integer(0, 7)) {
        case 0: return a + b;
        case 1: return a - b;
        case 2: return choices.integer(-3, 3) * a;
        case 3: return sare::floor_div(a, choices.integer(1, 5));
        case 4: return sare::floor_mod(a, choices.integer(1, 5));
        case 5: return sare::min(a, b);
        case 6: return sare::max(a, b);
        default: return sare::select(sare::compare(sare::Relation::lt, a, b), a, b);
    }
}

}  // namespace

TEST_CASE("interval arithmetic contains every value of an index") {
    Choices choices(random_source(1));
    for (int n = 0; n < 3000; ++n) {
        const sare::Index index = draw_index(choices, 3);
        const std::int64_t x_low = choices.integer(-5, 3);
        const std::int64_t k_low = choices.integer(-3, 3);
        const Interval x{x_low, x_low + choices.integer(0, 5)};
        const Interval k{k_low, k_low + choices.integer(0, 4)};
        const Interval bounds = evaluate(index, {{"x", x}, {"k", k}});
        for (std::int64_t i = x.low; i <= x.high; ++i) {
            for (std::int64_t j = k.low; j <= k.high; ++j) {
                const std::int64_t v = sare::evaluate(index, {{"x", i}, {"k", j}});
                REQUIRE(bounds.low <= v);
                REQUIRE(v <= bounds.high);
            }
        }
    }
}

TEST_CASE("an empty recurrence domain gives empty indices") {
    const Interval empty = evaluate(sare::variable("k") + sare::constant(3), {{"k", {0, -1}}});
    REQUIRE(empty.is_empty());
    REQUIRE(hull(empty, {2, 5}) == Interval{2, 5});
}

TEST_CASE("touched cells follow accesses from outputs to inputs, through updates") {
    // g(x) = in(2*x + 1); g(k) = g(k - 1) for k in [1, 5); f(x) = g(x + 3), f on [0, 4)
    const auto x = sare::variable("x");
    const auto k = sare::variable("k");
    sare::Algorithm a;
    a.inputs = {{"in", value::Type::i32, 1}};
    sare::Function g{"g", {value::Type::i32}, {"x"}, {{sare::Access{"in", {2 * x + sare::constant(1)}}}}, {}};
    g.updates.push_back(
        {{{"k", sare::constant(1), sare::constant(4)}}, {k}, {{sare::Access{"g", {k - sare::constant(1)}}}}});
    sare::Function f{"f", {value::Type::i32}, {"x"}, {{sare::Access{"g", {x + sare::constant(3)}}}}, {}};
    a.functions = {g, f};
    a.outputs = {{"f", {{sare::constant(0), sare::constant(4)}}}};
    const Regions regions = infer_regions(a, {});
    REQUIRE(regions.touched.at("f") == std::vector<Interval>{{0, 3}});
    REQUIRE(regions.touched.at("g") == std::vector<Interval>{{0, 6}});
    REQUIRE(regions.touched.at("in") == std::vector<Interval>{{1, 13}});
    REQUIRE(steps(a.functions[0].updates[0], {}) == 4);
    REQUIRE(cost(a, {}) == Cost{7 * (1 + 1 + 4) + 4, 13});
}
