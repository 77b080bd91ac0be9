#include <algorithm>
#include <memory>

#include "reports/bugs/compare.h"
#include "reports/bugs/recheck_json.h"
#include "reports/cli/commands.h"
#include "reports/store/files.h"

namespace haruspex::cli {
namespace {

Result<ExitCode> compare(const std::vector<std::string>& files, Output& output) {
    std::vector<bugs::Recheck> rechecks;
    for (const std::string& file : files) {
        const auto text = store::read_file(file);
        if (!text) { return fail(text.error()); }
        auto recheck = bugs::parse_recheck(*text, file);
        if (!recheck) { return fail(recheck.error()); }
        rechecks.push_back(std::move(*recheck));
    }
    const auto reports = bugs::compare(rechecks);
    output.print(bugs::table(rechecks, reports));
    return std::ranges::all_of(reports, &bugs::Compared::agrees) ? nothing_found : findings;
}

}  // namespace

Command add_compare(CLI::App& app) {
    CLI::App* command = app.add_subcommand("compare", "Compare the outcome of the same reports under several versions");
    const auto files = std::make_shared<std::vector<std::string>>();
    command->add_option("results", *files, "The files that haruspex recheck --json wrote, one for each version")
        ->required()
        ->expected(2, 100);
    command->footer(
        "Each build of haruspex tests one version of a compiler: build it where each version is installed, and "
        "recheck\n"
        "the same folder with each build.\n"
        "Exit code 1 when the outcome of a report differs between versions, 0 otherwise.\n"
        "\n"
        "Example:\n"
        "  haruspex recheck corpus/regress --json debian12.json     # on Debian 12\n"
        "  haruspex recheck corpus/regress --json debian13.json     # on Debian 13\n"
        "  haruspex compare debian12.json debian13.json");
    return {command, [files](Output& output) { return compare(*files, output); }};
}

}  // namespace haruspex::cli
