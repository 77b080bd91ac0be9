#include "generators/affine/comparison.h"

#include <optional>

#include "generators/affine/context.h"
#include "generators/affine/parameters.h"
#include "tests/support/catch.h"
#include "tests/support/random_relations.h"

using namespace haruspex;
using namespace haruspex::testing;

namespace {

const World world{{"N", -3, 4}, {"M", -2, 3}};

// c + a*N + b*M if low <= N <= high; the first of several parts that is defined gives the value.
struct Part {
    std::int64_t low, high, c, a, b;
};
using Parts = std::vector<Part>;

Parts random_parts(Choices& choices) {
    Parts parts;
    for (std::int64_t n = choices.integer(1, 3); n > 0; --n) {
        const std::int64_t low = choices.integer(-5, 3);
        parts.push_back(
            {low, low + choices.integer(0, 9), choices.integer(0, 1), choices.integer(0, 1), choices.integer(0, 1)});
    }
    return parts;
}

std::optional<std::int64_t> value_at(const Parts& parts, const Row& at) {
    for (const Part& part : parts) {
        if (part.low <= at[0] && at[0] <= part.high) { return part.c + part.a * at[0] + part.b * at[1]; }
    }
    return std::nullopt;
}

isl::pw_aff expression(isl::ctx ctx, const Parts& parts) {
    const isl::pw_aff n = affine::parameter(ctx, "N"), m = affine::parameter(ctx, "M");
    isl::pw_aff all = affine::constant(ctx, 0).intersect_domain(affine::nowhere(ctx));
    for (const Part& part : parts) {
        const isl::set here =
            affine::constant(ctx, part.low).le_set(n).intersect(n.le_set(affine::constant(ctx, part.high)));
        const isl::pw_aff sum = affine::constant(ctx, part.c)
                                    .add(n.scale(static_cast<long>(part.a)))
                                    .add(m.scale(static_cast<long>(part.b)));
        all = all.union_add(sum.intersect_domain(here.subtract(all.domain())));
    }
    return all;
}

}  // namespace

TEST_CASE("two expressions differ where they have different values, or one has none") {
    int same = 0, apart = 0;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        const affine::Context context;
        Choices choices(random_source(seed));
        const Parts mine = random_parts(choices), theirs = random_parts(choices);
        const isl::pw_aff a = expression(context.ctx(), mine), b = expression(context.ctx(), theirs);
        const std::int64_t low = choices.integer(-3, 4), high = low + choices.integer(0, 3);
        const isl::set where = environments(context.ctx(), {{"N", low, high}, {"M", -2, 3}});
        INFO(seed << ": " << affine::to_string(a) << " and " << affine::to_string(b));
        const isl::set differing = affine::differing(a, b, where);
        CHECK(differing.is_subset(where));
        bool are_same = true;
        for_each_row(world, [&](const Row& row) {
            if (row[0] < low || row[0] > high) { return; }
            const auto x = value_at(mine, row), y = value_at(theirs, row);
            const bool differ = !x || !y || *x != *y;
            are_same = are_same && !differ;
            const isl::set here =
                environments(context.ctx(), {{"N", row[0], row[0]}, {"M", row[1], row[1]}}).intersect(where);
            REQUIRE(here.is_disjoint(differing) == !differ);
        });
        // Beyond the world they may still differ, but not within it.
        const bool all_in_world = high <= 4;
        if (all_in_world) { REQUIRE(affine::are_same(a, b, where) == are_same); }
        (are_same ? same : apart) += all_in_world ? 1 : 0;
    }
    CHECK(same > 5);
    CHECK(apart > 100);
}

TEST_CASE("expressions are the same in environments that there are not") {
    const affine::Context context;
    const isl::pw_aff n = affine::parameter(context.ctx(), "N");
    CHECK(affine::are_same(n, affine::constant(context.ctx(), 0), affine::nowhere(context.ctx())));
    CHECK(affine::differing(n, affine::constant(context.ctx(), 0), affine::nowhere(context.ctx())).is_empty());
}
