#include "generators/affine/environment.h"

#include "generators/affine/context.h"
#include "tests/support/catch.h"

using namespace haruspex;

TEST_CASE("an index has its value in an environment, a condition holds or not") {
    const affine::Context context;
    const isl::ctx ctx = context.ctx();
    const isl::point environment = isl::set(ctx, "[N, i] -> { : N = 7 and i = -3 }").sample_point();
    const auto value = [&](const std::string& index) {
        return affine::value_in(isl::pw_aff(ctx, "[N, i] -> { " + index + " }"), environment);
    };
    CHECK(value("[(2N + i)]") == 11);
    CHECK(value("[(floor(i/2))]") == -2);
    CHECK(value("[(1)] : i > 0; [(5)] : i <= 0") == 5);
    CHECK_FALSE(value("[(1)] : i > 0"));
    CHECK(affine::value_in(isl::pw_aff(ctx, "[i] -> { [(-i)] }"), environment) == 3);
    CHECK_FALSE(affine::value_in(isl::pw_aff(ctx, "[j] -> { [(j)] }"), environment));
    CHECK(affine::is_one_of(environment, isl::set(ctx, "[i] -> { : i < 0 }")));
    CHECK_FALSE(affine::is_one_of(environment, isl::set(ctx, "[N] -> { : N mod 2 = 0 }")));
}

TEST_CASE("some environment is one of them, if there is any") {
    const affine::Context context;
    const isl::set some(context.ctx(), "[N, i] -> { : 5 <= N <= 9 and 2i = N; : N = 0 and i = 3 }");
    const auto environment = affine::some_environment(some);
    REQUIRE(environment);
    CHECK(affine::is_one_of(*environment, some));
    CHECK_FALSE(affine::some_environment(isl::set(context.ctx(), "[N, i] -> { : 5 <= N <= 5 and 2i = N }")));
}
