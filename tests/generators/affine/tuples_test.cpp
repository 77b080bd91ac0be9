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

TEST_CASE("the tuple of each choice of the parameters is read off the disjuncts where they agree") {
    const affine::Context context;
    const auto check = [&](const std::string& text) {
        INFO(text);
        const isl::set set(context.ctx(), text);
        CHECK(affine::tuple_of_each(set).as_set().is_equal(set));
    };
    check("[N] -> { a[x, y] : x = N and y = 2 and N > 0 }");
    check("[N] -> { a[x] : x = N and N > 5; a[x] : x = N and N < 0 }");
    check("[N] -> { a[x] : x = N and N > 5; a[x] : x = 3 and N < 0; a[x] : x = 2 and N = 1 }");
    // These overlap where they are equal, in different forms.
    check("[N] -> { a[x] : x = N and N >= 4; a[x] : x = 4 and N <= 4 }");
    CHECK_THROWS_AS(affine::tuple_of_each(isl::set(context.ctx(), "[N] -> { a[x] : x = N or x = 4 }")), isl::exception);
    CHECK_THROWS_AS(affine::tuple_of_each(isl::set(context.ctx(), "[N] -> { a[x] : 0 <= x <= N }")), isl::exception);
}

TEST_CASE("a tuple of many remainders is no search for all of them at once") {
    const affine::Context context;
    const isl::set set(context.ctx(),
                       "[u, x] -> { a[b, c, d, e, f] : e = u + x - 2 and (3 - u + b) mod 7 = 0 and 0 <= b <= 6 and "
                       "(c - u - 2) mod 5 = 0 and 0 <= c <= 4 and (u + d) mod 4 = 0 and 0 <= d <= 3 and "
                       "(4 + 4u - f) mod 8 = 0 and 0 <= f <= 4 }");
    const isl::pw_multi_aff tuple = affine::tuple_of_each(set);
    CHECK(tuple.n_piece() == 1);
    CHECK(affine::tuple_name(tuple.as_set()) == "a");
    for (int u = 0; u < 20; ++u) {
        const isl::set here(context.ctx(), "[u, x] -> { : x = 3 and u = " + std::to_string(7 * u) + " }");
        CHECK(tuple.as_set().intersect_params(here).is_equal(set.intersect_params(here)));
    }
}

TEST_CASE("the tuple of each choice of the parameters is the set's, and there is none where it has two") {
    int single = 0, several = 0;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        const affine::Context context;
        Choices choices(random_source(seed));
        std::string text;
        for (std::int64_t disjuncts = choices.integer(1, 4); disjuncts > 0; --disjuncts) {
            const std::int64_t first = choices.integer(-3, 5), last = first + choices.integer(0, 3);
            text += (text.empty() ? "" : "; ") + std::string("a[") + std::to_string(choices.integer(0, 1)) + "N + " +
                    std::to_string(choices.integer(0, 2)) + "] : " + std::to_string(first) +
                    " <= N <= " + std::to_string(last);
        }
        INFO(seed << ": " << text);
        const isl::set set(context.ctx(), "[N] -> { " + text + " }");
        bool all_single = true;
        for (std::int64_t n = -3; n <= 8; ++n) {
            const std::string at = "[N] -> { : N = " + std::to_string(n) + " }";
            const isl::set cells = set.intersect_params(isl::set(context.ctx(), at));
            all_single = all_single && (cells.is_empty() || cells.project_out_all_params().is_singleton());
        }
        if (all_single) {
            ++single;
            REQUIRE(affine::tuple_of_each(set).as_set().is_equal(set));
        } else {
            ++several;
            REQUIRE_THROWS_AS(affine::tuple_of_each(set), isl::exception);
        }
    }
    CHECK(single > 50);
    CHECK(several > 50);
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
