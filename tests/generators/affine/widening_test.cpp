#include "generators/affine/widening.h"

#include "generators/affine/context.h"
#include "tests/support/catch.h"

namespace haruspex::affine {
namespace {

struct Isl {
    Context context;
    isl::map map(const std::string& text) const { return isl::map(context.ctx(), text); }
};

TEST_CASE("joining finds the equations that two relations have in common") {
    const Isl isl;
    const isl::map last = isl.map("[N] -> { [i] -> [i] : i = N - 1 }"),
                   before = isl.map("[N] -> { [i] -> [i] : i = N - 2 }");
    CHECK(joined(last, before).is_equal(isl.map("[N] -> { [i] -> [i] }")));
    const isl::map even = isl.map("{ [0] -> [0] }"), next = isl.map("{ [2] -> [4] }");
    CHECK(next.unite(even).is_subset(joined(even, next)));
    CHECK(joined(even, next).is_subset(isl.map("{ [i] -> [2i] }")));
}

TEST_CASE("joining tells parts apart that have little in common") {
    const Isl isl;
    const isl::map before = isl.map("{ [i, 0] -> [i] : i = 7; [i, 1] -> [j] : i = 3 and j = 8 }");
    const isl::map more = isl.map("{ [i, 0] -> [i] : i = 6 }");
    const isl::map result = joined(before, more);
    CHECK(result.is_equal(isl.map("{ [i, 0] -> [i]; [3, 1] -> [8] }")));
    CHECK(joined(isl.map("{ [i] -> [j] : false }"), isl.map("{ [1] -> [2] }")).is_equal(isl.map("{ [1] -> [2] }")));
}

TEST_CASE("extrapolating keeps the bounds that both relations have") {
    const Isl isl;
    const isl::map first = isl.map("{ [i, k] -> [i] : 0 <= i < 5 and k = 0 }");
    const isl::map then = isl.map("{ [i, k] -> [i] : 0 <= i < 5 and k = 1 }");
    CHECK(extrapolated(first, then).is_equal(isl.map("{ [i, k] -> [i] : 0 <= i < 5 and k >= 0 }")));
    CHECK(extrapolated(first, first).is_equal(first));
}

}  // namespace
}  // namespace haruspex::affine
