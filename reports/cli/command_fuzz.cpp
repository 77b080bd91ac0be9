#include <fmt/core.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <random>
#include <utility>

#include "reports/bugs/beside.h"
#include "reports/bugs/triaging.h"
#include "reports/campaign/settings.h"
#include "reports/cli/against.h"
#include "reports/cli/campaign_progress.h"
#include "reports/cli/check_files.h"
#include "reports/cli/commands.h"
#include "reports/cli/events.h"
#include "reports/cli/mutant.h"
#include "reports/cli/options.h"
#include "reports/cli/quantity.h"
#include "reports/cli/solver_options.h"
#include "reports/cli/status_line.h"
#include "reports/cli/stopping.h"
#include "reports/session/compilers.h"
#include "reports/session/refusal.h"
#include "reports/store/record.h"

namespace haruspex::cli {
namespace {

constexpr std::uint64_t most_other_sizes = 1000;  // more are most likely a typing error

struct Arguments {
    std::optional<std::uint64_t> seed, first, cases, stop_when_quiet, other_sizes;
    std::optional<std::string> time, disk_quota, programs, shard, progress;
    std::string out, known, cases_from, compiler, against, events;
    std::uint64_t triage_runs = 1000;
    int jobs = 1;
    CheckFiles files;
    bool list = false;
    bool prophecies = false, validate = false;
    bool no_native = false;
    SolverArguments solvers;
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

std::uint64_t seed_of(const Arguments& arguments) {
    if (arguments.seed) { return *arguments.seed; }
    // 32-bit seeds are easier to type again. Cases from a file have no seed.
    return arguments.cases_from.empty() ? std::random_device{}() : 0;
}

void set_cases(campaign::Options& options, const Arguments& arguments) {
    if (!arguments.cases_from.empty()) { options.cases_from = arguments.cases_from; }
    if (arguments.programs) { options.policy.programs = programs_of(arguments.programs); }
    if (arguments.first) { options.first = *arguments.first; }
    if (arguments.cases) { options.cases = arguments.cases; }
    if (arguments.time) { options.time = parse_duration(*arguments.time).value(); }
    options.jobs = arguments.jobs;
    options.validate |= arguments.validate || arguments.other_sizes || arguments.solvers.solver;
    options.solvers = solvers_of(arguments.solvers, options.solvers);
    options.native &= !arguments.no_native;
}

// Takes omitted options from the campaign in the folder, if there is one.
Result<Request> request(const Arguments& arguments) {
    const std::uint64_t seed = seed_of(arguments);
    const std::string name = arguments.cases_from.empty()
                                 ? std::to_string(seed)
                                 : std::filesystem::path(arguments.cases_from).stem().stem().string();
    const std::string out = arguments.out.empty() ? "haruspex-" + name : arguments.out;
    const auto stored = campaign::stored_options(out);
    if (!stored) { return fail(stored.error()); }
    campaign::Options options = stored->value_or(campaign::Options{});
    options.out = out;
    if (options.compiler.empty()) { options.compiler = arguments.compiler; }
    if (!*stored || arguments.seed) { options.seed = seed; }
    const random::ProgramKind drawn = options.policy.programs;
    if (*stored && arguments.programs && programs_of(arguments.programs) != drawn) {
        return fail(
            fmt::format("{}: a campaign with other programs: it has {}, this one {}; expected the same, or "
                        "another folder",
                        out, random::name(drawn), *arguments.programs));
    }
    set_cases(options, arguments);
    if (arguments.stop_when_quiet) { options.stop_when_quiet = arguments.stop_when_quiet; }
    if (arguments.disk_quota) { options.disk_quota = parse_size(*arguments.disk_quota).value(); }
    if (arguments.shard) { options.shard = campaign::parse_shard(*arguments.shard).value(); }
    if (options.shard && !options.cases && !options.cases_from) {
        return fail("--shard without --cases: expected the number of cases of all shards");
    }
    if (options.shard && !*stored && !arguments.seed && !options.cases_from) {
        return fail("--shard without --seed: expected the seed of all shards");
    }
    options.list_cases |= arguments.list;
    options.prophecies |= arguments.prophecies;
    if (arguments.other_sizes) { options.other_sizes = *arguments.other_sizes; }
    return Request{std::move(options), stored->has_value()};
}

// The number of findings and faults of haruspex so far.
std::uint64_t findings_in(const campaign::Progress& progress) {
    std::uint64_t findings = 0;
    for (const auto& [name, cases] : progress.by_class) {
        const auto cls = verdict::parse_class(name);
        if (cls && store::is_kept(*cls)) { findings += cases; }
    }
    return findings;
}

bugs::TriageBeside::Options triage_beside(const Arguments& arguments, const campaign::Options& options) {
    bugs::TriageBeside::Options beside;
    beside.command = {"/proc/self/exe", "triage", options.out.string(), "--beside"};
    if (!arguments.known.empty()) { beside.command.insert(beside.command.end(), {"--known", arguments.known}); }
    beside.most_runs = arguments.triage_runs;
    return beside;
}

// Prints the distinct bugs and writes an issue for each below the campaign's folder. The issues are made from the
// campaign's stored findings, and replaced whenever it has gone on.
Result<bugs::Triaged> show_distinct_bugs(const Arguments& arguments, const campaign::Options& options,
                                         const std::vector<bugs::Known>& known, Events& events, Output& output) {
    bugs::Triaging triaging;
    triaging.campaign = options.out;
    triaging.issues = options.out / "issues";
    triaging.replaces_issues = true;
    triaging.progress = note_group;
    triaging.print = [&](const std::string& list) { output.print("\ndistinct bugs\n" + list); };
    triaging.listen = [&](const std::vector<bugs::Bug>& found, const compiler::Identity& compiler) {
        events.show(found, triaging.issues);
        return write(arguments.files, bugs::checks_of(found, compiler, triaging.campaign, triaging.issues));
    };
    triaging.options.most_runs = arguments.triage_runs;
    triaging.options.jobs = options.jobs;
    return bugs::triage_campaign(triaging, known);
}

Result<ExitCode> compare_builds(const Arguments& arguments, Output& output) {
    campaign::Options options;
    options.compiler = arguments.compiler;
    options.seed = seed_of(arguments);
    options.out = arguments.out;
    set_cases(options, arguments);
    const auto compiler = session::compiler_named(options.compiler);
    if (!compiler) { return fail(compiler.error()); }
    const std::string target(schedule::language(options.compiler).default_target());
    if (const auto error = session::refusal_of_target(target, **compiler)) { return fail(*error); }
    if (!options.cases_from) { note(fmt::format("seed {}\n", options.seed)); }
    return fuzz_against(arguments.against, options, **compiler, output);
}

// Without cvc5, a campaign that asks it a share of its queries goes on, and counts them as unanswered.
Result<void> look_for_solvers(const campaign::Options& options) {
    if (!options.validate) { return {}; }
    if (auto asked = can_be_asked(options.solvers); !asked) { return asked; }
    if (const auto there = smt::are_there(options.solvers); !there) {
        note(fmt::format("one query of the validator in {} is to be checked by cvc5 as well, and is not: {}\n",
                         options.solvers.cross_check, there.error().message));
    }
    return {};
}

Result<ExitCode> fuzz(const Arguments& arguments, Output& output) {
    if (!arguments.against.empty()) { return compare_builds(arguments, output); }
    const auto requested = request(arguments);
    if (!requested) { return fail(requested.error()); }
    const auto compiler = session::compiler_named(requested->options.compiler);
    if (!compiler) { return fail(compiler.error()); }
    const std::string target(schedule::language(requested->options.compiler).default_target());
    if (const auto error = session::refusal_of_target(target, **compiler)) { return fail(*error); }
    const auto known = bugs::known_in(arguments.known);
    if (!known) { return fail(known.error()); }
    if (auto writable = can_be_written(arguments.files); !writable) { return fail(writable.error()); }
    const auto& [options, goes_on] = *requested;
    note(fmt::format("{}, {} in {}\n",
                     options.cases_from ? options.cases_from->string() : fmt::format("seed {}", options.seed),
                     goes_on ? "going on" : "results", options.out.string()));
    if (auto asked = look_for_solvers(options); !asked) { return fail(asked.error()); }
    auto events = Events::open(arguments.events);
    if (!events) { return fail(events.error()); }
    events->begin(options, (*compiler)->identity(), goes_on);
    const std::atomic<bool>& stop_requested = stop_on_signals();
    CampaignProgress shown(progress_kind(arguments.progress));
    std::optional<bugs::TriageBeside> triage(std::in_place, triage_beside(arguments, options));
    const auto summary = campaign::run(options, **compiler, stop_requested, [&](const campaign::Progress& progress) {
        events->show(progress);
        shown.show(progress);
        triage->look(progress.done, findings_in(progress));
    });
    // The one at the end takes over its answers.
    triage.reset();
    shown.finish();
    if (!summary) {
        events->failed(summary.error());
        return fail(summary.error());
    }
    events->end(*summary);
    output.print(campaign::to_table(*summary));
    const std::uint64_t own_faults = campaign::own_faults(*summary);
    if (summary->findings + own_faults == 0) {
        const auto written = write(arguments.files, bugs::checks_of({}, summary->compiler, options.out, {}));
        return written ? Result<ExitCode>(nothing_found) : fail(written.error());
    }
    bugs::Triaged triaged;
    if (arguments.triage_runs > 0) {
        if (stop_requested) {
            note("now the distinct bugs; Ctrl-C leaves them to haruspex triage, which goes on where this stops\n");
        }
        // An interrupted triage keeps its journals, and `haruspex triage` resumes it.
        end_on_signals();
        // Another process may be triaging the same folder; then this one only says so.
        auto listed = show_distinct_bugs(arguments, options, *known, *events, output);
        if (listed) {
            triaged = *listed;
        } else {
            note(fmt::format("the distinct bugs are not listed: {}\n", to_string(listed.error())));
        }
    }
    return own_faults > triaged.explained_faults || triaged.failures > 0 ? own_fault : findings;
}

}  // namespace

Command add_fuzz(CLI::App& app) {
    CLI::App* command = app.add_subcommand("fuzz", "Run a campaign: draw, compile, run and judge random cases");
    const auto arguments = std::make_shared<Arguments>();
    add_compiler_option(*command, arguments->compiler);
    command
        ->add_option("--cases", arguments->cases,
                     "Number of cases; without --cases and --time the campaign runs until Ctrl-C")
        ->check(whole_number());
    command->add_option("--time", arguments->time, "Duration, such as 90s, 10m or 8h")
        ->check(readable_by(parse_duration))
        ->type_name("DURATION");
    command
        ->add_option("--stop-when-quiet", arguments->stop_when_quiet,
                     "Stop after this many cases in a row without a new group of findings")
        ->check(whole_number(1))
        ->type_name("CASES");
    command
        ->add_option(
            "--disk-quota", arguments->disk_quota,
            "Disk space for the folders of findings, such as 500M or 2G; further findings are counted but not filed")
        ->check(readable_by(parse_size))
        ->type_name("SIZE");
    command->add_option("--seed", arguments->seed, "Seed of the campaign; drawn and printed unless given")
        ->check(whole_number());
    command->add_option("--first", arguments->first, "Index of the first case; 0 unless given")
        ->check(whole_number(0, store::largest_index));
    command
        ->add_option("--cases-from", arguments->cases_from,
                     "Run the cases of this file in order instead of drawing them: one case a line, as haruspex "
                     "generate writes them, compressed with gzip or not. --first skips lines")
        ->type_name("FILE")
        ->excludes("--seed");
    command
        ->add_option("--shard", arguments->shard,
                     "Do only the I-th of N parts of the cases, for another process or machine each; haruspex merge "
                     "joins them. Needs --cases and --seed, or --cases-from, the same for all shards")
        ->check(readable_by(campaign::parse_shard))
        ->type_name("I/N")
        ->excludes("--stop-when-quiet");
    add_programs_option(*command, arguments->programs)->excludes("--cases-from");
    add_jobs_option(*command, arguments->jobs, "Number of worker processes");
    command
        ->add_option("--progress", arguments->progress,
                     "What standard error shows meanwhile: plain, a line every ten seconds; screen, one page; none. A "
                     "page on a terminal, lines elsewhere, unless given; haruspex status shows the page, too")
        ->check(CLI::IsMember({"plain", "screen", "none"}))
        ->type_name("KIND");
    command->add_option("--out", arguments->out,
                        "Folder of the campaign; haruspex-SEED unless given. If it already holds a campaign, that "
                        "campaign is resumed; omitted options keep their stored values");
    add_number(*command, "--triage-runs", arguments->triage_runs,
               "Number of compiler runs at the end to minimise findings and tell distinct bugs apart (see "
               "haruspex triage); each bug gets an issue in the campaign's folder. 0 disables this");
    command
        ->add_option(
            "--events", arguments->events,
            "Append what happens to this file, a line of JSON each (corpus/schema/event-1.json): progress, each "
            "finding, the end, and the distinct bugs")
        ->type_name("FILE");
    add_check_files(*command, arguments->files);
    command->add_option("--known", arguments->known,
                        "A folder of known bugs, such as corpus/known: their findings are counted but not listed");
    command->add_flag("--list", arguments->list, "Also list every case and its verdict in cases.jsonl");
    command->add_flag("--prophecies", arguments->prophecies,
                      "Also lower every case with prophecies, and count in summary.json how many can be transplanted "
                      "onto the plain program");
    command->add_flag("--validate", arguments->validate,
                      "Also validate every lowered program for all inputs, first at the case's own sizes and then for "
                      "all sizes; summary.json counts the results");
    command
        ->add_option("--other-sizes", arguments->other_sizes,
                     "Also run each case that is validated for all sizes at N other sizes. A wrong lowered program at "
                     "one of them is a fault of the validator; wrong code alone is a finding. Either is filed as a "
                     "case of those sizes. Implies --validate")
        ->check(whole_number(1, most_other_sizes))
        ->type_name("N");
    add_solver_options(*command, arguments->solvers);
    add_cross_check_option(*command, arguments->solvers);
    command->add_flag(
        "--no-native", arguments->no_native,
        "Lower every case but do not generate or run code: judge only the lowered program. Several times faster, but "
        "bugs of code generation are missed and findings are not confirmed (use haruspex reproduce)");
    CLI::Option* against =
        command
            ->add_option(
                "--against", arguments->against,
                "Judge each case by another build, too, and list only the cases on which the two disagree: what "
                "is worse and what is better under this build. WHERE is a haruspex executable, a folder with one "
                "(haruspex, bin/haruspex or build/release/haruspex), the root of another Debian in which it is "
                "installed, mutant:NAME for this build with --mutant NAME, or self. With --out, each case is "
                "filed as a finding, and against.json lists all")
            ->type_name("WHERE");
    for (const char* of_campaigns :
         {"--stop-when-quiet", "--shard", "--disk-quota", "--other-sizes", "--triage-runs", "--known", "--list",
          "--junit", "--sarif", "--events", "--prophecies", "--progress", "--solver", "--cvc5", "--cross-check"}) {
        against->excludes(command->get_option(of_campaigns));
    }
    add_mutant_option(*command);
    command->footer(
        "Ctrl-C finishes the cases in progress, writes the summary and lists the distinct bugs; a second Ctrl-C stops "
        "at\n"
        "once. haruspex status shows from another terminal how a campaign stands. The same command\n"
        "resumes a campaign that ended or was killed. Several processes may share a campaign with the same --out.\n"
        "A resumed campaign keeps its seed, first case, kind of programs, oracles, mutant and versions.\n"
        "With --validate one query of the validator in four is put to a second solver (--cross-check); --solver "
        "implies\n"
        "--validate.\n"
        "Exit code 1 when there are findings, 3 when haruspex itself failed on a case and no known bug explains it; "
        "with\n"
        "--against, 1 when something is worse under this build.\n"
        "\n"
        "Examples:\n"
        "  haruspex fuzz --cases 500 --seed 7\n"
        "  haruspex fuzz --time 8h --jobs 4 --out night\n"
        "  haruspex fuzz --out night\n"
        "  haruspex fuzz --cases 100000 --seed 7 --shard 3/8 --out shard3\n"
        "  haruspex fuzz --seed 7 --first 123 --cases 1 --list\n"
        "  haruspex fuzz --programs tensor --cases 500\n"
        "  haruspex fuzz --against ../before/build/release --time 10m --jobs 2");
    return {command, [arguments](Output& output) { return fuzz(*arguments, output); }};
}

}  // namespace haruspex::cli
