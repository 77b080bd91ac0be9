#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>

#include "generators/case/json.h"
#include "generators/sare/text.h"
#include "harness/sched/text.h"
#include "reports/cli/commands.h"
#include "reports/cli/mutant.h"
#include "reports/cli/options.h"
#include "reports/cli/status_line.h"
#include "reports/cli/stopping.h"
#include "reports/measure/publish.h"
#include "reports/measure/rows.h"
#include "reports/measure/tables.h"
#include "reports/session/compilers.h"
#include "reports/session/refusal.h"
#include "reports/store/store.h"

namespace haruspex::cli {
namespace {

struct Arguments {
    std::string corpus, out;
    std::optional<std::uint64_t> generate, detect, minimize, show;
    std::uint64_t seed = 1, effort = 1, seconds = 120;
    std::vector<std::string> methods, mutants, rows;
    int jobs = 1;
    bool no_prophecies = false, any_build = false;
};

// The miscompiling mutants that are built.
std::vector<std::string> built_mutants() {
    std::vector<std::string> names;
    for (const compiler::Mutant& mutant : compiler::mutants()) {
        if (mutant.is_miscompilation && std::filesystem::exists(mutant.library)) { names.push_back(mutant.name); }
    }
    return names;
}

measure::Options options_of(const Arguments& arguments) {
    measure::Options options;
    if (!arguments.methods.empty()) {
        options.methods.clear();
        for (const measure::Method method : measure::all_methods) {
            if (std::ranges::find(arguments.methods, name(method)) != arguments.methods.end()) {
                options.methods.push_back(method);
            }
        }
    }
    options.budget.effort = arguments.effort;
    options.budget.limits.cpu = std::chrono::seconds(arguments.seconds);
    options.budget.limits.wall = 4 * options.budget.limits.cpu;  // allows for a busy machine
    options.prophecies = !arguments.no_prophecies;
    options.any_build = arguments.any_build;
    options.jobs = arguments.jobs;
    options.out = arguments.out;
    return options;
}

std::string text_of(const measure::Item& item) {
    if (!item.problem) { return "no problem: " + item.problem.error() + "\n"; }
    const measure::Problem& problem = *item.problem;
    const std::string text = fmt::format("# {} {}\n# {}\n", name(problem.making), problem.detail,
                                         problem.is_wrong ? "wrong " + problem.shown : "right");
    if (const auto* written = std::get_if<measure::Written>(&problem.subject)) {
        return text + sare::print(written->sare) + "\n" + sched::print(written->program);
    }
    const auto& lowered = std::get<measure::Lowered>(problem.subject);
    return text + cases::to_json(lowered.c, true) + "\n" +
           sched::print(lowered.prophesied.value_or(lowered.plain.program));
}

std::string to_string(const measure::Progress& progress) {
    return fmt::format("{}: {} of {}, {}", progress.what, progress.done, progress.count,
                       progress.left ? clock(*progress.left) + " left" : clock(progress.elapsed) + " so far");
}

// The summary that the page begins with, as text.
std::string text_of(const measure::Measured& measured, const measure::Results& results) {
    std::string text;
    if (!measured.records.empty()) {
        text += fmt::format("{}\n{} programs, {} wrong answers\n",
                            render::to_markdown(measure::overview(results, measure::times_of(measured.records))),
                            results.put, results.wrong_answers.size());
        const render::Table rows = measure::row_table(measured.records);
        if (!rows.rows.empty()) { text += "\n" + render::to_markdown(rows); }
        const render::Table published = measure::published_table(measured.records);
        if (!published.rows.empty()) { text += "\n" + render::to_markdown(published); }
    }
    if (!measured.detected.empty()) { text += render::to_markdown(measure::discovery_table(measured.detected)); }
    return text;
}

// Measures, publishes and prints.
Result<ExitCode> measure_series(const measure::Series& series, const measure::Workplace& workplace,
                                const Arguments& arguments, Output& output) {
    const measure::Options options = options_of(arguments);
    if (store::is_campaign(options.out)) {
        return fail(options.out.string() + " is the folder of a campaign; expected another");
    }
    StatusLine status;
    std::string shown;  // the subject of the status line
    const auto progress = [&](const measure::Progress& p) {
        if (p.what != shown) {
            status.finish();
            status = StatusLine();
            shown = p.what;
        }
        status.show(to_string(p), p.elapsed);
    };
    const std::atomic<bool>& stop = stop_on_signals();
    auto records = measure::run(series, workplace.identity, options, stop, progress);
    Result<std::vector<measure::Detected>> detected;
    if (records && arguments.detect && !stop) {
        detected = measure::detect_all(arguments.seed, *arguments.detect, workplace, options, stop, progress);
    }
    Result<std::vector<measure::Witness>> witnesses;
    if (records && arguments.minimize && !stop) {
        witnesses = measure::find_witnesses(series, *records, workplace, options, *arguments.minimize, stop, progress);
    }
    status.finish();
    if (!records) { return fail(records.error()); }
    if (!detected) { return fail(detected.error()); }
    if (!witnesses) { return fail(witnesses.error()); }
    const measure::Measured measured{measure::header(series, workplace.identity, options), std::move(*records),
                                     std::move(*detected), std::move(*witnesses)};
    if (auto published = measure::publish(options.out, measured); !published) { return fail(published.error()); }
    const measure::Results results = measure::results_of(measured.records);
    output.print(text_of(measured, results) + (stop ? "interrupted; the same command goes on\n" : "") +
                 (options.out / "measure.html").string() + "\n");
    const bool is_at_fault =
        std::ranges::any_of(measured.detected, [](const auto& d) { return !d.fault.empty(); }) ||
        std::ranges::any_of(measured.witnesses, [](const auto& w) { return w.none.starts_with("fault"); });
    if (!results.faults.empty() || is_at_fault) { return own_fault; }
    return measure::has_findings(measured.records) ? findings : nothing_found;
}

Result<measure::Series> series_of(const Arguments& arguments, const measure::Workplace& workplace,
                                  const compiler::Compiler& compiler) {
    if (arguments.generate) { return measure::generated(arguments.seed, *arguments.generate, workplace); }
    if (!arguments.corpus.empty()) {
        return measure::rows_in(
            arguments.corpus, arguments.rows, workplace.installed, workplace.identity,
            [&](const std::string& target) { return session::refusal_of_target(target, compiler); });
    }
    measure::Series none;
    none.description = "no programs";
    return none;
}

Result<ExitCode> measure_all(const Arguments& arguments, Output& output) {
    const bool is_nothing = arguments.corpus.empty() && !arguments.generate && !arguments.detect;
    if (is_nothing || (!arguments.corpus.empty() && arguments.generate)) {
        return fail("expected a folder of cases, --generate or --detect, and not both of the first");
    }
    if (arguments.corpus.empty() && !arguments.rows.empty()) { return fail("--rows are of a folder of cases"); }
    if (!arguments.generate && arguments.minimize) { return fail("--minimize is for the problems of --generate"); }
    if (arguments.out.empty() && !arguments.show) { return fail("--out is missing"); }
    const auto compiler = session::compiler_named(session::default_compiler());
    if (!compiler) { return fail(compiler.error()); }
    const compiler::Identity identity = (*compiler)->identity();
    if (arguments.generate || arguments.detect) {
        const std::string target(compiler::language_of(identity).default_target());
        if (const auto error = session::refusal_of_target(target, **compiler)) { return fail(*error); }
    }
    compiler::ForkServer server(**compiler, {});
    measure::Workplace workplace;
    workplace.identity = identity;
    workplace.installed = measure::installed(server, identity);
    workplace.mutants = built_mutants();
    for (const std::string& mutant : arguments.mutants) {
        if (std::ranges::find(workplace.mutants, mutant) == workplace.mutants.end()) {
            return fail("no miscompiling mutant of this name is built: " + mutant);
        }
    }
    if (!arguments.mutants.empty()) { workplace.mutants = arguments.mutants; }
    const std::vector<std::string> of_its_own{"/proc/self/exe", "compile-cases"};
    workplace.unchanged = measure::preloaded({}, of_its_own);
    workplace.mutant = [of_its_own](const std::string& name) {
        const auto mutants = compiler::mutants();
        return measure::preloaded(std::ranges::find(mutants, name, &compiler::Mutant::name)->library, of_its_own);
    };
    if (arguments.detect && workplace.mutants.empty()) {
        return fail("no mutants are built to detect: scripts/build release mutants");
    }
    if (arguments.generate && workplace.mutants.empty()) {
        note("no mutants are built (scripts/build release mutants): slips take their place\n");
    }
    const auto series = series_of(arguments, workplace, **compiler);
    if (!series) { return fail(series.error()); }
    if (!arguments.show) { return measure_series(*series, workplace, arguments, output); }
    if (*arguments.show >= series->count) { return fail("there is no such index"); }
    output.print(text_of(series->item(*arguments.show)));
    return nothing_found;
}

// Answers each request as it arrives.
Result<ExitCode> compile_cases(Output& output) {
    const auto compiler = session::compiler_named(session::default_compiler());
    if (!compiler) { return fail(compiler.error()); }
    compiler::ForkServer server(**compiler, {}, compiler::ForkServer::WarmUp::before_the_first_run);
    for (std::string line; std::getline(std::cin, line);) {
        const auto request = measure::parse_request(line);
        if (!request) { return fail(request.error()); }
        const auto& [c, asked] = *request;
        output.print(measure::to_json(measure::compile(c, asked, server, (*compiler)->identity())) + "\n");
    }
    return nothing_found;
}

}  // namespace

Command add_measure(CLI::App& app) {
    CLI::App* command = app.add_subcommand(
        "measure", "Measure what validator, equivalence checker and test runs decide, compared with the truth");
    const auto arguments = std::make_shared<Arguments>();
    command->add_option("corpus", arguments->corpus,
                        "A folder of cases with a list of them, such as corpus/benchmarks");
    command->add_option("--generate", arguments->generate, "Measure N random problems, half of them wrong")
        ->check(whole_number(1))
        ->type_name("N");
    command
        ->add_option("--detect", arguments->detect,
                     "Measure how many of N random cases each method needs to detect each mutant of the compiler")
        ->check(whole_number(1))
        ->type_name("N");
    command
        ->add_option("--minimize", arguments->minimize,
                     "Minimise the cases that only one of the two provers proves, with at most RUNS runs of both")
        ->check(whole_number(1))
        ->type_name("RUNS");
    add_number(*command, "--seed", arguments->seed, "Seed of the random problems and cases");
    command->add_option("--methods", arguments->methods, "The methods to measure; all unless given")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->check(CLI::IsMember({"validator", "equivalence", "interpreter", "native"}));
    command->add_option("--rows", arguments->rows, "Rows of the folder to measure; all unless given")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->type_name("NAMES");
    command->add_option("--mutants", arguments->mutants, "Mutants of the compiler; all that are built unless given")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->type_name("NAMES");
    add_number(*command, "--effort", arguments->effort,
               "Multiply every method's budget by this factor (1: a campaign's budget)", 1, 1'000'000);
    add_number(*command, "--seconds", arguments->seconds, "Limit on CPU time for one answer, as a last resort", 1,
               86'400);
    add_jobs_option(*command, arguments->jobs, "Number of worker processes");
    command->add_flag("--no-prophecies", arguments->no_prophecies, "Leave out the programs with a wrong prophecy");
    command->add_flag("--any-build", arguments->any_build,
                      "Also keep results of another build, which may have answered differently; the page says which "
                      "build measured how many");
    command->add_option("--show", arguments->show, "Print the problem with this index instead of measuring")
        ->check(whole_number())
        ->type_name("INDEX");
    command->add_option("--out", arguments->out, "Folder for the results; a measurement in it is resumed");
    command->footer(
        "Writes measure.json, measure.csv, overview.md, measure.html and its plots; detected.csv with --detect;\n"
        "witnesses/, the cases that only one prover proves; and cases.jsonl, from which the same command resumes after "
        "it\n"
        "was killed.\n"
        "Exit code 1 when an answer is wrong or differs from the row's expectation.\n"
        "\n"
        "Examples:\n"
        "  haruspex measure corpus/benchmarks --out measured\n"
        "  haruspex measure --generate 1000 --seed 7 --jobs 2 --out measured\n"
        "  haruspex measure --detect 100 --seed 7 --out detected\n"
        "  haruspex measure --generate 1000 --seed 7 --show 41");
    return {command, [arguments](Output& output) { return measure_all(*arguments, output); }};
}

Command add_compile_cases(CLI::App& app) {
    CLI::App* command = app.add_subcommand("compile-cases", "");
    command->group("");
    return {command, [](Output& output) { return compile_cases(output); }};
}

}  // namespace haruspex::cli
