#include <memory>

#include "reports/bugs/triaging.h"
#include "reports/cli/check_files.h"
#include "reports/cli/commands.h"
#include "reports/cli/mutant.h"
#include "reports/cli/options.h"
#include "reports/cli/status_line.h"

namespace haruspex::cli {
namespace {

struct Arguments {
    std::string known;
    bugs::Triaging triaging;
    CheckFiles files;
};

Result<ExitCode> triage(const Arguments& arguments, Output& output) {
    const auto known = bugs::known_in(arguments.known);
    if (!known) { return fail(known.error()); }
    if (auto writable = can_be_written(arguments.files); !writable) { return fail(writable.error()); }
    bugs::Triaging triaging = arguments.triaging;
    triaging.listen = [&](const std::vector<bugs::Bug>& found, const compiler::Identity& compiler) {
        return write(arguments.files, bugs::checks_of(found, compiler, triaging.campaign, triaging.issues));
    };
    triaging.progress = note_group;
    triaging.print = [&](const std::string& list) { output.print(list); };
    if (triaging.keeps_journals) {
        triaging.progress = [](auto&&...) {};
    }
    const auto triaged = bugs::triage_campaign(triaging, *known);
    if (!triaged) { return fail(triaged.error()); }
    if (triaged->failures > 0) { return own_fault; }
    return triaged->bugs == 0 ? nothing_found : findings;
}

}  // namespace

Command add_triage(CLI::App& app) {
    CLI::App* command = app.add_subcommand("triage", "List the distinct bugs that a campaign found, smallest first");
    const auto arguments = std::make_shared<Arguments>();
    command->add_option("campaign", arguments->triaging.campaign, "A campaign's folder")->required();
    command->add_option("--known", arguments->known,
                        "A folder of known bugs, such as corpus/known: their findings are counted but not reported");
    command->add_option("--to", arguments->triaging.issues,
                        "Also write an issue for each bug into this new folder, in the form of haruspex file");
    add_number(*command, "--runs", arguments->triaging.options.runs_of_group,
               "Number of compiler runs for each group of findings", 1);
    command
        ->add_option(
            "--most-runs", arguments->triaging.options.most_runs,
            "Number of compiler runs in all; findings that are not reached are counted with the bugs of the same pass")
        ->check(whole_number(1))
        ->default_str("no limit");
    add_jobs_option(*command, arguments->triaging.options.jobs);
    add_check_files(*command, arguments->files);
    command
        ->add_flag(
            "--beside", arguments->triaging.keeps_journals,
            "Triage a campaign that runs: only bugs.json is written (haruspex status shows it), and answers are kept "
            "for the triage at the end. haruspex fuzz does this by itself")
        ->excludes("--to");
    add_mutant_option(*command);
    command->footer(
        "The smallest finding of each group is minimised. Two minimised cases count as one bug if they fail in the "
        "same\n"
        "pass with the same symptom, and the larger one uses every feature of the smaller one and at most two more.\n"
        "States of a bug:\n"
        "  regressed   known and marked as fixed, but it shows\n"
        "  confirmed   shows again\n"
        "  new         not examined, because of --most-runs\n"
        "  known       in --known: the minimised case has the same symptom and at most one more feature\n"
        "  documented  known, and not a bug of the compiler\n"
        "  fixed       does not show again\n"
        "Exit code 1 when a bug has one of the first three states, 3 when haruspex itself failed on a case, 0 "
        "otherwise.\n"
        "A triage that was killed resumes where it stopped.\n"
        "\n"
        "Examples:\n"
        "  haruspex triage night --known corpus/known\n"
        "  haruspex triage night --to issues --jobs 2");
    return {command, [arguments](Output& output) { return triage(*arguments, output); }};
}

}  // namespace haruspex::cli
