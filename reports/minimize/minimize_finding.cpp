#include "reports/minimize/minimize_finding.h"

#include <fmt/core.h>

#include <chrono>
#include <filesystem>

#include "harness/compiler/fork_server.h"
#include "oracle/pipeline/judge_case.h"
#include "reports/session/judging_again.h"
#include "reports/store/files.h"
#include "reports/store/journal.h"

namespace haruspex::minimize {
namespace {

// Limits candidates to less processor time than a campaign allows a case, unless the finding may be a hang.
compiler::Limits limits_for(const std::optional<verdict::Verdict>& stored) {
    if (!stored) { return {}; }
    compiler::Limits limits;
    limits.cpu = std::chrono::milliseconds(5000);
    return session::limits_of_glance(*stored).value_or(limits);
}

}  // namespace

Result<std::optional<Minimised>> minimize_finding(const Original& original, const ResultFolder& folder,
                                                  compiler::Compiler& compiler, const Task& task) {
    const auto identity = compiler.identity();
    const compiler::Limits limits = limits_for(original.verdict);
    compiler::ForkServer server(compiler, limits);
    const auto judging = original.verdict ? session::judging_smaller(*original.verdict) : pipeline::Options{};
    compiler::ForkServer patient(compiler, {});
    Options options;
    options.shows = [order = session::pass_order(patient)](const auto& found, const auto& sought) {
        return triage::still_shows(found, sought, order);
    };
    if (auto checked = folder.check_nothing_is_lost(options.shows); !checked) { return fail(checked.error()); }
    // Answers from before a minimisation was killed are reused.
    if (auto made = store::make_folder(std::filesystem::absolute(folder.journal()).parent_path()); !made) {
        return fail(made.error());
    }
    const auto journal = store::Journal::open(
        folder.journal(),
        fmt::format("{}, {} ms, {} steps{}", store::versions_of(identity.name + " " + identity.version),
                    limits.cpu.count(), judging.most_steps, judging.validate ? ", validated" : ""));
    if (!journal) { return fail(journal.error()); }
    const Examine examine = [&](const cases::Case& c) {
        return journal->answer(c, [&] { return pipeline::judge_case(c, server, identity, judging).verdict; });
    };
    const Examine to_the_end = [&](const cases::Case& c) {
        return pipeline::judge_case(c, patient, identity, judging).verdict;
    };
    const bool hangs = original.verdict && session::limits_of_glance(*original.verdict);

    if (hangs) { options.glance = examine; }
    options.most_runs = task.most_runs;
    options.jobs = task.jobs;
    options.language = &compiler::language_of(identity);
    Progress now;
    Listener listener;
    listener.progress = [&](const Progress& progress) { now = progress; };
    bool is_written = false;
    listener.better = [&](const Found& found) {
        task.better(found, now);
        auto written = folder.write_better(found, journal->known() > 0, options.shows);
        is_written |= written.has_value();
        return written;
    };
    auto result = minimize(original.c, hangs ? to_the_end : examine, options, listener);
    // Keep the journal for another attempt only if a case was written, from which that attempt could go on.
    if (!result && is_written) { return result; }
    if (result && *result) {
        if (auto written = folder.write_best((*result)->best); !written) { return fail(written.error()); }
        if (auto written = folder.write_others((*result)->others); !written) { return fail(written.error()); }
    }
    journal->remove();
    return result;
}

}  // namespace haruspex::minimize
