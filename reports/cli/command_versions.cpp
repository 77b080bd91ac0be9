#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <utility>

#include "reports/bugs/builds.h"
#include "reports/bugs/judged_versions.h"
#include "reports/bugs/known.h"
#include "reports/cli/commands.h"
#include "reports/cli/loading.h"
#include "reports/session/compilers.h"
#include "reports/session/judging.h"
#include "reports/store/files.h"
#include "reports/store/store.h"

namespace haruspex::cli {
namespace {

namespace fs = std::filesystem;

using bugs::Subject;

struct Arguments {
    std::vector<std::string> subjects, with, programs;
    std::string json, to;
};

// The folder of a finding or a report; one with only a program is a report, too.
Result<Subject> subject_in(const fs::path& folder) {
    std::error_code error;
    Subject subject;
    subject.name = fs::weakly_canonical(folder, error).filename().string();
    subject.report = folder;
    if (!fs::exists(folder / "case.json", error) && fs::exists(folder / "repro.cpp", error)) { return subject; }
    if (fs::exists(folder / "verdict.json", error)) {
        session::become_owner_of_finding(folder);
        auto finding = store::load_finding(folder);
        if (!finding) { return fail(finding.error()); }
        subject.c = std::move(finding->c);
        subject.stored = std::move(finding->verdict);
        subject.found_in = std::move(finding->compiler.version);
        return subject;
    }
    auto loaded = load_case(folder.string());
    if (!loaded) { return fail(loaded.error()); }
    subject.c = std::move(loaded->c);
    return subject;
}

// A known bug's file stands for the bug's report.
Result<Subject> subject_of_known(const std::string& text, const std::string& file) {
    const auto known = bugs::parse_known(text, file);
    if (!known) { return fail(known.error()); }
    if (known->report.empty()) { return fail(file + ": the bug has no report; expected a key \"report\""); }
    return subject_in(fs::path(file).parent_path() / known->report);
}

Result<Subject> subject_of(const std::string& argument) {
    std::error_code error;
    if (fs::is_directory(argument, error)) { return subject_in(argument); }
    if (argument != "-") {
        const auto text = store::read_file(argument);
        if (!text) { return fail(text.error()); }
        if (bugs::is_known_bug(*text)) { return subject_of_known(*text, argument); }
    }
    auto loaded = load_case(argument);
    if (!loaded) { return fail(loaded.error()); }
    Subject subject;
    subject.name = argument == "-" ? argument : fs::path(argument).stem().string();
    subject.c = std::move(loaded->c);
    return subject;
}

Result<std::vector<Subject>> subjects_of(const std::vector<std::string>& arguments) {
    std::vector<Subject> subjects;
    for (const std::string& argument : arguments) {
        auto subject = subject_of(argument);
        if (!subject) { return fail(subject.error()); }
        subjects.push_back(std::move(*subject));
    }
    return subjects;
}

// The compiler of all cases.
Result<std::string> compiler_of(const std::vector<Subject>& subjects) {
    const Subject* first = nullptr;
    for (const Subject& subject : subjects) {
        if (!subject.c) { continue; }
        if (first == nullptr) { first = &subject; }
        if (subject.c->compiler != first->c->compiler) {
            return fail(fmt::format("{}: a case for the compiler {}; expected one for {}, as {} is", subject.name,
                                    subject.c->compiler, first->c->compiler, first->name));
        }
    }
    return first == nullptr ? session::default_compiler() : first->c->compiler;
}

Result<std::vector<bugs::ProgramResult>> programs_of(const std::vector<std::string>& files) {
    std::vector<bugs::ProgramResult> programs;
    for (const std::string& file : files) {
        const auto text = store::read_file(file);
        if (!text) { return fail(text.error()); }
        auto more = bugs::parse_programs(*text, file);
        if (!more) { return fail(more.error()); }
        programs.insert(programs.end(), std::make_move_iterator(more->begin()), std::make_move_iterator(more->end()));
    }
    return programs;
}

Result<void> keep(const std::vector<bugs::Known>& known, const fs::path& folder) {
    std::map<fs::path, std::string> files;
    for (const bugs::Known& bug : known) { files[bugs::file_of(bug, folder)] = bugs::to_json(bug); }
    return store::write_all(files);
}

Result<ExitCode> versions(const Arguments& arguments, Output& output) {
    const auto subjects = subjects_of(arguments.subjects);
    if (!subjects) { return fail(subjects.error()); }
    const auto compiler = compiler_of(*subjects);
    if (!compiler) { return fail(compiler.error()); }
    const auto programs = programs_of(arguments.programs);
    if (!programs) { return fail(programs.error()); }
    const auto known = bugs::known_in(arguments.to);
    if (!known) { return fail(known.error()); }
    const bool prints_json = arguments.json == "-";
    std::vector<fs::path> written;
    if (!arguments.json.empty() && !prints_json) { written.emplace_back(arguments.json); }
    if (!arguments.to.empty()) { written.push_back(fs::path(arguments.to) / "known.json"); }
    for (const fs::path& file : written) {
        if (auto writable = store::can_be_written(file); !writable) { return fail(writable.error()); }
    }
    auto builds = bugs::Builds::start(arguments.with, *compiler);
    if (!builds) { return fail(builds.error()); }
    if (!arguments.to.empty()) {
        if (auto can = bugs::can_be_kept(*known, arguments.to, *subjects, builds->all()); !can) {
            return fail(can.error());
        }
    }
    const bugs::JudgeWith judge = [&](std::size_t build, const Subject& subject) {
        const bool validate = subject.stored && session::judging_again(*subject.stored).validate;
        return builds->judge(build, *subject.c, validate);
    };
    std::size_t number = 0;
    const auto judged =
        bugs::judge_versions(*subjects, builds->all(), *programs, judge, [&](const bugs::JudgedBug& bug) {
            note(fmt::format("{} of {}: {}: {}\n", ++number, subjects->size(), bug.name, bugs::describe(bug.rows)));
        });
    if (!judged) {
        note("haruspex: " + to_string(judged.error()) + "\n");
        return own_fault;
    }
    output.print(prints_json ? bugs::to_json(*judged) : bugs::table(*judged));
    if (!arguments.json.empty() && !prints_json) {
        if (auto done = store::write_atomically(arguments.json, bugs::to_json(*judged)); !done) {
            return fail(done.error());
        }
    }
    if (!arguments.to.empty()) {
        const auto changed = bugs::with_versions(*known, arguments.to, *subjects, *judged);
        if (auto kept = keep(changed, arguments.to); !kept) { return fail(kept.error()); }
    }
    const bool lives = std::ranges::any_of(
        judged->bugs, [](const bugs::JudgedBug& bug) { return std::ranges::any_of(bug.rows, bugs::lives); });
    return judged->has_fault ? own_fault : lives ? findings : nothing_found;
}

}  // namespace

Command add_versions(CLI::App& app) {
    CLI::App* command =
        app.add_subcommand("versions", "Say in which versions of a compiler a bug lives, and since when it is mended");
    const auto arguments = std::make_shared<Arguments>();
    command
        ->add_option("finding", arguments->subjects,
                     "Folders of findings, issues or reports, case files, or files of known bugs; - for standard input")
        ->required();
    command
        ->add_option(
            "--with", arguments->with,
            "Further builds of haruspex, each linked with its version of the compiler: an executable, a folder "
            "with one, or the root of another Debian in which it is installed; mutant:NAME for this build with "
            "a mutant, self for this build again")
        ->type_name("WHERE");
    command->add_option("--programs-from", arguments->programs,
                        "Files that scripts/test-reports --json wrote, one or more for each version: what the reports' "
                        "stand-alone programs do there");
    command->add_option("--to", arguments->to,
                        "Also keep the versions in the known bugs of this folder, such as corpus/known; each finding "
                        "must be the report of one of them");
    command->add_option("--json", arguments->json,
                        "Also write the outcome to this file as JSON; - prints the JSON instead");
    command->footer(
        "Every case is judged by this build and by those of --with, and compared with the stored verdict; of a case\n"
        "without one, with the first build that shows anything. A cell of the table:\n"
        "  shows      the stored symptom; passes count only in the version in which the bug was found\n"
        "  differs    another symptom\n"
        "  gone       nothing\n"
        "  refused    the compiler rejects the case, or it uses what this version or machine lacks\n"
        "  \"-\"        not known: there is no case, or the answer does not decide\n"
        "  fails      behind a comma, or passes: the report's stand-alone program exits with 1, or with 0\n"
        "A bug lives in a version if its case shows it or its program fails; a case that differs counts unless the\n"
        "program passes. Versions are ordered by their numbers, and mended in is the first one after the last bad "
        "one.\n"
        "With --to the files of all bugs are written, or none.\n"
        "Exit code 1 when a bug lives in some version, 0 when none does, 3 when haruspex failed on a case or a build "
        "did\n"
        "not answer any more; nothing is then written if no outcome is known.\n"
        "\n"
        "Examples:\n"
        "  haruspex versions night/findings/GROUP/CASE --with ~/debian13\n"
        "  haruspex versions corpus/regress/open/* --with /srv/trixie /srv/sid --to corpus/known");
    return {command, [arguments](Output& output) { return versions(*arguments, output); }};
}

}  // namespace haruspex::cli
