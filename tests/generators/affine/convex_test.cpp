#include "generators/affine/convex.h"

#include "generators/affine/context.h"
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
