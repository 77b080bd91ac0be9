#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <memory>

#include "generators/case/json.h"
#include "generators/sare/text.h"
#include "harness/halide/halide_compiler.h"
#include "harness/mutants/lowering/catalogue.h"
#include "harness/sched/text.h"
#include "reports/cli/command.h"
#include "reports/cli/mutant.h"
#include "reports/cli/status_line.h"
#include "reports/cli/stopping.h"
#include "reports/measure/publish.h"
#include "reports/measure/rows.h"
#include "reports/measure/tables.h"

namespace haruspex::cli {
namespace {

struct Arguments {
    std::string corpus, out;
    std::optional<std::uint64_t> generate, show;
    std::uint64_t seed = 1, effort = 1, seconds = 120;
    std::vector<std::string> methods;
    int jobs = 1;
    bool no_prophecies = false;
};

// Those that are built, of those that miscompile.
std::vector<std::string> built_mutants() {
    std::vector<std::string> names;
    for (const auto& mutant : mutants::lowering::mutants()) {
        const bool is_built = std::filesystem::exists(mutants::lowering::library(mutant.name));
        if (mutant.kind == mutants::lowering::Kind::miscompilation && is_built) { names.push_back(mutant.name); }
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
    options.budget.limits.wall = 4 * options.budget.limits.cpu;  // on a machine that is busy otherwise
    options.prophecies = !arguments.no_prophecies;
    options.jobs = arguments.jobs;
    options.out = arguments.out;
    return options;
}

std::string text_of(const measure::Item& item) {
    if (!item.problem) { return "no problem: " + item.problem.error() + "\n"; }
    const measure::Problem& problem = *item.problem;
    std::string text = "# " + std::string(name(problem.making)) + " " + problem.detail + "\n# " +
                       (problem.is_wrong ? "wrong " + problem.shown : "right") + "\n";
    if (const auto* written = std::get_if<measure::Written>(&problem.subject)) {
        return text + sare::print(written->sare) + "\n" + sched::print(written->program);
    }
    const auto& lowered = std::get<measure::Lowered>(problem.subject);
    return text + cases::to_json(lowered.c, true) + "\n" +
           sched::print(lowered.foretold.value_or(lowered.plain.program));
}

std::string to_string(const measure::Progress& progress) {
    return std::to_string(progress.done) + " of " + std::to_string(progress.count) + ", " +
           (progress.left ? clock(*progress.left) + " left" : clock(progress.elapsed) + " so far");
}

// Measures, publishes, and prints what is on top of the page.
int measure_series(const measure::Series& series, const compiler::Identity& identity, const Arguments& arguments) {
    const measure::Options options = options_of(arguments);
    StatusLine status;
    const auto records =
        measure::run(series, identity, options, stop_on_signals(),
                     [&](const measure::Progress& progress) { status.show(to_string(progress), progress.elapsed); });
    status.finish();
    if (!records) { return refuse(records.error()); }
    const auto published = measure::publish(options.out, measure::header(series, identity, options), *records);
    if (!published) { return refuse(published.error()); }
    const measure::Results results = measure::results_of(*records);
    print(measure::to_markdown(measure::overview(results, measure::times_of(*records))) + "\n" +
          std::to_string(results.put) + " programs, " + std::to_string(results.wrong_answers.size()) +
          " wrong answers; " + (options.out / "measure.html").string() + "\n");
    if (!results.faults.empty()) { return own_fault; }
    return measure::has_findings(*records) ? findings : nothing_found;
}

int measure_all(const Arguments& arguments) {
    if (arguments.corpus.empty() != arguments.generate.has_value()) {
        return refuse({"expected a folder of cases or --generate, and not both", {}, {}});
    }
    if (arguments.out.empty() && !arguments.show) { return refuse({"--out is missing", {}, {}}); }
    const auto compiler = halide::make_halide();
    const compiler::Identity identity = compiler->identity();
    compiler::ForkServer server(*compiler, {});
    measure::Workplace workplace;
    workplace.identity = identity;
    workplace.installed = measure::installed(server, identity);
    workplace.mutants = built_mutants();
    workplace.mutant = [](const std::string& name) {
        return measure::preloaded(mutants::lowering::library(name), {"/proc/self/exe", "compile-cases"});
    };
    if (arguments.generate && workplace.mutants.empty()) {
        std::fprintf(stderr, "no mutants are built (scripts/build release mutants): slips take their place\n");
    }
    const auto series =
        arguments.generate ? Result<measure::Series>(measure::generated(arguments.seed, *arguments.generate, workplace))
                           : measure::rows_in(arguments.corpus, workplace.installed, identity);
    if (!series) { return refuse(series.error()); }
    if (!arguments.show) { return measure_series(*series, identity, arguments); }
    if (*arguments.show >= series->count) { return refuse({"there is no such index", {}, {}}); }
    print(text_of(series->item(*arguments.show)));
    return nothing_found;
}

// Answers each request as it comes.
int compile_cases() {
    const auto compiler = halide::make_halide();
    compiler::ForkServer server(*compiler, {});
    for (std::string line; std::getline(std::cin, line);) {
        const auto request = measure::parse_request(line);
        if (!request) { return refuse(request.error()); }
        const auto& [c, asked] = *request;
        print(measure::to_json(measure::compile(c, asked, server, compiler->identity())) + "\n");
    }
    return nothing_found;
}

}  // namespace

void add_measure(CLI::App& app, int& exit_code) {
    CLI::App* command = app.add_subcommand(
        "measure", "What the validator, the equivalence checker and programs that are run decide, against the truth");
    const auto arguments = std::make_shared<Arguments>();
    command->add_option("corpus", arguments->corpus,
                        "A folder of cases with a list of them, such as corpus/benchmarks");
    command->add_option("--generate", arguments->generate, "So many random problems, half of them wrong")
        ->check(whole_number(1))
        ->type_name("N");
    command->add_option("--seed", arguments->seed, "Of the random problems")
        ->check(whole_number())
        ->capture_default_str();
    command->add_option("--methods", arguments->methods, "Who is asked; all of them unless given")
        ->delimiter(',')
        ->check(CLI::IsMember({"validator", "equivalence", "interpreter", "native"}));
    command->add_option("--effort", arguments->effort, "So many times the budgets of a campaign, for every method")
        ->check(whole_number(1))
        ->capture_default_str();
    command->add_option("--seconds", arguments->seconds, "Of processor time for an answer, the last resort")
        ->check(whole_number(1, 86'400))
        ->capture_default_str();
    command->add_option("--jobs", arguments->jobs, "How many worker processes")
        ->check(whole_number(1, 1024))
        ->capture_default_str();
    command->add_flag("--no-prophecies", arguments->no_prophecies, "Leave out the programs with a wrong prophecy");
    command->add_option("--show", arguments->show, "Print the problem with this index, and measure nothing")
        ->check(whole_number())
        ->type_name("INDEX");
    command->add_option("--out", arguments->out, "Folder for the results; a measurement that is in it goes on");
    command->footer(
        "Writes measure.json, measure.csv, measure.html and its plots. Killed, the same command goes on where it was.\n"
        "Exit code 1 when an answer is wrong, or not what is expected of a row.\n\n"
        "Examples:\n"
        "  haruspex measure corpus/benchmarks --out measured\n"
        "  haruspex measure --generate 1000 --seed 7 --jobs 2 --out measured\n"
        "  haruspex measure --generate 1000 --seed 7 --show 41");
    command->callback([arguments, &exit_code] { exit_code = measure_all(*arguments); });
}

void add_compile_cases(CLI::App& app, int& exit_code) {
    CLI::App* command = app.add_subcommand("compile-cases", "");
    command->group("");
    command->callback([&exit_code] { exit_code = compile_cases(); });
}

}  // namespace haruspex::cli
