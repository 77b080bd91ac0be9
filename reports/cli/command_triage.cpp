#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <set>

#include "generators/sare/staging.h"
#include "generators/schedule/text.h"
#include "harness/halide/halide_compiler.h"
#include "reports/cli/command.h"
#include "reports/cli/filing.h"
#include "reports/cli/mutant.h"
#include "reports/minimize/minimizer.h"
#include "reports/store/files.h"
#include "reports/store/journal.h"
#include "reports/store/store.h"

namespace haruspex::cli {
namespace {

namespace fs = std::filesystem;

struct Arguments {
    std::string campaign, directory;
    int jobs = 1;
    std::uint64_t runs = 300;
};

// Findings that look alike before anything is minimised, and the smallest of them.
struct Group {
    std::string name;
    std::uint64_t cases = 0;
    store::Finding smallest;
};

// Findings of one symptom whose smallest cases need the same directives: one bug, as far as that tells.
struct Bug {
    minimize::Found smallest;
    std::string group;  // whose case that is
    std::uint64_t cases = 0;
};
using Key = std::pair<triage::Symptom, std::set<std::string>>;

Result<std::vector<fs::path>> folders_in(const fs::path& folder) {
    std::vector<fs::path> folders;
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; at != end && !error; at.increment(error)) {
        if (at->is_directory()) { folders.push_back(at->path()); }
    }
    if (error) { return fail("cannot read " + folder.string() + ": " + error.message()); }
    std::ranges::sort(folders);
    return folders;
}

Result<std::vector<Group>> groups_of(const fs::path& campaign) {
    std::vector<Group> groups;
    const auto folders = folders_in(campaign / "findings");
    if (!folders) { return fail(folders.error()); }
    for (const fs::path& folder : *folders) {
        const auto findings = folders_in(folder);
        if (!findings) { return fail(findings.error()); }
        Group group{folder.filename().string(), 0, {}};
        for (const fs::path& path : *findings) {
            auto finding = store::load_finding(path);
            if (!finding) { return fail(finding.error()); }
            if (!sare::unstage(finding->c.sare)) {
                return fail(path.string() + ": the program is not the image of a Halide algorithm");
            }
            const bool is_smaller =
                group.cases == 0 || minimize::size_of(finding->c) < minimize::size_of(group.smallest.c);
            ++group.cases;
            if (is_smaller) { group.smallest = std::move(*finding); }
        }
        if (group.cases > 0) { groups.push_back(std::move(group)); }
    }
    return groups;
}

std::set<std::string> directives_of(const cases::Case& c) {
    std::set<std::string> kinds;
    for (const schedule::Directive& directive : c.schedule.directives) {
        kinds.emplace(schedule::action_name(directive.action));
    }
    return kinds;
}

class Triage {
public:
    // The journal has what was asked before a triage was killed.
    Triage(const Arguments& arguments, compiler::Compiler& compiler, const store::Journal& journal)
        : arguments_(arguments), identity_(compiler.identity()), server_(compiler, {}), journal_(journal) {}

    Result<void> add(const Group& group) {
        minimize::Options options;
        // Each run of what hangs takes as long as the limit.
        constexpr std::uint64_t cost_of_hanging = 20;
        const verdict::Class cls = group.smallest.verdict.cls;
        const bool hangs = cls == verdict::Class::compiler_hang || cls == verdict::Class::program_hang;
        options.most_runs = hangs ? std::max<std::uint64_t>(arguments_.runs / cost_of_hanging, 1) : arguments_.runs;
        options.jobs = arguments_.jobs;
        options.vocabulary = {identity_.major};
        const auto examine = [&](const cases::Case& c) {
            return journal_.answer(c, [&] { return pipeline::judge_case(c, server_, identity_).verdict; });
        };
        auto result = minimize::minimize(group.smallest.c, examine, options);
        if (!result) { return fail(result.error()); }
        if (!*result) {
            not_shown_.push_back(group.name);
            return {};
        }
        minimize::Found& best = (*result)->best;
        const Key key{best.symptom, directives_of(best.c)};
        const auto [place, is_new] = bugs_.try_emplace(key, Bug{best, group.name, 0});
        place->second.cases += group.cases;
        if (!is_new && minimize::size_of(best.c) < minimize::size_of(place->second.smallest.c)) {
            place->second.smallest = std::move(best);
            place->second.group = group.name;
        }
        return {};
    }

    // The smallest first.
    std::vector<const Bug*> bugs() const {
        std::vector<const Bug*> bugs;
        for (const auto& [key, bug] : bugs_) { bugs.push_back(&bug); }
        std::ranges::stable_sort(bugs, {}, [](const Bug* bug) { return minimize::size_of(bug->smallest.c); });
        return bugs;
    }
    // Groups whose smallest case shows nothing any more.
    const std::vector<std::string>& not_shown() const { return not_shown_; }

private:
    const Arguments& arguments_;
    compiler::Identity identity_;
    compiler::ForkServer server_;
    const store::Journal& journal_;
    std::map<Key, Bug> bugs_;
    std::vector<std::string> not_shown_;
};

std::string line_of(std::size_t number, const Bug& bug, const std::string& title) {
    char head[64];
    std::snprintf(head, sizeof head, "%3zu  %5llu cases  ", number, static_cast<unsigned long long>(bug.cases));
    return head + title + "\n                  " + minimize::describe(bug.smallest.c) + "; " +
           triage::to_string(bug.smallest.symptom) + "\n";
}

int triage_campaign(const Arguments& arguments) {
    const auto groups = groups_of(arguments.campaign);
    if (!groups) { return refuse(groups.error()); }
    std::error_code error;
    if (!arguments.directory.empty() && fs::exists(arguments.directory, error)) {
        return refuse({arguments.directory + " exists already; expected a name that is free"});
    }
    const auto compiler = halide::make_halide();
    const auto [name, version, major] = compiler->identity();
    const auto journal =
        store::Journal::open(fs::path(arguments.campaign) / "triage.journal", store::versions_of(name + " " + version));
    if (!journal) { return refuse(journal.error()); }
    Triage triage(arguments, *compiler, *journal);
    for (std::size_t g = 0; g < groups->size(); ++g) {
        std::fprintf(stderr, "%zu of %zu groups: %s\n", g + 1, groups->size(), (*groups)[g].name.c_str());
        if (auto added = triage.add((*groups)[g]); !added) { return refuse(added.error()); }
    }
    std::size_t number = 0;
    for (const Bug* bug : triage.bugs()) {
        ++number;
        const auto report = report_on(bug->smallest.c, bug->group);
        print(line_of(number, *bug, report ? report->title : to_string(report.error())));
        if (!report || arguments.directory.empty()) { continue; }
        const fs::path folder = fs::path(arguments.directory) / bug->group;
        if (auto written = store::write_folder(folder, report->files); !written) { return refuse(written.error()); }
        print("                  " + folder.string() + "\n");
    }
    journal->remove();
    for (const std::string& group : triage.not_shown()) { print("not shown again  " + group + "\n"); }
    print(std::to_string(number) + " bugs in " + std::to_string(groups->size()) + " groups\n");
    return number == 0 ? nothing_found : findings;
}

}  // namespace

void add_triage(CLI::App& app, int& exit_code) {
    CLI::App* command = app.add_subcommand("triage", "List the distinct bugs that a campaign found, smallest first");
    const auto arguments = std::make_shared<Arguments>();
    command->add_option("campaign", arguments->campaign, "A campaign's folder")->required();
    command->add_option("--to", arguments->directory,
                        "Also write an issue for each bug into this new folder, as haruspex file does");
    command->add_option("--runs", arguments->runs, "Runs of the compiler to spend on each group of findings")
        ->check(whole_number(1))
        ->capture_default_str();
    command->add_option("--jobs", arguments->jobs, "Worker processes; the outcome is the same for any number")
        ->check(whole_number(1, 1024))
        ->capture_default_str();
    add_mutant_option(*command);
    command->footer(
        "The smallest finding of each group is minimised; two groups are one bug when what is left of them shows the\n"
        "same symptom and needs the same directives. Exit code 1 when there is a bug, 0 when nothing shows any "
        "more.\n\n"
        "Examples:\n"
        "  haruspex triage night\n"
        "  haruspex triage night --to issues --jobs 2");
    command->callback([arguments, &exit_code] { exit_code = triage_campaign(*arguments); });
}

}  // namespace haruspex::cli
