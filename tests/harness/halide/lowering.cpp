#include <algorithm>
#include <set>
#include <string_view>
#include <variant>
#include <vector>

#include "generators/random/random_case.h"
#include "generators/schedule/halide/language.h"
#include "generators/schedule/halide/text.h"
#include "harness/compiler/fork_server.h"
#include "harness/halide/halide_compiler.h"
#include "harness/halide/passes.h"
#include "harness/halide/version.h"
#include "harness/sched/text.h"
#include "harness/sched/traverse.h"
#include "oracle/interp/sare_interpreter.h"
#include "oracle/pipeline/factored.h"
#include "oracle/pipeline/judge_case.h"
#include "oracle/pipeline/localise.h"
#include "oracle/pipeline/parameter_binding.h"
#include "oracle/pipeline/reference.h"
#include "tests/harness/halide/programs.h"
#include "tests/support/catch.h"

namespace haruspex::halide {
namespace {

using namespace test;
using value::Type;

compiler::Observation lowered(const cases::Case& c, bool run, bool with_prophecies, bool snapshots = false) {
    const auto halide = make_halide();
    compiler::ForkServer server(*halide, {});
    compiler::Request request;
    request.run = run;
    request.lower = !with_prophecies;
    request.prophecies = with_prophecies;
    request.snapshots = snapshots;
    return server.observe(c, request);
}

sched::Program parsed(const compiler::Lowered& lowered) {
    const std::string* text = lowered.text();
    if (text == nullptr) { FAIL(why_untranslated(lowered)); }
    const auto program = sched::parse_program(*text, lowered.pass);
    if (!program) { FAIL(to_string(program.error()) + "\n" + *text); }
    return *program;
}

// f(x) = {in(x), 0}, updated to {f[1] + 1, f[0] * 2}: each component needs the other's old value.
cases::Case exchanging_tuple() {
    sare::Function f = function("f", {Type::i32, Type::i32}, {"x"}, {access("in", {var("x")}), lit(Type::i32, 0)});
    f.updates.push_back({{},
                         {var("x")},
                         {plus(access("f", {var("x")}, 1), lit(Type::i32, 1)),
                          apply(value::BinaryOp::mul, access("f", {var("x")}, 0), lit(Type::i32, 2))},
                         sare::truth(true)});
    return case_of(algorithm({{"in", Type::i32, 1}}, {f}, "f", {span(0, 4)}));
}

// The writes with a prophecy: all of them, and those whose value is not the one of the specification's stage.
struct Foretold {
    int writes = 0;
    int other = 0;

    friend bool operator==(const Foretold&, const Foretold&) = default;
};

Foretold check_prophecies(const cases::Case& c, const sched::Program& program,
                          const std::vector<compiler::InputRegion>& regions) {
    const auto sare = pipeline::prophesied_specification(c);
    REQUIRE(sare);
    interp::SareInterpreter specification(*sare, c.sizes, [&](const std::string& input, const auto& cell) {
        return cases::input_value(c.input_seed, input, c.inputs.at(input), cell);
    });
    Foretold told;
    interp::Options options;
    options.most_steps = 300'000;
    options.prophesied = [&](const interp::ProphesiedWrite& write) {
        ++told.writes;
        const auto expected = specification.evaluate(write.tensor, write.component, write.coordinates);
        REQUIRE(expected);
        if (expected->is_undef()) { return; }
        if (write.value.is_defined() && value::same_number(*expected, write.value)) { return; }
        ++told.other;
        UNSCOPED_INFO(write.tensor << " has " << value::to_string(*expected) << ", written "
                                   << value::to_string(write.value));
    };
    const auto parameters = pipeline::bind_parameters(program, c, regions);
    REQUIRE(parameters);
    (void)interp::run(program, *parameters, pipeline::input_values(c), options);
    return told;
}

// Whether a loop of an update may be rounded up. The update is then computed for more cells than the stage before it, from
// what happens to be there, and nobody needs what it writes.
bool rounds_up_an_update(const schedule::halide::Schedule& schedule) {
    using schedule::halide::Tail;
    return std::ranges::any_of(schedule.directives, [](const schedule::halide::Directive& directive) {
        const auto rounds_up = [](const auto& action) {
            if constexpr (requires { action.factor.has_value(); }) {
                if (!action.factor) { return false; }
            }
            if constexpr (requires { action.tail; }) {
                return action.tail == Tail::automatic || action.tail == Tail::round_up;
            } else {
                return false;
            }
        };
        return directive.stage.update && std::visit(rounds_up, directive.action);
    });
}

}  // namespace

TEST_CASE("each hook is present or reported absent") {
    const auto hooks = pass_hooks();
    std::set<std::string> names;
    for (const PassHook& hook : hooks) { CHECK(names.insert(hook.pass).second); }
    // The hooks that everything else depends on.
    std::vector<std::string> all_needed{"schedule_functions", "allocation_bounds_inference",
                                        "split_tuples",       "storage_flattening",
                                        "vectorize_loops",    "lower_parallel_tasks"};
    if (version_major >= 19) {
        all_needed.emplace_back("bound_constant_extent_loops");
        all_needed.emplace_back("stage_strided_loads");
    }
    for (const std::string& needed : all_needed) {
        INFO(needed);
        const auto hook = std::ranges::find(hooks, needed, &PassHook::pass);
        REQUIRE(hook != hooks.end());
        CHECK(hook->present);
    }
    // No pass is observed without a present hook.
    for (const compiler::Lowered& lowered : lowered(exchanging_tuple(), false, false, true).lowered) {
        if (lowered.pass == "final") { continue; }
        const std::string pass = lowered.pass.substr(0, lowered.pass.find('.'));
        const auto hook = std::ranges::find(hooks, pass, &PassHook::pass);
        REQUIRE(hook != hooks.end());
        CHECK(hook->present);
    }
}

TEST_CASE("a pass that the library defines and calls only inside is reported") {
    const compiler::Unobserved hidden = make_halide()->identity().unobserved;
    CHECK_FALSE(hidden.lowered);
    CHECK_FALSE(hidden.prophecies);
    for (const PassHook& hook : pass_hooks()) {
        INFO(hook.pass);
        // One that no library defines belongs to another version.
        CHECK(std::ranges::count(hidden.passes, hook.pass) == (hook.defined && !hook.present ? 1 : 0));
        if (hook.present) { CHECK(hook.defined); }
        if (hook.pass == "bound_constant_extent_loops") { CHECK(hook.defined == (version_major >= 19)); }
    }
    // In Debian's libraries the compiler has inlined it.
    CHECK(std::ranges::count(hidden.passes, "trim_no_ops") == 1);
}

TEST_CASE("without a hook that all depends on, what depends on it is reported") {
    const std::vector<PassHook> all = pass_hooks();
    const auto without = [&](std::string_view pass) {
        std::vector<PassHook> hooks = all;
        std::ranges::find(hooks, pass, &PassHook::pass)->present = false;
        return unobserved(hooks);
    };
    CHECK(without(first_pass) == compiler::Unobserved{true, true, {}});
    CHECK(without(last_pass) == compiler::Unobserved{true, true, {}});
    CHECK(unobserved(std::vector<PassHook>{}) == compiler::Unobserved{true, true, {}});
    CHECK_FALSE(without("split_tuples").lowered);
    CHECK(without("split_tuples").prophecies);
    CHECK(std::ranges::count(without("split_tuples").passes, "split_tuples") == 1);
    CHECK_FALSE(without("unroll_loops").prophecies);
    CHECK(std::ranges::count(without("unroll_loops").passes, "unroll_loops") == 1);
}

TEST_CASE("a pass with several lists of parameters has one place, in the order of lowering") {
    CHECK(place_of(first_pass) == 0);
    CHECK(place_of("simplify") < place_of("allocation_bounds_inference"));
    CHECK(place_of("allocation_bounds_inference") < place_of("skip_stages"));
    CHECK(place_of("storage_flattening") < place_of("add_atomic_mutex"));
    CHECK(place_of("find_intrinsics") < place_of(last_pass));
}

TEST_CASE("the program after every observed pass computes what the specification says") {
    const cases::Case c = exchanging_tuple();
    const auto reference = pipeline::evaluate_reference(c);
    REQUIRE(reference);
    const auto halide = make_halide();
    compiler::ForkServer server(*halide, {});
    const auto passes = pipeline::trace_passes(c, *reference, server.observe(c).input_regions, server, 1'000'000);
    REQUIRE(passes.size() > 10);
    for (const pipeline::PassResult& pass : passes) {
        INFO(pass.pass << ": " << to_string(pass.outcome));
        CHECK(pass.outcome.state == verdict::LoweredState::equal);
    }
    CHECK_FALSE(pipeline::first_wrong_pass(passes));
}

namespace {

// g(x, y) = f(x, y) + f(x, y + 1); f(x, y) = in(x, y).
cases::Case stencil(const std::string& schedule) {
    const sare::Algorithm a = algorithm(
        {{"in", Type::i32, 2}},
        {function("f", {Type::i32}, {"x", "y"}, {access("in", {var("x"), var("y")})}),
         function("g", {Type::i32}, {"x", "y"},
                  {plus(access("f", {var("x"), var("y")}),
                        access("f", {var("x"), {sare::IndexBinary{sare::IndexOp::add, var("y"), num(1)}}}))})},
        "g", {span(0, 9), span(0, 7)});
    const auto parsed = schedule::halide::parse_schedule(schedule, "test");
    REQUIRE(parsed.has_value());
    return case_of(a, *parsed);
}

// The outcomes of all observed passes, the final program last.
std::vector<pipeline::PassResult> traced(const cases::Case& c) {
    const auto reference = pipeline::evaluate_reference(c);
    REQUIRE(reference);
    const auto halide = make_halide();
    compiler::ForkServer server(*halide, {});
    const compiler::Observation observed = server.observe(c);
    auto passes = pipeline::trace_passes(c, *reference, observed.input_regions, server, 1'000'000);
    REQUIRE(passes.size() > 10);
    return passes;
}

}  // namespace

TEST_CASE("programs that fetch into the cache are translated after every pass") {
    for (const char* schedule :
         {"f.compute_root()\ng.prefetch(f, x, y, 2)\nf.prefetch(in, x, x, 4, NonFaulting)\n",
          "g.vectorize(x, 4, GuardWithIf)\nf.compute_at(g, y)\nf.store_root()\ng.prefetch(f, x, y, 1, Clamp)\n"}) {
        for (const pipeline::PassResult& pass : traced(stencil(schedule))) {
            INFO(schedule << pass.pass << ": " << to_string(pass.outcome));
            CHECK(pass.outcome.state == verdict::LoweredState::equal);
        }
    }
}

TEST_CASE("programs with hoisted storage are translated after every pass, rings of two tasks when they are flat") {
    if (!vocabulary.has(schedule::halide::Action{schedule::halide::HoistStorageRoot{}})) { return; }
    const std::string hoisted = "f.compute_at(g, x)\nf.hoist_storage(g, y)\n";
    for (const std::string& schedule :
         {hoisted, hoisted + "f.ring_buffer(2)\n", std::string("f.compute_at(g, x)\nf.hoist_storage_root()\n"),
          std::string("g.split(x, xo, xi, 4, GuardWithIf)\ng.always_partition(xo)\ng.never_partition(xi)\n")}) {
        for (const pipeline::PassResult& pass : traced(stencil(schedule))) {
            INFO(schedule << pass.pass << ": " << to_string(pass.outcome));
            CHECK(pass.outcome.state == verdict::LoweredState::equal);
        }
    }
    bool is_forked = false;
    for (const pipeline::PassResult& pass : traced(stencil(hoisted + "f.ring_buffer(2)\nf.async()\n"))) {
        INFO(pass.pass << ": " << to_string(pass.outcome));
        if (pass.pass == "fork_async_producers") { is_forked = true; }
        if (pass.pass == "storage_flattening") { is_forked = false; }
        CHECK((pass.outcome.state == verdict::LoweredState::equal) == !is_forked);
    }
}

TEST_CASE("prophecies do not change what split_tuples does") {
    const cases::Case c = exchanging_tuple();
    const auto plain = lowered(c, true, false);
    const auto prophesied = lowered(c, false, true);
    REQUIRE(plain.lowered.size() == 1);
    REQUIRE(prophesied.lowered.size() == 1);
    const sched::Program program = parsed(prophesied.lowered[0]);
    CHECK(check_prophecies(c, program, plain.input_regions) == Foretold{16, 0});
    CHECK(sched::erase_prophecies(program).body.size() == parsed(plain.lowered[0]).body.size());
}

TEST_CASE("an update that runs in another order is prophesied if it computes the same in every order") {
    const auto add = value::BinaryOp::add, mul = value::BinaryOp::mul;
    const auto writes_foretold = [&](const schedule::halide::Schedule& schedule, Type type = Type::i32,
                                     value::BinaryOp op = value::BinaryOp::mul) {
        sare::Function f = function("f", {type}, {"x"}, {lit(type, 0)});
        f.updates.push_back({{{"r", num(0), num(6)}, {"s", num(0), num(4)}},
                             {var("x")},
                             {apply(op, access("f", {var("x")}), access("in", {var("r") + var("s")}))},
                             sare::truth(true)});
        const sare::Algorithm a = algorithm({{"in", type, 1}}, {f}, "f", {span(0, 4)});
        int update = 0;
        const auto o = lowered(case_of(a, schedule), false, true);
        REQUIRE(o.lowered.size() == 1);
        const sched::Program program = parsed(o.lowered[0]);
        sched::for_each_statement(program.body, [&](const sched::Stmt& stmt) {
            const auto* assign = std::get_if<sched::Assign>(&stmt.node);
            if (assign == nullptr || !assign->writes[0].prophecy) { return; }
            sched::for_each_expr(*assign->writes[0].prophecy, [&](const sched::Expr& e) {
                const auto* access = std::get_if<sched::TensorAccess>(&e.node);
                update += access != nullptr && access->tensor == "f.1" ? 1 : 0;
            });
        });
        return update;
    };
    const schedule::halide::StageRef stage{"f", 0, std::nullopt};
    CHECK(writes_foretold({}) > 0);
    CHECK(writes_foretold(
              {{{stage, schedule::halide::Split{"r", "ro", "ri", 2, schedule::halide::Tail::guard_with_if}}}}) > 0);
    // Products of i32 may overflow in another order. So may their sums, which are proved as long as they do not.
    const schedule::halide::Schedule reordered{{{stage, schedule::halide::Reorder{{"s", "r"}}}}};
    CHECK(writes_foretold(reordered, Type::i32, mul) == 0);
    CHECK(writes_foretold(reordered, Type::u16, mul) > 0);
    for (const Type type : {Type::i32, Type::i64, Type::u16, Type::f32}) {
        CHECK(writes_foretold(reordered, type, add) > 0);
    }
    const schedule::halide::Schedule atomic{{reordered.directives[0], {stage, schedule::halide::Atomic{}}}};
    CHECK(writes_foretold(atomic, Type::u16, add) > 0);
    CHECK(writes_foretold(atomic, Type::i32, add) > 0);
    CHECK(writes_foretold(atomic, Type::i32, mul) == 0);
    const schedule::halide::Schedule parallel{
        {{stage, schedule::halide::Atomic{}}, {stage, schedule::halide::Parallel{"r"}}}};
    CHECK(writes_foretold(parallel, Type::u16, add) > 0);
    // One of the fused loops is over a coordinate, whose inner loop runs around them.
    const schedule::halide::Split coordinate{"x", "xo", "xi", 2, schedule::halide::Tail::guard_with_if};
    CHECK(writes_foretold({{{stage, coordinate}, {stage, schedule::halide::Fuse{"r", "xo", "rx"}}}}) > 0);
    CHECK(writes_foretold({{{stage, coordinate}, {stage, schedule::halide::Fuse{"s", "xo", "sx"}}}}) > 0);
    CHECK(writes_foretold({{{stage, coordinate},
                            {stage, schedule::halide::Fuse{"s", "xo", "sx"}},
                            {stage, schedule::halide::Reorder{{"sx", "r"}}}}}) == 0);
}

TEST_CASE("prophecies do not change how an atomic update is vectorised") {
    sare::Function f = function("f", {Type::u16}, {"x"}, {lit(Type::u16, 0)});
    f.updates.push_back({{{"r", num(0), num(6)}},
                         {var("x")},
                         {plus(access("in", {var("r") + var("x")}), access("f", {var("x")}))},
                         sare::truth(true)});
    const schedule::halide::StageRef stage{"f", 0, std::nullopt};
    const auto with_vectors = [&](const std::string& variable) {
        return case_of(algorithm({{"in", Type::u16, 1}}, {f}, "f", {span(0, 4)}),
                       {{{stage, schedule::halide::Atomic{}},
                         {stage, schedule::halide::Vectorize{variable, 2, schedule::halide::Tail::guard_with_if}}}});
    };
    const auto shape = [](const sched::Program& program) {
        std::string lanes;
        sched::for_each_statement(program.body, [&](const sched::Stmt& stmt) {
            if (const auto* assign = std::get_if<sched::Assign>(&stmt.node)) {
                lanes += std::to_string(assign->lanes ? assign->lanes->count : 1) + " ";
            }
        });
        return lanes;
    };
    for (const char* variable : {"x", "r"}) {
        INFO(variable);
        const auto plain = lowered(with_vectors(variable), true, false);
        const auto prophesied = lowered(with_vectors(variable), false, true);
        REQUIRE(plain.lowered.size() == 1);
        REQUIRE(prophesied.lowered.size() == 1);
        CHECK(shape(parsed(prophesied.lowered[0])) == shape(parsed(plain.lowered[0])));
    }
    const cases::Case c = with_vectors("x");
    const auto plain = lowered(c, true, false);
    const auto prophesied = lowered(c, false, true);
    CHECK(shape(parsed(plain.lowered[0])).find('2') != std::string::npos);
    // Four cells have a value and six steps each.
    CHECK(check_prophecies(c, parsed(prophesied.lowered[0]), plain.input_regions) == Foretold{4 * 7, 0});
}

TEST_CASE("a store of a vectorised update names a step for each of the lanes that are reduced into it") {
    sare::Function f = function("f", {Type::u16}, {"x"}, {lit(Type::u16, 0)});
    f.updates.push_back({{{"r", num(0), num(8)}},
                         {var("x")},
                         {plus(access("f", {var("x")}), access("in", {var("r") + var("x")}))},
                         sare::truth(true)});
    using schedule::halide::Tail;
    const schedule::halide::StageRef stage{"f", 0, std::nullopt};
    const auto steps = [&](std::vector<schedule::halide::Directive> directives) {
        directives.insert(directives.begin(), {stage, schedule::halide::Atomic{}});
        const cases::Case c =
            case_of(algorithm({{"in", Type::u16, 1}}, {f}, "f", {span(0, 8)}), {std::move(directives)});
        const auto o = lowered(c, false, true);
        REQUIRE(o.lowered.size() == 1);
        std::set<std::string> prophecies;
        sched::for_each_statement(parsed(o.lowered[0]).body, [&](const sched::Stmt& stmt) {
            const auto* assign = std::get_if<sched::Assign>(&stmt.node);
            if (assign == nullptr || !assign->writes[0].prophecy) { return; }
            sched::for_each_expr(*assign->writes[0].prophecy, [&](const sched::Expr& e) {
                if (std::holds_alternative<sched::LaneReduce>(e.node)) { prophecies.insert(sched::print(e)); }
            });
        });
        return prophecies;
    };
    const schedule::halide::Vectorize over_r{"r", 4, Tail::guard_with_if}, over_x{"x", 8, Tail::guard_with_if};
    const auto one = steps({{stage, over_r}}), both = steps({{stage, over_r}, {stage, over_x}});
    REQUIRE(one.size() == 1);
    CHECK(one.begin()->starts_with("sum lanes lane < 4 of (f.1("));
    const auto of_lanes = std::ranges::find_if(
        both, [](const std::string& text) { return text.starts_with("sum lanes lane.1 < 4 of (f.1("); });
    REQUIRE(of_lanes != both.end());
    INFO(*of_lanes);
    // Each lane of the store has its own cell, and no quotient of lanes is left.
    CHECK(of_lanes->find("lane*1,") != std::string::npos);
    CHECK(of_lanes->find('/') == std::string::npos);
    CHECK(steps({{stage, schedule::halide::Unroll{"r", 4, Tail::guard_with_if}}}).empty());
}

TEST_CASE("each lane of a value that is laid together from scalars has its own prophecy") {
    const sare::Index third{sare::IndexMod{var("x"), 3}};
    const sare::Expr is_in_third{sare::Guard{{sare::And{at_most(var("x"), num(9)), less(third, var("x"))}}}};
    const sare::Function f = function(
        "f", {Type::boolean}, {"x"},
        {apply(value::BinaryOp::ne, is_in_third, sare::Expr{sare::Cast{Type::boolean, access("in", {var("x")})}})});
    const schedule::halide::StageRef stage{"f", std::nullopt, std::nullopt};
    const cases::Case c = case_of(algorithm({{"in", Type::u8, 1}}, {f}, "f", {span(0, 12)}),
                                  {{{stage, schedule::halide::Vectorize{"x", 3, schedule::halide::Tail::round_up}}}});
    const auto plain = lowered(c, true, false);
    const auto prophesied = lowered(c, false, true);
    REQUIRE(prophesied.lowered.size() == 1);
    CHECK(check_prophecies(c, parsed(prophesied.lowered[0]), plain.input_regions) == Foretold{12, 0});
}

TEST_CASE("partial results and what merges them are prophesied, as rfactor leaves the specification") {
    sare::Function f = function("f", {Type::i32}, {"x"}, {lit(Type::i32, 0)});
    f.updates.push_back({{{"r", num(0), num(6)}},
                         {var("x")},
                         {plus(access("f", {var("x")}), access("in", {var("r") + var("x")}))},
                         sare::truth(true)});
    const schedule::halide::StageRef stage{"f", 0, std::nullopt};
    const cases::Case c =
        case_of(algorithm({{"in", Type::i32, 1}}, {f}, "f", {span(0, 4)}),
                {{{stage, schedule::halide::Split{"r", "ro", "ri", 4, schedule::halide::Tail::guard_with_if}},
                  {stage, schedule::halide::RFactor{{{"ro", "u"}}, "g"}}}});
    const auto plain = lowered(c, true, false);
    const auto prophesied = lowered(c, false, true);
    REQUIRE(prophesied.lowered.size() == 1);
    // For each of four cells: its value, two neutral elements, six steps and two merges.
    CHECK(check_prophecies(c, parsed(prophesied.lowered[0]), plain.input_regions) == Foretold{4 * (1 + 2 + 6 + 2), 0});
}

TEST_CASE("stages without loops are prophesied in their order") {
    sare::Function f = function("f", {Type::i32}, {}, {access("in", {num(0)})});
    for (const int n : {1, 2}) {
        f.updates.push_back({{}, {}, {plus(access("f", {}), access("in", {num(n)}))}, sare::truth(true)});
    }
    f.updates.push_back(
        {{{"r", num(0), num(6)}}, {}, {plus(access("f", {}), access("in", {var("r")}))}, sare::truth(true)});
    f.updates.push_back({{}, {}, {plus(access("f", {}), lit(Type::i32, 5))}, sare::truth(true)});
    const cases::Case c = case_of(algorithm({{"in", Type::i32, 1}}, {f}, "f", {}));
    const auto plain = lowered(c, true, false);
    const auto prophesied = lowered(c, false, true);
    REQUIRE(prophesied.lowered.size() == 1);
    CHECK(check_prophecies(c, parsed(prophesied.lowered[0]), plain.input_regions) == Foretold{1 + 2 + 6 + 1, 0});
}

TEST_CASE("stages without loops are prophesied in every specialisation") {
    sare::Function f = function("f", {Type::i32}, {}, {access("in", {num(0)})});
    f.updates.push_back({{}, {}, {plus(access("f", {}), access("in", {num(1)}))}, sare::truth(true)});
    f.updates.push_back({{}, {}, {plus(access("f", {}), access("in", {num(2)}))}, sare::truth(true)});
    const sare::Algorithm a = algorithm({{"in", Type::i32, 1}}, {f}, "f", {});
    const schedule::halide::StageRef pure{"f", std::nullopt, std::nullopt}, first{"f", 0, std::nullopt};
    for (const std::int64_t n : {4, 16}) {
        const cases::Case c = case_of(a,
                                      {{{pure, schedule::halide::Specialize{less(num(8), var("N"))}},
                                        {first, schedule::halide::Specialize{less(num(9), var("N"))}},
                                        {first, schedule::halide::Specialize{less(num(3), var("N"))}}}},
                                      n);
        const auto plain = lowered(c, true, false);
        const auto prophesied = lowered(c, false, true);
        REQUIRE(prophesied.lowered.size() == 1);
        CHECK(check_prophecies(c, parsed(prophesied.lowered[0]), plain.input_regions) == Foretold{3, 0});
    }
}

TEST_CASE("an integer that depends on memory is a value, in lets as well") {
    const sare::Expr small = sare::Expr{sare::Select{
        apply(value::BinaryOp::lt, access("in", {var("x")}), lit(Type::f32, 2)), lit(Type::i32, 1), lit(Type::i32, 3)}};
    const sare::Function f =
        function("f", {Type::i32}, {"x"}, {apply(value::BinaryOp::mul, small, plus(small, small))});
    const cases::Case c = case_of(algorithm({{"in", Type::f32, 1}}, {f}, "f", {span(0, 4)}));
    const auto halide = make_halide();
    compiler::ForkServer server(*halide, {});
    const auto verdict = pipeline::judge_case(c, server, halide->identity()).verdict;
    CHECK(verdict.cls == verdict::Class::agrees);
    CHECK(verdict::is_right(verdict.lowered));
    const auto plain = lowered(c, false, false);
    REQUIRE(plain.lowered.size() == 1);
    CHECK(plain.lowered[0].text()->find("let") != std::string::npos);
}

TEST_CASE("random programs: what is lowered computes the specification, and writes what is prophesied") {
    const auto halide = make_halide();
    const int major = halide->identity().major;
    compiler::ForkServer server(*halide, {});
    int judged = 0, told = 0, has_other = 0;
    for (std::uint64_t index = 0; index < 40; ++index) {
        const cases::Case c = random::campaign_case(9001, index, {}, schedule::halide::language(major));
        pipeline::Options options;
        options.localise = false;
        options.most_steps = 300'000;
        const auto verdict = pipeline::judge_case(c, server, halide->identity(), options).verdict;
        INFO("case " << index << ": " << verdict.message << "; "
                     << (verdict.lowered ? to_string(*verdict.lowered) : ""));
        CHECK(verdict.cls != verdict::Class::translation_fault);
        if (verdict.cls != verdict::Class::agrees || !verdict::is_right(verdict.lowered)) { continue; }
        ++judged;
        if (index >= 20) { continue; }
        compiler::Request request;
        request.lower = true;
        const auto plain = server.observe(c, request);
        request.run = false;
        request.prophecies = true;
        const auto prophesied = server.observe(c, request);
        if (prophesied.lowered.empty() || prophesied.lowered.back().text() == nullptr) { continue; }
        const Foretold here = check_prophecies(c, parsed(prophesied.lowered.back()), plain.input_regions);
        told += here.writes;
        if (rounds_up_an_update(schedule::halide::typed(c.schedule))) {
            has_other += here.other > 0 ? 1 : 0;
        } else {
            CHECK(here.other == 0);
        }
    }
    CHECK(judged >= 30);
    CHECK(told > 100);
    CHECK(has_other <= 2);
}

}  // namespace haruspex::halide
