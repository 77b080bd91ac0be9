#include "generators/schedule/language.h"
#include "harness/compiler/compiler.h"
#include "oracle/pipeline/judge_case.h"
#include "oracle/pipeline/localise.h"
#include "oracle/pipeline/reference.h"

#include <algorithm>
#include <csignal>
#include <functional>

#include "generators/random/random_case.h"
#include "generators/sare/build.h"
#include "generators/sare/staging.h"
#include "generators/sare/text.h"
#include "generators/schedule/halide/text.h"
#include "harness/halide/halide_compiler.h"
#include "harness/sched/text.h"
#include "harness/sched/traverse.h"
#include "oracle/interp/sare_interpreter.h"
#include "oracle/interp/sched_interpreter.h"
#include "oracle/pipeline/parameter_binding.h"
#include "tests/support/catch.h"

namespace haruspex::pipeline {
namespace {

using compiler::Observation;
using compiler::Outcome;
using compiler::Phase;
using verdict::Class;

// Computes the case's outputs in the child, and then changes the observation.
class FakeCompiler : public compiler::Compiler {
public:
    using Change = std::function<void(Observation&, const std::function<void(Phase)>&)>;
    explicit FakeCompiler(Change change) : change_(std::move(change)) {}

    compiler::Identity identity() const override { return {"halide", "14.0.0", 14}; }
    void warm_up() override {}
    Observation observe(const cases::Case& c, const compiler::Request&, const compiler::Progress& progress) override {
        const auto& enter = progress.enter;
        for (const Phase phase : {Phase::build, Phase::compile, Phase::bounds_query, Phase::first_run}) {
            enter(phase);
        }
        const auto outputs = interp::evaluate_outputs(c.sare, c.sizes, [&](const std::string& name, const auto& cell) {
            return cases::input_value(c.input_seed, name, c.inputs.at(name), cell);
        });
        Observation o;
        if (outputs) {
            for (const interp::OutputValues& output : *outputs) {
                compiler::TensorData data;
                data.tensor = output.tensor;
                data.component = output.component;
                data.min = output.min;
                data.extent = output.extent;
                for (const value::Value& cell : output.cells) {
                    data.type = cell.type();
                    data.bits.push_back(cell.is_defined() ? cell.bit_pattern() : 0);
                }
                o.first.push_back(std::move(data));
            }
        }
        o.second = o.first;
        o.timings.compile = std::chrono::milliseconds(5);
        change_(o, enter);
        return o;
    }

private:
    Change change_;
};

constexpr const char* blur = R"(sare blur(W, H) assuming W >= 8 and H >= 1 {
  input in : i32[2]
  bh(x, y) = in(x-1, y) + in(x, y) + in(x+1, y)
  bv(x, y) = bh(x, y-1) + bh(x, y) + bh(x, y+1)
  output bv on { [x, y] : 0 <= x < W and 0 <= y < H }
})";

cases::Case a_case(const std::string& sare_text = blur, const std::string& schedule_text = "") {
    auto sare = sare::parse_sare(sare_text, "test");
    if (!sare) { FAIL(to_string(sare.error())); }
    auto schedule = schedule::language("halide").parse(schedule_text, "test");
    if (!schedule) { FAIL(to_string(schedule.error())); }
    cases::Case c;
    c.sare = *sare;
    c.schedule = *schedule;
    c.sizes = {{"W", 20}, {"H", 5}};
    c.input_seed = 3;
    c.inputs = {{"in", {value::Range{value::Type::i32, -100, 100, 0}, false}}};
    c.compiler = "halide";
    c.target = schedule::language("halide").default_target();
    return c;
}

verdict::Verdict judge_fake(const cases::Case& c, FakeCompiler::Change change) {
    FakeCompiler compiler(std::move(change));
    compiler::ForkServer server(compiler, {});
    return judge_case(c, server, compiler.identity()).verdict;
}

void nothing(Observation&, const std::function<void(Phase)>&) {}

// s(x, y) = in(x, y); s(r, y) = s(r, y) + s(r-1, y) for r in [1, W)
sare::Algorithm scan_algorithm() {
    const sare::Index r = sare::variable("r");
    const sare::Index y = sare::variable("y");
    const auto read = [](const std::string& tensor, const sare::Index& a, const sare::Index& b) {
        return sare::Expr{sare::Access{tensor, {a, b}, 0}};
    };
    sare::Function s{"s", {value::Type::i32}, {"x", "y"}, {read("in", sare::variable("x"), y)}, {}};
    sare::UpdateDefinition update;
    update.over = {{"r", sare::constant(1), sare::variable("W") - sare::constant(1)}};
    update.target = {r, y};
    update.values = {
        sare::Expr{sare::Binary{value::BinaryOp::add, read("s", r, y), read("s", r - sare::constant(1), y)}}};
    update.where = sare::truth(true);
    s.updates = {update};
    sare::Algorithm algorithm;
    algorithm.name = "scan";
    algorithm.parameters = {"W", "H"};
    algorithm.assumptions = sare::truth(true);
    algorithm.inputs = {{"in", value::Type::i32, 2}};
    algorithm.functions = {s};
    algorithm.outputs = {{"s", {{sare::constant(0), sare::variable("W")}, {sare::constant(0), sare::variable("H")}}}};
    return algorithm;
}

TEST_CASE("a case is judged by what its child observed") {
    CHECK(judge_fake(a_case(), nothing).cls == Class::agrees);
    const auto wrong = judge_fake(a_case(), [](Observation& o, const auto&) {
        o.first[0].bits[21] ^= 1;
        o.second = o.first;
    });
    CHECK(wrong.cls == Class::wrong_result);
    REQUIRE(wrong.difference);
    CHECK(wrong.difference->tensor == "bv");
    CHECK(wrong.difference->cell == std::vector<std::int64_t>{1, 1});
    CHECK(wrong.difference->compared_cells == 100);
    const auto dead = judge_fake(a_case(), [](Observation&, const auto& enter) {
        enter(Phase::second_run);
        ::raise(SIGILL);
    });
    CHECK(dead.cls == Class::program_crash);
    CHECK(dead.signal == SIGILL);
    CHECK(dead.phase == "second run");
    CHECK(dead.message.starts_with("SIGILL"));
}

TEST_CASE("a case whose reference is undefined is bad, whatever came out") {
    const cases::Case overflow = a_case(R"(sare s(W, H) assuming W >= 8 and H >= 1 {
  input in : i32[2]
  A(x, y) = 2147483647i32 + i32<x>
  output A on { [x, y] : 0 <= x < W and 0 <= y < H }
})");
    const auto v = judge_fake(overflow, nothing);
    CHECK(v.cls == Class::bad_case);
    CHECK(v.message == "the reference is undefined at A(1, 0)");
    cases::Case large = a_case(R"(sare s(W, H) assuming W >= 8 and H >= 1 {
  input in : i32[2]
  A(x, y) = i32<((1000000*x) / 3) % 1001>
  output A on { [x, y] : 0 <= x < W and 0 <= y < H }
})");
    CHECK(judge_fake(large, nothing).cls == Class::agrees);
    large.sizes = {{"W", 2149}, {"H", 1}};
    const auto beyond = judge_fake(large, nothing);
    CHECK(beyond.cls == Class::bad_case);
    CHECK(beyond.message == "the reference fails: an index in 'A' leaves 32 bits");
}

TEST_CASE("a run-time error is excused by the documented size rules alone") {
    const auto error = [](Observation& o, const auto&) {
        o.outcome = Outcome::run_time_error;
        o.phase = Phase::bounds_query;
        o.message = "Output buffer bv is accessed at 23, which is beyond the max (19) in dimension 0";
    };
    const std::string round_up = "bv.split(x, xo, xi, 8, RoundUp)\n";
    cases::Case c = a_case(blur, round_up);
    const auto outside = judge_fake(c, error);
    CHECK(outside.cls == Class::outside_context);
    CHECK(outside.message.find("(documented: ") != std::string::npos);
    c.sizes["W"] = 24;
    CHECK(judge_fake(c, error).cls == Class::over_rejection);
    CHECK(judge_fake(a_case(), error).cls == Class::over_rejection);
}

TEST_CASE("a refusal of outputs that their updates or others touch beyond what is requested is excused") {
    const auto halide = halide::make_halide();
    compiler::ForkServer server(*halide, {});
    const std::string head = "sare s(W, H) assuming W >= 8 and H >= 1 {\n  input in : i32[2]\n  f(x) = in(x, 0)\n";
    const std::string end = "  output f on { [x] : 0 <= x < W }\n}\n";
    for (const auto& [equations, expected] : std::vector<std::pair<std::string, Class>>{
             {"  update f(k) = f(k + 1) over k in [0, W)\n", Class::outside_context},
             {"  update f(k) = f(k + 1) over k in [0, W - 1)\n", Class::agrees},
             {"  g(x) = f(x + 1)\n  output g on { [x] : 0 <= x < W }\n", Class::outside_context},
             {"  g(x) = f(x + 1)\n  output g on { [x] : 0 <= x < W - 1 }\n", Class::agrees}}) {
        INFO(equations);
        const verdict::Verdict verdict = judge_case(a_case(head + equations + end), server, halide->identity()).verdict;
        INFO(verdict.message);
        CHECK(verdict.cls == expected);
        const bool is_excused =
            verdict.message.contains("(documented: f is read or written where none of it is requested)");
        CHECK(is_excused == (expected == Class::outside_context));
    }
}

verdict::Verdict judge_lowered_alone(const cases::Case& c, compiler::Compiler& compiler) {
    compiler::ForkServer server(compiler, {});
    Options options;
    options.native = false;
    return judge_case(c, server, compiler.identity(), options).verdict;
}

TEST_CASE("without a native run a case is judged by what was lowered") {
    const auto halide = halide::make_halide();
    compiler::ForkServer server(*halide, {});
    Options options;
    options.native = false;
    const std::string schedule = "bv.split(x, xo, xi, 8, RoundUp)\nbh.compute_root()\n";
    cases::Case c = a_case(blur, schedule);
    c.sizes["W"] = 24;
    const Judged judged = judge_case(c, server, halide->identity(), options);
    CHECK(judged.verdict.cls == Class::agrees);
    CHECK(verdict::is_right(judged.verdict.lowered));
    CHECK(judged.verdict.message == "native code was not run");
    CHECK(judged.times.compiler.run.count() == 0);
    // 20 is not a multiple of 8, which violates the documented rule of RoundUp.
    const verdict::Verdict outside = judge_lowered_alone(a_case(blur, schedule), *halide);
    CHECK(outside.cls == Class::outside_context);
    CHECK(outside.message.find("; documented: ") != std::string::npos);
}

TEST_CASE("without a native run the compiler's own failures are judged as ever, and nothing is taken for agreement") {
    FakeCompiler silent(nothing);
    const verdict::Verdict unknown = judge_lowered_alone(a_case(), silent);
    CHECK(unknown.cls == Class::not_compared);
    CHECK(unknown.message == "not run: nothing lowered; native code was not run");
    FakeCompiler crashing([](Observation&, const auto& enter) {
        enter(Phase::compile);
        ::raise(SIGSEGV);
    });
    CHECK(judge_lowered_alone(a_case(), crashing).cls == Class::compiler_crash);
    FakeCompiler refusing([](Observation& o, const auto&) { o.outcome = Outcome::rejected; });
    CHECK(judge_lowered_alone(a_case(), refusing).cls == Class::rejected);
}

TEST_CASE(
    "the first wrong pass is known from the last right one on, and what other passes made of it is for who asks") {
    // The passes in order, with the statements that each leaves for the only cell.
    class Passes : public FakeCompiler {
    public:
        explicit Passes(std::vector<std::pair<std::string, std::string>> statements)
            : FakeCompiler([](Observation& o, const auto&) { o.first[0].bits = o.second[0].bits = {2}; }),
              made(std::move(statements)) {}
        Observation observe(const cases::Case& c, const compiler::Request& request,
                            const compiler::Progress& progress) override {
            for (const auto& [pass, statements] : made) {
                if (!request.snapshots && pass != "final") { continue; }
                progress.lowered({pass,
                                  compiler::ProgramText{
                                      "sched s(f.min.0, f.extent.0) {\n  output f : i32[f.extent.0 from f.min.0];\n  " +
                                      statements + "\n}\n"},
                                  ""});
            }
            return FakeCompiler::observe(c, request, progress);
        }

        const std::vector<std::pair<std::string, std::string>> made;
    };
    const cases::Case c = a_case("sare s() { f(x) = 1i32 output f on { [x] : 0 <= x < 1 } }", "");
    const auto check = [&](Passes compiler, const std::string& wrong, const std::string& needed,
                           const std::string& every) {
        compiler::ForkServer server(compiler, {});
        for (const bool every_pass : {false, true}) {
            Options options;
            options.every_pass = every_pass;
            options.most_steps = 1000;
            const Judged judged = judge_case(c, server, compiler.identity(), options);
            INFO((judged.verdict.lowered ? to_string(*judged.verdict.lowered) : ""));
            CHECK(judged.verdict.cls == Class::wrong_lowering);
            CHECK(judged.verdict.pass == verdict::parse_pass_interval(wrong));
            std::string text;
            for (const PassResult& pass : judged.passes) { text += pass.pass + " "; }
            CHECK(text == (every_pass ? every : needed));
        }
    };
    const std::string one = "f[0] := 1i32;", two = "f[0] := 2i32;";
    check(Passes({{"a", two}, {"b", one}, {"c", two}, {"final", two}}), "(b, c]", "b c final ", "a b c final ");
    // Programs before one that is too long are usually even longer.
    const std::string many = "for i in [0, 2000) {\n    f[0] := 1i32;\n  }";
    check(Passes({{"a", one}, {"b", many}, {"c", two}, {"final", two}}), "(source, c]", "b c final ", "a b c final ");
}

TEST_CASE("where a compiler fails is known by the passes that ended, and by the names that a program does not define") {
    // Ends after the given number of passes, except for programs without sizes.
    class Failing : public FakeCompiler {
    public:
        Failing(std::size_t passes, std::vector<std::string> free, std::string message = "Symbol not found: x")
            : FakeCompiler([message](Observation& o, const auto&) {
                  o.outcome = Outcome::internal_error;
                  o.phase = Phase::compile;
                  o.message = message;
              }),
              passes_(passes),
              free_(std::move(free)) {}
        Observation observe(const cases::Case& c, const compiler::Request& request,
                            const compiler::Progress& progress) override {
            const std::vector<std::string> all{"a", "b", "c", "final"};
            const std::size_t ended = c.sizes.empty() ? all.size() : passes_;
            for (std::size_t i = 0; i < ended; ++i) {
                if (!request.snapshots && all[i] != "final") { continue; }
                const bool is_free = std::ranges::find(free_, all[i]) != free_.end();
                compiler::Lowered program{all[i], Feature{"extern", ""}, ""};
                if (is_free) { program.program = compiler::FreeVariable{"x"}; }
                progress.lowered(program);
            }
            Observation o = FakeCompiler::observe(c, request, progress);
            const bool is_free = std::ranges::find(free_, all.back()) != free_.end();
            o.names_free_variable = is_free && o.message.ends_with(": x");
            return o;
        }

    private:
        std::size_t passes_;
        std::vector<std::string> free_;
    };
    const auto pass = [](Failing compiler) {
        compiler::ForkServer server(compiler, {});
        const verdict::Verdict verdict = judge_case(a_case(), server, compiler.identity()).verdict;
        CHECK(verdict.cls == Class::compiler_internal_error);
        return verdict.pass ? to_string(*verdict.pass) : "";
    };
    CHECK(pass(Failing(0, {})) == "(source, a]");
    CHECK(pass(Failing(2, {})) == "(b, c]");
    CHECK(pass(Failing(4, {})) == "(final, code generation]");
    CHECK(pass(Failing(4, {"c", "final"})) == "(source, c]");
    // The compiler fails for another reason, and a program has a free variable, too.
    CHECK(pass(Failing(4, {"c", "final"}, "the function is broken")) == "(final, code generation]");
    // A free variable that a later pass removed is not the reason.
    CHECK(pass(Failing(4, {"b"})) == "(final, code generation]");
}

TEST_CASE("code generation that comes to its limit hangs for short programs only") {
    const auto judged = [](std::size_t bytes) {
        class Slow : public FakeCompiler {
        public:
            explicit Slow(std::size_t bytes)
                : FakeCompiler([](Observation& o, const auto&) {
                      o.outcome = Outcome::timed_out;
                      o.phase = Phase::compile;
                      o.message = "CPU limit of 15000 ms";
                  }),
                  bytes_(bytes) {}
            Observation observe(const cases::Case& c, const compiler::Request& request,
                                const compiler::Progress& progress) override {
                progress.lowered({"final", compiler::ProgramText{std::string(bytes_, ' ')}, ""});
                return FakeCompiler::observe(c, request, progress);
            }

        private:
            std::size_t bytes_;
        };
        Slow compiler(bytes);
        compiler::ForkServer server(compiler, {});
        return judge_case(a_case(), server, compiler.identity()).verdict.cls;
    };
    CHECK(judged(100'000) == Class::compiler_hang);
    CHECK(judged(100'001) == Class::too_large);
}

TEST_CASE("the time of every stage is measured") {
    FakeCompiler compiler([](Observation&, const auto&) {});
    compiler::ForkServer server(compiler, {});
    const Judged judged = judge_case(a_case(), server, compiler.identity());
    CHECK(judged.times.reference.count() > 0);
    CHECK(judged.times.child.count() > 0);
    CHECK(judged.times.judge.count() > 0);
    CHECK(judged.times.compiler.compile == std::chrono::milliseconds(5));
}

TEST_CASE("real Halide agrees with the reference on a scheduled blur, and on a staged scan") {
    const auto halide = halide::make_halide();
    compiler::ForkServer server(*halide, {});
    const auto cls = [&](const cases::Case& c) {
        const verdict::Verdict v = judge_case(c, server, halide->identity()).verdict;
        INFO(v.message);
        CHECK(verdict::name(v.cls) == "agrees");
    };
    cls(a_case());
    cls(a_case(blur, "bv.tile(x, y, xo, yo, xi, yi, 8, 4, GuardWithIf)\nbv.vectorize(xi)\nbh.compute_at(bv, xo)\n"));
    cases::Case scan = a_case(blur, "s.update(0).parallel(y)\n");
    scan.sare = sare::stage(scan_algorithm());
    cls(scan);
}

TEST_CASE("an asynchronous producer with folded storage is interpreted after every pass, and needs its semaphores") {
    const auto halide = halide::make_halide();
    compiler::ForkServer server(*halide, {});
    const cases::Case c = a_case(blur, "bh.compute_at(bv, y)\nbh.store_root()\nbh.fold_storage(y, 4)\nbh.async()\n");
    const Judged judged = judge_case(c, server, halide->identity());
    CHECK(verdict::name(judged.verdict.cls) == "agrees");
    CHECK(verdict::is_right(judged.verdict.lowered));
    const auto reference = evaluate_reference(c);
    REQUIRE(reference);
    const auto regions = server.observe(c).input_regions;
    const auto passes = trace_passes(c, *reference, regions, server, Options{}.most_steps);
    REQUIRE(!passes.empty());
    for (const PassResult& pass : passes) {
        INFO(pass.pass << ": " << to_string(pass.outcome));
        CHECK(pass.outcome.state == verdict::LoweredState::equal);
    }
    const std::string& lowered = passes.back().program;
    CHECK(lowered.find("  fork {") != std::string::npos);
    CHECK(lowered.find("semaphore bh.folding_semaphore.") != std::string::npos);
    // Checks what each kind of semaphore protects.
    const auto without = [&](const std::string& action, const std::string& semaphore) {
        auto program = sched::parse_program(lowered, "lowered");
        REQUIRE(program);
        int dropped = 0;
        sched::for_each_statement(program->body, [&](sched::Stmt& stmt) {
            sched::for_each_block(stmt, [&](sched::Block& block) {
                dropped += static_cast<int>(std::erase_if(block, [&](const sched::Stmt& s) {
                    const std::string words = sched::headline(s);
                    return words.starts_with(action) && words.find(" of " + semaphore) != std::string::npos;
                }));
            });
        });
        CHECK(dropped > 0);
        const auto parameters = bind_parameters(*program, c, regions);
        REQUIRE(parameters);
        const auto execution = interp::run(*program, *parameters, input_values(c));
        REQUIRE(execution);
        REQUIRE(!execution->troubles.empty());
        return std::string(name(execution->troubles.front().kind));
    };
    CHECK(without("release", "bh.semaphore_0") == "deadlock");
    CHECK(without("acquire", "bh.semaphore_0") == "read_write_race");
    CHECK(without("release", "bh.folding_semaphore.") == "deadlock");
    CHECK(without("acquire", "bh.folding_semaphore.") == "read_write_race");
}

TEST_CASE("random cases never come back as a failure of ours") {
    const auto halide = halide::make_halide();
    const compiler::Identity identity = halide->identity();
    compiler::ForkServer server(*halide, {});
    const random::Policy policy;
    for (std::uint64_t index = 0; index < 40; ++index) {
        const cases::Case c = random::campaign_case(1, index, policy, compiler::language_of(identity));
        const Judged judged = judge_case(c, server, identity);
        CAPTURE(index, judged.verdict.message);
        CHECK(judged.verdict.cls != Class::harness_failure);
        CHECK(judged.verdict.cls != Class::bad_case);
    }
}

}  // namespace
}  // namespace haruspex::pipeline
