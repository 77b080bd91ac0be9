#include <memory>

#include "reports/cli/command.h"
#include "reports/cli/mutant.h"
#include "reports/store/store.h"

namespace haruspex::cli {
namespace {

std::string outcome(const verdict::Verdict& stored, const verdict::Verdict& now) {
    if (now == stored) { return "the finding still shows, exactly as stored"; }
    if (now.cls == stored.cls) { return "the finding still shows, with other particulars"; }
    if (verdict::is_finding(now.cls)) { return "another finding shows"; }
    if (now.cls == verdict::Class::harness_failure) { return "haruspex itself failed"; }
    return "the finding does not show any more";
}

int reproduce(const std::string& folder) {
    const auto finding = store::load_finding(folder);
    if (!finding) { return refuse(finding.error()); }
    pipeline::Options options;
    options.validate = !finding->verdict.validator.empty();
    const auto now = judge(finding->c, folder, options);
    if (!now) { return refuse(now.error()); }
    std::string text = outcome(finding->verdict, *now) + "\n\n" + describe(*now);
    if (*now != finding->verdict) {
        text += "\nstored, of " + finding->compiler.name + " " + finding->compiler.version + ":\n" +
                describe(finding->verdict);
    }
    print(text);
    return exit_code_of(now->cls);
}

}  // namespace

void add_reproduce(CLI::App& app, int& exit_code) {
    CLI::App* command = app.add_subcommand("reproduce", "Run a stored finding's case again and compare the verdicts");
    const auto folder = std::make_shared<std::string>();
    command->add_option("finding", *folder, "A finding's folder")->required();
    add_mutant_option(*command);
    command->footer(
        "Exit code 1 while the finding shows, 0 when it does not any more.\n\n"
        "Example:\n"
        "  haruspex reproduce night/findings/GROUP/CASE");
    command->callback([folder, &exit_code] { exit_code = reproduce(*folder); });
}

}  // namespace haruspex::cli
