#include <memory>

#include "reports/cli/command.h"
#include "reports/cli/mutant.h"
#include "reports/cli/triaging.h"

namespace haruspex::cli {
namespace {

struct Arguments {
    std::string known;
    Triaging triaging;
};

int triage_campaign(const Arguments& arguments) {
    const auto known = known_in(arguments.known);
    if (!known) { return refuse(known.error()); }
    const auto triaged = triage(arguments.triaging, *known);
    if (!triaged) { return refuse(triaged.error()); }
    if (triaged->failures > 0) { return own_fault; }
    return triaged->bugs == 0 ? nothing_found : findings;
}

}  // namespace

void add_triage(CLI::App& app, int& exit_code) {
    CLI::App* command = app.add_subcommand("triage", "List the distinct bugs that a campaign found, smallest first");
    const auto arguments = std::make_shared<Arguments>();
    command->add_option("campaign", arguments->triaging.campaign, "A campaign's folder")->required();
    command->add_option("--known", arguments->known,
                        "A folder of known bugs, such as corpus/known: they are counted and not reported again");
    command->add_option("--to", arguments->triaging.issues,
                        "Also write an issue for each bug into this new folder, as haruspex file does");
    command
        ->add_option("--runs", arguments->triaging.options.runs_of_group,
                     "Runs of the compiler to spend on each group of findings")
        ->check(whole_number(1))
        ->capture_default_str();
    command
        ->add_option("--most-runs", arguments->triaging.options.most_runs,
                     "Runs to spend in all; what is left then is counted with the bugs that go wrong in the same pass")
        ->check(whole_number(1))
        ->default_str("no limit");
    command
        ->add_option("--jobs", arguments->triaging.options.jobs,
                     "Worker processes; the outcome is the same for any number")
        ->check(whole_number(1, 1024))
        ->capture_default_str();
    add_mutant_option(*command);
    command->footer(
        "The smallest finding of each group is minimised; one is another case of a smaller one when both go wrong in\n"
        "the same pass and in the same way, and it needs all that the smaller one needs and little more. A bug is\n"
        "  regressed   known, and said to be mended\n"
        "  confirmed   shown again\n"
        "  new         not looked at, because of --most-runs\n"
        "  known       one of those in --known: the minimised case has the same symptom, and at most one feature more\n"
        "  documented  known, and none of the compiler's\n"
        "  fixed       not shown again\n"
        "Exit code 1 when there is one of the first three, 3 when haruspex itself failed on one, 0 otherwise. Killed, "
        "it\n"
        "goes on where it was.\n\n"
        "Examples:\n"
        "  haruspex triage night --known corpus/known\n"
        "  haruspex triage night --to issues --jobs 2");
    command->callback([arguments, &exit_code] { exit_code = triage_campaign(*arguments); });
}

}  // namespace haruspex::cli
