#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>

#include "generators/base/ensure.h"
#include "reports/bugs/known.h"
#include "reports/bugs/known_list.h"
#include "reports/bugs/minimised_fingerprint.h"
#include "reports/cli/commands.h"
#include "reports/cli/known_corrections.h"
#include "reports/cli/loading.h"
#include "reports/cli/options.h"
#include "reports/render/table.h"
#include "reports/session/compilers.h"
#include "reports/store/files.h"

namespace haruspex::cli {
namespace {

namespace fs = std::filesystem;

struct Arguments {
    std::vector<std::string> findings;
    std::string folder, name, reason, report, upstream, status;
    std::uint64_t runs = minimize::Options{}.most_runs;
    int jobs = 1;
};

std::string last_part(const fs::path& path) {
    std::error_code error;
    return fs::weakly_canonical(path, error).filename().string();
}

std::string relative_to(const fs::path& path, const fs::path& folder) {
    std::error_code error;
    const auto canonical = [&](const fs::path& p) { return fs::weakly_canonical(fs::absolute(p, error), error); };
    return canonical(path).lexically_relative(canonical(folder)).string();
}

// The explanation why this is a compiler bug, from a report in the corpus.
std::string why(const fs::path& report) {
    auto text = store::read_file(report / "why.txt");
    if (!text) { return {}; }
    text->erase(text->find_last_not_of(" \n") + 1);
    return std::move(*text);
}

// Replaces the fields that are given as options.
void describe(bugs::Known& known, const Arguments& arguments) {
    for (int i = 0; i < bugs::status_count; ++i) {
        const auto status = static_cast<bugs::Status>(i);
        if (bugs::name(status) == arguments.status) { known.status = status; }
    }
    if (!arguments.reason.empty()) { known.reason = arguments.reason; }
    if (const auto upstream = bugs::parse_upstream(arguments.upstream)) { known.upstream = *upstream; }
    if (!arguments.report.empty()) { known.report = relative_to(arguments.report, arguments.folder); }
}

// Returns the bug from its file, or a new one, with the options applied.
Result<bugs::Known> known_bug(const Arguments& arguments, const fs::path& finding) {
    const std::string name = arguments.name.empty() ? last_part(finding) : arguments.name;
    const fs::path file = fs::path(arguments.folder) / (name + ".json");
    std::error_code error;
    if (fs::exists(file, error)) {
        const auto text = store::read_file(file);
        if (!text) { return fail(text.error()); }
        auto known = bugs::parse_known(*text, file.string());
        if (known) { describe(*known, arguments); }
        return known;
    }
    bugs::Known known{name, bugs::Status::open, why(finding), relative_to(finding, arguments.folder), {}, {}};
    describe(known, arguments);
    if (known.reason.empty()) {
        return fail(finding.string() + ": no reason; expected --reason, or a why.txt in the report's folder");
    }
    return known;
}

Result<ExitCode> add(const Arguments& arguments, Output& output) {
    if (!arguments.name.empty() && arguments.name.find('/') != std::string::npos) {
        return fail("--name: expected a file name without \"/\", found \"" + arguments.name + "\"");
    }
    if (!arguments.upstream.empty() && !bugs::parse_upstream(arguments.upstream)) {
        return fail("--upstream: expected an address, https://…, or \"none found\", found \"" + arguments.upstream +
                    "\"");
    }
    for (const std::string& path : arguments.findings) {
        std::error_code error;
        if (!fs::exists(path, error)) { return fail(path + ": no such file or folder"); }
    }
    // Check all findings first: minimising one takes minutes.
    std::vector<std::pair<std::string, LoadedCase>> findings;
    std::vector<bugs::Known> without_case;
    for (const std::string& path : arguments.findings) {
        std::error_code error;
        if (!fs::exists(fs::path(path) / "case.json", error)) {
            if (!fs::exists(fs::path(path) / "repro.cpp", error)) {
                output.print("no case      " + path + "\n");
                continue;
            }
            auto known = known_bug(arguments, path);
            if (!known) { return fail(known.error()); }
            without_case.push_back(std::move(*known));
            continue;
        }
        auto finding = load_case(path);
        if (!finding) { return fail(finding.error()); }
        if (const auto known = known_bug(arguments, path); !known) { return fail(known.error()); }
        findings.emplace_back(path, std::move(*finding));
    }
    if (findings.empty() && without_case.empty()) { return fail("no bug was added"); }
    if (auto made = store::make_folder(arguments.folder); !made) { return fail(made.error()); }
    if (auto writable = store::can_be_written(fs::path(arguments.folder) / "known.json"); !writable) {
        return fail(writable.error());
    }
    bool is_any_known = !without_case.empty();
    for (const bugs::Known& known : without_case) {
        if (auto saved = bugs::save_known(known, arguments.folder); !saved) { return fail(saved.error()); }
        output.print("added          " + known.name + "  by its program: there is no case\n");
    }
    for (const auto& [path, finding] : findings) {
        const auto fingerprint =
            bugs::minimised_fingerprint(finding.c, finding.verdict, arguments.runs, arguments.jobs);
        if (!fingerprint) { return fail(fingerprint.error()); }
        if (!*fingerprint) {
            output.print("does not show  " + path + "\n");
            continue;
        }
        // Findings of one bug share one file.
        auto known = known_bug(arguments, path);
        if (!known) { return fail(known.error()); }
        const bool is_there = std::ranges::find(known->fingerprints, **fingerprint) != known->fingerprints.end();
        if (!is_there) { known->fingerprints.push_back(**fingerprint); }
        // Who adds it has changed their mind.
        std::erase(known->others, **fingerprint);
        if (auto saved = bugs::save_known(*known, arguments.folder); !saved) { return fail(saved.error()); }
        is_any_known = true;
        output.print((is_there ? "there already  " : "added          ") + known->name + "  " +
                     triage::to_string((*fingerprint)->symptom) + "\n");
    }
    if (!is_any_known) { return fail("no bug was added"); }
    return nothing_found;
}

Result<ExitCode> list(const std::string& folder, const std::string& form, Output& output) {
    const auto known = bugs::load_known(folder);
    if (!known) { return fail(known.error()); }
    const auto is_of_first = [&](const bugs::Known& bug) {
        return bugs::compiler_of(bug) == bugs::compiler_of(known->front());
    };
    // The executable of the compiler knows its title.
    if (!known->empty() && std::ranges::all_of(*known, is_of_first)) {
        session::become_owner_of(bugs::compiler_of(known->front()));
    }
    if (form == "table") { output.print(render::to_text(bugs::table_of(*known)) + "\n"); }
    if (form == "markdown") { output.print(bugs::markdown(*known)); }
    if (form != "markdown") {
        for (const bugs::CompilerCount& count : bugs::count_bugs(*known)) { output.print(to_string(count) + "\n"); }
    }
    return nothing_found;
}

Command adding(CLI::App& known) {
    CLI::App* command = known.add_subcommand("add", "Add findings to the known bugs");
    const auto arguments = std::make_shared<Arguments>();
    command->add_option("finding", arguments->findings, "The folders of findings or issues")->required();
    command->add_option("--to", arguments->folder, "The folder of known bugs, such as corpus/known")->required();
    command
        ->add_option("--name", arguments->name,
                     "Name of the bug; the name of the finding's folder unless given. If the bug exists, it gets "
                     "another fingerprint, and the following four options replace its values")
        ->type_name("NAME");
    command->add_option(
        "--reason", arguments->reason,
        "Why the bug is not reported again; the content of why.txt in the finding's folder unless given");
    command->add_option("--report", arguments->report,
                        "The folder of the bug's report; the finding's folder unless given");
    command->add_option("--upstream", arguments->upstream, "The address of its issue, or 'none found'")
        ->type_name("URL");
    command
        ->add_option("--status", arguments->status,
                     "open (the default for a new bug), fixed, or documented (not a bug of the compiler, or rejected "
                     "upstream as illegal)")
        ->check(CLI::IsMember({"open", "fixed", "documented"}));
    add_number(*command, "--runs", arguments->runs, "Number of compiler runs to minimise a finding", 1);
    add_jobs_option(*command, arguments->jobs);
    command->footer(
        "Each finding is minimised; its symptom and the features that it still needs are the fingerprint by which\n"
        "haruspex triage --known knows the bug again. A finding that needs a feature less, or two more, is reported "
        "all\n"
        "the same; add it under the name of the bug, when it is that one. A report that has a program and no case gets "
        "no\n"
        "fingerprint.\n\n"
        "Examples:\n"
        "  haruspex known add corpus/regress/open/* --to corpus/known\n"
        "  haruspex known add night/findings/GROUP/CASE --name min-accumulation-trimmed --to corpus/known");
    return {command, [arguments](Output& output) { return add(*arguments, output); }};
}

Command listing(CLI::App& known) {
    struct Listed {
        std::string folder, form = "table";
    };
    CLI::App* command = known.add_subcommand("list", "List known bugs, and count them");
    const auto listed = std::make_shared<Listed>();
    command->add_option("folder", listed->folder, "The folder of known bugs, such as corpus/known")->required();
    command
        ->add_option("--as", listed->form,
                     "table: the bugs with the versions in which they live, and how many there are; markdown: the "
                     "table alone; count: how many there are")
        ->check(CLI::IsMember({"table", "markdown", "count"}))
        ->capture_default_str();
    command->footer(
        "Examples:\n"
        "  haruspex known list corpus/known\n"
        "  haruspex known list corpus/known --as count");
    return {command, [listed](Output& output) { return list(listed->folder, listed->form, output); }};
}

}  // namespace

Command add_known(CLI::App& app) {
    CLI::App* known = app.add_subcommand("known", "Manage the bugs that campaigns do not report again");
    known->require_subcommand(1);
    known->footer(
        "Examples:\n"
        "  haruspex known add corpus/regress/open/* --to corpus/known\n"
        "  haruspex known list corpus/known\n"
        "  haruspex known not NAME night/findings/GROUP/CASE --to corpus/known");
    const std::array commands{adding(*known), listing(*known), add_known_merge(*known), add_known_split(*known),
                              add_known_not(*known)};
    return {known, [commands](Output& output) {
                const auto chosen =
                    std::ranges::find_if(commands, [](const Command& one) { return one.app->parsed(); });
                ENSURE(chosen != commands.end(), "the library insists on a command");
                return chosen->run(output);
            }};
}

}  // namespace haruspex::cli
