#include <algorithm>
#include <memory>

#include "reports/bugs/compare.h"
#include "reports/bugs/recheck_json.h"
#include "reports/cli/command.h"
#include "reports/store/files.h"

namespace haruspex::cli {
namespace {

int compare(const std::vector<std::string>& files) {
    std::vector<bugs::Recheck> rechecks;
    for (const std::string& file : files) {
        const auto text = store::read_file(file);
        if (!text) { return refuse(text.error()); }
        auto recheck = bugs::parse_recheck(*text, file);
        if (!recheck) { return refuse(recheck.error()); }
        rechecks.push_back(std::move(*recheck));
    }
    const auto reports = bugs::compare(rechecks);
    print(bugs::table(rechecks, reports));
    return std::ranges::all_of(reports, &bugs::Compared::agrees) ? nothing_found : findings;
}

}  // namespace

void add_compare(CLI::App& app, int& exit_code) {
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
    command->callback([files, &exit_code] { exit_code = compare(*files); });
}

}  // namespace haruspex::cli
