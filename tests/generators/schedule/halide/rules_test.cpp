#include "generators/schedule/halide/rules.h"

#include <set>
#include <string>
#include <vector>

#include "generators/schedule/halide/admission.h"
#include "tests/generators/schedule/halide/program.h"
#include "tests/support/catch.h"

// The rules that a hand-written schedule breaks, and who checks them.

using namespace haruspex;
using namespace haruspex::schedule::halide;
using namespace haruspex::schedule::halide::test;
using schedule::Judgement;

namespace {

// `s` accumulates, `r` is a scan, `p` writes each cell once; `q` is a tuple that does not commute in its first
// component.
const sare::Algorithm& program() {
    static const sare::Algorithm made = algorithm(R"(sare p(W, H) assuming W >= 8 and H >= 8 {
        input in : i32[2]
        f(x, y) = in(x, y)
        g(x, y) = f(x, y) + f(x, y + 1)
        s(x) = 0i32
        update s(x) = s(x) + in(k, l) over k in [0, 7), l in [0, 8)
        r(x, y) = in(x, y)
        update r(x, k) = r(x, k - 1) - in(x, l) over k in [1, 8), l in [0, 8)
        q(x) = { 0i32, 0i32 }
        update q(x) = { in(k, 0), q(x)[1] + in(k, l) } over k in [0, 7), l in [0, 8)
        output g on { [x, y] : 0 <= x < W and 0 <= y < H }
        output s on { [x] : 0 <= x < W }
        output r on { [x, y] : 0 <= x < W and 0 <= y < 16 }
        output q on { [x] : 0 <= x < W }
    })");
    return made;
}

// "constant_extent@1 …", with directives counted from 0.
std::string broken(const std::string& text, Vocabulary vocabulary = {}) {
    const auto rules = broken_rules(program(), schedule::halide::test::schedule(text), vocabulary);
    if (!rules) {
        const auto directives = schedule::halide::test::schedule(text).directives;
        return schedule::located(rules.error(), schedule::halide::print(directives[rules.error().directive]));
    }
    std::string names;
    for (const auto& rule : *rules) {
        names += (names.empty() ? "" : " ") + std::string(name(rule.rule)) + "@" + std::to_string(rule.directive);
    }
    return names;
}

}  // namespace

TEST_CASE("every rule has a name of its own and says what it asks") {
    std::set<std::string_view> names;
    for (std::size_t i = 0; i < rule_count; ++i) {
        const auto rule = static_cast<Rule>(i);
        CHECK(names.insert(name(rule)).second);
        CHECK(asks(rule).starts_with("that "));
    }
}

TEST_CASE("a schedule that is admitted breaks no rule") {
    CHECK(broken("f.compute_root()\ng.vectorize(x, 8)\ns.update(0).rfactor(k, u, part)\npart.compute_root()").empty());
}

TEST_CASE("what a rule is broken by is told, and the model goes on") {
    CHECK(broken("f.compute_root()\nf.unroll(x)\nf.vectorize(y)") == "constant_extent@1 constant_extent@2");
    // Later directives find the loops made by earlier ones.
    CHECK(broken("s.update(0).split(k, ko, ki, 2, RoundUp)\ns.update(0).unroll(ki)") == "recurrence_tail@0");
    CHECK(broken("g.split(x, xo, xi, 0)\ng.reorder(xo, xi)") == "positive_factor@0");
    CHECK(broken("g.fuse(x, x, t)\ng.parallel(t)") == "distinct_loops@0");
    CHECK(broken("g.compute_at(s, x)") == "output_at_root@0");
    CHECK(broken("f.compute_at(g, x)\nf.store_at(g, x)\ng.parallel(y)\nf.store_root()") == "racing_storage@3");
    CHECK(broken("f.compute_at(s, x)") == "enclosing_level@0");
    CHECK(broken("f.vectorize(x, 8)") == "plainly_inlined@0");
    CHECK(broken("g.bound(x, 0, W)\ng.bound(x, 0, W)") == "bounds_once@1");
    CHECK(broken("f.compute_root()\nf.align_bounds(x, 0)\nf.fold_storage(y, 0)") ==
          "positive_modulus@1 positive_fold@2");
    CHECK(broken("f.compute_root()\nf.fold_storage(y, 4)") == "certain_fold@1");
    CHECK(broken("f.compute_root()\nf.align_storage(x, 0)") == "positive_alignment@1");
    CHECK(broken("f.compute_at(g, x)\nf.hoist_storage_root()\nf.ring_buffer(0)", {21}) == "positive_ring@2");
    CHECK(broken("f.compute_at(g, x)\nf.ring_buffer(2)", {21}) == "hoisted_ring@1");
    CHECK(broken("f.compute_at(g, x)\nf.hoist_storage_root()\ng.parallel(y)", {21}) == "racing_storage@1");
    CHECK(broken("f.hoist_storage_root()", {21}) == "plainly_inlined@0");
    CHECK(broken("g.always_partition(x)\nf.compute_root()\nf.always_partition_all()", {21}) ==
          "certain_partition@0 certain_partition@2");
    CHECK(broken("g.prefetch(in, y, x)\ng.prefetch(g, x, x)") == "enclosing_fetch@0 stored_fetch@1");
    CHECK(broken("g.async()") == "async_consumers@0");
    CHECK(broken("f.compute_root()\nf.compute_with(g, y)") == "shared_loops@1");
}

TEST_CASE(
    "a recurrence whose iterations run at once is Halide's to judge where it looks, and nobody's where it does not") {
    CHECK(broken("s.update(0).parallel(k)") == "dependent_iterations@0");
    CHECK(broken("r.update(0).atomic()\nr.update(0).vectorize(k, 4)") == "dependent_iterations@1");
    CHECK(broken("s.update(0).parallel(x)\ns.update(0).fuse(x, k, t)") == "unnoticed_race@1");
    CHECK(broken("r.update(0).atomic(true)\nr.update(0).parallel(k)") == "false_atomic@0 unnoticed_race@1");
    CHECK(broken("q.update(0).atomic()\nq.update(0).parallel(k)") == "unnoticed_race@1");
    // Halide keeps its knowledge of k from before rfactor.
    CHECK(judgement(Rule::dependent_iterations) == Judgement::compiler);
    CHECK(judgement(Rule::unnoticed_race) == Judgement::nobody);
}

TEST_CASE("a reorder is Halide's to judge where it names all that change places") {
    CHECK(broken("r.update(0).reorder(l, k)") == "recurrence_order@0");
    CHECK(broken("r.update(0).split(k, ko, ki, 2)\nr.update(0).reorder(x, ki)") == "unnoticed_order@1");
    CHECK(broken("r.update(0).fuse(l, k, t)") == "unnoticed_order@0");
    CHECK(broken("q.update(0).reorder(l, k)") == "unnoticed_order@0");
    CHECK(judgement(Rule::recurrence_order) == Judgement::compiler);
    CHECK(judgement(Rule::unnoticed_order) == Judgement::nobody);
}

TEST_CASE("nothing is known behind an rfactor that breaks what it asks") {
    CHECK(broken("r.update(0).rfactor(k, u, part)\npart.compute_root()\npart.vectorize(nothing)") ==
          "factored_update@0");
    CHECK(judgement(Rule::factored_update) == Judgement::nobody);
}

TEST_CASE("what does not exist is refused, with the directive that names it") {
    CHECK(broken("g.parallel(y)\nh.parallel(y)") == "directive 2, h.parallel(y): there is no tensor \"h\" to schedule");
    CHECK(broken("g.unroll(z)") == "directive 1, g.unroll(z): \"g\": there is no loop over \"z\"");
    CHECK(broken("g.update(0).unroll(x)").find("there is no stage") != std::string::npos);
    CHECK(broken("g.specialize[0].unroll(x)").find("there is no stage") != std::string::npos);
    CHECK(broken("f.compute_at(g, z)").find("directive 1, f.compute_at(g, z): \"f\": \"g\" has no loop over") == 0);
    // This loop no longer exists.
    CHECK(broken("f.compute_at(g, y)\ng.split(y, yo, yi, 2)").find("directive 2, g.split") == 0);
    CHECK(broken("g.bound(z, 0, W)").find("z") != std::string::npos);
    CHECK(broken("g.specialize(x >= 3)").find("not a parameter") != std::string::npos);
    CHECK(broken("g.split(x, xo, xi, 8, RoundUpAndBlend)").find("not known to Halide 14") != std::string::npos);
    CHECK(broken("g.partition(x, Never)").find("Halide 14 has no partition") != std::string::npos);
    CHECK(broken("g.prefetch(in, z, z)") == "directive 1, g.prefetch(in, z, z): \"g\": there is no loop over \"z\"");
    CHECK(broken("s.update(0).rfactor(x, u, part)").find("no loop over a recurrence variable") != std::string::npos);
    CHECK(broken("s.update(0).compute_root()").find("belongs to the tensor") != std::string::npos);
}
