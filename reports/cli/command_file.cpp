#include <algorithm>
#include <filesystem>
#include <memory>
#include <set>

#include "reports/bugs/issues.h"
#include "reports/bugs/known.h"
#include "reports/bugs/versions.h"
#include "reports/cli/commands.h"
#include "reports/cli/mutant.h"
#include "reports/render/view.h"
#include "reports/session/compilers.h"
#include "reports/session/judging.h"
#include "reports/store/files.h"
#include "reports/store/store.h"

namespace haruspex::cli {
namespace {

namespace fs = std::filesystem;

struct Arguments {
    std::vector<std::string> findings;
    std::string directory, known;
    bool gh_command = false;
};

// A report to write, and its folder.
struct Prepared {
    fs::path folder;
    render::Report report;
    std::string tracker;  // View::tracker
};

// Chooses a folder for the finding, named after its group and not yet `taken`.
Result<fs::path> place_for(const fs::path& directory, const std::string& group, std::set<fs::path>& taken) {
    if (group.empty() || group == "." || group == ".." || group.find('/') != std::string::npos) {
        return fail("\"" + group + "\" is the group of a finding, but no name for a folder");
    }
    fs::path place = directory / group;
    for (int number = 2; taken.contains(place); ++number) {
        place = directory / (group + "-" + std::to_string(number));
    }
    taken.insert(place);
    std::error_code error;
    if (fs::exists(place, error)) { return fail(place.string() + " exists already; expected a name that is free"); }
    return place;
}

// The versions in which the bug lives whose report is the finding's folder.
std::vector<bugs::AtVersion> versions_of(const std::string& finding, const std::vector<bugs::Known>& known,
                                         const fs::path& folder) {
    const auto at =
        std::ranges::find_if(known, [&](const bugs::Known& bug) { return is_report_of(bug, folder, finding); });
    return at == known.end() ? std::vector<bugs::AtVersion>() : at->versions;
}

Result<std::vector<Prepared>> prepare_all(const Arguments& arguments) {
    const auto known = bugs::known_in(arguments.known);
    if (!known) { return fail(known.error()); }
    std::vector<Prepared> all;
    std::set<fs::path> taken;
    for (const std::string& name : arguments.findings) {
        session::become_owner_of_finding(name);
        const auto finding = store::load_finding(name);
        if (!finding) { return fail(finding.error()); }
        auto place = place_for(arguments.directory, finding->group, taken);
        if (!place) { return fail(place.error()); }
        auto report = bugs::report_on(finding->c, name, session::judging_again(finding->verdict),
                                      versions_of(name, *known, arguments.known));
        if (!report) { return fail(report.error()); }
        all.push_back(
            {std::move(*place), std::move(*report), std::string(render::view(finding->c.compiler).tracker())});
    }
    return all;
}

// Quotes the text as one word of a shell's command line.
std::string quoted(const std::string& text) {
    std::string word = "'";
    for (const char c : text) { word += c == '\'' ? std::string("'\\''") : std::string(1, c); }
    return word + "'";
}

std::string gh_command(const Prepared& prepared) {
    return "gh issue create --repo " + prepared.tracker + " --title " + quoted(prepared.report.title) +
           " --body-file " + quoted((prepared.folder / "report.md").string()) + "\n";
}

Result<ExitCode> file(const Arguments& arguments, Output& output) {
    const auto prepared = prepare_all(arguments);
    if (!prepared) { return fail(prepared.error()); }
    for (const Prepared& one : *prepared) {
        if (const auto written = store::write_folder(one.folder, one.report.files); !written) {
            return fail(written.error());
        }
        output.print(arguments.gh_command ? gh_command(one) : one.folder.string() + "  " + one.report.title + "\n");
    }
    return nothing_found;
}

}  // namespace

Command add_file(CLI::App& app) {
    CLI::App* command = app.add_subcommand("file", "Write findings as issues for the compiler's maintainers");
    const auto arguments = std::make_shared<Arguments>();
    command->add_option("finding", arguments->findings, "The folders of findings")->required();
    command->add_option("--to", arguments->directory, "The folder in which to create a folder for each finding")
        ->required();
    command->add_option("--known", arguments->known,
                        "A folder of known bugs, such as corpus/known: the issue of one whose report is the finding's "
                        "folder says in which versions the bug lives");
    command->add_flag("--gh-command", arguments->gh_command,
                      "Print the command that would open the issue instead of running it; nothing is ever sent");
    add_mutant_option(*command);
    command->footer(
        "A report's folder holds report.md (the issue), report.html (the same for a browser), a program that exits "
        "with\n"
        "1 while the bug lives, case.json, and, if available, program.sched (the lowered program with prophecies) and\n"
        "obligation.smt2.\n"
        "A finding that does not show with the installed compiler is refused.\n"
        "\n"
        "Examples:\n"
        "  haruspex file night/findings/GROUP/CASE --to upstream\n"
        "  haruspex file corpus/regress/open/min-accumulation-trimmed --known corpus/known --to upstream --gh-command");
    return {command, [arguments](Output& output) { return file(*arguments, output); }};
}

}  // namespace haruspex::cli
