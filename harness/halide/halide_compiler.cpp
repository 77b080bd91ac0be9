#include "harness/halide/halide_compiler.h"

#include <dlfcn.h>

#include <array>
#include <new>
#include <optional>
#include <utility>

#include "generators/base/ensure.h"
#include "generators/schedule/halide/language.h"
#include "harness/compiler/message.h"
#include "harness/halide/check_place.h"
#include "harness/halide/failed_check.h"
#include "harness/halide/lowering.h"
#include "harness/halide/native_run.h"
#include "harness/halide/program_builder.h"
#include "harness/halide/version.h"

namespace haruspex::halide {
namespace {

using compiler::Observation;
using compiler::Outcome;
using compiler::Phase;

// Returns the count of a loaded mutant of the lowering; 0 without one.
unsigned long long mutant_changes() {
    void* changes = ::dlsym(RTLD_DEFAULT, "haruspex_mutant_changes");
    return changes == nullptr ? 0 : reinterpret_cast<unsigned long long (*)()>(changes)();
}

bool is_before_run(Phase phase) { return phase == Phase::build || phase == Phase::compile; }

// Runs the code that every case runs, so that children inherit it: the lowering passes, LLVM's x86 back end, the shared
// run-time module. Without parallel loops, which would start threads, and without names that a case would use.
void compile_something() {
    Halide::Var x("warm_up_x"), y("warm_up_y");
    Halide::Func f("warm_up_f"), g("warm_up_g");
    Halide::RDom r(0, 3, "warm_up_r");
    Halide::ImageParam in(Halide::Int(16), 2, "warm_up_in");
    f(x, y) = Halide::cast<int>(in(x, y)) + in(x + 1, y);
    g(x, y) = Halide::cast<float>(f(x, y)) * 0.5f;
    g(x, y) += Halide::cast<float>(f(x + r, y) / 3);
    f.compute_at(g, y).vectorize(x, 8);
    g.vectorize(x, 8, Halide::TailStrategy::GuardWithIf);
    g.update().unscheduled();
    Halide::Pipeline pipeline(g);
    const Halide::Target target(std::string(schedule::halide::language().default_target()));
    pipeline.compile_jit(target);
    Halide::Buffer<std::int16_t> input(32, 4);
    input.fill(1);
    in.set(input);
    pipeline.realize({20, 4}, target);
}

// Lowers the program as for a run, but generates no code.
void lower(Program& program, const std::vector<Halide::Argument>& arguments, const cases::Case& c) {
    Halide::Target target(c.target);
    target.set_feature(Halide::Target::JIT);
    target.set_feature(Halide::Target::UserContext);
    program.pipeline.compile_to_module(arguments, c.sare.name + "_lowered", target);
}

class HalideCompiler : public compiler::Compiler {
public:
    // Includes a loaded mutant of the lowering: its results must never pass for the compiler's own.
    compiler::Identity identity() const override {
        void* mutant = ::dlsym(RTLD_DEFAULT, "haruspex_mutant");
        const std::string stamp =
            mutant == nullptr ? "" : std::string("+") + reinterpret_cast<const char* (*)()>(mutant)();
        return {"halide", version_text() + stamp, version_major, unobserved()};
    }

    std::string package() const override { return installed_package(); }
    std::string build_flags() const override { return halide::build_flags(); }
    std::optional<std::string> unrunnable(const std::string& target) const override {
        return halide::unrunnable(target);
    }
    std::vector<std::string> passes_of_all_versions() const override {
        return {lowering_order.begin(), lowering_order.end()};
    }
    // LLVM prints any number of nodes that it could not select after its reason.
    std::string_view reason_to_abort() const override { return "LLVM ERROR: "; }

    // Once for the process: each compilation advances the numbers in Halide's names, and so changes what is printed of
    // every later one.
    void warm_up() override {
        static bool is_warm = false;
        if (!std::exchange(is_warm, true)) { compile_something(); }
    }

    Observation observe(const cases::Case& c, const compiler::Request& request,
                        const compiler::Progress& progress) override {
        Observation o;
        std::optional<std::string> undefined;  // by the last program that was lowered
        compiler::Progress watched = progress;
        watched.lowered = [&](const compiler::Lowered& lowered) {
            const auto* variable = std::get_if<compiler::FreeVariable>(&lowered.program);
            undefined = variable == nullptr ? std::nullopt : std::optional(variable->name);
            progress.lowered(lowered);
        };
        const unsigned long long changes = mutant_changes();
        const auto failed = [&](Outcome outcome, const std::string& words) {
            o.outcome = outcome;
            o.message = compiler::normalise(words);
        };
        const auto failed_internally = [&](const std::string& all_words) {
            const std::string words = readable(all_words);
            const auto place = last_check_place();
            failed(Outcome::internal_error, with_place(words, place));
            o.failed_check = failed_check(words, place);
        };
        forget_check_place();
        try {
            build_and_run(c, request, watched, o);
        } catch (const Halide::CompileError& e) {
            failed(is_before_run(o.phase) ? Outcome::rejected : outcome_of_error(e.what()), e.what());
        } catch (const Halide::InternalError& e) { failed_internally(e.what()); } catch (const Halide::Error& e) {
            failed(outcome_of_error(e.what()), e.what());
        } catch (const haruspex::InternalError&) { throw; } catch (const std::bad_alloc&) {
            failed(Outcome::out_of_memory, "std::bad_alloc");
        } catch (const std::exception& e) {
            // Halide promises only its own exceptions.
            failed(Outcome::internal_error, std::string("unexpected exception: ") + e.what());
        }
        o.names_free_variable = undefined && o.message.contains(*undefined);
        o.is_mutated = mutant_changes() != changes;
        return o;
    }

private:
    static void build_and_run(const cases::Case& c, const compiler::Request& request,
                              const compiler::Progress& progress, Observation& o) {
        ENSURE(!(request.run && request.prophecies), "what is lowered with prophecies is not run");
        progress.enter(Phase::build);
        o.phase = Phase::build;
        const auto start = std::chrono::steady_clock::now();
        Result<Program> program = build_program(c);
        o.timings.build = std::chrono::steady_clock::now() - start;
        if (!program) {
            o.outcome = Outcome::rejected;
            o.message = program.error().message;
            return;
        }
        const std::vector<Halide::Argument> arguments = program->pipeline.infer_arguments();
        const std::vector<Input*> inputs = inputs_read(*program, arguments);
        const auto watch = watch_lowering(*program, inputs, c, request, progress, o);
        if (request.run) {
            compile_and_run(*program, inputs, c, request.other_sizes, progress, o);
            return;
        }
        progress.enter(Phase::compile);
        o.phase = Phase::compile;
        const auto lowering_start = std::chrono::steady_clock::now();
        lower(*program, arguments, c);
        o.timings.compile = std::chrono::steady_clock::now() - lowering_start - o.timings.translate - o.timings.bounds;
        progress.enter(Phase::done);
        o.phase = Phase::done;
    }
};

}  // namespace

std::optional<std::string> unrunnable(const std::string& target) {
    using Target = Halide::Target;
    // The x86 instructions that a compiler uses only on request.
    constexpr std::array instructions{std::pair{Target::SSE41, "sse41"},
                                      std::pair{Target::AVX, "avx"},
                                      std::pair{Target::AVX2, "avx2"},
                                      std::pair{Target::F16C, "f16c"},
                                      std::pair{Target::FMA, "fma"},
                                      std::pair{Target::FMA4, "fma4"},
                                      std::pair{Target::AVX512, "avx512"},
                                      std::pair{Target::AVX512_KNL, "avx512_knl"},
                                      std::pair{Target::AVX512_Skylake, "avx512_skylake"},
                                      std::pair{Target::AVX512_Cannonlake, "avx512_cannonlake"},
                                      std::pair{Target::AVX512_SapphireRapids, "avx512_sapphirerapids"}};
    if (!Target::validate_target_string(target)) { return "it is no target of the compiler"; }
    const Target asked(target), host = Halide::get_host_target();
    if (asked.os != host.os || asked.arch != host.arch || asked.bits != host.bits) {
        return "this machine is " + Target(host.os, host.arch, host.bits).to_string();
    }
    for (const auto& [feature, name] : instructions) {
        if (asked.has_feature(feature) && !host.has_feature(feature)) {
            return std::string("this machine has no ") + name;
        }
    }
    return std::nullopt;
}

std::unique_ptr<compiler::Compiler> make_halide() { return std::make_unique<HalideCompiler>(); }

}  // namespace haruspex::halide
