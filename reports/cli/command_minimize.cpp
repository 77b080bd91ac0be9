#include <fmt/core.h>

#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>

#include "reports/cli/commands.h"
#include "reports/cli/describe.h"
#include "reports/cli/loading.h"
#include "reports/cli/mutant.h"
#include "reports/cli/options.h"
#include "reports/minimize/minimize_finding.h"
#include "reports/minimize/reducer.h"
#include "reports/render/table.h"
#include "reports/render/view.h"
#include "reports/session/judging.h"

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

fs::path folder_of(const Arguments& arguments) {
    const fs::path path(arguments.finding.file), out(arguments.out);
    // "out/" and "out" name the same folder.
    if (!out.empty()) { return out.has_filename() ? out : out.parent_path(); }
    if (path == "-") { return "minimized"; }
    std::error_code error;
    return (fs::is_directory(path, error) ? path : path.parent_path()) / "minimized";
}

std::string summary(const cases::Case& before, const minimize::Minimised& result, const minimize::Task& task) {
    std::string text = fmt::format(
        "{}\nsymptom   {}\nbefore    {}\nafter     {}\nruns      {}{}{}\nwritten   {}\n", describe(result.best.verdict),
        triage::to_string(result.best.symptom), minimize::describe(before), minimize::describe(result.best.c),
        result.runs, result.surplus_runs > 0 ? fmt::format(", and {} ahead of need", result.surplus_runs) : "",
        result.ending == minimize::Ending::fixpoint ? "; nothing smaller shows it"
                                                    : "; stopped there, a larger --runs may find a smaller one",
        task.folder.string());
    for (const minimize::Found& other : result.others) {
        text += fmt::format("also      {}\n", triage::to_string(other.symptom));
    }
    if (!result.others.empty()) { text += fmt::format("written   {}\n", task.others().string()); }
    return text;
}

// Formats a row for each pass: runs, candidates taken, and how often each outcome occurred.
std::string table(std::span<const minimize::Pass> passes, const std::vector<minimize::PassFigures>& figures) {
    render::Table table{"", {"", "runs", "taken", "shrunk", "no change", "exhausted", "invalid"}};
    for (std::size_t i = 0; i < figures.size(); ++i) {
        const auto& [runs, taken, turns] = figures[i];
        std::vector<std::string> row{std::string(passes[i].name), std::to_string(runs), std::to_string(taken)};
        for (const std::uint64_t turn : turns) { row.push_back(std::to_string(turn)); }
        table.rows.push_back(std::move(row));
    }
    using render::right;
    return "\n" + to_text(table, {render::left(26), right(6, 1), right(6, 1), right(7, 1), right(10, 1), right(10, 1),
                                  right(8, 1)});
}

void note_better(const minimize::Found& found, const minimize::Progress& now) {
    const std::string_view by = now.pass.empty() ? "the case" : now.pass;
    const std::string after = now.pass.empty() ? "" : fmt::format(" after {} runs", now.runs);
    note(fmt::format("{}: {}{}\n", by, minimize::describe(found.c), after));
}

Result<ExitCode> minimize_finding(const Arguments& arguments, Output& output) {
    auto loaded = load_case(arguments.finding);
    if (!loaded) { return fail(loaded.error()); }
    const auto compiler = session::compiler_for(loaded->c, loaded->origin);
    if (!compiler) { return fail(compiler.error()); }
    const std::string& file = arguments.finding.file;
    const minimize::Original original{std::move(loaded->c), std::move(loaded->verdict), loaded->seed, loaded->index,
                                      file};
    minimize::Task task{folder_of(arguments), arguments.runs, arguments.jobs, {}, note_better};
    task.attach = [flags = (*compiler)->build_flags()](const minimize::Found& found) {
        std::map<std::string, std::string> files;
        const render::View& view = render::view(found.c.compiler);
        if (auto program = view.program(found.c, found.verdict, flags)) {
            files[std::string(view.program_file())] = std::move(program->text);
        }
        return files;
    };
    const auto result = minimize::minimize_finding(original, task, **compiler);
    if (!result) { return fail(result.error()); }
    if (!*result) {
        output.print(file + " shows no finding; nothing to minimise\n");
        return nothing_found;
    }
    output.print(
        summary(original.c, **result, task) +
        (arguments.list_passes ? table(minimize::reducer(original.c.compiler).passes(), (*result)->figures) : ""));
    return findings;
}

}  // namespace

Command add_minimize(CLI::App& app) {
    CLI::App* command =
        app.add_subcommand("minimize", "Make a case as small as possible while it shows the same finding");
    const auto arguments = std::make_shared<Arguments>();
    add_case_arguments(*command, arguments->finding, "finding");
    command->add_option("-o,--out", arguments->out,
                        "The folder to write, in the form of a finding; unless given, minimized/ in the finding's "
                        "folder or beside the case file");
    add_jobs_option(*command, arguments->jobs);
    add_number(*command, "--runs", arguments->runs, "Stop after this many compiler runs", 1);
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
    return {command, [arguments](Output& output) { return minimize_finding(*arguments, output); }};
}

}  // namespace haruspex::cli
