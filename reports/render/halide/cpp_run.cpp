#include "reports/render/halide/cpp_run.h"

#include "reports/render/halide/cpp_buffers.h"
#include "reports/render/halide/cpp_check.h"
#include "reports/render/halide/cpp_inputs.h"
#include "reports/render/halide/cpp_lowering.h"

namespace haruspex::render::halide {
namespace {

constexpr const char* in_a_child = R"(    if (const pid_t child = fork()) {  // what crashes is the child
        int status = 0;
        waitpid(child, &status, 0);
        if (WIFSIGNALED(status)) { std::cout << strsignal(WTERMSIG(status)) << ", expected none\n"; }
        return status != 0;
    }
    alarm(60);  // a fault may also make it run for ever
)";

constexpr const char* refuses = R"(} catch (const RuntimeError& error) {  // to refuse is not to crash
    std::cout << error.what();
    return 0;
}
)";

constexpr const char* within_memory = R"(    const rlimit limit{2ul << 30, 2ul << 30};
    setrlimit(RLIMIT_AS, &limit);
)";

constexpr const char* within_time = R"(    signal(SIGALRM, [](int) {
        std::cout << "still busy after a minute, expected an end" << std::endl;
        _exit(1);
    });
    alarm(60);
)";

// Writes the code around main's body that turns a crash, a limit or an error into the exit code 1.
void protect(Run& run) {
    const auto forks = [&](const std::string& main = "int main() {\n") {
        run.text.headers.insert({"cstring", "sys/wait.h", "unistd.h"});
        run.text.opening = main + in_a_child;
    };
    const auto catches = [&](const std::string& error) {
        run.text.opening = "int main() try {\n";
        run.text.closing = "} catch (const " + error +
                           "& error) {\n    std::cout << error.what() << \"expected no error\\n\";\n    return 1;\n}\n";
    };
    switch (run.effect) {
        case Effect::none:
        case Effect::value:
        case Effect::garbage:
        case Effect::unstable:
        case Effect::stray_write:
        case Effect::heap_write:
        case Effect::lowering: return;
        case Effect::run_time_error: return catches("RuntimeError");
        case Effect::internal_error: return catches("InternalError");
        case Effect::compiler_crash:
        case Effect::program_hang: return forks();
        case Effect::program_crash: run.text.closing = refuses; return forks("int main() try {\n");
        case Effect::compiler_hang:
            run.text.headers.insert({"csignal", "unistd.h"});
            run.text.opening += within_time;
            return;
        case Effect::compiler_out_of_memory:
        case Effect::program_out_of_memory:
            forks();
            run.text.headers.insert("sys/resource.h");
            run.text.opening += within_memory;
            return;
    }
}

}  // namespace

RunText run_text(const cases::Case& c, const sare::Algorithm& algorithm, const AlgorithmWriter& definitions,
                 Identifiers& identifiers, const std::optional<verdict::Verdict>& verdict,
                 const std::string& statement) {
    Run run{c, verdict, identifiers, effect_of(verdict, statement), identifiers.fresh("target"), {}, {}, {}, {}};
    run.outputs = output_buffers(c, algorithm, identifiers);
    std::vector<std::string> functions;
    for (const sare::Output& output : algorithm.outputs) {
        functions.push_back(definitions.functions().at(output.tensor));
    }
    run.pipeline = functions.size() == 1 ? functions[0] : identifiers.fresh("pipeline");
    const std::set<std::string> read = inputs_read(algorithm);
    for (const sare::Input& input : algorithm.inputs) {
        if (read.contains(input.name)) { run.inputs.push_back({input, definitions.inputs().at(input.name)}); }
    }
    run.text.headers.insert("iostream");
    run.text.opening = "int main() {\n";
    run.text.closing = "}\n";
    protect(run);
    run.text.line("Target " + run.target + "(" + string_literal(c.target) + ");");
    if (functions.size() > 1) { run.text.line("Pipeline " + run.pipeline + "({" + joined(functions) + "});"); }
    if (is_of_compiler(run.effect)) {
        run.text.line(run.pipeline + ".compile_jit(" + run.target + ");");
        run.text.line("std::cout << \"no error\\n\";");
    } else if (run.effect == Effect::lowering) {
        write_lowering(run, statement);
    } else {
        declare_buffers(run);
        write_check(run);
    }
    return std::move(run.text);
}

}  // namespace haruspex::render::halide
