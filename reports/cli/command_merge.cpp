#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "reports/bugs/triaging.h"
#include "reports/campaign/merge.h"
#include "reports/campaign/settings.h"
#include "reports/cli/check_files.h"
#include "reports/cli/commands.h"
#include "reports/cli/mutant.h"
#include "reports/cli/options.h"
#include "reports/cli/status_line.h"
#include "reports/session/compilers.h"

namespace haruspex::cli {
namespace {

struct Arguments {
    std::vector<std::filesystem::path> folders;
    std::filesystem::path out;
    std::string known;
    std::uint64_t triage_runs = 1000;
    int jobs = 1;
    CheckFiles files;
};

// The name of the compiler whose campaign the folder holds.
Result<std::string> compiler_of(const std::filesystem::path& folder) {
    const auto stored = campaign::stored_options(folder);
    if (!stored) { return fail(stored.error()); }
    if (!*stored) { return fail("no campaign in " + folder.string() + "; expected a folder of haruspex fuzz"); }
    return (*stored)->compiler;
}

// As at the end of a campaign.
Result<bugs::Triaged> triage(const Arguments& arguments, const std::vector<bugs::Known>& known, Output& output) {
    bugs::Triaging triaging;
    triaging.campaign = arguments.out;
    triaging.issues = arguments.out / "issues";
    triaging.replaces_issues = true;
    triaging.progress = note_group;
    triaging.print = [&](const std::string& list) { output.print("\ndistinct bugs\n" + list); };
    triaging.listen = [&](const std::vector<bugs::Bug>& found, const compiler::Identity& compiler) {
        return write(arguments.files, bugs::checks_of(found, compiler, triaging.campaign, triaging.issues));
    };
    triaging.options.most_runs = arguments.triage_runs;
    triaging.options.jobs = arguments.jobs;
    return bugs::triage_campaign(triaging, known);
}

Result<ExitCode> merge(const Arguments& arguments, Output& output) {
    const auto known = bugs::known_in(arguments.known);
    if (!known) { return fail(known.error()); }
    const auto name = compiler_of(arguments.folders.front());
    if (!name) { return fail(name.error()); }
    const auto compiler = session::compiler_named(*name);
    if (!compiler) { return fail(compiler.error()); }
    if (auto writable = can_be_written(arguments.files); !writable) { return fail(writable.error()); }
    const auto summary = campaign::merge(arguments.folders, arguments.out, (*compiler)->identity());
    if (!summary) { return fail(summary.error()); }
    output.print(campaign::to_table(*summary));
    const std::uint64_t own_faults = campaign::own_faults(*summary);
    if (summary->findings + own_faults == 0) {
        const auto written = write(arguments.files, bugs::checks_of({}, summary->compiler, arguments.out, {}));
        return written ? Result<ExitCode>(nothing_found) : fail(written.error());
    }
    bugs::Triaged triaged;
    if (arguments.triage_runs > 0) {
        const auto shown = triage(arguments, *known, output);
        if (!shown) { return fail(shown.error()); }
        triaged = *shown;
    }
    return own_faults > triaged.explained_faults || triaged.failures > 0 ? own_fault : findings;
}

}  // namespace

Command add_merge(CLI::App& app) {
    CLI::App* command = app.add_subcommand("merge", "Join the folders of several campaigns, such as shards, into one");
    const auto arguments = std::make_shared<Arguments>();
    command->add_option("campaign", arguments->folders, "Folders of campaigns of one version and one set of options")
        ->required();
    command->add_option("--out", arguments->out, "The new folder, which appears complete")->required();
    command->add_option("--known", arguments->known,
                        "A folder of known bugs, such as corpus/known: their findings are counted but not listed");
    add_number(
        *command, "--triage-runs", arguments->triage_runs,
        "Number of compiler runs to minimise findings and tell distinct bugs apart, as at the end of a campaign. "
        "0 disables this");
    add_check_files(*command, arguments->files);
    add_jobs_option(*command, arguments->jobs);
    add_mutant_option(*command);
    command->footer(
        "The result is the folder of one campaign that did the same cases. Cases that no folder has done are done "
        "when\n"
        "this campaign is continued (haruspex fuzz --out). The folders may have no case in common, and stay as they\n"
        "are. Exit codes are those of haruspex fuzz.\n"
        "\n"
        "Examples:\n"
        "  haruspex merge shard1 shard2 shard3 --out night\n"
        "  haruspex merge shards/* --out night --triage-runs 0");
    return {command, [arguments](Output& output) { return merge(*arguments, output); }};
}

}  // namespace haruspex::cli
