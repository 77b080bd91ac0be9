#include "generators/schedule/halide/admission.h"
#include "tests/generators/schedule/halide/program.h"
#include "tests/support/catch.h"

using namespace haruspex;
using namespace haruspex::schedule::halide;
using namespace haruspex::schedule::halide::test;
using haruspex::schedule::halide::Admission;

namespace {

const sare::Algorithm& program() {
    static const sare::Algorithm made = algorithm(R"(sare p(W) assuming W >= 8 {
        input in : i32[2]
        h(x) = in(x, 0)
        s(x) = 0i32
        update s(x) = s(x) + in(k, l) * h(k) over k in [0, 8), l in [0, 8)
        o(x) = in(x, 0)
        update o(x) = in(k, l) over k in [0, 8), l in [0, 8)
        t(x) = { in(x, 0), in(0, x) }
        update t(x) = { max(in(k, l), t(x)[0]), t(x)[1] * in(k, l) } over k in [0, 8), l in [0, W)
        g(x, y) = in(x, y)
        update g(k, y) = g(k, y) + in(k, l) over k in [0, 8), l in [0, 8)
        d(x) = in(x, 0)
        update d(x) = d(x) - in(k, l) over k in [0, 8), l in [0, 8)
        out(x) = s(x) + o(x) + t(x)[0] + t(x)[1] + g(x, 0) + d(x)
        output out on { [x] : 0 <= x < W }
    })");
    return made;
}

bool admitted(const std::string& text) {
    const std::string message = refusal(program(), text);
    UNSCOPED_INFO(message);
    return message.empty();
}
bool is_refused(const std::string& text, const std::string& words) { return refused(program(), text, words); }

Admission after(const std::string& text) {
    Admission admission(program(), {});
    for (const Directive& directive : schedule::halide::test::schedule(text).directives) {
        const auto done = admission.apply(directive);
        INFO((done ? std::string() : done.error().message));
        REQUIRE(done.has_value());
    }
    return admission;
}

std::string names(const StageNest& nest) {
    std::string text;
    for (const Loop& loop : nest.loops) { text += (text.empty() ? "" : " ") + loop.path + (loop.is_rvar ? "*" : ""); }
    return text;
}

}  // namespace

TEST_CASE("rfactor makes an intermediate with stages of its own") {
    const Admission admission = after("s.update(0).rfactor(l, u, part)");
    const auto tensors = admission.tensors();
    REQUIRE(tensors.size() == 8);
    CHECK(tensors[1] == "part");
    CHECK(tensors[2] == "s");
    CHECK(admission.stages("part").size() == 2);
    CHECK(names(admission.nest({"part", {}, {}})) == "x u");
    CHECK(names(admission.nest({"part", 0, {}})) == "k* u x");
    CHECK(names(admission.nest({"s", 0, {}})) == "l* x");
}

TEST_CASE("rfactor splits the domain as the loops were split") {
    const Admission admission = after(
        "s.update(0).split(k, ko, ki, 4)\ns.update(0).split(x, xo, xi, 8)\n"
        "s.update(0).rfactor(ko, u, part)");
    CHECK(names(admission.nest({"part", 0, {}})) == "k.ki* u l* x.xi x.xo");
    CHECK(names(admission.nest({"s", 0, {}})) == "k.ko* x.xi x.xo");
}

TEST_CASE("a target that is no pure variable becomes one in the merge") {
    const Admission admission = after("g.update(0).rfactor(l, u, part)");
    CHECK(names(admission.nest({"part", 0, {}})) == "k* u y");
    CHECK(names(admission.nest({"g", 0, {}})) == "l* y x");
}

TEST_CASE("the intermediate is scheduled like any tensor") {
    CHECK(
        admitted("s.update(0).rfactor(l, u, part)\ns.compute_root()\npart.compute_at(s.update(0), x)\n"
                 "part.update(0).parallel(u)\npart.vectorize(x, 4)\nh.compute_at(part.update(0), k)"));
    CHECK(
        is_refused("s.update(0).rfactor(l, u, part)\npart.compute_at(s, x)\ns.compute_inline()\nout.compute_root()\n"
                   "part.compute_at(out, y)",
                   "no loop"));
    CHECK(admitted("s.update(0).rfactor(l, u, part)\npart.compute_root()\npart.update(0).rfactor(k, v, again)"));
}

TEST_CASE("rfactor needs an associative update that accumulates") {
    CHECK(admitted("t.update(0).rfactor(l, u, part)"));
    CHECK(is_refused("s.rfactor(k, u, part)", "only to update definitions"));
    CHECK(is_refused("d.update(0).rfactor(l, u, part)", "associative"));
    CHECK(is_refused("o.update(0).rfactor(l, u, part)", "associative"));
}

TEST_CASE("rfactor preserves recurrence variables under new names") {
    CHECK(admitted("s.update(0).rfactor({{k, u}, {l, v}}, part)") ==
          admitted("s.update(0).rfactor({{l, u}, {k, v}}, part)"));
    CHECK(is_refused("s.update(0).rfactor(x, u, part)", "no loop over a recurrence variable"));
    CHECK(is_refused("s.update(0).rfactor(z, u, part)", "no loop over a recurrence variable"));
    CHECK(is_refused("s.update(0).rfactor(k, x, part)", "already used"));
    CHECK(is_refused("s.update(0).rfactor(k, W, part)", "already used"));
    CHECK(is_refused("s.update(0).rfactor({{k, u}, {l, u}}, part)", "already used"));
    CHECK(is_refused("s.update(0).rfactor({{k, u}, {k, v}}, part)", "twice"));
    CHECK(is_refused("s.update(0).rfactor(k, u, h)", "already a tensor"));
    CHECK(is_refused("s.update(0).rfactor(k, u, in)", "already a tensor"));
}

TEST_CASE("rfactor takes fused recurrence variables of constant extent only") {
    CHECK(admitted("s.update(0).fuse(k, l, f)\ns.update(0).split(f, fo, fi, 4)\ns.update(0).rfactor(fo, u, part)"));
    CHECK(is_refused("t.update(0).fuse(l, k, f)\nt.update(0).split(f, fo, fi, 4)\nt.update(0).rfactor(fo, u, part)",
                     "no constant"));
    CHECK(is_refused("s.update(0).reorder(k, x, l)\ns.update(0).fuse(k, x, f)\ns.update(0).rfactor(l, u, part)",
                     "fused with a pure variable"));
}

TEST_CASE("rfactor comes after other directives of its stage, also after those that make loops without names") {
    CHECK(admitted("s.update(0).unroll(l, 2)\ns.update(0).vectorize(x, 4)\ns.update(0).rfactor(k, u, part)"));
    CHECK(admitted("s.update(0).unroll(k, 2)\ns.update(0).rfactor(k, u, part)"));
    const Admission admission = after("s.update(0).unroll(k, 2)\ns.update(0).rfactor(k, u, part)");
    CHECK(names(admission.nest({"part", 0, {}})) == "k.~0* u l* x");
}

TEST_CASE("rfactor comes before what the intermediate could not inherit") {
    CHECK(is_refused("s.update(0).atomic()\ns.update(0).parallel(k)\ns.update(0).rfactor(l, u, part)", "parallel"));
    CHECK(is_refused("s.update(0).unroll(l)\ns.update(0).rfactor(l, u, part)", "must be serial"));
    CHECK(is_refused("s.update(0).specialize(W >= 9)\ns.update(0).rfactor(l, u, part)", "cannot be factored"));
    CHECK(is_refused("s.update(0).specialize(W >= 9)\ns.update(0).specialize[0].rfactor(l, u, part)",
                     "cannot be factored"));
    CHECK(
        is_refused("s.compute_root()\nt.compute_root()\ns.update(0).compute_with(t.update(0), x)\n"
                   "s.update(0).rfactor(l, u, part)",
                   "cannot be factored"));
}

TEST_CASE("the merge is not parallel over what it sums up") {
    CHECK(is_refused("g.update(0).rfactor(k, u, part)\ng.update(0).parallel(k)", "needs atomic()"));
    CHECK(admitted("g.update(0).parallel(k)"));
}
