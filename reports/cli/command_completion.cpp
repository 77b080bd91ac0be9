#include <memory>

#include "generators/base/ensure.h"
#include "reports/cli/commands.h"
#include "reports/cli/completion.h"
#include "reports/cli/manual.h"
#include "reports/cli/usage.h"
#include "reports/store/version.h"

namespace haruspex::cli {
namespace {

std::string completion(const std::string& shell, const Usage& usage) {
    if (shell == "bash") { return bash_completion(usage); }
    if (shell == "zsh") { return zsh_completion(usage); }
    ENSURE(shell == "fish", "a shell of those that the option allows");
    return fish_completion(usage);
}

}  // namespace

Command add_completion(CLI::App& app) {
    CLI::App* command = app.add_subcommand("completion", "Print a shell's completion script for haruspex");
    const auto shell = std::make_shared<std::string>();
    command->add_option("shell", *shell, "The shell")->required()->check(CLI::IsMember({"bash", "zsh", "fish"}));
    command->footer(
        "scripts/build --install PREFIX puts the scripts where shells look for them.\n\n"
        "Examples:\n"
        "  source <(haruspex completion bash)\n"
        "  haruspex completion zsh > ~/.zfunc/_haruspex\n"
        "  haruspex completion fish > ~/.config/fish/completions/haruspex.fish");
    return {command, [shell, &app](Output& output) {
                output.print(completion(*shell, usage_of(app)));
                return nothing_found;
            }};
}

Command add_manual(CLI::App& app) {
    CLI::App* command = app.add_subcommand("manual", "Print the manual page in man's format");
    command->footer(
        "Examples:\n"
        "  haruspex manual | man -l -\n"
        "  haruspex manual > ~/.local/share/man/man1/haruspex.1");
    return {command, [&app](Output& output) {
                output.print(manual(usage_of(app), store::haruspex_version()));
                return nothing_found;
            }};
}

}  // namespace haruspex::cli
