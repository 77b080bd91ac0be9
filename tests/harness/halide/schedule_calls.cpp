#include "harness/halide/schedule_calls.h"

#include <iostream>
#include <sstream>

#include "harness/halide/program_builder.h"
#include "harness/halide/version.h"
#include "tests/harness/halide/programs.h"
#include "tests/support/catch.h"

// Every directive reaches Halide, as seen in the loop nest that Halide prints or in its record of the schedule.
namespace haruspex::halide::test {
namespace {

using schedule::halide::StageRef;
using schedule::halide::Tail;
using value::Type;

sare::Index add(sare::Index a, sare::Index b) {
    return {sare::IndexBinary{sare::IndexOp::add, std::move(a), std::move(b)}};
}

// g(x, y) = f(x, y) + f(x, y + 1); g(x, y) += f(x + k, y) over k in [0, 16); f(x, y) = x + y
sare::Algorithm two_functions() {
    sare::Function g =
        function("g", {Type::i32}, {"x", "y"},
                 {plus(access("f", {var("x"), var("y")}), access("f", {var("x"), add(var("y"), num(1))}))});
    g.updates.push_back({{{"k", num(0), num(16)}},
                         {var("x"), var("y")},
                         {plus(access("g", {var("x"), var("y")}), access("f", {add(var("x"), var("k")), var("y")}))}});
    return algorithm({}, {function("f", {Type::i32}, {"x", "y"}, {embed(Type::i32, add(var("x"), var("y")))}), g}, "g",
                     {{num(0), var("N")}, {num(0), num(12)}});
}

const StageRef f{"f", std::nullopt, std::nullopt};
const StageRef g{"g", std::nullopt, std::nullopt};
const StageRef update{"g", 0, std::nullopt};

schedule::halide::Schedule of(std::vector<schedule::halide::Directive> directives) { return {std::move(directives)}; }

Program build(const schedule::halide::Schedule& s) {
    Result<Program> program = build_program(case_of(two_functions(), s));
    REQUIRE(program.has_value());
    return std::move(*program);
}

std::string loop_nest(const schedule::halide::Schedule& s) {
    Program program = build(s);
    std::ostringstream words;
    std::streambuf* const terminal = std::cerr.rdbuf(words.rdbuf());
    program.pipeline.print_loop_nest();
    std::cerr.rdbuf(terminal);
    return words.str();
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// The schedule of g's pure definition.
Halide::Internal::StageSchedule stage_schedule(Program& program, const std::string& name = "g") {
    return program.funcs.at(name).function().definition().schedule();
}

// Checks that the directives leave the result unchanged.
void check_same_result(const schedule::halide::Schedule& s) {
    CHECK(integers(case_of(two_functions(), s)) == integers(case_of(two_functions())));
}

}  // namespace

TEST_CASE("split, with its factor and tail") {
    const auto s = of({{g, schedule::halide::Split{"x", "xo", "xi", 4, Tail::guard_with_if}}});
    Program program = build(s);
    const std::vector<Halide::Internal::Split> splits = stage_schedule(program).splits();
    REQUIRE(splits.size() == 1);
    CHECK(splits[0].tail == Halide::TailStrategy::GuardWithIf);
    const std::string nest = loop_nest(s);
    CHECK(contains(nest, "for x.xo:"));
    CHECK(contains(nest, "for x.xi in [0, 3]:"));
    check_same_result(s);
}

TEST_CASE("every tail strategy that this version has, and a refusal of the others") {
    for (const Tail tail :
         {Tail::automatic, Tail::round_up, Tail::guard_with_if, Tail::predicate, Tail::predicate_loads,
          Tail::predicate_stores, Tail::shift_inwards, Tail::shift_inwards_and_blend, Tail::round_up_and_blend}) {
        const auto s = of({{g, schedule::halide::Split{"x", "xo", "xi", 4, tail}}});
        const Result<Program> program = build_program(case_of(two_functions(), s));
        REQUIRE(program.has_value() == vocabulary.has(tail));
        if (program) {
            Program p = *program;
            const auto seen = stage_schedule(p).splits().at(0).tail;
            // Halide resolves Auto immediately.
            if (tail != Tail::automatic) { CHECK(seen == tail_strategy(tail)); }
        }
    }
}

TEST_CASE("tile") {
    const auto s = of({{g, schedule::halide::Tile{"x", "y", "xo", "yo", "xi", "yi", 8, 4, Tail::guard_with_if}}});
    const std::string nest = loop_nest(s);
    const auto at = [&](const char* loop) { return nest.find(loop); };
    CHECK(at("for y.yo:") < at("for x.xo:"));
    CHECK(at("for x.xo:") < at("for y.yi in [0, 3]:"));
    CHECK(at("for y.yi in [0, 3]:") < at("for x.xi in [0, 7]:"));
    CHECK(at("for x.xi in [0, 7]:") != std::string::npos);
    check_same_result(s);
}

TEST_CASE("fuse") {
    const auto s = of({{g, schedule::halide::Fuse{"x", "y", "t"}}});
    CHECK(contains(loop_nest(s), "for x.t:"));
    check_same_result(s);
}

TEST_CASE("reorder") {
    const auto s = of({{g, schedule::halide::Reorder{{"y", "x"}}}});
    const std::string nest = loop_nest(s);
    CHECK(nest.find("for x:") < nest.find("for y:"));
    check_same_result(s);
}

TEST_CASE("vectorize, unroll, parallel and serial, with and without a factor") {
    const auto bare = of({{g, schedule::halide::Split{"x", "xo", "xi", 4, Tail::guard_with_if}},
                          {g, schedule::halide::Vectorize{"xi", std::nullopt}},
                          {g, schedule::halide::Unroll{"xo", 2, Tail::guard_with_if}},
                          {g, schedule::halide::Parallel{"y", std::nullopt}}});
    const std::string nest = loop_nest(bare);
    CHECK(contains(nest, "vectorized x.xi in [0, 3]:"));
    CHECK(contains(nest, "unrolled"));
    CHECK(contains(nest, "parallel y:"));
    check_same_result(bare);

    const auto factors = of({{g, schedule::halide::Vectorize{"x", 8, Tail::guard_with_if}},
                             {g, schedule::halide::Parallel{"y", 2, Tail::guard_with_if}}});
    const std::string other = loop_nest(factors);
    CHECK(contains(other, "vectorized x.v"));
    CHECK(contains(other, "in [0, 7]:"));
    CHECK(contains(other, "parallel y.y:"));
    check_same_result(factors);

    const auto undone = of({{g, schedule::halide::Parallel{"y", std::nullopt}}, {g, schedule::halide::Serial{"y"}}});
    CHECK_FALSE(contains(loop_nest(undone), "parallel"));
    const auto unrolled = of({{g, schedule::halide::Split{"x", "xo", "xi", 4, Tail::guard_with_if}},
                              {g, schedule::halide::Unroll{"xi", std::nullopt}}});
    CHECK(contains(loop_nest(unrolled), "unrolled x.xi in [0, 3]:"));
    check_same_result(unrolled);
}

TEST_CASE("compute and store levels") {
    CHECK(contains(loop_nest(of({{f, schedule::halide::ComputeRoot{}}})), "produce f"));
    CHECK_FALSE(contains(loop_nest(of({{f, schedule::halide::ComputeRoot{}}, {f, schedule::halide::ComputeInline{}}})),
                         "produce f"));
    const auto s = of({{f, schedule::halide::ComputeAt{{g, "y"}}}, {f, schedule::halide::StoreRoot{}}});
    // g's update has a loop y, too. A level does not name a stage: it means the loop that encloses all uses.
    Program program = build(s);
    CHECK(program.funcs.at("f").function().schedule().store_level().lock().is_root());
    CHECK(program.funcs.at("f").function().schedule().compute_level().lock().to_string().ends_with(".y"));
    const auto of_update = of({{f, schedule::halide::ComputeAt{{update, "k"}}}});
    Program other = build(of_update);
    Halide::LoopLevel level = other.funcs.at("f").function().schedule().compute_level();
    level.lock();
    CHECK(level.func() == other.funcs.at("g").name());
    CHECK(level.var().name().starts_with("g_u0"));
    CHECK(level.var().is_rvar);
    CHECK(level.to_string() == other.funcs.at("g").name() + "." + level.var().name());
}

TEST_CASE("store_at") {
    // Only h reads f, so h's loops enclose every use.
    const sare::Algorithm a =
        algorithm({},
                  {function("f", {Type::i32}, {"x", "y"}, {embed(Type::i32, add(var("x"), var("y")))}),
                   function("h", {Type::i32}, {"x", "y"},
                            {plus(access("f", {var("x"), var("y")}), access("f", {var("x"), add(var("y"), num(1))}))})},
                  "h", {span(0, 8), span(0, 8)});
    const StageRef h{"h", std::nullopt, std::nullopt};
    const auto s = of({{h, schedule::halide::Split{"y", "yo", "yi", 4, Tail::guard_with_if}},
                       {f, schedule::halide::StoreAt{{h, "yo"}}},
                       {f, schedule::halide::ComputeAt{{h, "yi"}}},
                       {f, schedule::halide::FoldStorage{"y", 2}}});
    Result<Program> program = build_program(case_of(a, s));
    REQUIRE(program.has_value());
    std::ostringstream words;
    std::streambuf* const terminal = std::cerr.rdbuf(words.rdbuf());
    program->pipeline.print_loop_nest();
    std::cerr.rdbuf(terminal);
    const std::string nest = words.str();
    CHECK(nest.find("for y.yo:") < nest.find("store f"));
    CHECK(nest.find("store f") < nest.find("for y.yi in [0, 3]:"));
    CHECK(nest.find("for y.yi in [0, 3]:") < nest.find("produce f"));
    const auto storage = program->funcs.at("f").function().schedule().storage_dims();
    REQUIRE(storage.size() == 2);
    CHECK(storage[1].fold_factor.defined());
    CHECK(storage[1].fold_forward);
    CHECK(integers(case_of(a, s)) == integers(case_of(a)));
}

TEST_CASE("bounds, alignment and the order of storage") {
    const auto s = of({{g, schedule::halide::Bound{"x", num(0), var("N")}},
                       {g, schedule::halide::BoundExtent{"y", num(12)}},
                       {f, schedule::halide::ComputeRoot{}},
                       {f, schedule::halide::AlignBounds{"x", 4, 1}},
                       {f, schedule::halide::ReorderStorage{{"y", "x"}}},
                       {f, schedule::halide::AlignStorage{"y", 16}}});
    Program program = build(s);
    const auto bounds = program.funcs.at("g").function().schedule().bounds();
    REQUIRE(bounds.size() == 2);
    CHECK(bounds[0].var == "x");
    CHECK(Halide::Internal::is_const_zero(bounds[0].min));
    CHECK(bounds[0].extent.as<Halide::Internal::Variable>()->name == "N");
    CHECK(bounds[1].var == "y");
    CHECK_FALSE(bounds[1].min.defined());
    CHECK(Halide::Internal::is_const(bounds[1].extent, 12));
    const auto aligned = program.funcs.at("f").function().schedule().bounds();
    REQUIRE(aligned.size() == 1);
    CHECK(Halide::Internal::is_const(aligned[0].modulus, 4));
    CHECK(Halide::Internal::is_const(Halide::Internal::simplify(aligned[0].remainder), 1));
    const auto storage = program.funcs.at("f").function().schedule().storage_dims();
    CHECK(storage[0].var == "y");
    CHECK(storage[1].var == "x");
    CHECK(Halide::Internal::is_const(storage[0].alignment, 16));
    CHECK_FALSE(storage[1].alignment.defined());
    check_same_result(s);
}

TEST_CASE("specialize starts a schedule of its own") {
    StageRef special = g;
    special.specialization = 0;
    const auto s = of({{g, schedule::halide::Split{"x", "xo", "xi", 4, Tail::guard_with_if}},
                       {g, schedule::halide::Specialize{less(num(8), var("N"))}},
                       {special, schedule::halide::Vectorize{"xi", std::nullopt}},
                       {g, schedule::halide::Unroll{"xi", std::nullopt}}});
    const std::string nest = loop_nest(s);
    CHECK(contains(nest, "vectorized x.xi"));
    CHECK(contains(nest, "unrolled x.xi"));
    check_same_result(s);
}

TEST_CASE("atomic, with and without its test") {
    for (const bool override_test : {false, true}) {
        const auto s = of({{update, schedule::halide::Atomic{override_test}},
                           {update, schedule::halide::Parallel{"k", std::nullopt}}});
        Program program = build(s);
        const auto schedule = program.funcs.at("g").function().update(0).schedule();
        CHECK(schedule.atomic());
        CHECK(schedule.override_atomic_associativity_test() == override_test);
        CHECK(contains(loop_nest(s), "parallel"));
        check_same_result(s);
    }
}

TEST_CASE("an atomic update that needs its mutexes, on an output of rank 2") {
    sare::Function swap =
        function("g", {Type::i32, Type::i32}, {"x", "y"}, {embed(Type::i32, var("x")), embed(Type::i32, var("y"))});
    swap.updates.push_back({{{"k", num(0), num(4)}},
                            {var("x"), var("y")},
                            {plus(access("g", {var("x"), var("y")}, 1), embed(Type::i32, var("k"))),
                             access("g", {var("x"), var("y")}, 0)}});
    const sare::Algorithm a = algorithm({}, {swap}, "g", {span(3, 5), span(-2, 40)});
    const auto s =
        of({{update, schedule::halide::Atomic{true}}, {update, schedule::halide::Parallel{"y", std::nullopt}}});
    CHECK(results(case_of(a, s)) == results(case_of(a)));
}

TEST_CASE("loops of an update are split, reordered and unrolled by their names") {
    const auto s = of({{update, schedule::halide::Split{"k", "ko", "ki", 4, Tail::guard_with_if}},
                       {update, schedule::halide::Reorder{{"x", "ki", "ko", "y"}}},
                       {update, schedule::halide::Unroll{"ki", std::nullopt}},
                       {update, schedule::halide::Vectorize{"x", 4, Tail::guard_with_if}}});
    const std::string nest = loop_nest(s);
    CHECK(contains(nest, ".ko in [0, 3]:"));
    CHECK(contains(nest, ".ki in [0, 3]:"));
    CHECK(contains(nest, "vectorized x.v"));
    check_same_result(s);
}

TEST_CASE("rfactor makes an intermediate that can be scheduled") {
    const StageRef intermediate{"g_intm", std::nullopt, std::nullopt};
    const StageRef its_update{"g_intm", 0, std::nullopt};
    const auto s = of({{update, schedule::halide::Split{"k", "ko", "ki", 4, Tail::guard_with_if}},
                       {update, schedule::halide::RFactor{{{"ko", "u"}}, "g_intm"}},
                       {intermediate, schedule::halide::ComputeRoot{}},
                       {its_update, schedule::halide::Parallel{"u", std::nullopt}},
                       {its_update, schedule::halide::Unroll{"ki", std::nullopt}},
                       {intermediate, schedule::halide::Vectorize{"x", 4, Tail::guard_with_if}},
                       {update, schedule::halide::Unroll{"ko", std::nullopt}}});
    Program program = build(s);
    CHECK(contains(program.funcs.at("g_intm").name(), "_intm"));
    const std::string nest = loop_nest(s);
    CHECK(contains(nest, "parallel u in [0, 3]:"));
    // Versions differ in whether they print the domain's name.
    CHECK((contains(nest, "unrolled g_u0.ki in") || contains(nest, "unrolled ki in")));
    CHECK((contains(nest, "unrolled g_u0.ko in") || contains(nest, "unrolled ko in")));
    check_same_result(s);
}

TEST_CASE("compute_with, with an alignment") {
    const sare::Algorithm a =
        algorithm({},
                  {function("f", {Type::i32}, {"x", "y"}, {embed(Type::i32, add(var("x"), var("y")))}),
                   function("h", {Type::i32}, {"x", "y"}, {embed(Type::i32, var("y"))}),
                   function("g", {Type::i32}, {"x", "y"},
                            {plus(access("f", {var("x"), var("y")}), access("h", {var("x"), add(var("y"), num(1))}))})},
                  "g", {span(0, 8), span(0, 8)});
    const StageRef h{"h", std::nullopt, std::nullopt};
    const auto s = of({{f, schedule::halide::ComputeRoot{}},
                       {h, schedule::halide::ComputeRoot{}},
                       {h, schedule::halide::ComputeWith{{f, "y"}, schedule::halide::Align::start}}});
    Result<Program> program = build_program(case_of(a, s));
    REQUIRE(program.has_value());
    const auto fused = stage_schedule(*program, "h").fuse_level();
    Halide::LoopLevel level = fused.level;
    level.lock();
    CHECK(level.func() == program->funcs.at("f").name());
    CHECK(level.var().name() == "y");
    CHECK(level.stage_index() == 0);
    CHECK(fused.align.at("y") == Halide::LoopAlignStrategy::AlignStart);
    CHECK(integers(case_of(a, s)) == integers(case_of(a)));
}

TEST_CASE("prefetch of a function and of an input") {
    const auto s = of({{f, schedule::halide::ComputeRoot{}},
                       {update, schedule::halide::Prefetch{"f", "k", "y", 2, schedule::halide::FetchBound::clamp}},
                       {g, schedule::halide::Prefetch{"f", "x", "x", 1, {}}}});
    Program program = build(s);
    const auto& fetched = program.funcs.at("g").function().update(0).schedule().prefetches();
    REQUIRE(fetched.size() == 1);
    CHECK(fetched[0].name == program.funcs.at("f").name());
    CHECK(fetched[0].from == "y");
    CHECK(Halide::Internal::is_const(fetched[0].offset, 2));
    CHECK(fetched[0].strategy == Halide::PrefetchBoundStrategy::Clamp);
    CHECK(stage_schedule(program).prefetches().size() == 1);
    check_same_result(s);

    sare::Algorithm reader = algorithm(
        {{"in", Type::i32, 1}}, {function("g", {Type::i32}, {"x"}, {access("in", {var("x")})})}, "g", {span(0, 8)});
    const auto of_input = of({{g, schedule::halide::Prefetch{"in", "x", "x", 4, {}}}});
    Result<Program> with_input = build_program(case_of(reader, of_input));
    REQUIRE(with_input.has_value());
    CHECK(stage_schedule(*with_input).prefetches().at(0).param.defined());
    CHECK(integers(case_of(reader, of_input)) == integers(case_of(reader)));
}

TEST_CASE("directives of later versions: storage that is hoisted, in a ring, loops that are partitioned or not") {
    const schedule::halide::Schedule hoisted =
        of({{g, schedule::halide::Split{"y", "yo", "yi", 4, Tail::guard_with_if}},
            {update, schedule::halide::Split{"y", "yo", "yi", 4}},
            {f, schedule::halide::ComputeAt{{g, "yi"}}},
            {f, schedule::halide::HoistStorage{{g, "yo"}}},
            {f, schedule::halide::RingBuffer{2}}});
    const auto partitioned = of({{g, schedule::halide::Split{"x", "xo", "xi", 4, Tail::guard_with_if}},
                                 {g, schedule::halide::AlwaysPartition{{"xo"}}},
                                 {g, schedule::halide::Partition{"y", schedule::halide::Partitioning::automatic}},
                                 {update, schedule::halide::NeverPartition{{"k", "x"}}}});
    const auto all = of({{update, schedule::halide::NeverPartitionAll{}}});
    for (const auto& s : {partitioned, all}) {
        const Result<Program> program = build_program(case_of(two_functions(), s));
        REQUIRE(program.has_value() == vocabulary.has(schedule::halide::Action{schedule::halide::Partition{}}));
        if (program) { check_same_result(s); }
    }
    const Result<Program> program = build_program(case_of(two_functions(), hoisted));
    REQUIRE(program.has_value() == vocabulary.has(schedule::halide::Action{schedule::halide::RingBuffer{2}}));
    if (!program) { CHECK(program.error().message.ends_with("has no hoist_storage")); }
}

TEST_CASE("async") {
    const auto s = of({{f, schedule::halide::ComputeRoot{}}, {f, schedule::halide::Async{}}});
    CHECK(build(s).funcs.at("f").function().schedule().async());
    CHECK_FALSE(build(s).funcs.at("g").function().schedule().async());
    check_same_result(s);
}

TEST_CASE("a directive on a stage, specialisation or intermediate that is not there is refused") {
    const StageRef second_update{"g", 1, std::nullopt};
    const StageRef special{"g", std::nullopt, 0};
    const StageRef intermediate{"g_intm", std::nullopt, std::nullopt};
    for (const StageRef& stage : {second_update, special, intermediate}) {
        const auto program = build_program(
            case_of(two_functions(), of({{stage, schedule::halide::Unroll{"x", 2, Tail::guard_with_if}}})));
        REQUIRE_FALSE(program.has_value());
        CHECK(program.error().message.starts_with("not expressible in Halide: the schedule names"));
    }
}

}  // namespace haruspex::halide::test
