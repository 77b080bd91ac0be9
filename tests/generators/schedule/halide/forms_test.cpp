#include "generators/schedule/halide/forms.h"

#include <algorithm>
#include <set>
#include <string>

#include "tests/generators/schedule/halide/program.h"
#include "tests/support/catch.h"

using namespace haruspex;
using namespace haruspex::schedule::halide;
using namespace haruspex::schedule::halide::test;

namespace {

using Names = std::set<std::string>;

const sare::Algorithm& program() {
    static const sare::Algorithm made = algorithm(R"(sare p(W) assuming W >= 8 {
        input in : i32[2]
        h(x) = in(x, 0)
        g(x) = in(0, x)
        s(x) = 0i32
        update s(x) = s(x) + in(x + k, 1) * h(k) over k in [0, 8), l in [0, 4)
        n(x) = h(x) + h(x + 1) + g(7 - x) + g(9 - x)
        out(x) = s(x) + n(x)
        output out on { [x] : 0 <= x < W }
    })");
    return made;
}

// The forms without their prefix.
Names forms_of(const std::string& text) {
    Names names;
    for (const std::string& name : forms(program(), schedule::halide::test::schedule(text), {14})) {
        CHECK(std::ranges::find(form_names, name) != form_names.end());
        REQUIRE(name.starts_with("form:"));
        names.insert(name.substr(5));
    }
    return names;
}

}  // namespace

TEST_CASE("a split of a loop that was fused or marked is told from one that comes first") {
    CHECK(forms_of("out.split(x, xo, xi, 8)\nout.vectorize(xi)") == Names{});
    CHECK(forms_of("out.split(x, xo, xi, 8)\nout.vectorize(xi)\nout.split(xi, a, b, 2)") ==
          Names{"split-of-vectorized"});
    CHECK(forms_of("out.split(x, xo, xi, 8)\nout.unroll(xi)\nout.vectorize(xi, 2)") == Names{"split-of-unrolled"});
    CHECK(forms_of("out.split(x, xo, xi, 8)\nout.fuse(xi, xo, f)") == Names{});
    CHECK(forms_of("out.split(x, xo, xi, 8)\nout.fuse(xi, xo, f)\nout.parallel(f, 4)") == Names{"split-of-fused"});
}

TEST_CASE("rfactor is late if its stage has had anything but the split of what it preserves") {
    CHECK(forms_of("s.update(0).rfactor(k, u, part)") == Names{});
    CHECK(forms_of("s.update(0).split(k, ko, ki, 4)\ns.update(0).rfactor(ko, u, part)") == Names{});
    CHECK(forms_of("n.compute_root()\nn.unroll(x, 2)\ns.update(0).rfactor(k, u, part)") == Names{});
    CHECK(forms_of("s.update(0).unroll(l)\ns.update(0).rfactor(k, u, part)") == Names{"late-rfactor"});
    CHECK(forms_of("s.update(0).split(l, lo, li, 2)\ns.update(0).rfactor(k, u, part)") == Names{"late-rfactor"});
}

TEST_CASE("eight directives on the loops of one stage are many") {
    std::string text;
    for (int i = 0; i < 7; ++i) { text += "out.serial(x)\nn.serial(x)\nout.compute_root()\n"; }
    CHECK(forms_of(text) == Names{});
    CHECK(forms_of(text + "out.serial(x)\n") == Names{"many-directives"});
}

TEST_CASE("bounds are internal where the tensor is no output") {
    CHECK(forms_of("out.bound(x, 0, W)") == Names{});
    CHECK(forms_of("h.compute_root()\nh.bound(x, 0, W + 8)") == Names{"bounded-internal"});
    CHECK(forms_of("h.compute_root()\nh.bound_extent(x, W + 8)") == Names{"bounded-internal"});
    CHECK(forms_of("h.compute_root()\nh.align_bounds(x, 8)") == Names{});
}

TEST_CASE("stages that are computed together are told by whether one is an update") {
    CHECK(forms_of("h.compute_root()\ng.compute_root()\nh.compute_with(g, x)") == Names{});
    CHECK(forms_of("g.compute_root()\ng.compute_with(s.update(0), x)") == Names{"compute_with-update"});
    CHECK(forms_of("g.compute_root()\ns.update(0).compute_with(g, x)") == Names{"compute_with-update"});
}

TEST_CASE("loops of both sorts are vectorized in one stage, with operands over one of them or both") {
    const std::string pure = "s.update(0).vectorize(x, 4)\n",
                      over_k = "s.update(0).atomic()\ns.update(0).vectorize(k)\n";
    CHECK(forms_of(pure) == Names{});
    CHECK(forms_of(over_k) == Names{});
    CHECK(forms_of("s.vectorize(x, 4)\n" + over_k) == Names{});
    CHECK(forms_of(pure + over_k) == Names{"vectorized-both", "vectorized-both-affine", "vectorized-both-recurrence"});
}

TEST_CASE("neighbouring reads count where both of their tensors are stored") {
    CHECK(forms_of("n.compute_root()\nh.compute_root()") == Names{});
    CHECK(forms_of("n.compute_root()\nh.compute_root()\ng.compute_at(n, x)") ==
          Names{"stored-neighbours", "stored-reversed"});
    // The reads of a definition that is computed inline are those of its readers.
    CHECK(forms_of("h.compute_root()\ng.compute_root()") == Names{});
}

TEST_CASE("forms end where a directive names what does not exist") {
    CHECK(forms_of("h.compute_root()\nh.bound(x, 0, W + 8)\nout.unroll(q)\nout.fuse(x, x, f)") ==
          Names{"bounded-internal"});
}
