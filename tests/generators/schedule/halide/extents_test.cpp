#include "generators/schedule/halide/extents.h"

#include "generators/schedule/halide/admission.h"
#include "tests/generators/schedule/halide/program.h"
#include "tests/support/catch.h"

// The extents of loops of tensors that are computed inside a tile of their reader.

using namespace haruspex;
using namespace haruspex::schedule::halide;
using namespace haruspex::schedule::halide::test;
using haruspex::schedule::halide::Admission;

namespace {

const sare::Algorithm& program() {
    static const sare::Algorithm made = algorithm(R"(sare p(W, H) assuming W >= 8 and H >= 8 {
        input in : i32[2]
        a(x, y) = in(x, y)
        b(x, y) = a(x - 1, y) + a(x + 1, y)
        n(x, y) = b(2*y, x)
        c(x, y) = n(x, y) + 1i32
        u(x, y) = 0i32
        update u(x, y) = u(x, y) + c(x, y + k) over k in [0, 5)
        out(x, y) = u(x, y)
        output out on { [x, y] : 0 <= x < W and 0 <= y < H }
    })");
    return made;
}

// The extents of the pure definition's loops, from the innermost: "10 <=8 ?".
std::string extents(const std::string& text, const std::string& tensor, std::optional<int> update = {}) {
    Admission admission(program(), {});
    for (const Directive& directive : schedule::halide::test::schedule(text).directives) {
        const auto done = admission.apply(directive);
        INFO((done ? std::string() : done.error().message));
        REQUIRE(done.has_value());
    }
    std::string words;
    for (const auto& extent : admission.extents({tensor, update, {}})) {
        words += words.empty() ? "" : " ";
        words += extent ? (extent->is_exact ? "" : "<=") + std::to_string(extent->iterations) : "?";
    }
    return words;
}

const std::string tile = "out.tile(x, y, xo, yo, xi, yi, 8, 4, RoundUp)\n";

}  // namespace

TEST_CASE("a tile of a reader asks for as many cells as its loops cover") {
    CHECK(extents(tile + "u.compute_at(out, xo)", "u") == "8 4");
    CHECK(extents(tile + "u.compute_at(out, xo)", "u", 0) == "5 8 4");
    CHECK(extents(tile + "u.compute_at(out, yi)", "u") == "8 1");
    CHECK(extents(tile + "u.compute_at(out, xi)", "u") == "1 1");
    CHECK(extents(tile + "u.compute_at(out, yo)", "u") == "? 4");
    CHECK(extents(tile + "u.compute_root()", "u") == "? ?");
}

TEST_CASE("a tensor with updates that has no place is computed for one cell") { CHECK(extents("", "u") == "1 1"); }

TEST_CASE("recurrence variables, offsets, strides and transposition count, through inlined functions too") {
    CHECK(extents(tile + "u.compute_at(out, xo)\nc.compute_at(out, xo)", "c") == "8 8");
    CHECK(extents(tile + "u.compute_at(out, xo)\nc.compute_at(u.update(0), x)", "c") == "1 5");
    CHECK(extents(tile + "u.compute_at(out, xo)\nc.compute_at(out, xo)\nb.compute_at(out, xo)", "b") == "15 8");
    CHECK(extents(tile + "u.compute_at(out, xo)\nc.compute_at(out, xo)\nb.compute_at(out, xo)\na.compute_at(out, xo)",
                  "a") == "17 8");
}

TEST_CASE("what guards the end of a tile leaves only a bound, and so does a sliding window") {
    const std::string guarded = "out.split(x, xo, xi, 8, GuardWithIf)\nu.compute_at(out, xo)";
    CHECK(extents(guarded, "u") == "<=8 1");
    CHECK(extents("out.split(x, xo, xi, 8, PredicateStores)\nu.compute_at(out, xo)", "u") == "<=8 1");
    CHECK(extents("out.split(x, xo, xi, 8, PredicateLoads)\nu.compute_at(out, xo)", "u") == "8 1");
    CHECK(extents("out.split(x, xo, xi, 8, ShiftInwards)\nu.compute_at(out, xo)", "u") == "8 1");
    CHECK(extents(tile + "u.compute_at(out, xo)\nu.store_at(out, yo)", "u") == "<=8 <=4");
    // A bound suffices to unroll, but not to vectorize.
    CHECK(refusal(program(), guarded + "\nu.unroll(x)").empty());
    CHECK(refused(program(), guarded + "\nu.vectorize(x)", "constant extent"));
}

TEST_CASE("a loop of a tile is split like any other") {
    CHECK(extents(tile + "u.compute_at(out, xo)\nu.split(x, xo, xi, 3, GuardWithIf)", "u") == "3 3 4");
    CHECK(extents(tile + "u.compute_at(out, xo)\nu.fuse(x, y, t)", "u") == "32");
    // The cells that a producer computes beyond its tile have no constant extent for its own producers.
    CHECK(extents(tile + "u.compute_at(out, xo)\nu.update(0).split(x, xo, xi, 3)\nc.compute_at(out, xo)", "c") ==
          "? 8");
}

TEST_CASE("whole tiles are vectorized and unrolled, in whatever order that is said") {
    CHECK(refusal(program(), tile + "u.compute_at(out, xo)\nu.vectorize(x)\nu.update(0).unroll(y)").empty());
    CHECK(refusal(program(), "u.vectorize(x)\n" + tile + "u.compute_at(out, xo)").empty());
    CHECK(refused(program(), tile + "u.compute_at(out, xi)\nu.vectorize(x)", "above 1"));
    CHECK(refused(program(), tile + "u.compute_at(out, yo)\nu.unroll(x)", "constant extent"));
}
