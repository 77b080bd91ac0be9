#include "generators/schedule/halide/size_rules.h"

#include "tests/generators/schedule/halide/program.h"
#include "tests/support/catch.h"

using namespace haruspex;
using namespace haruspex::schedule::halide;
using namespace haruspex::schedule::halide::test;

namespace {

const sare::Algorithm& program() {
    static const sare::Algorithm made = algorithm(R"(sare p(W, H) assuming W >= 1 and H >= 1 {
        input in : i32[2]
        a(x, y) = in(x, y)
        out(x, y) = a(x - 1, y) + a(x + 1, y)
        update out(x, y) = out(x, y) + in(x, k) over k in [0, 8)
        output out on { [x, y] : 0 <= x < W and 2 <= y < H + 2 }
    })");
    return made;
}

bool fit(const std::string& text, int width, int height = 8) {
    return sizes_fit(program(), text, "W=" + std::to_string(width) + " H=" + std::to_string(height));
}
std::size_t count(const std::string& text) {
    return size_rules(program(), schedule::halide::test::schedule(text), {}).size();
}

}  // namespace

TEST_CASE("a schedule without demands has no rules") {
    CHECK(count("") == 0);
    CHECK(count("out.split(x, xo, xi, 8, GuardWithIf)\nout.vectorize(xi)") == 0);
    CHECK(count("out.split(x, xo, xi, 8, Predicate)") == 0);
    CHECK(count("out.split(x, xo, xi, 8, PredicateStores)") == 0);
    CHECK(count("out.specialize(W >= 64)\nout.reorder(y, x)\nout.fuse(y, x, t)\nout.parallel(t)") == 0);
    CHECK(count("out.update(0).split(k, ko, ki, 3)") == 0);
    CHECK(count("a.compute_root()\na.vectorize(x, 8, RoundUp)\na.align_bounds(y, 4)") == 0);
    CHECK(count("a.compute_root()\na.align_storage(x, 8)\nout.align_storage(y, 8)") == 0);
    CHECK(count("a.compute_root()\nout.prefetch(a, x, x, 2, NonFaulting)") == 0);
}

TEST_CASE("ShiftInwards on an output: the extent is at least the factor") {
    CHECK(fit("out.split(x, xo, xi, 8, ShiftInwards)", 8));
    CHECK(fit("out.vectorize(x, 8)", 13));
    CHECK(!fit("out.split(x, xo, xi, 8, ShiftInwards)", 7));
    CHECK(!fit("out.split(y, yo, yi, 9)", 20, 8));
}

TEST_CASE("RoundUp and PredicateLoads on an output: the extent is a multiple of the factor") {
    for (const std::string tail : {"RoundUp", "PredicateLoads"}) {
        CHECK(fit("out.split(x, xo, xi, 8, " + tail + ")", 16));
        CHECK(!fit("out.split(x, xo, xi, 8, " + tail + ")", 17));
    }
    // RoundUp is the default in an update.
    CHECK(fit("out.update(0).split(x, xo, xi, 8)", 16));
    CHECK(!fit("out.update(0).split(x, xo, xi, 8)", 12));
}

TEST_CASE("PredicateStores in an update that reads its own output loads whole tiles") {
    CHECK(fit("out.update(0).split(x, xo, xi, 8, PredicateStores)", 16));
    CHECK(!fit("out.update(0).split(x, xo, xi, 8, PredicateStores)", 17));
    // Tiles added by a later split are loaded, too.
    const std::string again = "out.update(0).split(x, xo, xi, 2, PredicateStores)\nout.update(0).split(xo, xoo, xoi, 2";
    CHECK(fit(again + ")", 12));
    CHECK(!fit(again + ")", 10));
    CHECK(fit(again + ", GuardWithIf)", 10));
    // A pure definition loads nothing.
    CHECK(fit("out.split(x, xo, xi, 2, PredicateStores)\nout.split(xo, xoo, xoi, 2, RoundUp)", 10));
}

TEST_CASE("a rule names its directive and says its reason") {
    const auto rules = size_rules(
        program(), schedule::halide::test::schedule("out.parallel(y)\nout.split(x, xo, xi, 8, RoundUp)"), {});
    REQUIRE(rules.size() == 1);
    CHECK(rules[0].directive == 1);
    CHECK(rules[0].reason == "RoundUp on an output: extent of x is a multiple of 8");
}

TEST_CASE("bounds of what is computed in a loop may be too strict, at the root they are not") {
    const std::string bounds = "\na.bound_extent(x, 9)";
    const auto rules = [](const std::string& text) {
        return size_rules(program(), schedule::halide::test::schedule(text), {});
    };
    const auto at_root = rules("a.compute_root()" + bounds);
    REQUIRE(at_root.size() == 1);
    CHECK(!at_root[0].may_be_too_strict);
    const auto at_line = rules("a.compute_at(out, y)" + bounds);
    REQUIRE(at_line.size() == 1);
    CHECK(at_line[0].may_be_too_strict);
}

TEST_CASE("a rule about more than is required, or about what is enough, may be too strict") {
    const auto is_strict = [](const std::string& sare, const std::string& text) {
        const auto rules = size_rules(algorithm(sare), schedule::halide::test::schedule(text), {});
        REQUIRE(rules.size() == 1);
        return !rules[0].may_be_too_strict;
    };
    const auto reading = [](const std::string& index, const std::string& outputs = "") {
        return "sare p(W) assuming W >= 1 {\n  input in : i32[1]\n  g(x) = in(x)\n  h(x) = g(" + index +
               ")\n  output h on { [x] : 0 <= x < W }\n" + outputs + "}";
    };
    const std::string bound = "g.compute_root()\ng.bound(x, 0, 9)";
    for (const std::string exact : {"x", "3 - x", "(x + 1)/2", "min(x, 7)"}) {
        INFO(exact);
        CHECK(is_strict(reading(exact), bound));
    }
    for (const std::string rough : {"select(x >= 0, x, -x)", "2*x - x", "x%40", "min(x, 4 - x)"}) {
        INFO(rough);
        CHECK_FALSE(is_strict(reading(rough), bound));
    }
    const std::string output = "  output g on { [x] : 0 <= x < W }\n", overshooting = "h.split(x, xo, xi, 8, RoundUp)";
    for (const schedule::SizeRule& rule :
         size_rules(algorithm(reading("2*x - x", output)), schedule::halide::test::schedule(overshooting), {})) {
        CHECK(rule.may_be_too_strict == rule.reason.starts_with("what is read of an output"));
    }
    CHECK_FALSE(
        is_strict("sare p(W, H) assuming W >= 1 and H >= 1 {\n  k(x, y) = i32<x + y>\n"
                  "  output k on { [x, y] : 0 <= x < W and 0 <= y < H }\n}",
                  "k.fuse(x, y, t)\nk.split(t, to, ti, 8, RoundUp)"));
}

TEST_CASE("what no reader of an output computes too much of does not matter to it") {
    const auto three = algorithm(R"(sare p(W) assuming W >= 1 {
        input in : i32[1]
        first(x) = in(x)
        second(x) = first(2*x - x)
        third(x) = in(x)
        output first on { [x] : 0 <= x < W }
        output second on { [x] : 0 <= x < W }
        output third on { [x] : 0 <= x < W }
    })");
    CHECK(sizes_fit(three, "third.split(x, xo, xi, 4, RoundUp)", "W=12"));
    CHECK(sizes_fit(three, "second.split(x, xo, xi, 1, RoundUp)", "W=12"));
    CHECK_FALSE(sizes_fit(three, "second.split(x, xo, xi, 4, RoundUp)", "W=12"));
}

TEST_CASE("nested splits compose") {
    const std::string outer = "out.split(x, xo, xi, 4, RoundUp)\nout.split(xo, xoo, xoi, 3, RoundUp)";
    CHECK(fit(outer, 24));
    CHECK(!fit(outer, 16));
    const std::string shifted = "out.split(x, xo, xi, 4, RoundUp)\nout.split(xo, xoo, xoi, 3, ShiftInwards)";
    CHECK(fit(shifted, 16));
    CHECK(!fit(shifted, 8));
    const std::string inner = "out.split(x, xo, xi, 8, RoundUp)\nout.split(xi, xio, xii, 3, RoundUp)";
    CHECK(!fit(inner, 24));
    CHECK(fit("out.split(x, xo, xi, 8, RoundUp)\nout.split(xi, xio, xii, 4, RoundUp)", 24));
}

TEST_CASE("a guard or a shift keeps the tiles beyond the end inside") {
    CHECK(fit("out.split(x, xo, xi, 4, GuardWithIf)\nout.split(xo, xoo, xoi, 3, RoundUp)", 5));
    CHECK(fit("out.split(x, xo, xi, 4, ShiftInwards)\nout.split(xo, xoo, xoi, 3, RoundUp)", 5));
    CHECK(fit("out.split(x, xo, xi, 4, GuardWithIf)\nout.split(xi, xio, xii, 3, RoundUp)", 5));
    // The inner loop of a shifted split goes beyond its tile.
    CHECK(!fit("out.split(x, xo, xi, 4, ShiftInwards)\nout.split(xi, xio, xii, 3, RoundUp)", 8));
}

TEST_CASE("a tail strategy that Halide proves needless keeps nothing inside") {
    const std::string known = "out.bound(x, 0, 16)\n";
    CHECK(fit(known + "out.split(x, xo, xi, 5, GuardWithIf)\nout.split(xo, xoo, xoi, 3, RoundUp)", 16));
    CHECK(!fit(known + "out.split(x, xo, xi, 4, GuardWithIf)\nout.split(xo, xoo, xoi, 3, RoundUp)", 16));
    CHECK(!fit(known + "out.split(x, xo, xi, 4, ShiftInwards)\nout.split(xo, xoo, xoi, 3, RoundUp)", 16));
    CHECK(!fit("out.split(x, xo, xi, 1, GuardWithIf)\nout.split(xo, xoo, xoi, 3, RoundUp)", 16));
    CHECK(
        !fit("out.align_bounds(x, 8)\nout.split(x, xo, xi, 4, GuardWithIf)\nout.split(xo, xoo, xoi, 3, RoundUp)", 16));
}

TEST_CASE("a fused loop has the product of the extents") {
    const std::string rounded = "out.fuse(x, y, t)\nout.split(t, to, ti, 6, RoundUp)";
    CHECK(fit(rounded, 12, 5));
    CHECK(fit(rounded, 5, 12));
    CHECK(!fit(rounded, 5, 7));
    const std::string shifted = "out.fuse(x, y, t)\nout.split(t, to, ti, 6, ShiftInwards)";
    CHECK(fit(shifted, 6, 1));
    CHECK(!fit(shifted, 2, 2));
    const std::string constant =
        "out.split(x, xo, xi, 4, GuardWithIf)\nout.fuse(xi, y, t)\nout.split(t, to, ti, 8, RoundUp)";
    CHECK(fit(constant, 4, 6));
    CHECK(!fit(constant, 4, 5));
}

TEST_CASE("specializations demand what their loops do") {
    const std::string text = "out.specialize(W >= 64)\nout.specialize[0].split(x, xo, xi, 8, RoundUp)";
    CHECK(fit(text, 64));
    CHECK(!fit(text, 65));
}

TEST_CASE("a branch demands nothing at sizes at which another one runs") {
    const std::string branch = "out.specialize(W >= 64)\nout.specialize[0].split(x, xo, xi, 8, RoundUp)";
    CHECK(fit(branch, 12));
    const std::string second = branch +
                               "\nout.specialize(W >= 32)\nout.specialize[1].split(x, xo, xi, 7, RoundUp)\n"
                               "out.split(x, xo, xi, 5, RoundUp)";
    CHECK(fit(second, 64));
    CHECK(!fit(second, 70));
    CHECK(fit(second, 35));
    CHECK(!fit(second, 40));
    CHECK(fit(second, 20));
    CHECK(!fit(second, 21));
    // Directives before specialize apply to the branch, too.
    CHECK(!fit("out.split(x, xo, xi, 8, RoundUp)\nout.specialize(W >= 64)", 70));
    CHECK(!fit("out.split(x, xo, xi, 8, RoundUp)\nout.specialize(W >= 64)", 12));
}

TEST_CASE("bound on an output: the bounds are the output's box") {
    CHECK(fit("out.bound(x, 0, W)", 5));
    CHECK(fit("out.bound(x, 0, 16)", 16));
    CHECK(!fit("out.bound(x, 0, 16)", 15));
    CHECK(!fit("out.bound(x, 0, 16)", 17));
    CHECK(!fit("out.bound(x, -1, 16)", 16));
    CHECK(fit("out.bound(y, 2, H)", 4, 9));
    CHECK(!fit("out.bound(y, 0, H)", 4, 9));
    CHECK(fit("out.bound_extent(y, H)", 4, 9));
    CHECK(!fit("out.bound_extent(y, 8)", 4, 9));
}

TEST_CASE("align_bounds on an output: both ends are aligned") {
    CHECK(fit("out.align_bounds(x, 4)", 8));
    CHECK(!fit("out.align_bounds(x, 4)", 9));
    CHECK(fit("out.align_bounds(y, 4, 2)", 8, 8));
    CHECK(!fit("out.align_bounds(y, 4)", 8, 8));
}

TEST_CASE("bound: the region that is required lies inside") {
    const std::string root = "a.compute_root()\n";
    CHECK(fit(root + "a.bound(x, -1, W + 2)", 8));
    CHECK(!fit(root + "a.bound(x, 0, W + 2)", 8));
    CHECK(!fit(root + "a.bound(x, -1, W + 1)", 8));
    CHECK(fit(root + "a.bound_extent(x, W + 2)", 8));
    CHECK(!fit(root + "a.bound_extent(x, W + 1)", 8));
    // A consumer that rounds up reads more cells.
    CHECK(fit(root + "a.bound(x, -1, W + 5)\nout.split(x, xo, xi, 4, RoundUp)", 8));
    CHECK(!fit(root + "a.bound(x, -1, W + 2)\nout.split(x, xo, xi, 4, RoundUp)", 8));
}

TEST_CASE("splits of a tensor with explicit bounds stay inside them") {
    const std::string root = "a.compute_root()\na.bound(x, -1, 10)\n";
    CHECK(fit(root + "a.vectorize(x, 5, RoundUp)", 8));
    CHECK(!fit(root + "a.vectorize(x, 8, RoundUp)", 8));
    CHECK(!fit(root + "a.vectorize(x, 16, ShiftInwards)", 8));
    // An inlined function is computed wherever it is used.
    CHECK(count("a.bound(x, 0, 3)") == 0);
}

TEST_CASE("what is read of an output lies in its box, also when a reader computes more") {
    const auto two = algorithm(R"(sare p(W) assuming W >= 1 {
        input in : i32[1]
        first(x) = in(x)
        mid(x) = first(x)
        second(x) = mid(x) + mid(x + 1)
        output first on { [x] : 0 <= x < W + 8 }
        output second on { [x] : 0 <= x < W }
    })");
    CHECK(sizes_fit(two, "mid.compute_root()\nmid.vectorize(x, 8, RoundUp)", "W=8"));
    CHECK(!sizes_fit(two, "mid.compute_root()\nmid.vectorize(x, 16, RoundUp)", "W=8"));
}
