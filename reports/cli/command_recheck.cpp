#include <fmt/core.h>

#include <algorithm>
#include <memory>

#include "reports/bugs/known.h"
#include "reports/bugs/recheck_all.h"
#include "reports/bugs/recheck_json.h"
#include "reports/cli/check_files.h"
#include "reports/cli/commands.h"
#include "reports/cli/mutant.h"
#include "reports/session/compilers.h"
#include "reports/store/files.h"

namespace haruspex::cli {
namespace {

using bugs::Rechecked;
using bugs::State;

struct Arguments {
    std::string folder, json, known;
    CheckFiles files;
};

std::string words_of(const Rechecked& report, bool changed) {
    std::string text = fmt::format("{:<13} {} {}\n", bugs::name(report.state), changed ? "!" : " ", report.name);
    if (report.state == State::fails) { return text; }
    if (!report.stored.empty()) { text += fmt::format("{:18}was {}\n", "", report.stored); }
    if (!report.now.empty()) { text += fmt::format("{:18}is  {}\n", "", report.now); }
    return text;
}

// "12 fails, 1 fixed"
std::string counts(const bugs::Recheck& recheck) {
    std::string text;
    for (int i = 0; i < bugs::state_count; ++i) {
        const auto state = static_cast<State>(i);
        const auto count = std::ranges::count(recheck.reports, state, &Rechecked::state);
        if (count > 0) { text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, bugs::name(state)); }
    }
    return text;
}

Result<ExitCode> recheck(const Arguments& arguments, Output& output) {
    const auto folders = bugs::report_folders(arguments.folder);
    if (!folders) { return fail(folders.error()); }
    const auto known = bugs::known_in(arguments.known);
    if (!known) { return fail(known.error()); }
    const auto reports = bugs::load_reports(*folders);
    if (!reports) { return fail(reports.error()); }
    const bool prints_json = arguments.json == "-";
    const bool writes_json = !arguments.json.empty() && !prints_json;
    if (writes_json) {
        if (auto writable = store::can_be_written(arguments.json); !writable) { return fail(writable.error()); }
    }
    if (auto writable = can_be_written(arguments.files); !writable) { return fail(writable.error()); }
    const auto first =
        std::ranges::find_if(*reports, [](const bugs::Report& report) { return report.finding.has_value(); });
    const auto compiler =
        session::compiler_named(first == reports->end() ? session::default_compiler() : first->finding->c.compiler);
    if (!compiler) { return fail(compiler.error()); }
    const auto identity = (*compiler)->identity();
    std::size_t changed = 0;
    const bugs::Recheck result = bugs::recheck_all(*reports, **compiler, [&](const Rechecked& report) {
        const bool is_changed = bugs::is_changed(report, identity);
        if (is_changed) { ++changed; }
        if (!prints_json) { output.print(words_of(report, is_changed)); }
    });
    std::string text;
    const auto has = [&](State state) { return std::ranges::count(result.reports, state, &Rechecked::state) > 0; };
    if (has(State::program_only)) {
        text += "program_only: no case describes these; scripts/test-reports compiles and runs their repro.cpp\n";
    }
    for (const std::string& line : bugs::announcements(*known, arguments.known, result, arguments.folder)) {
        text += line + "\n";
    }
    text +=
        fmt::format("{} {}, {} reports: {}\n", result.compiler, result.version, result.reports.size(), counts(result));
    if (changed > 0) { text += fmt::format("{} not as their place says (!)\n", changed); }
    output.print(prints_json ? bugs::to_json(result) : text);
    if (writes_json) {
        if (auto written = store::write_atomically(arguments.json, bugs::to_json(result)); !written) {
            return fail(written.error());
        }
    }
    const auto written = write(arguments.files, bugs::checks_of(result, identity, arguments.folder));
    if (!written) { return fail(written.error()); }
    return has(State::fault) ? own_fault : changed > 0 ? findings : nothing_found;
}

}  // namespace

Command add_recheck(CLI::App& app) {
    CLI::App* command =
        app.add_subcommand("recheck", "Judge every report of a folder again and say which bugs still show");
    const auto arguments = std::make_shared<Arguments>();
    command->add_option("folder", arguments->folder, "A folder of reports, such as corpus/regress")->required();
    command->add_option("--json", arguments->json,
                        "Also write the outcome to this file as JSON, for haruspex compare; - prints the JSON instead");
    command->add_option(
        "--known", arguments->known,
        "A folder of known bugs, such as corpus/known: bugs whose status no longer holds are announced");
    add_check_files(*command, arguments->files);
    add_mutant_option(*command);
    command->footer(
        "States of a report:\n"
        "  fails         the bug shows as stored\n"
        "  differs       another symptom shows\n"
        "  fixed         nothing shows\n"
        "  not_yet       nothing shows, and the compiler is older than the one that has the bug\n"
        "  refused       the case uses a feature that the compiler lacks, or its target does not run here\n"
        "  program_only  there is only a stand-alone program, which is not run\n"
        "  fault         haruspex itself fails on the report\n"
        "  not_decided   nothing shows, where the lowered program is not interpreted or nothing is proved\n"
        "A bug is expected to show, unless its report is in a folder named fixed.\n"
        "Exit code 1 when a report's state is not the expected one, 3 when a report is a fault.\n"
        "\n"
        "Examples:\n"
        "  haruspex recheck corpus/regress --known corpus/known\n"
        "  haruspex recheck corpus/regress --json debian12.json");
    return {command, [arguments](Output& output) { return recheck(*arguments, output); }};
}

}  // namespace haruspex::cli
