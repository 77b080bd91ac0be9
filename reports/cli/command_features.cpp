#include <memory>
#include <string>

#include "reports/campaign/drawn.h"
#include "reports/campaign/settings.h"
#include "reports/cli/commands.h"
#include "reports/session/compilers.h"

namespace haruspex::cli {
namespace {

struct Arguments {
    std::string campaign;
    bool pairs = false, json = false;
};

Result<ExitCode> show(const Arguments& arguments, Output& output) {
    // The features of a language are known to the executable that has its compiler.
    const auto stored = campaign::stored_options(arguments.campaign);
    if (stored && *stored) { session::become_owner_of((*stored)->compiler); }
    const auto drawn = campaign::read_drawn(arguments.campaign, arguments.pairs);
    if (!drawn) { return fail(drawn.error()); }
    output.print(arguments.json ? to_json(*drawn) : to_text(*drawn));
    return nothing_found;
}

}  // namespace

Command add_features(CLI::App& app) {
    CLI::App* command = app.add_subcommand(
        "features", "List what a campaign drew: each feature of the language, what was refused of it");
    const auto arguments = std::make_shared<Arguments>();
    command->add_option("campaign", arguments->campaign, "A campaign's folder")->required();
    command->add_flag("--pairs", arguments->pairs,
                      "Also which pairs of features no case has; slow for large campaigns");
    command->add_flag("--json", arguments->json, "Print JSON, with the cases of each pair if these are asked for");
    command->footer(
        "Features are directives, tail strategies, types, operators, forms of accesses and updates, and how these are\n"
        "joined (form:NAME). For each: in how many cases it occurs, how many of them the compiler refused, and why "
        "most\n"
        "often; last those that no case has.\n"
        "Reads the folder and changes nothing in it. Exit code 0, or 2 if the folder holds no campaign.\n"
        "\n"
        "Examples:\n"
        "  haruspex features night\n"
        "  haruspex features night --pairs\n"
        "  haruspex features night --json");
    return {command, [arguments](Output& output) { return show(*arguments, output); }};
}

}  // namespace haruspex::cli
