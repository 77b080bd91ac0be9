#include "generators/affine/convex.h"

#include "generators/affine/context.h"
#include "generators/affine/emptiness.h"
#include "tests/support/catch.h"

namespace haruspex::affine {
namespace {

struct Isl {
    Context context;
    isl::set set(const std::string& text) const { return isl::set(context.ctx(), text); }
    isl::pw_aff index(const std::string& text) const { return isl::pw_aff(context.ctx(), text); }
};

unsigned pieces(const isl::pw_aff& index) {
    unsigned count = 0;
    index.foreach_piece([&](const isl::set& domain, const isl::multi_aff&) { count += domain.n_basic_set(); });
    return count;
}

bool are_equal_in(const isl::set& where, const isl::pw_aff& a, const isl::pw_aff& b) {
    return where.is_subset(a.eq_set(b));
}

TEST_CASE("a convex set around parts has what they have in common") {
    const Isl isl;
    const isl::set parts = isl.set("[N, i] -> { : 0 <= i < N and (N = 8 or N >= 32 or (i = 0 and N = 20)) }");
    const isl::set around = surrounding(parts);
    CHECK(around.n_basic_set() == 1);
    CHECK(parts.is_subset(around));
    CHECK(around.is_subset(isl.set("[N, i] -> { : 0 <= i < N and N >= 8 }")));
    // Coalescing in isl 0.25 adds a point to this set.
    const isl::set odd = isl.set("[i] -> { : 0 <= i <= 1 or (i mod 4 = 0 and 0 <= i <= 4) }");
    CHECK(odd.is_subset(surrounding(odd)));
}

// Three remainders of one index, as nested tiles produce them.
TEST_CASE("conditions on divisions that are not soon found do not surround a set") {
    const Isl isl;
    const isl::set parts = isl.set(
        "[W, H, x] -> { : W > 0 and H > 0 and "
        "((W <= 2 and 3*floor((-1 + x)/7) >= -3 + x and -14 + 7x <= 8*floor((-1 + x)/7) <= -7 + 7x) or "
        "(exists (e0, e1, e2, e3: W >= 3 and 0 <= x < W and 56 + x - 7e2 <= 840e3 <= 62 + x - 7e2 and "
        "1054 + 17x + 3e1 - 120e2 <= 14280e3 <= 1056 + 17x + 3e1 - 120e2 and "
        "13698 + 221x - 5e0 + 40e1 - 1560e2 <= 185640e3 <= 13702 + 221x - 5e0 + 40e1 - 1560e2 and "
        "41106 + 663x - 16e0 + 120e1 - 4680e2 <= 556920e3 <= 41113 + 663x - 16e0 + 120e1 - 4680e2))) }");
    const auto around = within(isl.context, 1'000'000, [&] { return surrounding(parts); });
    REQUIRE(around);
    CHECK(parts.is_subset(*around));
    CHECK(around->is_subset(isl.set("[W, H, x] -> { : W > 0 and H > 0 }")));
}

// isl 0.25 dereferences a null pointer when it coalesces these parts: if 14 - s <= 3x <= 16 - s, the second and third
// part have only rational points.
TEST_CASE("an index is extended from parts that have no integer point") {
    const Isl isl;
    const isl::set parts =
        isl.set("[s, x, q] -> { : 0 <= q <= 4 }")
            .unite(isl.set("[s, x, q] -> { : (q + 1) mod 6 = 0 and 31 - 2s - 6x <= 3q <= 35 - 2s - 6x and q <= 50 }"))
            .unite(isl.set("[s, x, q] -> { : q mod 4 = 0 and 34 - 2s - 6x <= 3q <= 38 - 2s - 6x and q <= 50 }"));
    const isl::set where = isl.set("[s, x, q] -> { : 0 <= x <= 1 and 14 - s <= 3x <= 16 - s }");
    REQUIRE(met(parts, where).n_basic_set() == 3);
    CHECK(inhabited(met(parts, where)).n_basic_set() == 1);
    const isl::pw_aff index = isl.index("[s, x, q] -> { [7] }")
                                  .intersect_domain(parts)
                                  .union_add(isl.index("[s, x, q] -> { [q] : q >= 100 }"));
    const isl::pw_aff wider = extended(index, where, surrounding(where));
    CHECK(where.intersect(index.domain()).is_subset(wider.domain()));
    CHECK(are_equal_in(where.intersect(index.domain()), index, wider));
}

TEST_CASE("an index that conditions of sizes have cut is one piece") {
    const Isl isl;
    const isl::set where = isl.set("[N, i] -> { : 0 <= i < N and (N = 8 or N >= 32) }");
    const isl::pw_aff index =
        isl.index("[N, i] -> { [(i + 1)] : N = 8 and 0 <= i < N; [(i + 1)] : N >= 32 and 0 <= i < N }");
    const isl::pw_aff wider = extended(index, where, surrounding(where));
    CHECK(pieces(wider) == 1);
    CHECK(are_equal_in(where, wider, index));
    CHECK(surrounding(where).is_subset(wider.domain()));
}

TEST_CASE("pieces that lie apart stay apart, and say only what tells them apart") {
    const Isl isl;
    const isl::set where = isl.set("[N, i, k] -> { : 0 <= i < N and 0 <= k < 5 and (N = 8 or N >= 32) }");
    const isl::pw_aff index =
        isl.index("[N, i, k] -> { [(i)] : k >= 2 and (N = 8 or N >= 32); [(k)] : k <= 1 and (N = 8 or N >= 32) }");
    const isl::pw_aff wider = extended(index, where, surrounding(where));
    CHECK(pieces(wider) == 2);
    CHECK(are_equal_in(where, wider, index));
    CHECK(wider.domain().is_equal(isl.set("[N, i, k] -> { : }")));
}

TEST_CASE("pieces whose surroundings meet stay as they are") {
    const Isl isl;
    const isl::set where = isl.set("[i] -> { : 0 <= i < 9 }");
    const isl::pw_aff index = isl.index("[i] -> { [(0)] : i < 3; [(1)] : 3 <= i < 6; [(0)] : i >= 6 }");
    CHECK(are_equal_in(where, extended(index, where, surrounding(where)), index));
    const isl::set nowhere = isl.set("[i] -> { : false }");
    CHECK(extended(index, nowhere, nowhere).plain_is_equal(index));
}

}  // namespace
}  // namespace haruspex::affine
