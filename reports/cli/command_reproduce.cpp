#include <fmt/core.h>

#include <memory>

#include "oracle/judge/validated.h"
#include "oracle/pipeline/prophecies.h"
#include "oracle/pipeline/validation.h"
#include "reports/cli/commands.h"
#include "reports/cli/describe.h"
#include "reports/cli/mutant.h"
#include "reports/session/compilers.h"
#include "reports/session/judging.h"
#include "reports/store/record.h"
#include "reports/store/store.h"

namespace haruspex::cli {
namespace {

struct Arguments {
    std::string folder;
    bool all_sizes = false;
};

std::string outcome(const verdict::Verdict& stored, const verdict::Verdict& now) {
    // fuzz --against files what is refused, or no longer proved, too.
    if (!store::is_kept(stored.cls) && !store::is_kept(now.cls)) {
        return now == stored ? "the verdict is the stored one" : "the verdict is another than the stored one";
    }
    if (now == stored) { return "the finding still shows, exactly as stored"; }
    if (now.cls == stored.cls) { return "the finding still shows, with other particulars"; }
    if (verdict::is_finding(now.cls)) { return "another finding shows"; }
    if (now.cls == verdict::Class::harness_failure) { return "haruspex itself failed"; }
    return "the finding does not show any more";
}

// Reports the verdict for all sizes that the case allows, with the budgets of `haruspex validate`, and after a
// counterexample the result of running at its sizes.
std::string for_all_sizes(const cases::Case& c, const std::string& name) {
    const auto compiler = session::compiler_named(c.compiler);
    if (!compiler) { return "\n" + to_string(compiler.error()) + "\n"; }
    const auto identity = (*compiler)->identity();
    compiler::ForkServer server(**compiler, {});
    const auto prophesied = pipeline::lower_with_prophecies(c, server);
    validator::Options options;
    options.may_assume_sums_fit = pipeline::all_sizes_options().may_assume_sums_fit;
    const validator::Verdict verdict = prophesied
                                           ? pipeline::validate_for_all_sizes(c, prophesied->program, identity, options)
                                           : pipeline::unsupported(prophesied.error());
    std::string text = "\nfor all sizes\n" + to_string(verdict) + "\n";
    if (verdict.outcome != validator::Outcome::refuted) { return text; }
    cases::Case elsewhere = c;
    std::string sizes;
    for (auto& [size, value] : elsewhere.sizes) {
        value = verdict.counterexample->sizes.at(size);
        sizes += fmt::format(" {}={}", size, value);
    }
    const auto there = session::judge(elsewhere, name);
    return text + "\nat" + sizes + ", with this case's inputs\n" +
           (there ? describe(*there) : to_string(there.error()) + "\n");
}

Result<ExitCode> reproduce(const Arguments& arguments, Output& output) {
    session::become_owner_of_finding(arguments.folder);
    const auto finding = store::load_finding(arguments.folder);
    if (!finding) { return fail(finding.error()); }
    const auto now = session::judge(finding->c, arguments.folder, session::judging_to_compare(finding->verdict));
    if (!now) { return fail(now.error()); }
    std::string text = outcome(finding->verdict, *now) + "\n\n" + describe(*now);
    if (*now != finding->verdict) {
        text += fmt::format("\nstored, of {} {}:\n{}", finding->compiler.name, finding->compiler.version,
                            describe(finding->verdict));
    }
    if (arguments.all_sizes) { text += for_all_sizes(finding->c, arguments.folder); }
    output.print(text);
    return exit_code_of(now->cls);
}

}  // namespace

Command add_reproduce(CLI::App& app) {
    CLI::App* command = app.add_subcommand("reproduce", "Run a stored finding's case again and compare the verdicts");
    const auto arguments = std::make_shared<Arguments>();
    command->add_option("finding", arguments->folder, "A finding's folder")->required();
    command->add_flag("--all-sizes", arguments->all_sizes,
                      "Also validate the lowered program for all sizes that the case allows, and run the case at the "
                      "sizes of a counterexample");
    add_mutant_option(*command);
    command->footer(
        "Exit code 1 while the finding, or another one, shows; 0 when no finding shows.\n"
        "\n"
        "Examples:\n"
        "  haruspex reproduce night/findings/GROUP/CASE\n"
        "  haruspex reproduce night/findings/GROUP/CASE --all-sizes");
    return {command, [arguments](Output& output) { return reproduce(*arguments, output); }};
}

}  // namespace haruspex::cli
