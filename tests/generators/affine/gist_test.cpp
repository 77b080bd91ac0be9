#include "generators/affine/gist.h"

#include "generators/affine/context.h"
#include "generators/affine/sets.h"
#include "generators/base/choice.h"
#include "tests/support/catch.h"

using namespace haruspex;

namespace {

// A context that is empty where x = y, though not obviously, and many inequalities on both sides.
struct Contradiction {
    affine::Context context;
    isl::set set, known;

    explicit Contradiction(int more)
        : set(isl::set(context.ctx(), text(more, true))), known(context.ctx(), text(more, false)) {}

    static std::string text(int more, bool is_set) {
        std::string variables = "x, y, w, s", conditions = is_set ? "x = y" : "w >= x + 1 and w <= s and s <= y";
        for (int i = 0; i < more; ++i) {
            const std::string a = "a" + std::to_string(i);
            variables += ", " + a;
            conditions += is_set ? " and x + w + s <= " + a + " <= 9 + x + w + s" : " and " + a + " >= w + s";
        }
        return "[" + variables + "] -> { : " + conditions + " }";
    }
};

isl::set values(const isl::pw_aff& expression) { return isl::multi_pw_aff(expression).as_set(); }

}  // namespace

TEST_CASE("what the context rules out is gone, and nothing is written beyond isl's memory") {
    for (const int more : {0, 1, 3, 10, 40}) {
        INFO(more);
        const Contradiction here(more);
        CHECK(affine::gist(here.set, here.known).is_empty());
        CHECK(affine::gist(here.set.unite(here.known), here.known).is_equal(isl::set::universe(here.known.space())));
        const isl::pw_aff expression = isl::pw_aff(here.context.ctx(), "[x] -> { [(x)] }").intersect_params(here.set);
        CHECK(affine::gist(expression, here.known).domain().is_empty());
        const isl::union_set cells = isl::union_set(here.context.ctx(), "{ a[i]; b[i, j] }").intersect_params(here.set);
        CHECK(affine::gist_params(cells, here.known).is_empty());
        CHECK(affine::gist_params(cells.identity(), here.known).is_empty());
    }
}

TEST_CASE("in the context a gist is what it is the gist of") {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        INFO("seed " << seed);
        Choices choices(random_source(seed));
        const auto number = [&](std::int64_t low, std::int64_t high) {
            return std::to_string(choices.integer(low, high));
        };
        const auto conditions = [&] {
            return "x " + std::string(choices.integer(0, 3) == 0 ? "=" : "<=") + " y + " + number(-2, 2) + " and " +
                   number(-2, 2) + "x + z >= " + number(-3, 3) + "y + " + number(-4, 4) +
                   " and (x + z) mod 3 <= " + number(0, 2);
        };
        const auto set = [&](isl::ctx ctx) {
            return isl::set(ctx, "[x, y, z] -> { : " + conditions() + "; : " + conditions() + " }");
        };
        const affine::Context context;
        const isl::set known = set(context.ctx()), some = set(context.ctx());
        CHECK(affine::gist(some, known).intersect(known).is_equal(some.intersect(known)));
        const isl::multi_pw_aff one(
            isl::pw_aff(context.ctx(), "[x, y, z] -> { [(x + 2y)] : x < z; [(floor(z/2))] : x >= z }")
                .intersect_params(some));
        const isl::multi_pw_aff pair = one.flat_range_product(one.neg());
        const auto in_context = [&](const isl::multi_pw_aff& tuple) { return tuple.as_set().intersect_params(known); };
        CHECK(in_context(isl::multi_pw_aff(affine::gist(one.at(0), known))).is_equal(in_context(one)));
        CHECK(in_context(affine::gist(pair, known)).is_equal(in_context(pair)));
        const isl::union_map cells =
            isl::union_map(context.ctx(), "[x, y] -> { a[i] -> b[i + x]; a[i] -> c[] : i < y }").intersect_params(some);
        CHECK(affine::gist_params(cells, known).intersect_params(known).is_equal(cells.intersect_params(known)));
        const isl::union_set range = cells.range();
        CHECK(affine::gist_params(range, known).intersect_params(known).is_equal(range.intersect_params(known)));
    }
}

TEST_CASE("an expression narrowed to a set is the same there, and one of a single piece is without a condition") {
    const affine::Context context;
    const isl::set below(context.ctx(), "[x, y, z] -> { : x < y <= z }");
    const isl::pw_aff least = isl::pw_aff(context.ctx(), "[x, y, z] -> { [(x)] : x <= y; [(y)] : x > y }");
    CHECK_FALSE(least.isa_aff());
    CHECK(affine::narrowed(least, below).plain_is_equal(isl::pw_aff(context.ctx(), "[x, y, z] -> { [(x)] }")));
    const isl::pw_aff both = affine::narrowed(least, below.unite(isl::set(context.ctx(), "[x, y, z] -> { : z < x }")));
    CHECK(values(both).is_equal(values(least)));
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        INFO("seed " << seed);
        Choices choices(random_source(seed));
        const auto number = [&] { return std::to_string(choices.integer(-4, 4)); };
        const isl::set where(context.ctx(), "[x, y, z] -> { : x <= y + " + number() + " and z >= 2x + " + number() +
                                                " ; : y = 2x + " + number() + " and x <= " + number() + " <= z }");
        const std::string first = "x + y >= " + number(), second = "z <= " + number() + " and (x + z) mod 3 = 1";
        const isl::pw_aff value(context.ctx(), "[x, y, z] -> { [(x + 2y)] : not (" + first +
                                                   "); [(floor(z/2))] : " + first + " and " + second +
                                                   "; [(7 - x)] : " + first + " and not (" + second + ") }");
        const isl::pw_aff narrowed = affine::narrowed(value, where);
        CHECK(where.is_subset(narrowed.domain()));
        CHECK(values(narrowed).intersect_params(where).is_equal(values(value).intersect_params(where)));
    }
}
