#include <filesystem>
#include <memory>

#include "reports/cli/command.h"
#include "reports/cli/mutant.h"
#include "reports/cli/triaging.h"

namespace haruspex::cli {
namespace {

namespace fs = std::filesystem;

struct Arguments {
    std::string campaign, directory, known;
    bugs::Options options;
};

int triage_campaign(const Arguments& arguments) {
    std::error_code error;
    if (!arguments.directory.empty() && fs::exists(arguments.directory, error)) {
        return refuse({arguments.directory + " exists already; expected a name that is free"});
    }
    const auto known = known_in(arguments.known);
    if (!known) { return refuse(known.error()); }
    const auto found = bugs_of(arguments.campaign, *known, arguments.options);
    if (!found) { return refuse(found.error()); }
    const auto number = show_bugs(*found, *known, arguments.directory);
    if (!number) { return refuse(number.error()); }
    return *number == 0 ? nothing_found : findings;
}

}  // namespace

void add_triage(CLI::App& app, int& exit_code) {
    CLI::App* command = app.add_subcommand("triage", "List the distinct bugs that a campaign found, smallest first");
    const auto arguments = std::make_shared<Arguments>();
    command->add_option("campaign", arguments->campaign, "A campaign's folder")->required();
    command->add_option("--known", arguments->known,
                        "A folder of known bugs, such as corpus/known: they are counted and not reported again");
    command->add_option("--to", arguments->directory,
                        "Also write an issue for each bug into this new folder, as haruspex file does");
    command
        ->add_option("--runs", arguments->options.runs_of_group,
                     "Runs of the compiler to spend on each group of findings")
        ->check(whole_number(1))
        ->capture_default_str();
    command
        ->add_option("--most-runs", arguments->options.most_runs,
                     "Runs to spend in all; groups that are left then are listed as they were filed")
        ->check(whole_number(1))
        ->default_str("no limit");
    command->add_option("--jobs", arguments->options.jobs, "Worker processes; the outcome is the same for any number")
        ->check(whole_number(1, 1024))
        ->capture_default_str();
    add_mutant_option(*command);
    command->footer(
        "The smallest finding of each group is minimised; two groups are one bug when what is left of them shows the\n"
        "same symptom and needs the same directives. A bug is\n"
        "  regressed   known, and said to be mended\n"
        "  confirmed   shown again\n"
        "  new         not looked at, because of --most-runs\n"
        "  known       one of those in --known: the minimised case has the same symptom and the same features\n"
        "  documented  known, and none of the compiler's\n"
        "  fixed       not shown again\n"
        "Exit code 1 when there is one of the first three, 0 otherwise.\n\n"
        "Examples:\n"
        "  haruspex triage night --known corpus/known\n"
        "  haruspex triage night --to issues --jobs 2");
    command->callback([arguments, &exit_code] { exit_code = triage_campaign(*arguments); });
}

}  // namespace haruspex::cli
