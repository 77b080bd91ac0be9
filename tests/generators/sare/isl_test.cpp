#include "generators/sare/isl.h"

#include "generators/affine/context.h"
#include "generators/affine/sets.h"
#include "generators/sare/text.h"
#include "tests/support/catch.h"
#include "tests/support/random_sare.h"

using namespace haruspex;

namespace {

// Every point of [-3, 3]^2 with each parameter value.
template <typename Visit>
void for_each_point(Visit&& visit) {
    for (std::int64_t n = -1; n <= 2; ++n) {
        for (std::int64_t x = -3; x <= 3; ++x) {
            for (std::int64_t y = -3; y <= 3; ++y) { visit(sare::Environment{{"N", n}, {"x", x}, {"y", y}}); }
        }
    }
}

}  // namespace

TEST_CASE("a condition becomes the set of the points at which it holds") {
    const affine::Context context;
    const sare::AffineSpace space(context.ctx(), {"N"}, {"x", "y"});
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        Choices choices(random_source(seed));
        const sare::Condition condition = testing::random_condition(choices, {"x", "y", "N"}, 2);
        const isl::set set = space.convert(condition);
        INFO(sare::print(condition) << " became " << affine::to_string(set));
        for (std::int64_t n = -1; n <= 2; ++n) {
            const isl::set square(context.ctx(), "{ [x, y] : -3 <= x, y <= 3 }");
            std::vector<affine::Point> expected;
            for_each_point([&](const sare::Environment& at) {
                if (at.at("N") == n && sare::evaluate(condition, at)) { expected.push_back({at.at("x"), at.at("y")}); }
            });
            const auto found = affine::points(affine::fix_parameters(set, {{"N", n}}).intersect(square), 49);
            REQUIRE(found.has_value());
            REQUIRE(*found == expected);
        }
    }
}

TEST_CASE("an index becomes the function with its values") {
    const affine::Context context;
    const sare::AffineSpace space(context.ctx(), {}, {"N", "x", "y"});
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        Choices choices(random_source(seed));
        const sare::Index index = testing::random_index(choices, {"x", "y", "N"}, 3);
        const isl::pw_aff function = space.convert(index);
        // The function is compared with evaluation at each point.
        INFO(sare::print(index) << " became " << affine::to_string(function));
        const isl::set graph = isl::map(function.as_map()).wrap().flatten();
        for_each_point([&](const sare::Environment& at) {
            const std::int64_t value = sare::evaluate(index, at);
            REQUIRE(affine::contains(graph, {at.at("N"), at.at("x"), at.at("y"), value}));
            REQUIRE(!affine::contains(graph, {at.at("N"), at.at("x"), at.at("y"), value + 1}));
        });
    }
}

TEST_CASE("several indices become one function of as many results") {
    const affine::Context context;
    const sare::AffineSpace space(context.ctx(), {"N"}, {"x"});
    const auto map = [&](const std::vector<sare::Index>& indices) {
        return affine::to_string(isl::map(space.convert(indices).as_map()));
    };
    using sare::constant;
    using sare::variable;
    CHECK(isl::map(space.convert({variable("x") + constant(1), 2 * variable("N")}).as_map())
              .is_equal(isl::map(context.ctx(), "[N] -> { [x] -> [x + 1, 2N] }")));
    CHECK(map({}) == "[N] -> { [i0] -> [] }");
}

TEST_CASE("a variable of another space is a fault of ours") {
    const affine::Context context;
    const sare::AffineSpace space(context.ctx(), {"N"}, {"x"});
    CHECK_THROWS_AS(space.convert(sare::variable("y")), InternalError);
}
