#include <cstdio>
#include <filesystem>
#include <memory>

#include "oracle/pipeline/judge_case.h"
#include "reports/cli/command.h"
#include "reports/cli/compilers.h"
#include "reports/cli/mutant.h"
#include "reports/minimize/minimizer.h"
#include "reports/minimize/reducer.h"
#include "reports/render/view.h"
#include "reports/store/files.h"
#include "reports/store/journal.h"
#include "reports/store/store.h"
#include "reports/triage/signature.h"

namespace haruspex::cli {
namespace {

namespace fs = std::filesystem;

struct Arguments {
    CaseArguments finding;
    std::string out;
    int jobs = 1;
    std::uint64_t runs = minimize::Options{}.most_runs;
    bool list_passes = false;
};

fs::path default_folder(const std::string& input) {
    if (input == "-") { return "minimized"; }
    std::error_code error;
    const fs::path path(input);
    return (fs::is_directory(path, error) ? path : path.parent_path()) / "minimized";
}

class Report {
public:
    Report(const LoadedCase& loaded, fs::path folder, const compiler::Compiler& compiler)
        : loaded_(loaded),
          // "out/" and "out" name the same folder.
          folder_(folder.has_filename() ? std::move(folder) : folder.parent_path()),
          compiler_(compiler.identity()),
          build_flags_(compiler.build_flags()) {}

    using Shows = decltype(minimize::Options::shows);

    // Writes the case unless the folder holds a smaller one from an earlier minimisation of this finding. That one
    // stays until this minimisation gets as small, or ends.
    Result<void> write_better(const minimize::Found& found, bool goes_on, const Shows& shows) const {
        return holds_smaller(found, goes_on, shows) ? Result<void>() : write(found, folder_);
    }
    Result<void> write_best(const minimize::Found& found) const { return write(found, folder_); }
    // Writes other findings beside the folder, not in it, since the folder is replaced as a whole.
    Result<void> write_others(const std::vector<minimize::Found>& others) const {
        for (const minimize::Found& other : others) {
            if (auto written = write(other, others_folder() / group(other)); !written) { return written; }
        }
        return {};
    }
    fs::path others_folder() const { return folder_.string() + "-others"; }
    fs::path journal() const { return folder_.string() + ".journal"; }
    const fs::path& folder() const { return folder_; }
    // An Error if the folder holds a finding that no earlier minimisation of this case wrote.
    std::optional<Error> what_is_lost(const fs::path& original, const Shows& shows) const {
        const auto there = store::load_finding(folder_);
        if (!there) { return std::nullopt; }
        std::error_code error;
        const bool is_original = fs::equivalent(folder_, original, error);
        const bool is_of_case = there->seed == loaded_.seed && there->index == loaded_.index;
        if (!is_original && is_of_case && (!loaded_.verdict || shows_same(*there, shows))) { return std::nullopt; }
        return Error{folder_.string() + " holds a finding that would be lost", {}, {}};
    }

private:
    Result<void> write(const minimize::Found& found, const fs::path& folder) const {
        store::Finding finding{loaded_.seed, loaded_.index, found.c, found.verdict, compiler_, group(found)};
        finding.seeded = false;
        const render::View& view = render::view(found.c.compiler);
        if (auto program = view.program(found.c, found.verdict, build_flags_)) {
            finding.attachments[std::string(view.program_file())] = std::move(program->text);
        }
        return store::write_finding(finding, folder);
    }
    bool holds_smaller(const minimize::Found& found, bool goes_on, const Shows& shows) const {
        const auto there = store::load_finding(folder_);
        if (!there || !(minimize::size_of(there->c) < minimize::size_of(found.c))) { return false; }
        const auto symptom = triage::symptom(there->c, there->verdict);
        return goes_on || (symptom && shows(*symptom, found.symptom));
    }
    bool shows_same(const store::Finding& there, const Shows& shows) const {
        const auto symptom = triage::symptom(there.c, there.verdict);
        const auto sought = triage::symptom(loaded_.c, *loaded_.verdict);
        return symptom && sought && shows(*symptom, *sought);
    }
    static std::string group(const minimize::Found& found) {
        return triage::group_name(triage::signature(found.c, found.verdict));
    }

    const LoadedCase& loaded_;
    fs::path folder_;
    compiler::Identity compiler_;
    std::string build_flags_;
};

std::string summary(const cases::Case& before, const minimize::Minimised& result, const Report& report) {
    std::string text = describe(result.best.verdict) + "\n";
    text += "symptom   " + triage::to_string(result.best.symptom) + "\n";
    text += "before    " + minimize::describe(before) + "\n";
    text += "after     " + minimize::describe(result.best.c) + "\n";
    text += "runs      " + std::to_string(result.runs);
    if (result.surplus_runs > 0) { text += ", and " + std::to_string(result.surplus_runs) + " ahead of need"; }
    text += result.ending == minimize::Ending::fixpoint ? "; nothing smaller shows it\n"
                                                        : "; stopped there, a larger --runs may find a smaller one\n";
    text += "written   " + report.folder().string() + "\n";
    for (const minimize::Found& other : result.others) {
        text += "also      " + triage::to_string(other.symptom) + "\n";
    }
    if (!result.others.empty()) { text += "written   " + report.others_folder().string() + "\n"; }
    return text;
}

// Formats a row for each pass: runs, candidates taken, and how often each outcome occurred.
std::string table(std::span<const minimize::Pass> passes, const std::vector<minimize::PassFigures>& figures) {
    std::string text = "\n                             runs  taken  shrunk  no change  exhausted  invalid\n";
    for (std::size_t i = 0; i < figures.size(); ++i) {
        char line[128];
        const auto& [runs, taken, turns] = figures[i];
        const auto number = [](std::uint64_t n) { return static_cast<unsigned long long>(n); };
        std::snprintf(line, sizeof line, "%-26s %6llu %6llu %7llu %10llu %10llu %8llu\n",
                      std::string(passes[i].name).c_str(), number(runs), number(taken), number(turns[0]),
                      number(turns[1]), number(turns[2]), number(turns[3]));
        text += line;
    }
    return text;
}

// Limits candidates to less processor time than a campaign allows a case, unless the finding may be a hang.
compiler::Limits limits_for(const std::optional<verdict::Verdict>& stored) {
    if (!stored) { return {}; }
    compiler::Limits limits;
    limits.cpu = std::chrono::milliseconds(5000);
    return limits_of_glance(*stored).value_or(limits);
}

int minimize_finding(const Arguments& arguments) {
    const auto loaded = load_case(arguments.finding);
    if (!loaded) { return refuse(loaded.error()); }
    const auto compiler = compiler_for(loaded->c, loaded->origin);
    if (!compiler) { return refuse(compiler.error()); }
    const auto identity = (*compiler)->identity();

    const compiler::Limits limits = limits_for(loaded->verdict);
    compiler::ForkServer server(**compiler, limits);
    const pipeline::Options judging = loaded->verdict ? judging_smaller(*loaded->verdict) : pipeline::Options{};
    const Report report(
        *loaded, arguments.out.empty() ? default_folder(arguments.finding.file) : fs::path(arguments.out), **compiler);
    compiler::ForkServer patient(**compiler, {});
    minimize::Options options;
    options.shows = [order = pass_order(patient)](const auto& found, const auto& sought) {
        return triage::still_shows(found, sought, order);
    };
    if (auto error = report.what_is_lost(arguments.finding.file, options.shows)) { return refuse(*error); }
    // Answers from before a minimisation was killed are reused.
    if (auto made = store::make_folder(fs::absolute(report.journal()).parent_path()); !made) {
        return refuse(made.error());
    }
    const auto journal = store::Journal::open(
        report.journal(), store::versions_of(identity.name + " " + identity.version) + ", " +
                              std::to_string(limits.cpu.count()) + " ms, " + std::to_string(judging.most_steps) +
                              " steps" + (judging.validate ? ", validated" : ""));
    if (!journal) { return refuse(journal.error()); }
    const minimize::Examine examine = [&](const cases::Case& c) {
        return journal->answer(c, [&] { return pipeline::judge_case(c, server, identity, judging).verdict; });
    };
    const minimize::Examine to_the_end = [&](const cases::Case& c) {
        return pipeline::judge_case(c, patient, identity, judging).verdict;
    };
    const bool hangs = loaded->verdict && limits_of_glance(*loaded->verdict);

    if (hangs) { options.glance = examine; }
    options.most_runs = arguments.runs;
    options.jobs = arguments.jobs;
    options.language = &compiler::language_of(identity);
    minimize::Progress now;
    minimize::Listener listener;
    listener.progress = [&](const minimize::Progress& progress) { now = progress; };
    bool is_written = false;
    listener.better = [&](const minimize::Found& found) {
        const std::string after = now.pass.empty() ? "" : " after " + std::to_string(now.runs) + " runs";
        const std::string by = now.pass.empty() ? "the case" : std::string(now.pass);
        std::fprintf(stderr, "%s: %s%s\n", by.c_str(), minimize::describe(found.c).c_str(), after.c_str());
        auto written = report.write_better(found, journal->known() > 0, options.shows);
        is_written |= written.has_value();
        return written;
    };
    const auto result = minimize::minimize(loaded->c, hangs ? to_the_end : examine, options, listener);
    // Keep the journal for another attempt only if a case was written, from which that attempt could go on.
    if (!result) {
        if (!is_written) { journal->remove(); }
        return refuse(result.error());
    }
    if (!*result) {
        journal->remove();
        print(arguments.finding.file + " shows no finding; nothing to minimise\n");
        return nothing_found;
    }
    if (auto written = report.write_best((*result)->best); !written) { return refuse(written.error()); }
    if (auto written = report.write_others((*result)->others); !written) { return refuse(written.error()); }
    journal->remove();
    print(summary(loaded->c, **result, report) +
          (arguments.list_passes ? table(minimize::reducer(loaded->c.compiler).passes(), (*result)->figures) : ""));
    return findings;
}

}  // namespace

void add_minimize(CLI::App& app, int& exit_code) {
    CLI::App* command =
        app.add_subcommand("minimize", "Make a case as small as possible while it shows the same finding");
    const auto arguments = std::make_shared<Arguments>();
    add_case_arguments(*command, arguments->finding, "finding");
    command->add_option("-o,--out", arguments->out,
                        "The folder to write, in the form of a finding; unless given, minimized/ in the finding's "
                        "folder or beside the case file");
    command->add_option("--jobs", arguments->jobs, "Number of worker processes; does not affect the outcome")
        ->check(whole_number(1, 1024))
        ->capture_default_str();
    command->add_option("--runs", arguments->runs, "Stop after this many compiler runs")
        ->check(whole_number(1))
        ->capture_default_str();
    command->add_flag("--passes", arguments->list_passes, "Also print a table of the minimiser's passes");
    add_mutant_option(*command);
    command->footer(
        "At any moment the folder holds the smallest case so far. Smaller cases with other symptoms are written "
        "beside\n"
        "it, to a folder of the same name with the suffix -others, one for each symptom.\n"
        "Exit code 1 when there is a finding, 0 when the case shows none.\n"
        "\n"
        "Examples:\n"
        "  haruspex minimize night/findings/GROUP/CASE\n"
        "  haruspex minimize case.json -o small --jobs 2\n"
        "  haruspex minimize prog.sare prog.schedule --size W=64,H=32");
    command->callback([arguments, &exit_code] { exit_code = minimize_finding(*arguments); });
}

}  // namespace haruspex::cli
