#include <algorithm>
#include <cstdio>
#include <functional>
#include <memory>
#include <optional>

#include "oracle/pipeline/judge_case.h"
#include "reports/bugs/recheck_json.h"
#include "reports/cli/command.h"
#include "reports/cli/compilers.h"
#include "reports/cli/mutant.h"
#include "reports/cli/triaging.h"
#include "reports/store/files.h"
#include "reports/store/store.h"

namespace haruspex::cli {
namespace {

using bugs::Rechecked;
using bugs::State;

struct Arguments {
    std::string folder, json, known;
};

std::string words_of(const Rechecked& report, bool changed) {
    char head[64];
    std::snprintf(head, sizeof head, "%-13s %s ", std::string(bugs::name(report.state)).c_str(), changed ? "!" : " ");
    std::string text = head + report.name + "\n";
    const auto line = [&](const std::string& what, const std::string& words) {
        if (!words.empty()) { text += "                  " + what + " " + words + "\n"; }
    };
    if (report.state == State::fails) { return text; }
    line("was", report.stored);
    line("is ", report.now);
    return text;
}

// "12 fails, 1 fixed"
std::string counts(const bugs::Recheck& recheck) {
    std::string text;
    for (int i = 0; i < bugs::state_count; ++i) {
        const auto state = static_cast<State>(i);
        const auto count = std::ranges::count(recheck.reports, state, &Rechecked::state);
        if (count == 0) { continue; }
        text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + std::string(bugs::name(state));
    }
    return text;
}

// A report, and its finding if it has a case.
struct Loaded {
    bugs::ReportFolder folder;
    std::optional<store::Finding> finding;
};

// Loads all reports before any is judged, since judging takes minutes.
Result<std::vector<Loaded>> load(const std::vector<bugs::ReportFolder>& folders) {
    std::vector<Loaded> reports;
    for (const bugs::ReportFolder& folder : folders) {
        Loaded report{folder, std::nullopt};
        if (folder.has_case) {
            become_owner_of_finding(folder.path);
            auto finding = store::load_finding(folder.path);
            if (!finding) { return fail(finding.error()); }
            report.finding = std::move(*finding);
        }
        reports.push_back(std::move(report));
    }
    return reports;
}

bugs::Recheck recheck_all(const std::vector<Loaded>& reports, compiler::Compiler& compiler,
                          const std::function<void(const Rechecked&)>& judged) {
    const auto identity = compiler.identity();
    compiler::ForkServer server(compiler, {});
    const bugs::Judge judge = [&](const store::Finding& finding) -> Result<verdict::Verdict> {
        if (finding.c.compiler != identity.name) { return fail("the case is for the compiler " + finding.c.compiler); }
        if (auto error = refusal(finding.c, "the case", compiler)) { return fail(std::move(*error)); }
        return pipeline::judge_case(finding.c, server, identity, judging_again(finding.verdict)).verdict;
    };
    bugs::Recheck result{identity.name, identity.version, compiler.package(), {}};
    for (const auto& [folder, finding] : reports) {
        result.reports.push_back(finding ? bugs::recheck(folder, *finding, judge, identity)
                                         : bugs::not_rechecked(folder));
        judged(result.reports.back());
    }
    return result;
}

int recheck(const Arguments& arguments) {
    const auto folders = bugs::report_folders(arguments.folder);
    if (!folders) { return refuse(folders.error()); }
    const auto known = known_in(arguments.known);
    if (!known) { return refuse(known.error()); }
    const auto reports = load(*folders);
    if (!reports) { return refuse(reports.error()); }
    const bool prints_json = arguments.json == "-";
    const bool writes_json = !arguments.json.empty() && !prints_json;
    if (writes_json) {
        if (auto writable = store::can_be_written(arguments.json); !writable) { return refuse(writable.error()); }
    }
    const auto first = std::ranges::find_if(*reports, [](const Loaded& report) { return report.finding.has_value(); });
    const auto compiler = compiler_named(first == reports->end() ? default_compiler() : first->finding->c.compiler);
    if (!compiler) { return refuse(compiler.error()); }
    const auto identity = (*compiler)->identity();
    std::size_t changed = 0;
    const bugs::Recheck result = recheck_all(*reports, **compiler, [&](const Rechecked& report) {
        const bool is_changed = bugs::is_changed(report, identity);
        if (is_changed) { ++changed; }
        if (!prints_json) { print(words_of(report, is_changed)); }
    });
    std::string text;
    const auto has = [&](State state) { return std::ranges::count(result.reports, state, &Rechecked::state) > 0; };
    if (has(State::program_only)) {
        text += "program_only: no case describes these; scripts/test-reports compiles and runs their repro.cpp\n";
    }
    for (const std::string& line : bugs::announcements(*known, arguments.known, result, arguments.folder)) {
        text += line + "\n";
    }
    text += result.compiler + " " + result.version + ", " + std::to_string(result.reports.size()) +
            " reports: " + counts(result) + "\n";
    if (changed > 0) { text += std::to_string(changed) + " not as their place says (!)\n"; }
    print(prints_json ? bugs::to_json(result) : text);
    if (writes_json) {
        if (auto written = store::write_atomically(arguments.json, bugs::to_json(result)); !written) {
            return refuse(written.error());
        }
    }
    return has(State::fault) ? own_fault : changed > 0 ? findings : nothing_found;
}

}  // namespace

void add_recheck(CLI::App& app, int& exit_code) {
    CLI::App* command =
        app.add_subcommand("recheck", "Judge every report of a folder again and say which bugs still show");
    const auto arguments = std::make_shared<Arguments>();
    command->add_option("folder", arguments->folder, "A folder of reports, such as corpus/regress")->required();
    command->add_option("--json", arguments->json,
                        "Also write the outcome to this file as JSON, for haruspex compare; - prints the JSON instead");
    command->add_option(
        "--known", arguments->known,
        "A folder of known bugs, such as corpus/known: bugs whose status no longer holds are announced");
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
        "A bug is expected to show, unless its report is in a folder named fixed.\n"
        "Exit code 1 when a report's state is not the expected one, 3 when a report is a fault.\n"
        "\n"
        "Examples:\n"
        "  haruspex recheck corpus/regress --known corpus/known\n"
        "  haruspex recheck corpus/regress --json debian12.json");
    command->callback([arguments, &exit_code] { exit_code = recheck(*arguments); });
}

}  // namespace haruspex::cli
