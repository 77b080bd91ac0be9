#include "tests/generators/schedule/halide/program.h"
#include "tests/support/catch.h"

using namespace haruspex;
using namespace haruspex::schedule::halide;
using namespace haruspex::schedule::halide::test;

namespace {

const sare::Algorithm& program() {
    static const sare::Algorithm made = algorithm(R"(sare p(W, H) assuming W >= 8 and H >= 8 {
        input in : i32[2]
        a(x, y) = in(x, y)
        update a(x, y) = a(x, y) + in(x, k) over k in [0, 8)
        b(x, y) = in(x, y + 1)
        update b(x, y) = b(x, y) + in(x, k) over k in [0, 8)
        c(x, y) = in(x + 1, y)
        d(x, y) = a(x, y) + c(x, y)
        out(x, y) = a(x, y) + b(x + 1, y) + c(x, y) + d(x, y)
        unused(x, y) = in(x, y)
        output out on { [x, y] : 0 <= x < W and 0 <= y < H }
    })");
    return made;
}

const std::string roots = "a.compute_root()\nb.compute_root()\nc.compute_root()\nd.compute_root()\n";

bool admitted(const std::string& text) {
    const std::string message = refusal(program(), roots + text);
    UNSCOPED_INFO(message);
    return message.empty();
}
bool is_refused(const std::string& text, const std::string& words) { return refused(program(), roots + text, words); }

}  // namespace

TEST_CASE("stages of independent tensors share their outer loops") {
    CHECK(admitted("b.compute_with(a, y)"));
    CHECK(admitted("b.compute_with(a, x, AlignStart)\nb.update(0).compute_with(a.update(0), y, AlignEnd)"));
    CHECK(admitted("b.update(0).compute_with(a, y)"));
    CHECK(admitted("b.compute_with(a, y)\nc.compute_with(b, y)"));
    CHECK(admitted("a.compute_at(out, y)\nb.compute_at(out, y)\nd.compute_inline()\nb.compute_with(a, y)"));
}

TEST_CASE("a stage is computed with one stage of another tensor") {
    CHECK(is_refused("a.update(0).compute_with(a, y)", "own tensor"));
    CHECK(is_refused("a.compute_with(nothing, y)", "no stage"));
    CHECK(is_refused("c.compute_with(a, y)\nc.compute_with(b, y)", "already computed with"));
    CHECK(is_refused("b.compute_with(a, y)\na.compute_with(b, y)", "already computed with"));
}

TEST_CASE("tensors computed together do not depend on each other") {
    CHECK(admitted("d.compute_with(b, y)"));
    CHECK(is_refused("d.compute_with(a, y)", "depends on it"));
    CHECK(is_refused("a.compute_with(d, y)", "depends on it"));
    CHECK(is_refused("d.compute_with(b, y)\nc.compute_with(b, y)", "depends on it"));
}

TEST_CASE("tensors computed together are computed at the same level, and in all the same places") {
    CHECK(is_refused("b.compute_inline()\nb.compute_with(a, y)", "computed inline"));
    CHECK(is_refused("b.compute_at(out, y)\nb.compute_with(a, y)", "different levels"));
    CHECK(is_refused("unused.compute_root()\nunused.compute_with(a, y)", "not used"));
}

TEST_CASE("the shared loops are alike") {
    CHECK(admitted("a.split(x, xo, xi, 8)\nb.split(x, xo, xi, 4)\nb.compute_with(a, xo)"));
    CHECK(is_refused("b.compute_with(a, z)", "both need a loop"));
    CHECK(is_refused("a.reorder(y, x)\nb.compute_with(a, y)", "numbers of loops"));
    CHECK(is_refused(
        "a.split(x, t, u, 8)\nb.split(y, t, u, 8)\nb.reorder(u, x, t)\na.reorder(u, y, t)\nb.compute_with(a, t)",
        "different names"));
    CHECK(is_refused("a.parallel(y)\nb.compute_with(a, y)", "different kinds"));
    CHECK(admitted("a.parallel(y)\nb.parallel(y)\nb.compute_with(a, y)"));
    CHECK(is_refused("a.bound(x, 0, 8)\nb.bound(x, 0, 8)\na.unroll(x)\nb.unroll(x)\nb.compute_with(a, x)", "unrolled"));
    CHECK(is_refused("b.update(0).compute_with(a.update(0), k)", "recurrence variables"));
}

TEST_CASE("a stage computed with another has no specializations; its parent's branches all have the loops") {
    CHECK(admitted("a.specialize(W >= 9)\nb.compute_with(a, y)"));
    CHECK(is_refused("a.specialize(W >= 9)\na.specialize[0].reorder(y, x)\nb.compute_with(a, y)", "numbers of loops"));
    CHECK(is_refused("b.specialize(W >= 9)\nb.compute_with(a, y)", "specialized"));
    CHECK(is_refused("b.compute_with(a, y)\nb.specialize(W >= 9)", "specialized"));
    CHECK(is_refused("b.specialize(W >= 9)\nb.update(0).compute_with(a.update(0), y)", "specialized"));
    CHECK(is_refused("a.specialize(W >= 9)\nb.compute_with(a.specialize[0], y)", ""));
}

TEST_CASE("the stages of two tensors go together in order") {
    CHECK(is_refused("b.compute_with(a.update(0), y)\nb.update(0).compute_with(a, y)", "not computed in order"));
    // Halide admits this, but the update would read rows that are not computed yet.
    CHECK(is_refused("b.compute_with(a, y)\nb.update(0).compute_with(a, y)", "not computed in order"));
}
