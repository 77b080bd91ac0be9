#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <optional>
#include <string>

#include "generators/base/ensure.h"
#include "reports/cli/command.h"
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
    int exit_code = cli::nothing_found;
    cli::add_fuzz(app, exit_code);
    cli::add_generate(app, exit_code);
    cli::add_run(app, exit_code);
    cli::add_reproduce(app, exit_code);
    cli::add_minimize(app, exit_code);
    cli::add_triage(app, exit_code);
    cli::add_recheck(app, exit_code);
    cli::add_compare(app, exit_code);
    cli::add_known(app, exit_code);
    cli::add_file(app, exit_code);
    cli::add_show(app, exit_code);
    cli::add_interpret(app, exit_code);
    cli::add_validate(app, exit_code);
    cli::add_equivalence(app, exit_code);
    cli::add_measure(app, exit_code);
    cli::add_init(app, exit_code);
    cli::add_compilers(app, exit_code);
    cli::add_completion(app, exit_code);
    cli::add_manual(app, exit_code);
    cli::add_compile_cases(app, exit_code);
    if (const auto unknown = unknown_command(app, argc, argv)) { return cli::refuse(*unknown); }
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) { return app.exit(error) == 0 ? cli::nothing_found : cli::bad_input; }
    if (const auto lost = cli::lost_output(); lost && exit_code != cli::own_fault) { return cli::refuse(*lost); }
    return exit_code;
}

}  // namespace

int main(int argc, char** argv) {
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
