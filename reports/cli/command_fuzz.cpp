#include <cstdio>
#include <filesystem>
#include <memory>
#include <random>

#include "harness/halide/halide_compiler.h"
#include "reports/campaign/settings.h"
#include "reports/cli/command.h"
#include "reports/cli/mutant.h"
#include "reports/cli/quantity.h"
#include "reports/cli/status_line.h"
#include "reports/cli/stopping.h"
#include "reports/cli/triaging.h"

namespace haruspex::cli {
namespace {

// Larger values are most likely typing errors.
constexpr std::uint64_t most_jobs = 1024, most_other_sizes = 1000;

struct Arguments {
    std::optional<std::uint64_t> seed, first, cases, stop_when_quiet, other_sizes;
    std::optional<std::string> time, disk_quota;
    std::string out, known, cases_from;
    std::uint64_t triage_runs = 1000;
    int jobs = 1;
    bool list = false;
    bool prophecies = false, validate = false;
    bool no_native = false;
};

// Rejects values that `parse` rejects.
template <typename Parse>
CLI::Validator readable_by(Parse parse) {
    const auto check = [parse](std::string& text) {
        const auto read = parse(text);
        return read ? std::string() : to_string(read.error());
    };
    return CLI::Validator(check, "");
}

struct Request {
    campaign::Options options;
    bool goes_on = false;  // resumes the campaign in the folder
};

// Takes omitted options from the campaign in the folder, if there is one.
Result<Request> request(const Arguments& arguments) {
    // 32-bit seeds are easier to type again. Cases from a file have no seed.
    const std::uint64_t seed = arguments.seed                 ? *arguments.seed
                               : arguments.cases_from.empty() ? std::random_device{}()
                                                              : 0;
    const std::string name = arguments.cases_from.empty()
                                 ? std::to_string(seed)
                                 : std::filesystem::path(arguments.cases_from).stem().stem().string();
    const std::string out = arguments.out.empty() ? "haruspex-" + name : arguments.out;
    const auto stored = campaign::stored_options(out);
    if (!stored) { return fail(stored.error()); }
    campaign::Options options = stored->value_or(campaign::Options{});
    options.out = out;
    if (!*stored || arguments.seed) { options.seed = seed; }
    if (!arguments.cases_from.empty()) { options.cases_from = arguments.cases_from; }
    if (arguments.first) { options.first = *arguments.first; }
    if (arguments.cases) { options.cases = arguments.cases; }
    if (arguments.stop_when_quiet) { options.stop_when_quiet = arguments.stop_when_quiet; }
    if (arguments.disk_quota) { options.disk_quota = parse_size(*arguments.disk_quota).value(); }
    if (arguments.time) { options.time = parse_duration(*arguments.time).value(); }
    options.jobs = arguments.jobs;
    options.list_cases |= arguments.list;
    options.prophecies |= arguments.prophecies;
    options.validate |= arguments.validate || arguments.other_sizes;
    if (arguments.other_sizes) { options.other_sizes = *arguments.other_sizes; }
    options.native &= !arguments.no_native;
    return Request{std::move(options), stored->has_value()};
}

// Prints the distinct bugs and writes an issue for each below the campaign's folder. The issues are made from the
// campaign's stored findings, and replaced whenever it has gone on.
Result<Triaged> show_distinct_bugs(const Arguments& arguments, const campaign::Options& options,
                                   const std::vector<bugs::Known>& known) {
    bugs::Options budget;
    budget.most_runs = arguments.triage_runs;
    budget.jobs = options.jobs;
    return triage({options.out.string(), budget, (options.out / "issues").string(), true, "\ndistinct bugs\n"}, known);
}

int fuzz(const Arguments& arguments) {
    if (const auto error = refusal_of_target(cases::default_target)) { return refuse(*error); }
    const auto known = known_in(arguments.known);
    if (!known) { return refuse(known.error()); }
    const auto requested = request(arguments);
    if (!requested) { return refuse(requested.error()); }
    const auto& [options, goes_on] = *requested;
    const std::string cases =
        options.cases_from ? options.cases_from->string() : "seed " + std::to_string(options.seed);
    std::fprintf(stderr, "%s, %s in %s\n", cases.c_str(), goes_on ? "going on" : "results", options.out.c_str());
    const std::atomic<bool>& stop_requested = stop_on_signals();
    StatusLine status;
    const auto compiler = halide::make_halide();
    const auto summary = campaign::run(options, *compiler, stop_requested,
                                       [&](const campaign::Progress& progress) { status.show(progress); });
    status.finish();
    if (!summary) { return refuse(summary.error()); }
    print(campaign::to_table(*summary));
    std::uint64_t own_faults = 0;
    for (const auto& [cls, cases] : summary->by_class) {
        if (verdict::is_own_fault(verdict::parse_class(cls).value())) { own_faults += cases; }
    }
    if (summary->findings + own_faults == 0) { return nothing_found; }
    Triaged triaged;
    if (arguments.triage_runs > 0 && !stop_requested) {
        // An interrupted triage keeps its journals, and `haruspex triage` resumes it.
        end_on_signals();
        // Another process may be triaging the same folder; then this one only says so.
        auto shown = show_distinct_bugs(arguments, options, *known);
        if (shown) {
            triaged = *shown;
        } else {
            std::fprintf(stderr, "the distinct bugs are not listed: %s\n", to_string(shown.error()).c_str());
        }
    }
    return own_faults > triaged.explained_faults || triaged.failures > 0 ? own_fault : findings;
}

}  // namespace

void add_fuzz(CLI::App& app, int& exit_code) {
    CLI::App* command = app.add_subcommand("fuzz", "Run a campaign: draw, compile, run and judge random cases");
    const auto arguments = std::make_shared<Arguments>();
    command->add_option("--cases", arguments->cases, "How many cases; without it and without --time, until Ctrl-C")
        ->check(whole_number());
    command->add_option("--time", arguments->time, "For how long, such as 90s, 10m or 8h")
        ->check(readable_by(parse_duration))
        ->type_name("DURATION");
    command
        ->add_option("--stop-when-quiet", arguments->stop_when_quiet,
                     "End when so many cases in a row brought no new group of findings")
        ->check(whole_number(1))
        ->type_name("CASES");
    command
        ->add_option("--disk-quota", arguments->disk_quota,
                     "How much room the folders of findings may take, such as 500M or 2G; those beyond it are counted, "
                     "not filed")
        ->check(readable_by(parse_size))
        ->type_name("SIZE");
    command->add_option("--seed", arguments->seed, "Seed of the campaign; drawn and printed when absent")
        ->check(whole_number());
    command->add_option("--first", arguments->first, "Index of the first case; 0 when absent")
        ->check(whole_number(0, store::largest_index));
    command
        ->add_option("--cases-from", arguments->cases_from,
                     "Run the cases of this file in order instead of drawing any: one case as JSON on each line, as "
                     "haruspex generate writes them, packed by gzip or not. --first skips lines")
        ->type_name("FILE")
        ->excludes("--seed");
    command->add_option("--jobs", arguments->jobs, "How many worker processes")
        ->check(whole_number(1, most_jobs))
        ->capture_default_str();
    command->add_option("--out", arguments->out,
                        "Folder for summary and findings; haruspex-SEED when absent. A campaign that is in it already "
                        "goes on, with its own options where none are given");
    command
        ->add_option("--triage-runs", arguments->triage_runs,
                     "Runs of the compiler to spend at the end on making findings small and telling distinct bugs "
                     "apart, with an issue for each in the folder's issues; 0: none (see haruspex triage)")
        ->check(whole_number())
        ->capture_default_str();
    command->add_option("--known", arguments->known,
                        "A folder of known bugs, such as corpus/known: they are counted and not listed again");
    command->add_flag("--list", arguments->list, "Also list every case with its verdict, in cases.jsonl");
    command->add_flag("--prophecies", arguments->prophecies,
                      "Also lower every case with prophecies in it, and count in summary.json how many could be "
                      "transplanted onto the plain program");
    command->add_flag(
        "--validate", arguments->validate,
        "Also put every lowered program to the validator, at the case's own sizes and then for all sizes, for all "
        "inputs, and count in summary.json what it decides");
    command
        ->add_option("--other-sizes", arguments->other_sizes,
                     "Also run what is validated for all sizes at so many others. A lowered program that is wrong "
                     "there is a fault of the validator, code that is wrong alone a finding at those sizes. Implies "
                     "--validate")
        ->check(whole_number(1, most_other_sizes))
        ->type_name("N");
    command->add_flag("--no-native", arguments->no_native,
                      "Lower every case, but generate and run no code: judge the lowered program alone. Some times as "
                      "fast; blind to code generation, and what it finds is not confirmed (use haruspex reproduce)");
    add_mutant_option(*command);
    command->footer(
        "Ctrl-C finishes the cases under way and writes the summary; a second one ends at once. The same command goes\n"
        "on where a campaign ended or was killed. Several may run at once with the same --out, and share the work.\n"
        "Seed, first case, oracles, mutant and versions stay those with which a campaign was begun.\n"
        "Exit code 1 when there are findings, 3 when haruspex itself failed on a case and no known bug explains "
        "that.\n\n"
        "Examples:\n"
        "  haruspex fuzz --cases 500 --seed 7\n"
        "  haruspex fuzz --time 8h --jobs 4 --out night\n"
        "  haruspex fuzz --out night\n"
        "  haruspex fuzz --seed 7 --first 123 --cases 1 --list");
    command->callback([arguments, &exit_code] { exit_code = fuzz(*arguments); });
}

}  // namespace haruspex::cli
