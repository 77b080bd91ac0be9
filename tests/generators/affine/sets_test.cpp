#include "generators/affine/sets.h"

#include <algorithm>
#include <string>

#include "generators/affine/context.h"
#include "tests/support/catch.h"

using namespace haruspex;
using affine::Point;

TEST_CASE("the points of a bounded set come in lexicographic order, each once") {
    const affine::Context context;
    const isl::set set(context.ctx(), "{ [x, y] : 0 <= x < 3 and x <= y < 3 or x = 1 and 0 <= y < 2 }");
    const auto points = affine::points(set, 100);
    REQUIRE(points.has_value());
    CHECK(*points == std::vector<Point>{{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}, {2, 2}});
    for (std::int64_t x = -1; x <= 3; ++x) {
        for (std::int64_t y = -1; y <= 3; ++y) {
            const bool listed = std::find(points->begin(), points->end(), Point{x, y}) != points->end();
            CHECK(affine::contains(set, {x, y}) == listed);
        }
    }
}

TEST_CASE("the only point of rank 0 and the empty set are listed too") {
    const affine::Context context;
    CHECK(*affine::points(isl::set::universe(affine::set_space(context.ctx(), {}, 0)), 9) == std::vector<Point>{{}});
    CHECK(affine::points(isl::set(context.ctx(), "{ [x] : x < x }"), 9)->empty());
}

TEST_CASE("too many points, and sets without end, are errors") {
    const affine::Context context;
    const auto many = affine::points(isl::set(context.ctx(), "{ [x] : 0 <= x < 11 }"), 10);
    REQUIRE(!many.has_value());
    CHECK(many.error().message.starts_with("the set has more than 10 points: { [x] : "));
    const auto endless = affine::points(isl::set(context.ctx(), "{ [x] : 0 <= x }"), 10);
    REQUIRE(!endless.has_value());
    CHECK(endless.error().message.starts_with("the set is not bounded: { [x] : "));
    const auto far = affine::points(isl::set(context.ctx(), "{ [x] : x = 99999999999999999999 }"), 10);
    REQUIRE(!far.has_value());
    CHECK(far.error().message.starts_with("the set has points beyond 64 bits: { "));
}

TEST_CASE("fixed parameters are gone") {
    const affine::Context context;
    const isl::set set(context.ctx(), "[N, M] -> { [x] : M <= x < N }");
    const auto points = affine::points(affine::fix_parameters(set, {{"N", 3}, {"M", -1}}), 100);
    REQUIRE(points.has_value());
    CHECK(*points == std::vector<Point>{{-1}, {0}, {1}, {2}});
    CHECK_THROWS_AS(affine::points(affine::fix_parameters(set, {{"N", 3}}), 100), InternalError);
}

TEST_CASE("a set is bounded when it is for each value of its parameters") {
    const affine::Context context;
    CHECK(affine::is_bounded(isl::set(context.ctx(), "[N] -> { [x, y] : 0 <= x < N and x <= y <= 2x }")));
    CHECK(!affine::is_bounded(isl::set(context.ctx(), "[N] -> { [x, y] : 0 <= x < N and x <= y }")));
    CHECK(affine::is_bounded(isl::set(context.ctx(), "{ [x] : exists a : x = 2a and 0 <= x <= 10 }")));
    CHECK(affine::is_bounded(isl::set(context.ctx(), "{ [x] : x < x }")));
}

TEST_CASE("the small point of a set is the first of the smallest cube") {
    const affine::Context context;
    const auto small = [&](const char* text) { return affine::small_point(isl::set(context.ctx(), text)); };
    CHECK(small("{ [x, y] : x + y >= 3 }") == Point{1, 2});
    CHECK(small("{ [x] : x < 0 }") == Point{-16});
    CHECK(small("{ [x] : x > 16 }") == Point{17});
    CHECK(small("{ [x] : x = 1000000 }") == Point{1000000});
    CHECK(small("{ [x] : x < x }") == std::nullopt);
    CHECK(small("{ [x] : x = 99999999999999999999 }") == std::nullopt);
}

TEST_CASE("spaces name their parameters and print as isl prints") {
    const affine::Context context;
    CHECK(affine::to_string(isl::set::universe(affine::set_space(context.ctx(), {"N", "M"}, 2))) ==
          "[N, M] -> { [i0, i1] }");
}

TEST_CASE("the range of an expression") {
    const affine::Context context;
    const auto range = [&](const std::string& text) { return affine::range(isl::pw_aff(context.ctx(), text)); };
    CHECK(range("[x] -> { [(2x + floor(x/3))] : -1 <= x <= 10 }") == affine::Interval{-3, 23});
    CHECK(range("[x, n] -> { [(x)] : 0 <= x < n <= 5; [(-n)] : x < 0 and n = 7 }") == affine::Interval{-7, 4});
    CHECK(range("[x] -> { [(x/3)] : x mod 3 = 0 and 0 <= x <= 11 }") == affine::Interval{0, 3});
    CHECK(range("{ [(9223372036854775807)] }") == affine::Interval{INT64_MAX, INT64_MAX});
    CHECK_FALSE(range("{ [(9223372036854775808)] }").has_value());
    CHECK_FALSE(range("[x] -> { [(x)] : x >= 0 }").has_value());
    CHECK_FALSE(range("[x] -> { [(x)] : x < x }").has_value());
}

TEST_CASE("what is written alike is equal, and has one hash") {
    const affine::Context context;
    const isl::set one(context.ctx(), "[N] -> { [x] : 0 <= x < N; [5] }"),
        same(context.ctx(), "[N] -> { [5]; [x] : x < N and x >= 0 }"),
        other(context.ctx(), "[N] -> { [x] : 0 <= x <= N; [5] }");
    CHECK(affine::is_written_alike(one, same));
    CHECK(affine::hash(one) == affine::hash(same));
    CHECK_FALSE(affine::is_written_alike(one, other));
    CHECK(affine::hash(one) != affine::hash(other));
    CHECK(affine::hash(isl::pw_aff(context.ctx(), "[N] -> { [(N + 1)] }")) ==
          affine::hash(isl::pw_aff(context.ctx(), "[N] -> { [(1 + N)] }")));
}

TEST_CASE("a set with existential variables of large coefficients is given up, as if the budget were spent") {
    const affine::Context context;
    const auto is_limit_reached = [&](const std::string& text) {
        const isl::set set(context.ctx(), "[a, b, c] -> { " + text + " }");
        const auto done = affine::within(context, 1'000'000, [&] { affine::give_up_if_intricate(set); });
        if (!done) { CHECK(done.error().message == affine::budget_is_spent().message); }
        return !done;
    };
    const std::string intricate =
        ": exists (e, f: a - 1 <= e <= 11 - b and 27 - 26b + 25a + 25c - 25e <= 65f <= 31 - 26b + 25a + 25c - 25e and "
        "780f >= 324 - 313b + 299a + 299c - 300e)";
    CHECK(is_limit_reached(intricate));
    // Plain divisions and small coefficients are not intricate.
    for (const std::string simple :
         {": a < b", ": exists (e: a <= 3e <= b)", ": exists (e: 5000e = a)", ": a mod 40000 < 3 and b mod 50000 < 7",
          ": exists (e, f: a <= 4e <= b and c <= 5f <= b)"}) {
        INFO(simple);
        CHECK_FALSE(is_limit_reached(simple));
        CHECK(is_limit_reached(simple + "; " + intricate));
    }
}
