#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <optional>
#include <string>
#include <vector>

#include "generators/base/ensure.h"
#include "harness/compiler/compilers.h"
#include "reports/cli/commands.h"
#include "reports/cli/crashes.h"

namespace {

// An error for the first word that should name a command and does not. CLI11 would report a missing command instead.
std::optional<haruspex::Error> unknown_command(const CLI::App& app, int argc, char** argv) {
    const CLI::App* command = &app;
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        const auto below = command->get_subcommands([](const CLI::App*) { return true; });
        const auto next = std::ranges::find(below, word, [](const CLI::App* one) { return one->get_name(); });
        if (next == below.end()) {
            const bool is_option = word.starts_with("-");
            if (below.empty() || (is_option && command->get_option_no_throw(word) != nullptr)) { return std::nullopt; }
            const std::string name = command == &app ? "haruspex" : "haruspex " + command->get_name();
            return haruspex::Error{std::string("unknown ") + (is_option ? "option" : "command") + " \"" + word +
                                       "\"; see " + name + " --help",
                                   {},
                                   {}};
        }
        command = *next;
    }
    return std::nullopt;
}

// Prints an error in the usage or in a file.
haruspex::cli::ExitCode refuse(const haruspex::Error& error) {
    std::fprintf(stderr, "haruspex: %s\n", to_string(error).c_str());
    return haruspex::cli::bad_input;
}

int run(int argc, char** argv) {
    using namespace haruspex;
    CLI::App app("Tests a tensor compiler with random affine programs and schedules.", "haruspex");
    app.footer(
        "Exit codes: 0 nothing found, 1 findings, 2 bad usage or input, 3 a fault of haruspex itself.\n\n"
        "Examples:\n"
        "  haruspex fuzz --cases 500 --seed 7 --out night\n"
        "  haruspex reproduce night/findings/GROUP/CASE\n"
        "  haruspex fuzz --help");
    app.require_subcommand(1);
    app.set_version_flag(
        "--version", [] { return cli::versions(); }, "Print the versions of haruspex and the compiler");
    std::vector<cli::Command> commands;
    for (const auto add :
         {cli::add_fuzz,         cli::add_status,    cli::add_features,  cli::add_merge,      cli::add_generate,
          cli::add_run,          cli::add_judge,     cli::add_reproduce, cli::add_minimize,   cli::add_triage,
          cli::add_recheck,      cli::add_compare,   cli::add_versions,  cli::add_known,      cli::add_file,
          cli::add_show,         cli::add_interpret, cli::add_tensor,    cli::add_validate,   cli::add_equivalence,
          cli::add_measure,      cli::add_init,      cli::add_compilers, cli::add_completion, cli::add_manual,
          cli::add_compile_cases}) {
        commands.push_back(add(app));
    }
    if (const auto unknown = unknown_command(app, argc, argv)) { return refuse(*unknown); }
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) { return app.exit(error) == 0 ? cli::nothing_found : cli::bad_input; }
    const auto chosen = std::ranges::find_if(commands, [](const cli::Command& one) { return one.app->parsed(); });
    ENSURE(chosen != commands.end(), "the library insists on a command");
    cli::Output output;
    const auto done = chosen->run(output);
    const cli::ExitCode exit_code = done ? *done : refuse(done.error());
    if (const auto lost = output.lost(); lost && exit_code != cli::own_fault) { return refuse(*lost); }
    return exit_code;
}

}  // namespace

int main(int argc, char** argv) {
    // Goes on if it cannot be executed again.
    if (haruspex::compiler::forget_variables()) { ::execv("/proc/self/exe", argv); }
    // Turns these signals into errors of write(): our output's reader may go away, or a limit on file sizes be
    // exceeded.
    for (const int signal : {SIGPIPE, SIGXFSZ}) { std::signal(signal, SIG_IGN); }
    haruspex::cli::exit_on_crashes();
    try {
        return run(argc, argv);
    } catch (const haruspex::InternalError& error) {
        std::fprintf(stderr, "haruspex: internal error: %s\n", error.what());
    } catch (const std::exception& error) {
        std::fprintf(stderr, "haruspex: unexpected exception: %s\n", error.what());
    }
    return haruspex::cli::own_fault;
}
