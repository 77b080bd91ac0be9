#include "oracle/validator/specification/staged_reductions.h"

#include "generators/sare/text.h"
#include "tests/oracle/validator/support.h"

namespace haruspex::validator {
namespace {

std::vector<StagedReduction> reductions_of(const std::string& update, const std::string& more = {}) {
    return staged_reductions(parsed_sare("sare r(N) assuming N >= 1 { input A : u32[1] input B : i32[1] " + more +
                                         " F(x) = 0u32 update F(" + update + " output F on { [x] : 0 <= x < N } }"));
}

TEST_CASE("an update that adds what does not depend on it is a reduction") {
    const auto found = reductions_of("x) = F(x) + A(x + k) over k in [0, N)");
    REQUIRE(found.size() == 1);
    CHECK(found[0].stage == "F.1");
    CHECK(found[0].before.tensor == "F.0");
    CHECK(allows_any_order(found[0], {}));
    CHECK(reductions_of("x) = A(x + k) * 2 + F(x) + A(x) over k in [0, N)").size() == 1);
    CHECK(reductions_of("x) = F(x) - A(x + k) over k in [0, N)").size() == 1);
    CHECK(reductions_of("k/2) = min(A(k), F(k/2)) over k in [0, N)").size() == 1);
}

TEST_CASE("an update whose operand depends on it is not a reduction") {
    CHECK(reductions_of("x) = F(x) + F(x) over k in [0, N)").empty());
    CHECK(reductions_of("k) = F(k) + F(k - 1) over k in [1, N)").empty());
    CHECK(reductions_of("k) = F(k - 1) + A(k) over k in [1, N)").empty());
    CHECK(reductions_of("x) = A(k) - F(x) over k in [0, N)").empty());
    CHECK(reductions_of("x) = (F(x) + A(k)) * 2 over k in [0, N)").empty());
    CHECK(reductions_of("x) = A(k) over k in [0, N)").empty());
    // A step without recurrence variables has no order.
    CHECK(reductions_of("x) = F(x) + A(x)").empty());
}

TEST_CASE("whether the order matters depends on the operator and the type") {
    const auto of = [](const std::string& type, const std::string& value) {
        const auto found = staged_reductions(parsed_sare("sare r(N) assuming N >= 1 { input A : " + type +
                                                         "[1] F(x) = A(x) update F(x) = " + value +
                                                         " over k in [0, N) output F on { [x] : 0 <= x < N } }"));
        REQUIRE(found.size() == 1);
        return found[0];
    };
    CHECK(allows_any_order(of("i16", "F(x) + A(k)"), {}));
    CHECK_FALSE(allows_any_order(of("i32", "F(x) + A(k)"), {}));
    CHECK_FALSE(allows_any_order(of("i32", "F(x) - A(k)"), {.exact_reals = true, .are_numbers = true}));
    CHECK(allows_any_order(of("i32", "max(F(x), A(k))"), {}));
    CHECK_FALSE(allows_any_order(of("f32", "F(x) + A(k)"), {.are_numbers = true}));
    CHECK(allows_any_order(of("f32", "F(x) + A(k)"), {.exact_reals = true, .are_numbers = true}));
    CHECK_FALSE(allows_any_order(of("f32", "min(F(x), A(k))"), {}));
    CHECK(allows_any_order(of("f32", "min(F(x), A(k))"), {.are_numbers = true}));
    CHECK_FALSE(allows_any_order(of("u32", "F(x) / A(k)"), {.exact_reals = true, .are_numbers = true}));
    CHECK(allows_any_order(of("i32", "F(x) + A(k)"), {.sums_fit = true}));
    CHECK(allows_any_order(of("i64", "F(x) - A(k)"), {.sums_fit = true}));
    CHECK_FALSE(allows_any_order(of("i32", "F(x) * A(k)"), {.sums_fit = true}));
    CHECK_FALSE(allows_any_order(of("f32", "F(x) + A(k)"), {.sums_fit = true}));
}

TEST_CASE("components are reduced apart if they do not read each other") {
    const auto of = [](const std::string& values) {
        return staged_reductions(
            parsed_sare("sare r(N) assuming N >= 1 { input A : u32[1] F(x) = {0u32, 1u32} update F(x) = {" + values +
                        "} over k in [0, N) output F on { [x] : 0 <= x < N } }"));
    };
    CHECK(of("F(x)[0] + A(k), F(x)[1] * A(k)").size() == 2);
    CHECK(of("F(x)[0] + A(k), F(x)[1] * F(x)[0]").size() == 1);
    CHECK(of("F(x)[1] + A(k), F(x)[0] * A(k)").empty());
}

TEST_CASE("the steps of a reduction are those that write the cell") {
    const sare::Sare sare = parsed_sare(
        "sare r(N) assuming N >= 1 { input A : u32[1] F(x) = 0u32 update F(k/2) = F(k/2) + A(k) "
        "over k in [0, N) where k > 2 output F on { [x] : 0 <= x < N } }");
    const auto found = staged_reductions(sare);
    REQUIRE(found.size() == 1);
    const affine::Context context;
    const Specification specification(context.ctx(), with_steps(sare, found));
    const Steps steps = steps_of(found[0], specification);
    const isl::ctx ctx = context.ctx();
    CHECK(steps.writing.is_equal(isl::set(ctx, "[N] -> { [x, k] : 2x <= k <= 2x + 1 and 3 <= k < N }")));
    CHECK(steps.last.is_equal(isl::map(ctx, "[N] -> { [x, k] -> [x, N - 1] }")));
    CHECK(steps.before.is_equal(isl::map(ctx, "{ [x, k] -> [x] }")));
    CHECK(specification.signatures().at("F.1@").is_total);
}

}  // namespace
}  // namespace haruspex::validator
