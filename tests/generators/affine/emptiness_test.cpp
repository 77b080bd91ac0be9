#include "generators/affine/emptiness.h"

#include "generators/affine/context.h"
#include "tests/support/catch.h"
#include "tests/support/random_relations.h"

using namespace haruspex;
using namespace haruspex::testing;

TEST_CASE("a set is empty when it has no integer point, whatever rational ones it has") {
    const affine::Context context;
    struct Example {
        std::string text;
        bool is_empty, is_rationally_empty;
    };
    const std::vector<Example> examples{
        {"[N] -> { : N > 3 and N < 3 }", true, true},
        {"[N, M] -> { : N + M > 3 and N - M > 3 and N < 3 }", true, true},
        {"[N, M] -> { : 3N + 4M >= 4 and 4N <= 3M + 6 and N + 5M <= 4 }", true, false},
        {"[N, M] -> { : 2 <= 3N + 6M <= 3 }", false, false},
        {"[N] -> { : N > 3 and N < 3; : N = 7 }", false, false},
        {"[N] -> { : }", false, false},
    };
    for (const Example& example : examples) {
        INFO(example.text);
        const isl::set set(context.ctx(), example.text);
        // The order matters: isl remembers that a set is empty.
        const std::vector<isl::basic_set> parts = affine::convex_parts(set, set.space());
        CHECK(std::ranges::all_of(parts, affine::is_rationally_empty) == example.is_rationally_empty);
        CHECK(affine::is_empty(set) == example.is_empty);
    }
}

TEST_CASE(
    "sets and relations are empty where enumeration finds nothing in them, and disjoint where nothing is in both") {
    const World world{{"N", 0, 2}, {"M", -1, 1}};
    int apart = 0, meeting = 0;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        const affine::Context context;
        Choices choices(random_source(seed));
        const isl::set within = environments(context.ctx(), world);
        const auto shape = [&] { return random_union(choices, world, {}, {{"a", 2}}); };
        const auto one = shape(), other = shape();
        INFO(seed << ": " << one.text() << " and " << other.text());
        const isl::union_set first = isl::union_set(context.ctx(), one.text()).intersect_params(within);
        const isl::union_set second = isl::union_set(context.ctx(), other.text()).intersect_params(within);
        first.foreach_set([&](const isl::set& part) {
            CHECK(affine::is_empty(part) == enumerate(part.to_union_set(), world).empty());
            const isl::space point = isl::space::unit(context.ctx()).add_unnamed_tuple(0);
            CHECK(affine::is_empty(part.insert_domain(point)) == enumerate(part.to_union_set(), world).empty());
            second.foreach_set([&](const isl::set& mine) {
                const bool meet = !enumerate(part.intersect(mine).to_union_set(), world).empty();
                CHECK(affine::is_disjoint(part, mine) == !meet);
                CHECK(affine::met(part, mine).is_equal(part.intersect(mine)));
                (meet ? meeting : apart) += 1;
            });
        });
    }
    CHECK(apart > 5);
    CHECK(meeting > 50);
}
