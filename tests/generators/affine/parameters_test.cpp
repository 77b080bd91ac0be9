#include "generators/affine/parameters.h"

#include <algorithm>
#include <iterator>

#include "generators/affine/context.h"
#include "tests/support/catch.h"
#include "tests/support/random_relations.h"

using namespace haruspex;
using namespace haruspex::testing;

// Random unions of relations and sets, compared with their definitions in all environments of a world.

namespace {

constexpr std::uint64_t rounds = 250;
const World world{{"N", 0, 2}, {"M", -1, 1}, {"x", 0, 3}};
// x must make no difference to sets and relations that do not mention it.
const World outer{{"N", 0, 2}, {"M", -1, 1}};

struct Draw {
    explicit Draw(std::uint64_t seed) : choices(random_source(seed)) {}

    RandomUnion relations(const World& parameters = world) {
        return random_union(choices, parameters, {{"a", 1}, {"b", 2}, {"c", 0}}, {{"e", 1}, {"f", 0}, {"g", 2}});
    }
    RandomUnion sets(const World& parameters = world) {
        return random_union(choices, parameters, {}, {{"a", 1}, {"b", 2}, {"c", 0}});
    }
    isl::union_map isl_map(const RandomUnion& u) const { return isl::union_map(context.ctx(), u.text()); }
    isl::union_set isl_set(const RandomUnion& u) const { return isl::union_set(context.ctx(), u.text()); }
    // { : 0 <= x <= 3 }, the values of x in the world.
    isl::set iterations() const { return environments(context.ctx(), {world.back()}); }

    affine::Context context;
    Choices choices;
};

Concrete united(Concrete a, const Concrete& b) {
    for (const auto& [key, values] : b) { a[key].insert(values.begin(), values.end()); }
    return a;
}

// { t : t at some x }
Family at_some_x(const RandomUnion& u) {
    return family(outer, [&](const Row& row) {
        Concrete all;
        for_each_row({world.back()}, [&](const Row& x) { all = united(std::move(all), u.at({row[0], row[1], x[0]})); });
        return all;
    });
}

// Applies `change` to each set or relation of a union separately, as a plain isl object.
Family one_by_one(const isl::union_set& all, const World& in, const std::function<isl::set(const isl::set&)>& change) {
    isl::union_set result = isl::union_set::empty(all.ctx());
    all.foreach_set([&](const isl::set& part) { result = result.unite(change(part).to_union_set()); });
    return enumerate(result, in);
}
Family one_by_one(const isl::union_map& all, const World& in, const std::function<isl::map(const isl::map&)>& change) {
    isl::union_map result = isl::union_map::empty(all.ctx());
    all.foreach_map([&](const isl::map& part) { result = result.unite(change(part).to_union_map()); });
    return enumerate(result, in);
}

}  // namespace

TEST_CASE("a parameter that is projected out may have been anything") {
    for (std::uint64_t seed = 0; seed < rounds; ++seed) {
        Draw draw(seed);
        const RandomUnion r = draw.relations(), s = draw.sets();
        INFO(seed << ": " << r.text() << " " << s.text());
        const isl::union_map map = draw.isl_map(r).intersect_params(draw.iterations());
        const isl::union_set set = draw.isl_set(s).intersect_params(draw.iterations());
        REQUIRE(enumerate(affine::project_out(map, "x"), outer) == at_some_x(r));
        REQUIRE(enumerate(affine::project_out(set, "x"), outer) == at_some_x(s));
        REQUIRE(one_by_one(map, outer, [](const isl::map& part) { return affine::project_out(part, "x"); }) ==
                at_some_x(r));
        REQUIRE(one_by_one(set, outer, [](const isl::set& part) { return affine::project_out(part, "x"); }) ==
                at_some_x(s));
    }
}

TEST_CASE("a parameter that does not occur is projected out and renamed to no effect") {
    for (std::uint64_t seed = 1000; seed < 1000 + 50; ++seed) {
        Draw draw(seed);
        const isl::union_map map = draw.isl_map(draw.relations(outer));
        const isl::union_set set = draw.isl_set(draw.sets(outer));
        REQUIRE(affine::project_out(map, "x").is_equal(map));
        REQUIRE(affine::project_out(set, "x").is_equal(set));
        REQUIRE(affine::rename(map, "x", "y").is_equal(map));
        REQUIRE(affine::rename(set, "x", "y").is_equal(set));
    }
}

TEST_CASE("a renamed parameter is the same one under another name") {
    const World renamed{world[0], world[1], {"y", 0, 3}};
    for (std::uint64_t seed = 2000; seed < 2000 + rounds; ++seed) {
        Draw draw(seed);
        const RandomUnion r = draw.relations(), s = draw.sets();
        INFO(seed << ": " << r.text() << " " << s.text());
        const Family expected_r = family(world, [&](const Row& row) { return r.at(row); });
        const Family expected_s = family(world, [&](const Row& row) { return s.at(row); });
        const isl::union_map map = draw.isl_map(r);
        const isl::union_set set = draw.isl_set(s);
        REQUIRE(enumerate(affine::rename(map, "x", "y"), renamed) == expected_r);
        REQUIRE(enumerate(affine::rename(set, "x", "y"), renamed) == expected_s);
        REQUIRE(one_by_one(map, renamed, [](const isl::map& part) { return affine::rename(part, "x", "y"); }) ==
                expected_r);
        REQUIRE(one_by_one(set, renamed, [](const isl::set& part) { return affine::rename(part, "x", "y"); }) ==
                expected_s);
        REQUIRE(affine::rename(affine::rename(map, "x", "y"), "y", "x").is_equal(map));
    }
}

TEST_CASE("a name that is taken is an error of ours") {
    const affine::Context context;
    const isl::set set(context.ctx(), "[N, x] -> { a[x] : x < N }");
    const isl::map map(context.ctx(), "[N, x] -> { a[x] -> b[N] }");
    CHECK_THROWS_AS(affine::rename(set, "x", "N"), InternalError);
    CHECK_THROWS_AS(affine::rename(map, "x", "N"), InternalError);
    CHECK_THROWS_AS(affine::rename(set.to_union_set(), "x", "N"), InternalError);
    CHECK_THROWS_AS(affine::rename(map.to_union_map(), "x", "N"), InternalError);
}

TEST_CASE("bind makes the parameter what the tuples are related to") {
    for (std::uint64_t seed = 3000; seed < 3000 + rounds; ++seed) {
        Draw draw(seed);
        const RandomUnion s = draw.sets();
        INFO(seed << ": " << s.text());
        const isl::union_set set = draw.isl_set(s).intersect_params(draw.iterations());
        REQUIRE(enumerate(affine::bind(set, "x"), outer) == family(outer, [&](const Row& row) {
                    Concrete expected;
                    for_each_row({world.back()}, [&](const Row& x) {
                        const Concrete here = s.at({row[0], row[1], x[0]});
                        if (here.empty()) { return; }
                        for (const Tuple& tuple : here.at(no_tuple)) { expected[tuple].insert({"", x}); }
                    });
                    return expected;
                }));
    }
}

TEST_CASE("what does not depend on the parameter is bound to all its values") {
    const affine::Context context;
    const isl::union_set set(context.ctx(), "[N] -> { a[N]; b[] : N > 0 }");
    CHECK(affine::bind(set, "x").is_equal(isl::union_map(context.ctx(), "[N] -> { a[N] -> [x]; b[] -> [x] : N > 0 }")));
    CHECK(affine::bind(isl::union_set::empty(context.ctx()), "x").is_empty());
}

TEST_CASE("the tuple of a parameter binds the dimension to it") {
    const affine::Context context;
    const isl::set set(context.ctx(), "[N] -> { [i] : 0 <= i < N }");
    CHECK(set.bind(affine::tuple_of(context.ctx(), {"x"}))
              .is_equal(isl::set(context.ctx(), "[N, x] -> { : 0 <= x < N }")));
}

TEST_CASE("a parameter is an expression") {
    const affine::Context context;
    const isl::set graph = isl::multi_pw_aff(affine::parameter(context.ctx(), "x")).as_set();
    CHECK(graph.is_equal(isl::set(context.ctx(), "[x] -> { [x] }")));
}

TEST_CASE("the parameters of a set, in isl's order") {
    const affine::Context context;
    using Names = std::vector<std::string>;
    CHECK(affine::parameters(isl::set(context.ctx(), "[N, x, M] -> { : x < N }")) == Names{"N", "x", "M"});
    CHECK(affine::parameters(isl::set(context.ctx(), "{ : }")).empty());
}

TEST_CASE("disjuncts are counted over all sets and relations of a union") {
    const affine::Context context;
    const isl::ctx ctx = context.ctx();
    CHECK(affine::disjuncts(isl::union_set::empty(ctx)) == 0);
    CHECK(affine::disjuncts(isl::union_map::empty(ctx)) == 0);
    CHECK(affine::disjuncts(isl::union_set(ctx, "{ a[x] : x > 0; a[x] : x < 0; b[] }")) == 3);
    CHECK(affine::disjuncts(isl::union_map(ctx, "{ a[x] -> c[x] : x > 0; a[x] -> c[x] : x < 0; b[] -> c[0] }")) == 3);
    for (std::uint64_t seed = 4000; seed < 4000 + 100; ++seed) {
        Draw draw(seed);
        const isl::union_map map = draw.isl_map(draw.relations());
        unsigned listed = 0;
        map.foreach_map([&](const isl::map& part) { part.foreach_basic_map([&](const auto&) { ++listed; }); });
        REQUIRE(affine::disjuncts(map) == listed);
    }
}

TEST_CASE("environments are possible when some are left with defined parameters in their places") {
    std::size_t possible = 0, impossible = 0;
    for (std::uint64_t seed = 9000; seed < 9000 + rounds; ++seed) {
        Choices choices(random_source(seed));
        const affine::Context context;
        const isl::ctx ctx = context.ctx();
        const auto number = [&] { return std::to_string(choices.integer(-2, 2)); };
        const isl::set known(ctx, "[N, M] -> { : 0 <= N <= 4 and " + number() + " <= M <= N }");
        // p = max(N, M + 1), q = |p - d| + M
        const std::string d = number();
        const std::vector<affine::Definition> definitions{
            {"p", isl::set(ctx, "[N, M, p] -> { : p = N and N >= M + 1 or p = M + 1 and N <= M }")},
            {"q", isl::set(ctx, "[M, p, q] -> { : q = p - " + d + " + M and p >= " + d + " or q = " + d +
                                    " - p + M and p < " + d + " }")}};
        const isl::set environments(ctx, "[N, M, p, q] -> { : q >= p + " + number() + " and q <= N + M + " + number() +
                                             " or p = q + " + number() + " and 2M = p + 1 }");
        isl::set left = environments;
        for (auto definition = definitions.rbegin(); definition != definitions.rend(); ++definition) {
            left = affine::eliminate(left, definition->parameter, definition->environments);
        }
        const bool is_possible = !left.is_disjoint(known);
        INFO(seed << ": " << environments << " in " << known);
        REQUIRE(affine::are_possible(environments, known, definitions) == is_possible);
        ++(is_possible ? possible : impossible);
    }
    CHECK(possible > 10);
    CHECK(impossible > 10);
}

TEST_CASE("a tuple in pieces has the values of the tuple, and is where each element is") {
    const affine::Context context;
    const isl::multi_pw_aff tuple =
        affine::tuple(context.ctx(), {isl::pw_aff(context.ctx(), "[x, y] -> { [(x)] : x < y; [(2y)] : x >= y }"),
                                      isl::pw_aff(context.ctx(), "[x, y] -> { [(x + y)] : x < 4; [(0)] : x = 7 }")});
    const isl::pw_multi_aff pieces = affine::in_pieces(tuple);
    CHECK(pieces.domain().is_equal(tuple.domain()));
    CHECK(isl::multi_pw_aff(pieces).as_set().is_equal(tuple.as_set()));
    CHECK(pieces.n_piece() == 4);
}
