#include "reports/minimize/minimize_finding.h"

#include <fmt/core.h>

#include <chrono>
#include <utility>

#include "harness/compiler/fork_server.h"
#include "reports/session/judging.h"
#include "reports/store/files.h"
#include "reports/store/journal.h"
#include "reports/store/store.h"
#include "reports/triage/signature.h"

namespace haruspex::minimize {
namespace {

namespace fs = std::filesystem;

std::string group(const Found& found) { return triage::group_name(triage::signature(found.c, found.verdict)); }

class ResultFolder {
public:
    ResultFolder(const Original& original, const Task& task, compiler::Identity compiler)
        : original_(original), task_(task), compiler_(std::move(compiler)) {}

    // An Error if the folder holds a finding that no earlier minimisation of this case wrote.
    Result<void> check_nothing_is_lost(const Shows& shows) const {
        const auto there = store::load_finding(task_.folder);
        if (!there) { return {}; }
        std::error_code error;
        const bool is_original = fs::equivalent(task_.folder, original_.path, error);
        const bool is_of_case = there->seed == original_.seed && there->index == original_.index;
        const auto shows_same = [&] {
            const auto symptom = triage::symptom(there->c, there->verdict);
            const auto sought = triage::symptom(original_.c, *original_.verdict);
            return symptom && sought && shows(*symptom, *sought);
        };
        if (!is_original && is_of_case && (!original_.verdict || shows_same())) { return {}; }
        return fail(task_.folder.string() + " holds a finding that would be lost");
    }

    // Writes the case unless the folder holds a smaller one from an earlier minimisation of this finding. That one
    // stays until this minimisation gets as small, or ends.
    Result<void> write_better(const Found& found, bool goes_on, const Shows& shows) const {
        const auto there = store::load_finding(task_.folder);
        if (there && size_of(there->c) < size_of(found.c)) {
            const auto symptom = triage::symptom(there->c, there->verdict);
            if (goes_on || (symptom && shows(*symptom, found.symptom))) { return {}; }
        }
        return write(found, task_.folder);
    }

    // Writes other findings beside the folder, not in it, since the folder is replaced as a whole.
    Result<void> write_all(const Minimised& minimised) const {
        if (auto written = write(minimised.best, task_.folder); !written) { return written; }
        for (const Found& other : minimised.others) {
            if (auto written = write(other, task_.others() / group(other)); !written) { return written; }
        }
        return {};
    }

private:
    Result<void> write(const Found& found, const fs::path& folder) const {
        store::Finding finding{original_.seed, original_.index, found.c, found.verdict, compiler_, group(found)};
        finding.attachments = task_.attach(found);
        finding.seeded = false;
        return store::write_finding(finding, folder);
    }

    const Original& original_;
    const Task& task_;
    compiler::Identity compiler_;
};

// Limits candidates to less processor time than a campaign allows a case, unless the finding may be a hang.
compiler::Limits limits_for(const std::optional<verdict::Verdict>& stored) {
    compiler::Limits limits = session::limits_without_patience();
    if (stored && !verdict::is_hang(stored->cls)) { limits.cpu = std::chrono::milliseconds(5000); }
    return limits;
}

}  // namespace

Result<std::optional<Minimised>> minimize_finding(const Original& original, const Task& task,
                                                  compiler::Compiler& compiler) {
    const auto identity = compiler.identity();
    const ResultFolder folder(original, task, identity);
    const fs::path journal_file = task.folder.string() + ".journal";
    const compiler::Limits limits = limits_for(original.verdict);
    compiler::ForkServer server(compiler, limits);
    const verdict::Verdict finding = original.verdict.value_or(verdict::Verdict{});
    const auto judging = session::judging_smaller(finding);
    auto judges = session::smaller_judges(finding, server, judging);
    Options options;
    options.shows = [order = session::pass_order(server)](const auto& found, const auto& sought) {
        return triage::still_shows(found, sought, order);
    };
    if (auto checked = folder.check_nothing_is_lost(options.shows); !checked) { return fail(checked.error()); }
    // Answers from before a minimisation was killed are reused.
    if (auto made = store::make_folder(fs::absolute(journal_file).parent_path()); !made) { return fail(made.error()); }
    const auto journal = store::Journal::open(
        journal_file,
        fmt::format("{}, {} ms{}, {} steps{}{}", store::versions_of(identity.name + " " + identity.version),
                    limits.cpu.count(), judges.at_a_glance ? " at a glance" : "", judging.most_steps,
                    judging.validate ? ", validated" : "", judging.validate_refuted ? ", even if refuted" : ""));
    if (!journal) { return fail(journal.error()); }
    // Most runs are the first look's, if there is one.
    session::Judge& most = judges.at_a_glance ? judges.at_a_glance : judges.judge;
    most = session::journaled(*journal, std::move(most));
    options.glance = judges.at_a_glance;
    options.patient = [&](const Found& found) { return judges.patient(found.c); };
    if (judges.at_a_glance) { options.waited_for = original.verdict; }
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
    auto result = minimize(original.c, judges.judge, options, listener);
    // Keep the journal for another attempt only if a case was written, from which that attempt could go on.
    if (!result && is_written) { return result; }
    if (result && *result) {
        if (auto written = folder.write_all(**result); !written) { return fail(written.error()); }
    }
    journal->remove();
    return result;
}

}  // namespace haruspex::minimize
