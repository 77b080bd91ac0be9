#include <cstdlib>

#include "generators/base/sizes.h"
#include "generators/schedule/language.h"
#include "harness/compiler/fork_server.h"
#include "harness/halide/halide_compiler.h"
#include "tests/harness/halide/programs.h"
#include "tests/support/catch.h"

// The classification of real Halide's failures.
namespace haruspex::halide::test {
namespace {

using compiler::Outcome;
using compiler::Phase;
using value::Type;

// g(x) = f(x) + f(x + 1), f(x) = a(x)
sare::Algorithm stencil(sare::Span box = span(2, 13)) {
    const sare::Index next{sare::IndexBinary{sare::IndexOp::add, var("x"), num(1)}};
    return algorithm({{"a", Type::i32, 1}},
                     {function("f", {Type::i32}, {"x"}, {access("a", {var("x")})}),
                      function("g", {Type::i32}, {"x"}, {plus(access("f", {var("x")}), access("f", {next}))})},
                     "g", {std::move(box)});
}

const schedule::halide::StageRef g{"g", std::nullopt, std::nullopt};

schedule::halide::Schedule one(const std::string& tensor, schedule::halide::Action action) {
    return {{{{tensor, std::nullopt, std::nullopt}, std::move(action)}}};
}

}  // namespace

TEST_CASE("a schedule that Halide refuses is rejected with Halide's words") {
    const auto o = observe(case_of(stencil(), one("g", schedule::halide::Vectorize{"nowhere", std::nullopt})));
    CHECK(o.outcome == Outcome::rejected);
    CHECK(o.phase == Phase::build);
    CHECK(o.message.starts_with("Error: In schedule for g"));
    CHECK(o.message.find("nowhere") != std::string::npos);
    CHECK(o.first.empty());
}

TEST_CASE("a schedule that lowering refuses is rejected in the phase of compilation") {
    const auto o = observe(case_of(stencil(), one("f", schedule::halide::ComputeAt{{g, "nowhere"}})));
    CHECK(o.outcome == Outcome::rejected);
    CHECK(o.phase == Phase::compile);
    CHECK(o.message.find("nowhere") != std::string::npos);
}

TEST_CASE("a target that does not exist is rejected") {
    cases::Case c = case_of(stencil());
    c.target = "pdp-11";
    const auto o = observe(c);
    CHECK(o.outcome == Outcome::rejected);
    CHECK(o.phase == Phase::compile);
}

TEST_CASE("no variable of Halide's reaches it") {
    ::setenv("HL_DEBUG_CODEGEN", "2", 1);
    ::setenv("HL_TARGET", "pdp-11", 1);
    ::setenv("HLX", "stays", 1);
    const auto compiler = make_halide();
    CHECK(::getenv("HL_DEBUG_CODEGEN") == nullptr);
    CHECK(::getenv("HL_TARGET") == nullptr);
    CHECK(::getenv("HLX") != nullptr);
}

TEST_CASE("a directive on nothing is rejected in our words") {
    const auto o = observe(case_of(stencil(), one("h", schedule::halide::ComputeRoot{})));
    CHECK(o.outcome == Outcome::rejected);
    CHECK(o.message == "not expressible in Halide: the schedule names h, which is no function");
}

TEST_CASE("a bound that the output exceeds is a run-time error") {
    const auto o = observe(case_of(stencil(), one("g", schedule::halide::Bound{"x", num(2), num(5)})));
    CHECK(o.outcome == Outcome::run_time_error);
    CHECK((o.phase == Phase::bounds_query || o.phase == Phase::first_run));
    CHECK_FALSE(o.message.empty());
}

TEST_CASE("a rounded-up output is a run-time error that names the output") {
    const auto o =
        observe(case_of(stencil(), one("g", schedule::halide::Vectorize{"x", 8, schedule::halide::Tail::round_up})));
    CHECK(o.outcome == Outcome::run_time_error);
    CHECK(o.phase == Phase::first_run);
    CHECK(o.message.find("Output buffer g") != std::string::npos);
}

TEST_CASE("a pipeline without inputs has nothing to query and fails in its run") {
    const sare::Algorithm a =
        algorithm({}, {function("g", {Type::i32}, {"x"}, {embed(Type::i32, var("x"))})}, "g", {span(0, 13)});
    const auto o = observe(case_of(a, one("g", schedule::halide::Vectorize{"x", 8, schedule::halide::Tail::round_up})));
    CHECK(o.outcome == Outcome::run_time_error);
    CHECK(o.phase == Phase::first_run);
    CHECK(o.first.empty());
}

TEST_CASE("the region asked of an input follows the schedule") {
    const auto o = observe(case_of(stencil(span(2, 16)), one("f", schedule::halide::ComputeRoot{})));
    REQUIRE(o.outcome == Outcome::ran);
    REQUIRE(o.input_regions.size() == 1);
    CHECK(o.input_regions[0] == compiler::InputRegion{"a", {2}, {17}});
}

TEST_CASE("an internal allocation beyond the memory limit is out of memory") {
    // f is computed at root with 2^26 cells of 8 bytes; g reads two of them.
    const sare::Algorithm a =
        algorithm({},
                  {function("f", {Type::i64}, {"x"}, {embed(Type::i64, var("x"))}),
                   function("g", {Type::i64}, {"x"},
                            {access("f", {sare::Index{sare::IndexScale{std::int64_t{1} << 26, var("x")}}})})},
                  "g", {span(0, 2)});
    const auto halide = make_halide();
    compiler::Limits limits;
    limits.memory_bytes = std::uint64_t{256} << 20;
    compiler::ForkServer server(*halide, limits);
    const auto o = server.observe(case_of(a, one("f", schedule::halide::ComputeRoot{})));
    CHECK(o.outcome == Outcome::out_of_memory);
    CHECK(o.phase == Phase::first_run);
}

TEST_CASE("so are mutexes beyond it, which Halide allocates elsewhere") {
    // 2^25 mutexes of 8 bytes for the same number of cells of 1 byte.
    sare::Function f = function("f", {Type::u8, Type::i8}, {"x"}, {lit(Type::u8, 1), lit(Type::i8, 1)});
    f.updates.push_back({{{"k", num(0), num(2)}},
                         {var("x")},
                         {sare::Expr{sare::Cast{Type::u8, access("f", {var("x")}, 1)}}, access("f", {var("x")}, 1)}});
    const sare::Algorithm a =
        algorithm({},
                  {f, function("g", {Type::u8}, {"x"},
                               {access("f", {sare::Index{sare::IndexScale{std::int64_t{1} << 25, var("x")}}})})},
                  "g", {span(0, 2)});
    const schedule::halide::Directive root{{"f", std::nullopt, std::nullopt}, schedule::halide::ComputeRoot{}};
    const schedule::halide::StageRef update{"f", 0, std::nullopt};
    const schedule::halide::Schedule locked{
        {root, {update, schedule::halide::Atomic{true}}, {update, schedule::halide::Parallel{"x", std::nullopt}}}};
    const auto halide = make_halide();
    compiler::Limits limits;
    limits.memory_bytes = std::uint64_t{256} << 20;
    compiler::ForkServer server(*halide, limits);
    const auto o = server.observe(case_of(a, locked));
    CHECK(o.outcome == Outcome::out_of_memory);
    CHECK(o.phase == Phase::first_run);
    CHECK(server.observe(case_of(a, {{root}})).outcome == Outcome::ran);
}

TEST_CASE("an input region beyond the limit of the harness is too large, not out of memory") {
    const sare::Index far{sare::IndexScale{std::int64_t{1} << 28, var("x")}};
    const auto o = observe(case_of(
        algorithm({{"a", Type::u8, 1}}, {function("g", {Type::u8}, {"x"}, {access("a", {far})})}, "g", {span(0, 2)})));
    CHECK(o.outcome == Outcome::too_large);
    CHECK(o.phase == Phase::bounds_query);
    CHECK(o.message == "The bounds query asks for 268435457 cells of input a: [0, 268435457)");
}

TEST_CASE("a region larger than the memory limit is not allocated to find that out") {
    const sare::Index far{sare::IndexScale{std::int64_t{1} << 28, var("x")}};
    cases::Case c = case_of(
        algorithm({{"a", Type::i64, 1}}, {function("g", {Type::i64}, {"x"}, {access("a", {far})})}, "g", {span(0, 2)}));
    const auto halide = make_halide();
    compiler::Limits limits;
    limits.memory_bytes = std::uint64_t{256} << 20;
    compiler::ForkServer server(*halide, limits);
    const auto o = server.observe(c);
    CHECK(o.outcome == Outcome::too_large);
    CHECK(o.phase == Phase::bounds_query);
    CHECK(o.message.starts_with("The bounds query asks for"));
}

TEST_CASE("an unstaged system is refused, not blamed on Halide") {
    cases::Case c = case_of(stencil());
    c.sare.tensors[1].equations.push_back(c.sare.tensors[1].equations[0]);
    const auto o = observe(c);
    CHECK(o.outcome == Outcome::rejected);
    CHECK(o.phase == Phase::build);
}

TEST_CASE("observations of one case are the same every time but for their timings") {
    const cases::Case c = case_of(stencil(), one("f", schedule::halide::ComputeAt{{g, "x"}}));
    const auto one_time = observe(c);
    observe(case_of(stencil(), one("h", schedule::halide::ComputeRoot{})));
    const auto other_time = observe(c);
    CHECK(one_time.first == other_time.first);
    CHECK(one_time.message == other_time.message);
    CHECK(one_time.input_regions == other_time.input_regions);
    CHECK(one_time.timings.compile > one_time.timings.build);
}

TEST_CASE("the same code at several sizes is seen as the case is at each of them, one by one") {
    // With fewer than four cells Halide cannot shift a vector of four inwards.
    const cases::Case c = case_of(stencil({num(2), var("N")}),
                                  one("g", schedule::halide::Vectorize{"x", 4, schedule::halide::Tail::shift_inwards}));
    const auto compiler = make_halide();
    compiler::ForkServer server(*compiler, {});
    compiler::Request request;
    request.lower = true;
    std::vector<Sizes> sizes;
    for (const std::int64_t n : {16, 4, 9, 3, 21}) { sizes.push_back({{"N", n}}); }
    const auto together = server.observe_at(c, sizes, request);
    REQUIRE(together.size() == sizes.size());
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        INFO(i);
        const auto alone = server.observe(cases::at_sizes(c, sizes[i]), request);
        CHECK(together[i].outcome == (i == 3 ? Outcome::run_time_error : Outcome::ran));
        CHECK(together[i].outcome == alone.outcome);
        CHECK(together[i].phase == alone.phase);
        CHECK(together[i].message == alone.message);
        CHECK(together[i].input_regions == alone.input_regions);
        CHECK(together[i].first == alone.first);
        CHECK(together[i].second == alone.second);
        CHECK(together[i].lowered == alone.lowered);
    }
    // Compiled once for the first three.
    CHECK(together[1].timings.compile.count() == 0);
    CHECK(together[2].timings.compile.count() == 0);
}

TEST_CASE("what a target asks for and this machine lacks is named") {
    CHECK_FALSE(unrunnable(std::string(schedule::language("halide").default_target())));
    CHECK_FALSE(unrunnable("x86-64-linux"));
    CHECK(unrunnable("x86-64-nowhere") == "it is no target of the compiler");
    CHECK(unrunnable("arm-64-linux") == "this machine is x86-64-linux");
    CHECK(unrunnable("x86-64-windows-sse41") == "this machine is x86-64-linux");
    // No processor has both features.
    const auto both = unrunnable("x86-64-linux-fma4-avx512_knl");
    REQUIRE(both);
    CHECK((*both == "this machine has no fma4" || *both == "this machine has no avx512_knl"));
}

TEST_CASE("the compiler says who it is") {
    const compiler::Identity identity = make_halide()->identity();
    CHECK(identity.name == "halide");
    CHECK(identity.major >= 14);
    CHECK(identity.version.starts_with(std::to_string(identity.major) + "."));
}

}  // namespace haruspex::halide::test
