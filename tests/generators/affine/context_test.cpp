#include "generators/affine/context.h"

#include "generators/affine/attempt.h"
#include "generators/affine/sets.h"
#include "tests/support/catch.h"

using namespace haruspex;

TEST_CASE("a budget ends long work with an error and leaves the context usable") {
    const affine::Context context;
    const auto hard = [&] {
        isl::set set(context.ctx(), "{ [a, b, c, d] : 0 <= a, b, c, d < 100 and (exists k : a + 2b + 3c = 7k + 1) }");
        for (int i = 2; i < 12; ++i) {
            set =
                set.subtract(isl::set(context.ctx(), "{ [a, b, c, d] : a > c and (exists k : a + " + std::to_string(i) +
                                                         "b - d = " + std::to_string(i + 1) + "k) }"));
        }
        return set.is_empty();
    };
    const auto answer = affine::within(context, 1000, hard);
    REQUIRE(!answer.has_value());
    CHECK(answer.error().message == "isl ran out of its budget of operations");
    const auto easy = affine::guarded([&] { return isl::set(context.ctx(), "{ [x] : x > x }").is_empty(); });
    REQUIRE(easy.has_value());
    CHECK(*easy);
}

TEST_CASE("a budget ends with its scope") {
    const affine::Context context;
    const auto work = [&] {
        int points = 0;
        isl::set(context.ctx(), "{ [a, b] : 0 <= a, b < 30 }").foreach_point([&](const isl::point&) { ++points; });
        return points;
    };
    CHECK(!affine::within(context, 10, work).has_value());
    CHECK(affine::guarded(work) == 900);
    CHECK(affine::within(context, 10'000'000, work) == 900);
}

TEST_CASE("the same work costs the same: a budget that suffices once suffices always") {
    const auto needs = [](std::uint64_t budget) {
        const affine::Context context;
        return affine::within(context, budget, [&] {
            return isl::set(context.ctx(), "[n] -> { [a, b] : 0 <= a < n and 0 <= b and (exists k : a + b = 3k) }")
                .lexmin()
                .is_empty();
        });
    };
    std::uint64_t least = 1;
    while (!needs(least)) { ++least; }
    CHECK(needs(least).has_value());
    CHECK(!needs(least - 1).has_value());
}

TEST_CASE("an attempt is given up at its own limit, and its budget pays") {
    const affine::Context context;
    const auto work = [&] {
        return isl::set(context.ctx(), "[n] -> { [x, y] : 0 <= x < n and 0 <= y < x }").lexmax().is_empty();
    };
    const auto check = [&] {
        CHECK(affine::attempt(context.ctx(), 1'000'000, work) == false);
        CHECK(affine::attempt(context.ctx(), 50, work) == std::nullopt);
        CHECK_FALSE(work());
        // Other errors of isl are passed on.
        CHECK_THROWS_AS(affine::attempt(context.ctx(), 1'000'000, [&] { return isl::set(context.ctx(), "{ [x :"); }),
                        isl::exception);
    };
    check();
    const affine::Budget budget(context, 100'000);
    check();
    const std::uint64_t spent = budget.spent();
    CHECK(spent > 50);
    CHECK_THROWS_AS(affine::attempt(context.ctx(), 1'000'000,
                                    [&] {
                                        while (!work()) {}
                                        return 0;
                                    }),
                    isl::exception);
    CHECK(budget.exhausted());
}

TEST_CASE("a budget knows what is spent of it, and goes on") {
    const affine::Context context;
    const affine::Budget budget(context, 1'000'000);
    CHECK(budget.spent() == 0);
    std::uint64_t before = budget.spent();
    for (int k = 0; k < 3; ++k) {
        (void)isl::set(context.ctx(), "[n] -> { [a, b] : 0 <= a, b < n and (exists k : a + b = 3k) }").lexmin();
        const std::uint64_t after = budget.spent();
        CHECK(after > before + 100);
        before = after;
    }
    CHECK_FALSE(budget.exhausted());
}

TEST_CASE("what is paid from a left is missing from it, and an empty one pays for nothing") {
    const affine::Context context;
    const auto work = [&] { return isl::set(context.ctx(), "[n] -> { [a] : 0 <= a < n }").lexmin().is_empty(); };
    std::uint64_t left = 1'000'000;
    REQUIRE(affine::within(context, 1'000'000, left, work).has_value());
    const std::uint64_t price = 1'000'000 - left;
    CHECK(price > 20);
    CHECK(price < 100'000);
    // This pays for two calls, but not for three.
    left = 2 * price + price / 2;
    CHECK(affine::within(context, 1'000'000, left, work).has_value());
    CHECK(affine::within(context, 1'000'000, left, work).has_value());
    CHECK(!affine::within(context, 1'000'000, left, work).has_value());
    CHECK(left == 0);
    CHECK(affine::within(context, 1'000'000, left, work).error().message == "isl ran out of its budget of operations");
    left = 1'000'000;
    CHECK(!affine::within(context, 10, left, work).has_value());
    CHECK(left >= 1'000'000 - 10);
}

TEST_CASE("budgets do not nest") {
    const affine::Context context;
    const affine::Budget outer(context, 1000);
    CHECK_THROWS_AS(affine::Budget(context, 1000), InternalError);
}

TEST_CASE("a misuse of isl is a fault of ours") {
    const affine::Context context;
    const auto misuse = [&] {
        return isl::set(context.ctx(), "{ [x] }").intersect(isl::set(context.ctx(), "{ [x, y] }")).is_empty();
    };
    CHECK_THROWS_AS(affine::guarded(misuse), InternalError);
    CHECK_THROWS_AS(affine::guarded([&] { return isl::set(context.ctx(), "no set").is_empty(); }), InternalError);
}

TEST_CASE("a fault that isl finds in itself is an error, within a budget or without") {
    for (const isl_error kind : {isl_error_internal, isl_error_unknown}) {
        const auto fault = [&] { isl::exception::throw_error(kind, "Assertion \"so\" failed", "hull.c", 7); };
        const affine::Context context;
        for (const auto& failed : {affine::guarded(fault), affine::within(context, 1000, fault)}) {
            REQUIRE_FALSE(failed);
            CHECK(failed.error().message.starts_with("isl failed: "));
            CHECK(failed.error().message.contains("Assertion \"so\" failed"));
        }
    }
}
