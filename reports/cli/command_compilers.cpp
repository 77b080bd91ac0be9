#include <fmt/core.h>

#include <memory>
#include <string_view>

#include "harness/process/process.h"
#include "reports/cli/commands.h"
#include "reports/session/compilers.h"
#include "reports/store/version.h"

namespace haruspex::cli {
namespace {

// Returns a line for each compiler of this build, or only of this executable: name, version, package. What cannot be
// observed of a compiler has an indented line of its own.
std::string list_of_compilers(bool only_own) {
    std::string text;
    for (const std::string_view name : compiler::names()) {
        const auto made = compiler::make_compiler(name);
        const compiler::Identity identity = made->identity();
        text += fmt::format("{}  {}  {}\n", name, identity.version, made->package());
        if (const std::string unobserved = to_string(identity.unobserved); !unobserved.empty()) {
            text += fmt::format("    not observed: {}\n", unobserved);
        }
    }
    if (only_own) { return text; }
    for (const std::string& name : session::other_compilers()) {
        const auto listed =
            process::output_of({.words = {session::executable_of(name).string(), "compilers", "--own"}});
        text += listed ? *listed : fmt::format("{}  {}\n", name, listed.error().message);
    }
    return text;
}

}  // namespace

std::string versions() {
    std::string text = "haruspex " + store::haruspex_version();
    for (const std::string_view name : compiler::names()) {
        text += "\n" + std::string(name) + " " + compiler::make_compiler(name)->identity().version;
    }
    return text;
}

Command add_compilers(CLI::App& app) {
    CLI::App* command =
        app.add_subcommand("compilers", "List the compilers under test: version, package, what is not observed");
    const auto own = std::make_shared<bool>(false);
    command->add_flag("--own", *own, "List only the compilers of this executable")->group("");
    command->footer("Examples:\n  haruspex compilers");
    return {command, [own](Output& output) {
                output.print(list_of_compilers(*own));
                return nothing_found;
            }};
}

}  // namespace haruspex::cli
