#include "generators/affine/tuples.h"

#include "generators/affine/context.h"
#include "tests/support/catch.h"
#include "tests/support/random_relations.h"

using namespace haruspex;
using namespace haruspex::testing;

TEST_CASE("the name of a set's tuples") {
    const affine::Context context;
    CHECK(affine::tuple_name(isl::set(context.ctx(), "{ a[x] }")) == "a");
    CHECK(affine::tuple_name(isl::set(context.ctx(), "{ b[] }")) == "b");
    CHECK(affine::tuple_name(isl::set(context.ctx(), "{ [x] }")).empty());
    CHECK(affine::tuple_name(isl::set(context.ctx(), "[N] -> { : N > 0 }")).empty());
}

TEST_CASE("another name changes nothing else") {
    const affine::Context context;
    const isl::set set(context.ctx(), "[N] -> { a[x, y] : 0 <= x < N and y mod 2 = 0 }");
    const isl::set renamed = affine::with_tuple_name(set, "b");
    CHECK(affine::tuple_name(renamed) == "b");
    CHECK(renamed.is_equal(isl::set(context.ctx(), "[N] -> { b[x, y] : 0 <= x < N and y mod 2 = 0 }")));
    CHECK(affine::tuple_name(set) == "a");
}

TEST_CASE("a flat product has the indices of both, where both are") {
    const World world{{"N", 0, 2}, {"x", 0, 3}};
    for (std::uint64_t seed = 0; seed < 250; ++seed) {
        const affine::Context context;
        Choices choices(random_source(seed));
        const auto shape = [&](const char* name) {
            return Shape{name, static_cast<std::size_t>(choices.integer(0, 2))};
        };
        const auto one = [&](const char* name) {
            return RandomUnion{names_of(world), {random_relation(choices, world.size(), nullptr, shape(name), 400)}};
        };
        const RandomUnion a = one("a"), b = one("b");
        INFO(seed << ": " << a.text() << " " << b.text());
        const isl::set product =
            affine::flat_product(isl::set(context.ctx(), a.text()), isl::set(context.ctx(), b.text()), "c");
        REQUIRE(affine::tuple_name(product) == "c");
        REQUIRE(enumerate(product.to_union_set(), world) == family(world, [&](const Row& row) {
                    Concrete expected;
                    const Concrete as = a.at(row), bs = b.at(row);
                    if (as.empty() || bs.empty()) { return expected; }
                    for (const Tuple& x : as.at(no_tuple)) {
                        for (const Tuple& y : bs.at(no_tuple)) {
                            Row both = x.second;
                            both.insert(both.end(), y.second.begin(), y.second.end());
                            expected[no_tuple].emplace("c", std::move(both));
                        }
                    }
                    return expected;
                }));
    }
}

TEST_CASE("dimensions are printed by their names") {
    const affine::Context context;
    const isl::map map(context.ctx(), "[N] -> { a[x, y] -> b[z] : z = x + y and x < N }");
    const isl::map named = affine::with_dimension_names(map, {"row", "column"}, {"sum"});
    CHECK(affine::to_string(named) == "[N] -> { a[row, column] -> b[sum = row + column] : row < N }");
    CHECK(named.is_equal(map));
    CHECK_THROWS_AS(affine::with_dimension_names(map, {"row"}, {"sum"}), InternalError);
}

TEST_CASE("idle divisions go, and those that say something stay") {
    const affine::Context context;
    const auto cleaned = [&](const std::string& text) {
        return affine::without_idle_divisions(isl::basic_set(context.ctx(), text));
    };
    // 4*floor((N - 1 - i)/4) >= -i follows from 0 <= i <= 3 and i < N.
    const std::string idle =
        "[N] -> { a[i] : 0 <= i <= 3 and i < N and exists q : 4q <= N - 1 - i < 4q + 4 and 4q >= -i }";
    CHECK(cleaned(idle).is_equal(isl::basic_set(context.ctx(), idle)));
    CHECK(affine::to_string(cleaned(idle)).find("floor") == std::string::npos);
    CHECK(affine::to_string(cleaned(idle)).find("exists") == std::string::npos);
    const std::string even = "{ a[i] : exists q : i = 2q and i > 0 }";
    CHECK(cleaned(even).is_equal(isl::basic_set(context.ctx(), even)));
    for (std::uint64_t seed = 1000; seed < 1000 + 100; ++seed) {
        Choices choices(random_source(seed));
        const RandomUnion u{{"N"}, {random_relation(choices, 1, nullptr, {"a", 2}, 500)}};
        isl::set(context.ctx(), u.text()).foreach_basic_set([&](const isl::basic_set& disjunct) {
            REQUIRE(affine::without_idle_divisions(disjunct).is_equal(disjunct));
        });
    }
}
