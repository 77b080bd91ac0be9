#include "generators/schedule/halide/text.h"

#include "generators/base/choice.h"
#include "generators/sare/build.h"
#include "generators/sare/text.h"
#include "tests/generators/schedule/halide/random_schedule.h"
#include "tests/support/catch.h"

using namespace haruspex;
using namespace haruspex::schedule::halide;

namespace {

Directive parsed(const std::string& text) {
    auto directive = parse_directive(text, "test.sched");
    INFO(text);
    REQUIRE(directive.has_value());
    return *directive;
}

Error error_of(const std::string& text) {
    auto schedule = parse_schedule(text, "test.sched");
    INFO(text);
    REQUIRE(!schedule.has_value());
    return schedule.error();
}

}  // namespace

TEST_CASE("a schedule reads back as it was printed") {
    Choices choices(random_source(20240611));
    for (int i = 0; i < 1000; ++i) {
        const Schedule schedule = test::random_schedule(choices);
        const std::string text = print(schedule);
        const auto again = parse_schedule(text, "round.sched");
        INFO(text);
        REQUIRE(again.has_value());
        REQUIRE(*again == schedule);
        REQUIRE(print(*again) == text);
    }
}

TEST_CASE("every directive is spelt as the C++ call that makes it") {
    for (const std::string text : {"f.split(x, xo, xi, 8)",
                                   "f.split(x, xo, xi, 8, GuardWithIf)",
                                   "f.tile(x, y, xo, yo, xi, yi, 8, 4, RoundUp)",
                                   "f.fuse(x, y, t)",
                                   "f.reorder(x, y, c)",
                                   "f.vectorize(x)",
                                   "f.vectorize(x, 8)",
                                   "f.vectorize(x, 8, PredicateStores)",
                                   "f.unroll(x, 4, PredicateLoads)",
                                   "f.parallel(y, 2, ShiftInwards)",
                                   "f.serial(y)",
                                   "f.partition(x, Never)",
                                   "f.partition(x, Auto)",
                                   "f.never_partition(x)",
                                   "f.never_partition(x, y)",
                                   "f.update(0).always_partition(x, y)",
                                   "f.specialize[0].never_partition_all()",
                                   "f.always_partition_all()",
                                   "f.prefetch(g, x, x)",
                                   "f.prefetch(g, x, y, 2)",
                                   "f.update(0).prefetch(g, k, x, -3, Clamp)",
                                   "f.prefetch(g, x, x, 1, NonFaulting)",
                                   "f.compute_root()",
                                   "f.compute_inline()",
                                   "f.compute_at(g, y)",
                                   "f.compute_at(g.update(0), k)",
                                   "f.store_root()",
                                   "f.store_at(g, y)",
                                   "f.hoist_storage(g, y)",
                                   "f.hoist_storage(g.update(0), k)",
                                   "f.hoist_storage_root()",
                                   "f.bound(x, 0, W)",
                                   "f.bound(x, min(W, 3), select(W >= 8 and H < 2, W/2, 4))",
                                   "f.bound_extent(x, W + 1)",
                                   "f.align_bounds(x, 8)",
                                   "f.align_bounds(x, 8, 3)",
                                   "f.reorder_storage(y, x)",
                                   "f.fold_storage(y, 4)",
                                   "f.fold_storage(y, 4, false)",
                                   "f.align_storage(x, 16)",
                                   "f.ring_buffer(2)",
                                   "f.specialize(W >= 64)",
                                   "f.specialize[0].unroll(x)",
                                   "f.update(1).atomic()",
                                   "f.update(1).atomic(true)",
                                   "f.update(0).rfactor(k, u, f_intm)",
                                   "f.update(0).rfactor({{k, u}, {l, v}}, f_intm)",
                                   "f.update(0).specialize[2].split(k, ko, ki, 3, Predicate)",
                                   "f.compute_with(g, x)",
                                   "f.update(0).compute_with(g.update(1), x, AlignEnd)",
                                   "f.async()",
                                   "f.split(x, xo, xi, 8, ShiftInwardsAndBlend)",
                                   "f.split(x, xo, xi, 8, RoundUpAndBlend)"}) {
        CHECK(print(parsed(text)) == text);
    }
}

TEST_CASE("what a call leaves to its default is not printed") {
    CHECK(print(parsed("f.split(x, xo, xi, 8, Auto)")) == "f.split(x, xo, xi, 8)");
    CHECK(print(parsed("f.align_bounds(x, 8, 0)")) == "f.align_bounds(x, 8)");
    CHECK(print(parsed("f.fold_storage(x, 8, true)")) == "f.fold_storage(x, 8)");
    CHECK(print(parsed("f.atomic(false)")) == "f.atomic()");
    CHECK(print(parsed("f.compute_with(g, x, Auto)")) == "f.compute_with(g, x)");
    CHECK(print(parsed("f.prefetch(g, x, y, 1, GuardWithIf)")) == "f.prefetch(g, x, y)");
}

TEST_CASE("a prefetch that names one loop counts from it") {
    CHECK(print(parsed("f.prefetch(g, x)")) == "f.prefetch(g, x, x)");
    CHECK(print(parsed("f.prefetch(g, x, 2)")) == "f.prefetch(g, x, x, 2)");
    CHECK(print(parsed("f.prefetch(g, x, -2, Clamp)")) == "f.prefetch(g, x, x, -2, Clamp)");
}

TEST_CASE("the words of partition and prefetch are their own") {
    CHECK(error_of("f.partition(x)").message == "expected \",\" and another argument, found \")\"");
    CHECK(error_of("f.partition(x, RoundUp)").message == "expected Auto, Never or Always, found \"RoundUp\"");
    CHECK(error_of("f.prefetch(g, x, x, 1, RoundUp)").message ==
          "expected GuardWithIf, Clamp or NonFaulting, found \"RoundUp\"");
    CHECK(error_of("f.prefetch(g)").message == "expected \",\" and another argument, found \")\"");
    CHECK(error_of("f.never_partition()").message == "expected a loop variable, found \")\"");
    CHECK(error_of("f.ring_buffer(W)").message == "expected an extent, found \"W\"");
    CHECK(error_of("f.never_partition_all(x)").message == "expected \")\" after the last argument, found \"x\"");
}

TEST_CASE("comments, blank lines and blanks carry no meaning") {
    const auto schedule = parse_schedule(
        "# a comment\n\n  f . split ( x ,xo,  xi,8 )# behind a directive\n\t\r\nf.compute_root()\r\n", "test.sched");
    REQUIRE(schedule.has_value());
    CHECK(print(*schedule) == "f.split(x, xo, xi, 8)\nf.compute_root()\n");
    CHECK(parse_schedule("", "test.sched")->directives.empty());
}

TEST_CASE("a directive is parsed alone") {
    CHECK(!parse_directive("", "test.sched").has_value());
    CHECK(!parse_directive("f.compute_root()\nf.compute_root()", "test.sched").has_value());
}

TEST_CASE("an error says where it is and what was expected") {
    const Error error = error_of("f.compute_root()\nf.split(x, xo, xi)\n");
    CHECK(error.where == Location{"test.sched", 2, 18});
    CHECK(error.message == "expected \",\" and another argument, found \")\"");
    CHECK(error.excerpt == "f.split(x, xo, xi)");
}

TEST_CASE("an error inside an index or a condition is located in the schedule") {
    const Error index = error_of("f.compute_root()\n  f.bound(x, 0, W + )\n");
    CHECK(index.where.line == 2);
    CHECK(index.where.column > 14);
    CHECK(index.where.column <= 21);
    CHECK(index.excerpt == "  f.bound(x, 0, W + )");
    const Error condition = error_of("f.specialize(W > )");
    CHECK(condition.where.line == 1);
    CHECK(condition.where.column > 13);
}

TEST_CASE("actions and tail strategies have the compiler's names") {
    CHECK(action_name(Action{ComputeWith{}}) == "compute_with");
    CHECK(action_name(Action{Split{}}) == "split");
    CHECK(tail_name(Tail::automatic) == "Auto");
    CHECK(tail_name(Tail::round_up_and_blend) == "RoundUpAndBlend");
    CHECK(print(StageRef{"f", 1, 2}) == "f.update(1).specialize[2]");
}
