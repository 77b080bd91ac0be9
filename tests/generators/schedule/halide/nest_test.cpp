#include "generators/schedule/halide/admission.h"
#include "tests/generators/schedule/halide/program.h"
#include "tests/support/catch.h"

// The rules of the directives that rewrite one stage's loops: an admitted and a refused schedule for each.

using namespace haruspex;
using namespace haruspex::schedule::halide;
using namespace haruspex::schedule::halide::test;
using haruspex::schedule::halide::Admission;
using haruspex::schedule::halide::LoopKind;

namespace {

// `s` accumulates, `r` is a scan whose order matters, `p` writes each cell once.
const sare::Algorithm& program() {
    static const sare::Algorithm made = algorithm(R"(sare p(W, H) assuming W >= 8 and H >= 8 {
        input in : i32[2]
        f(x, y) = in(x, y)
        s(x) = 0i32
        update s(x) = s(x) + in(k, l) over k in [0, 7), l in [0, 8)
        r(x, y) = in(x, y)
        update r(x, k) = r(x, k - 1) - in(x, l) over k in [1, 8), l in [0, 8)
        p(x, y) = in(x, y)
        update p(k, y) = p(k, y) + in(k, 0) over k in [0, 7)
        c(x) = 1i32
        update c(k%4) = 5i32 over k in [0, 7), l in [0, 3)
        output f on { [x, y] : 0 <= x < W and 0 <= y < H }
        output s on { [x] : 0 <= x < W }
        output r on { [x, y] : 0 <= x < W and 0 <= y < 16 }
        output p on { [x, y] : 0 <= x < 16 and 0 <= y < H }
        output c on { [x] : 0 <= x < 8 }
    })");
    return made;
}

bool admitted(const std::string& text) {
    const std::string message = refusal(program(), text);
    UNSCOPED_INFO(message);
    return message.empty();
}
bool is_refused(const std::string& text, const std::string& words) { return refused(program(), text, words); }

StageNest nest_after(const std::string& text, const StageRef& stage) {
    Admission admission(program(), {});
    for (const Directive& directive : schedule::halide::test::schedule(text).directives) {
        const auto done = admission.apply(directive);
        INFO((done ? std::string() : done.error().message));
        REQUIRE(done.has_value());
    }
    return admission.nest(stage);
}

std::string names(const StageNest& nest) {
    std::string text;
    for (const Loop& loop : nest.loops) { text += (text.empty() ? "" : " ") + loop.path; }
    return text;
}

}  // namespace

TEST_CASE("tensors and stages must exist") {
    CHECK(admitted("s.update(0).serial(k)"));
    CHECK(is_refused("g.compute_root()", "there is no tensor"));
    CHECK(is_refused("s.update(1).serial(k)", "there is no stage"));
    CHECK(is_refused("f.specialize[0].serial(x)", "there is no stage"));
}

TEST_CASE("a nest has the recurrence variables innermost") {
    CHECK(names(nest_after("", {"f", {}, {}})) == "x y");
    CHECK(names(nest_after("", {"s", 0, {}})) == "k l x");
    CHECK(names(nest_after("", {"r", 0, {}})) == "k l x");
    CHECK(names(nest_after("", {"p", 0, {}})) == "k y");
}

TEST_CASE("a split names an existing loop and makes new names") {
    CHECK(admitted("f.split(x, xo, xi, 8)"));
    CHECK(admitted("f.split(x, x, xi, 8)"));
    CHECK(admitted("f.split(x, xo, xi, 8)\nf.split(y, x, yi, 8)"));
    CHECK(is_refused("f.split(z, zo, zi, 8)", "no loop over \"z\""));
    CHECK(is_refused("f.split(x, y, xi, 8)", "already a loop over \"y\""));
    CHECK(is_refused("f.split(x, xo, xo, 8)", "different names"));
    CHECK(is_refused("f.split(x, xo, xi, 0)", "positive"));
    CHECK(names(nest_after("f.split(x, xo, xi, 8)", {"f", {}, {}})) == "x.xi x.xo y");
}

TEST_CASE("the extents of a split's loops are known where they are constants") {
    const auto split = nest_after("s.update(0).split(l, lo, li, 4)", {"s", 0, {}});
    CHECK(split.loops[1].extent == 4);
    CHECK(split.loops[2].extent == 2);
    CHECK(nest_after("f.split(x, xo, xi, 8)", {"f", {}, {}}).loops[1].extent == std::nullopt);
}

TEST_CASE("recurrence variables are split with GuardWithIf or Predicate only") {
    CHECK(admitted("r.update(0).split(k, ko, ki, 3)"));
    CHECK(admitted("r.update(0).split(k, ko, ki, 3, GuardWithIf)"));
    CHECK(admitted("r.update(0).split(k, ko, ki, 3, Predicate)"));
    for (const std::string tail : {"RoundUp", "ShiftInwards", "PredicateLoads", "PredicateStores"}) {
        CHECK(is_refused("r.update(0).split(k, ko, ki, 3, " + tail + ")", "may not split a recurrence variable"));
    }
}

TEST_CASE("an update definition is never shifted inwards") {
    CHECK(admitted("s.split(x, xo, xi, 4, ShiftInwards)"));
    CHECK(is_refused("s.update(0).split(x, xo, xi, 4, ShiftInwards)", "not legal in an update"));
}

TEST_CASE("an inner loop of an update definition is not rounded up") {
    CHECK(admitted("s.update(0).split(x, xo, xi, 8)\ns.update(0).split(xo, xoo, xoi, 3, RoundUp)"));
    CHECK(is_refused("s.update(0).split(x, xo, xi, 8)\ns.update(0).split(xi, xio, xii, 3, RoundUp)", "recompute"));
    CHECK(
        is_refused("s.update(0).split(x, xo, xi, 8)\ns.update(0).split(xi, xio, xii, 3, PredicateLoads)", "recompute"));
    CHECK(admitted("s.update(0).split(x, xo, xi, 8)\ns.update(0).split(xi, xio, xii, 3)"));
}

TEST_CASE("PredicateLoads stores nothing that another iteration computes") {
    CHECK(admitted("f.split(x, xo, xi, 8, PredicateLoads)"));
    CHECK(admitted("f.split(x, xo, xi, 8)\nf.split(xi, xio, xii, 4, PredicateLoads)"));
    CHECK(is_refused("f.split(x, xo, xi, 8)\nf.split(xi, xio, xii, 3, PredicateLoads)", "without their loads"));
    CHECK(is_refused("f.split(x, xo, xi, 8, ShiftInwards)\nf.split(xo, xoo, xoi, 3, PredicateLoads)",
                     "without their loads"));
}

TEST_CASE("what PredicateLoads or PredicateStores made is not split again") {
    CHECK(admitted("f.split(x, xo, xi, 8, PredicateStores)\nf.split(xo, xoo, xoi, 2)"));
    CHECK(is_refused("f.split(x, xo, xi, 8, PredicateStores)\nf.split(xi, xio, xii, 2)", "may not be split"));
    CHECK(is_refused("f.split(x, xo, xi, 8, PredicateLoads)\nf.vectorize(xi, 4)", "may not be split"));
}

TEST_CASE("blending tails are known from Halide 17 and race with parallel loops of the same variable") {
    const std::string blend = "s.update(0).split(x, xo, xi, 4, ShiftInwardsAndBlend)";
    CHECK(refused(program(), blend, "not known to Halide 14"));
    CHECK(refusal(program(), blend, {19}).empty());
    CHECK(refusal(program(), "p.update(0).vectorize(y, 4, RoundUpAndBlend)\np.update(0).parallel(k)", {19}).empty());
    CHECK(refusal(program(), "f.vectorize(x, 4, RoundUpAndBlend)", {19}).empty());
    CHECK(refused(program(), blend + "\ns.update(0).parallel(xo)", "may not be parallel", {19}));
    CHECK(
        refused(program(), "s.update(0).parallel(x)\ns.update(0).vectorize(x, 4, RoundUpAndBlend)", "parallel", {19}));
    CHECK(refused(program(), "f.split(x, xo, xi, 4, RoundUpAndBlend)\nf.fuse(xo, y, t)\nf.parallel(t)", "parallel",
                  {19}));
    CHECK(refused(program(), "s.update(0).split(k, ko, ki, 4, RoundUpAndBlend)", "recurrence variable", {19}));
    // A blend is meant for its own lanes; the lanes of the loop around it overlap.
    CHECK(refusal(program(), blend + "\ns.update(0).vectorize(xi)", {19}).empty());
    CHECK(refused(program(), blend + "\ns.update(0).vectorize(xo, 2)", "may not be vectorized", {19}));
    CHECK(refused(program(), "s.update(0).vectorize(x, 3, ShiftInwardsAndBlend)\ns.update(0).vectorize(x, 3)",
                  "may not be vectorized", {19}));
    CHECK(refused(program(), "f.bound_extent(x, 16)\nf.vectorize(x)\nf.split(x, xo, xi, 4, RoundUpAndBlend)",
                  "must not split what is vectorized", {19}));
    CHECK(refused(program(), blend + "\ns.update(0).split(xi, xio, xii, 3, RoundUpAndBlend)", "whole dimension", {19}));
}

TEST_CASE("tile is two splits and a reorder") {
    CHECK(names(nest_after("f.tile(x, y, xo, yo, xi, yi, 8, 4)", {"f", {}, {}})) == "x.xi y.yi x.xo y.yo");
    CHECK(is_refused("f.tile(x, x, xo, yo, xi, yi, 8, 4)", "no loop over \"x\""));
    CHECK(is_refused("f.tile(x, y, xo, xo, xi, yi, 8, 4)", "already a loop over \"xo\""));
}

TEST_CASE("reorder names each loop once") {
    CHECK(names(nest_after("f.reorder(y, x)", {"f", {}, {}})) == "y x");
    CHECK(names(nest_after("s.update(0).reorder(x, k)", {"s", 0, {}})) == "x l k");
    CHECK(is_refused("f.reorder(x, z)", "no loop over \"z\""));
    CHECK(is_refused("f.reorder(x, x)", "twice"));
}

TEST_CASE("recurrence variables change their order only where every order is the same") {
    CHECK(admitted("s.update(0).reorder(l, k)"));
    CHECK(admitted("c.update(0).reorder(l, k)"));
    CHECK(admitted("r.update(0).reorder(x, k, l)"));
    CHECK(is_refused("r.update(0).reorder(l, k)", "associative and commutative"));
    // Only k is named, yet it moves across l.
    CHECK(is_refused("r.update(0).reorder(x, k)", "associative and commutative"));
}

TEST_CASE("fuse takes two loops of one stage") {
    CHECK(names(nest_after("f.fuse(x, y, t)", {"f", {}, {}})) == "x.t");
    CHECK(names(nest_after("f.fuse(y, x, x)", {"f", {}, {}})) == "y.x");
    CHECK(is_refused("f.fuse(x, x, t)", "two different loops"));
    CHECK(is_refused("f.fuse(x, z, t)", "no loop over \"z\""));
    CHECK(is_refused("f.split(x, xo, xi, 2)\nf.fuse(xi, xo, y)", "already a loop over \"y\""));
    const auto both = nest_after("s.update(0).fuse(k, l, t)", {"s", 0, {}});
    CHECK(both.loops[0].extent == 56);
    CHECK(both.loops[0].is_rvar);
}

TEST_CASE("fuse does not change the order of recurrence variables that matters") {
    CHECK(admitted("r.update(0).fuse(k, l, t)"));
    CHECK(is_refused("r.update(0).fuse(l, k, t)", "associative and commutative"));
    CHECK(admitted("s.update(0).fuse(l, k, t)"));
}

TEST_CASE("only loops of constant extent are vectorized or unrolled") {
    CHECK(admitted("f.vectorize(x, 8)"));
    CHECK(admitted("f.split(x, xo, xi, 8)\nf.vectorize(xi)"));
    CHECK(admitted("s.update(0).unroll(k)"));
    CHECK(admitted("f.bound(x, 0, 16)\nf.vectorize(x)"));
    CHECK(is_refused("f.vectorize(x)", "constant extent"));
    CHECK(is_refused("f.vectorize(x, 1)", "above 1"));
    CHECK(is_refused("f.unroll(y)", "constant extent"));
    CHECK(is_refused("f.bound(x, 0, W)\nf.unroll(x)", "constant extent"));
    // Both halves of a split stay vectorized.
    CHECK(is_refused("f.bound(x, 0, 16)\nf.vectorize(x)\nf.split(x, xo, xi, 16)", "above 1"));
}

TEST_CASE("the loop that Halide names itself has no name here") {
    const auto nest = nest_after("f.vectorize(x, 8)", {"f", {}, {}});
    CHECK(nest.loops[0].var.empty());
    CHECK(nest.loops[0].kind == LoopKind::vectorized);
    CHECK(nest.loops[1].path == "x.x");
    CHECK(nest_after("f.parallel(y, 4)", {"f", {}, {}}).loops[2].kind == LoopKind::parallel);
}

TEST_CASE("dependent recurrence variables run at once only under atomic") {
    CHECK(admitted("p.update(0).parallel(k)"));
    CHECK(admitted("s.update(0).atomic()\ns.update(0).parallel(k)"));
    CHECK(admitted("s.update(0).atomic()\ns.update(0).vectorize(k, 4)"));
    CHECK(is_refused("s.update(0).parallel(k)", "needs atomic()"));
    CHECK(is_refused("s.update(0).vectorize(k, 4)", "needs atomic()"));
    CHECK(is_refused("r.update(0).atomic()\nr.update(0).parallel(k)", "associative and commutative"));
    CHECK(admitted("c.update(0).atomic()\nc.update(0).parallel(k)"));
    // A parallel loop that is fused with a recurrence variable.
    CHECK(is_refused("s.update(0).parallel(x)\ns.update(0).fuse(x, l, t)", "needs atomic()"));
}

TEST_CASE("atomic(true) promises nothing that is untrue") {
    CHECK(admitted("s.update(0).atomic(true)\ns.update(0).parallel(k)"));
    CHECK(admitted("p.update(0).atomic(true)"));
    CHECK(is_refused("r.update(0).atomic(true)", "not"));
}

TEST_CASE("specialize takes a condition over the parameters and copies the loops so far") {
    CHECK(names(nest_after("f.split(x, xo, xi, 8)\nf.specialize(W >= 64)\nf.fuse(xi, xo, t)\n"
                           "f.specialize[0].reorder(y, xi)",
                           {"f", {}, 0})) == "y x.xo x.xi");
    CHECK(is_refused("f.specialize(x >= 64)", "not a parameter"));
    CHECK(is_refused("f.specialize(W >= 64)\nf.specialize(W >= 64)", "already a specialization"));
    CHECK(admitted("f.specialize(W >= 64)\nf.specialize(W >= 65)"));
    CHECK(is_refused("f.specialize(W >= 64)\nf.specialize[0].specialize(H >= 3)", "cannot be specialized again"));
}

TEST_CASE("a refused directive leaves the state as it was") {
    Admission admission(program(), {});
    const auto before = admission.nest({"f", {}, {}});
    CHECK(
        !admission.apply(schedule::halide::test::schedule("f.tile(x, y, a, b, c, b, 8, 4)").directives[0]).has_value());
    CHECK(admission.nest({"f", {}, {}}) == before);
}

TEST_CASE("reordered float accumulations are told") {
    const auto floats = algorithm(R"(sare p(W) assuming W >= 8 {
        input in : f32[2]
        s(x) = 0.0f32
        update s(x) = s(x) + in(k, l) over k in [0, 7), l in [0, 8)
        output s on { [x] : 0 <= x < W }
    })");
    for (const auto& [text, reorders] :
         {std::pair{"s.update(0).reorder(x, k, l)", false}, std::pair{"s.update(0).reorder(l, k)", true},
          std::pair{"s.update(0).rfactor(k, u, t)", true}}) {
        Admission admission(floats, {});
        REQUIRE(admission.apply(schedule::halide::test::schedule(text).directives[0]).has_value());
        CHECK(admission.reorders_float_reductions() == reorders);
    }
}

TEST_CASE("a loop is always partitioned only where a guard of the end is certain to do it") {
    const Vocabulary newest{21};
    const auto is_admitted = [&](const std::string& text) {
        const std::string message = refusal(program(), text, newest);
        UNSCOPED_INFO(message);
        return message.empty();
    };
    const auto is_uncertain = [&](const std::string& text) {
        return refused(program(), text, "certain to partition", newest);
    };
    CHECK(is_admitted("f.partition(x, Never)\nf.partition(y, Auto)\nf.never_partition(y, x)\nf.never_partition_all()"));
    CHECK(refused(program(), "f.never_partition(x, z)", "no loop over \"z\"", newest));
    CHECK(refused(program(), "f.partition(z, Auto)", "no loop over \"z\"", newest));
    const std::string guarded = "f.split(x, xo, xi, 4, GuardWithIf)\n";
    CHECK(is_admitted(guarded + "f.always_partition(xo)"));
    CHECK(is_admitted(guarded + "f.partition(xo, Always)\nf.parallel(xo)\nf.vectorize(xi)"));
    CHECK(is_admitted("f.vectorize(x, 4, Predicate)\nf.always_partition(x)"));
    CHECK(is_uncertain(guarded + "f.always_partition(xo, xi)"));
    CHECK(is_uncertain(guarded + "f.always_partition(y)"));
    CHECK(is_uncertain(guarded + "f.reorder(xo, y, xi)\nf.always_partition(xo)"));
    CHECK(is_uncertain("f.split(x, xo, xi, 4, ShiftInwards)\nf.always_partition(xo)"));
    CHECK(is_uncertain("f.split(x, xo, xi, 4, RoundUp)\nf.always_partition(xo)"));
    // Halide knows that a bound of a multiple needs no guard, and knows nothing of an output's buffer.
    CHECK(is_uncertain("f.bound(x, 0, 16)\n" + guarded + "f.always_partition(xo)"));
    CHECK(is_admitted("f.bound(x, 0, 19)\n" + guarded + "f.always_partition(xo)"));
    CHECK(is_uncertain("f.bound(x, 0, 4*W)\n" + guarded + "f.always_partition(xo)"));
    // A loop that becomes copies cannot be partitioned, and Halide does not ask it to be.
    CHECK(is_admitted(guarded + "f.unroll(xi)\nf.always_partition(xi, xo)"));
    // The guard of a recurrence variable of constant extent.
    CHECK(is_admitted("s.update(0).split(k, ko, ki, 4)\ns.update(0).always_partition(ko)"));
    CHECK(is_uncertain("s.update(0).split(l, lo, li, 4)\ns.update(0).always_partition(lo)"));
    // Later splits and fuses keep what was said.
    CHECK(is_uncertain("f.always_partition(x)\n" + guarded));
    CHECK(is_admitted("f.always_partition(x)\n" + guarded + "f.never_partition(xi)"));
    CHECK(is_admitted("s.split(x, xo, xi, 4, GuardWithIf)\ns.vectorize(xi)\ns.always_partition_all()"));
    CHECK(is_uncertain(guarded + "f.vectorize(xi)\nf.always_partition_all()"));
}
