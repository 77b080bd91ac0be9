#include "reports/cli/known_corrections.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "reports/bugs/known.h"
#include "reports/bugs/minimised_fingerprint.h"
#include "reports/cli/loading.h"
#include "reports/cli/options.h"
#include "reports/store/files.h"

namespace haruspex::cli {
namespace {

namespace fs = std::filesystem;

struct Arguments {
    std::string name, folder, as, reason;
    std::vector<std::string> of;  // names of known bugs, or findings
    std::uint64_t runs = minimize::Options{}.most_runs;
    int jobs = 1;
};

using AllKnown = std::vector<bugs::Known>;

// The bug with this name. An Error if there is none.
Result<bugs::Known*> named(AllKnown& known, const std::string& name, const std::string& folder) {
    const auto at = std::ranges::find(known, name, &bugs::Known::name);
    if (at == known.end()) {
        return fail("no known bug \"" + name + "\" in " + folder + "; expected one that haruspex known list shows");
    }
    return &*at;
}

// Saves the bugs, all or none.
Result<void> save(const std::vector<const bugs::Known*>& changed, const std::string& folder) {
    std::map<fs::path, std::string> files;
    for (const bugs::Known* bug : changed) { files[bugs::file_of(*bug, folder)] = bugs::to_json(*bug); }
    return store::write_all(files);
}

Result<ExitCode> merge(const Arguments& arguments, Output& output) {
    auto known = bugs::load_known(arguments.folder);
    if (!known) { return fail(known.error()); }
    const auto bug = named(*known, arguments.name, arguments.folder);
    if (!bug) { return fail(bug.error()); }
    std::vector<const bugs::Known*> changed;
    for (const std::string& name : arguments.of) {
        const auto other = named(*known, name, arguments.folder);
        if (!other) { return fail(other.error()); }
        if (&bugs::representative(*known, **bug) == *other) {
            return fail(fmt::format("{} counts as {} already; expected another bug", arguments.name, name));
        }
        if (bugs::compiler_of(**other) != bugs::compiler_of(**bug)) {
            return fail(fmt::format("{} is a bug of {}, {} one of {}; expected bugs of one compiler", arguments.name,
                                    bugs::compiler_of(**bug), name, bugs::compiler_of(**other)));
        }
        (*other)->same_as = arguments.name;
        changed.push_back(*other);
    }
    if (auto saved = save(changed, arguments.folder); !saved) { return fail(saved.error()); }
    for (const bugs::Known* other : changed) { output.print(other->name + " counts as " + arguments.name + "\n"); }
    return nothing_found;
}

struct Fingerprinted {
    std::string path;
    bugs::Fingerprint print;
};

// Minimises the findings. An Error if one of them shows nothing.
Result<std::vector<Fingerprinted>> fingerprints_of(const std::vector<std::string>& findings,
                                                   const Arguments& arguments) {
    // Check all findings first: minimising one takes minutes.
    std::vector<LoadedCase> loaded;
    for (const std::string& path : findings) {
        auto finding = load_case(path);
        if (!finding) { return fail(finding.error()); }
        loaded.push_back(std::move(*finding));
    }
    std::vector<Fingerprinted> prints;
    for (std::size_t k = 0; k < loaded.size(); ++k) {
        const auto print = bugs::minimised_fingerprint(loaded[k].c, loaded[k].verdict, arguments.runs, arguments.jobs);
        if (!print) { return fail(print.error()); }
        if (!*print) { return fail(findings[k] + " does not show with this compiler; expected a finding that does"); }
        prints.push_back({findings[k], **print});
    }
    return prints;
}

// Notes in the bug's file that these are no cases of it.
Result<void> exclude(bugs::Known& bug, const std::vector<Fingerprinted>& findings) {
    for (const auto& [path, print] : findings) {
        std::erase(bug.fingerprints, print);
        if (std::ranges::find(bug.others, print) == bug.others.end()) { bug.others.push_back(print); }
    }
    if (bug.fingerprints.empty()) {
        return fail(bug.name + " has no other case; expected findings that are not all that is known of it");
    }
    return {};
}

Result<ExitCode> deny(const Arguments& arguments, Output& output) {
    auto known = bugs::load_known(arguments.folder);
    if (!known) { return fail(known.error()); }
    const auto bug = named(*known, arguments.name, arguments.folder);
    if (!bug) { return fail(bug.error()); }
    const auto findings = fingerprints_of(arguments.of, arguments);
    if (!findings) { return fail(findings.error()); }
    if (auto excluded = exclude(**bug, *findings); !excluded) { return fail(excluded.error()); }
    if (auto saved = save({*bug}, arguments.folder); !saved) { return fail(saved.error()); }
    for (const auto& [path, print] : *findings) { output.print(path + " is not " + arguments.name + "\n"); }
    return nothing_found;
}

// The bug that the findings become: one that is there, or a new one.
Result<bugs::Known> bug_for(const AllKnown& known, const Arguments& arguments, const bugs::Known& before) {
    if (arguments.as.empty() || arguments.as.find('/') != std::string::npos || arguments.as == before.name) {
        return fail("--as: expected the name of the bug that the findings show, found \"" + arguments.as + "\"");
    }
    const auto there = std::ranges::find(known, arguments.as, &bugs::Known::name);
    if (there != known.end()) { return *there; }
    if (arguments.reason.empty()) {
        return fail("--reason: expected why findings of " + arguments.as + " are not reported again");
    }
    std::error_code error;
    const auto canonical = [&](const fs::path& path) { return fs::weakly_canonical(fs::absolute(path), error); };
    bugs::Known bug;
    bug.name = arguments.as;
    bug.reason = arguments.reason;
    bug.report = canonical(arguments.of.front()).lexically_relative(canonical(arguments.folder)).string();
    return bug;
}

Result<ExitCode> split(const Arguments& arguments, Output& output) {
    auto known = bugs::load_known(arguments.folder);
    if (!known) { return fail(known.error()); }
    const auto bug = named(*known, arguments.name, arguments.folder);
    if (!bug) { return fail(bug.error()); }
    std::vector<const bugs::Known*> changed;
    std::vector<std::string> paths;
    for (const std::string& one : arguments.of) {
        const auto other = std::ranges::find(*known, one, &bugs::Known::name);
        if (other == known->end()) {
            paths.push_back(one);
        } else if (other->same_as != arguments.name) {
            return fail(
                fmt::format("{} does not count as {}; expected a bug that does, or a finding", one, arguments.name));
        } else {
            other->same_as.clear();
            changed.push_back(&*other);
        }
    }
    std::optional<bugs::Known> made;
    if (!paths.empty()) {
        auto as = bug_for(*known, arguments, **bug);
        if (!as) { return fail(as.error()); }
        const auto findings = fingerprints_of(paths, arguments);
        if (!findings) { return fail(findings.error()); }
        if (auto excluded = exclude(**bug, *findings); !excluded) { return fail(excluded.error()); }
        for (const auto& [path, print] : *findings) {
            std::erase(as->others, print);
            if (std::ranges::find(as->fingerprints, print) == as->fingerprints.end()) {
                as->fingerprints.push_back(print);
            }
        }
        made = std::move(*as);
        changed.push_back(*bug);
        changed.push_back(&*made);
    }
    if (auto saved = save(changed, arguments.folder); !saved) { return fail(saved.error()); }
    for (const std::string& path : paths) {
        output.print(fmt::format("{} is {}, not {}\n", path, arguments.as, arguments.name));
    }
    for (const bugs::Known* other : changed) {
        if (other == *bug || (made && other == &*made)) { continue; }
        output.print(fmt::format("{} is a bug of its own\n", other->name));
    }
    return nothing_found;
}

void add_common(CLI::App& command, Arguments& arguments, const std::string& others) {
    command.add_option("name", arguments.name, "The name of a known bug")->required();
    command.add_option("other", arguments.of, others)->required();
    command.add_option("--to", arguments.folder, "The folder of known bugs, such as corpus/known")->required();
}

void add_minimising(CLI::App& command, Arguments& arguments) {
    add_number(command, "--runs", arguments.runs, "Number of compiler runs to minimise a finding", 1);
    add_jobs_option(command, arguments.jobs);
}

}  // namespace

Command add_known_merge(CLI::App& known) {
    CLI::App* command =
        known.add_subcommand("merge", "Say that known bugs are one: findings of the others count as it");
    const auto arguments = std::make_shared<Arguments>();
    add_common(*command, *arguments, "Names of the known bugs that are the same");
    command->footer(
        "The files of the others stay, with the name of the bug as which they count; haruspex known split undoes "
        "it.\n\n"
        "Example:\n"
        "  haruspex known merge min-accumulation-trimmed other-name --to corpus/known");
    return {command, [arguments](Output& output) { return merge(*arguments, output); }};
}

Command add_known_split(CLI::App& known) {
    CLI::App* command = known.add_subcommand("split", "Say that findings of a known bug show another bug");
    const auto arguments = std::make_shared<Arguments>();
    add_common(*command, *arguments, "Folders of findings or issues, or names of known bugs that were merged with it");
    command->add_option("--as", arguments->as, "The name of the bug that the findings show, a new one or a known one")
        ->type_name("NAME");
    command->add_option("--reason", arguments->reason, "Why a new bug is not reported again");
    add_minimising(*command, *arguments);
    command->footer(
        "Each finding is minimised; its fingerprint becomes one of the other bug, and is noted in the file of the "
        "first\n"
        "as one that is not of it.\n\n"
        "Examples:\n"
        "  haruspex known split min-accumulation-trimmed night/findings/GROUP/CASE --as min-of-tuples \\\n"
        "      --reason 'another pass' --to corpus/known\n"
        "  haruspex known split min-accumulation-trimmed other-name --to corpus/known");
    return {command, [arguments](Output& output) { return split(*arguments, output); }};
}

Command add_known_not(CLI::App& known) {
    CLI::App* command =
        known.add_subcommand("not", "Say that findings do not show a known bug: they are reported again");
    const auto arguments = std::make_shared<Arguments>();
    add_common(*command, *arguments, "Folders of findings or issues");
    add_minimising(*command, *arguments);
    command->footer(
        "Example:\n"
        "  haruspex known not min-accumulation-trimmed night/findings/GROUP/CASE --to corpus/known");
    return {command, [arguments](Output& output) { return deny(*arguments, output); }};
}

}  // namespace haruspex::cli
