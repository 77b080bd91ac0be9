#include "reports/bugs/triaging.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>
#include <vector>

#include "reports/bugs/issues.h"
#include "reports/campaign/settings.h"
#include "reports/minimize/size.h"
#include "reports/render/words.h"
#include "reports/session/compilers.h"
#include "reports/session/judging.h"
#include "reports/store/bug_list.h"
#include "reports/store/journal.h"

namespace haruspex::bugs {
namespace {

namespace fs = std::filesystem;

constexpr std::array journal_files{"triage.journal", "triage-validated.journal", "triage-refuted.journal",
                                   "triage-glanced.journal", "triage-patient.journal"};

// Whether a triage of the campaign was killed and left its journals.
bool has_journals(const fs::path& campaign) {
    std::error_code error;
    return std::ranges::any_of(journal_files, [&](const char* file) { return fs::exists(campaign / file, error); });
}

// The compiler's answers, apart for each way in which a finding is judged again: without the validator, with it, and
// with it even if a case is refuted; from the first look at hangs, and from the last one.
struct Journals {
    store::Journal plain, validated, refuted, glanced, patient;

    const store::Journal& of(const pipeline::Options& judging) const {
        if (judging.validate_refuted) { return refuted; }
        return judging.validate ? validated : plain;
    }
};

Result<Journals> open_journals(const fs::path& campaign, const compiler::Identity& identity) {
    std::vector<store::Journal> opened;
    for (const char* file : journal_files) {
        auto journal =
            store::Journal::open(campaign / file, store::versions_of(identity.name + " " + identity.version));
        if (!journal) { return fail(journal.error()); }
        opened.push_back(std::move(*journal));
    }
    return Journals{std::move(opened[0]), std::move(opened[1]), std::move(opened[2]), std::move(opened[3]),
                    std::move(opened[4])};
}

// Leaves the list for those who look at the campaign.
Result<void> list_bugs(const fs::path& campaign, const std::vector<Bug>& bugs,
                       std::map<std::string, std::uint64_t> groups) {
    store::BugList list{{}, std::move(groups)};
    for (const Bug& bug : bugs) {
        const minimize::Found& smallest = bug.smallest;
        const std::string title = bug.failure.empty() ? render::title(smallest.c, smallest.verdict) : bug.failure;
        list.bugs.push_back({std::string(name(bug.state)), is_reported(bug.state), title,
                             minimize::describe(smallest.c), bug.group, bug.known, bug.groups, bug.cases});
    }
    return store::write_bug_list(list, campaign);
}

Result<std::vector<Bug>> bugs_of(std::vector<Group> groups, const std::vector<Known>& known, const Triaging& triaging,
                                 compiler::Compiler& compiler, const Journals& journals) {
    const auto identity = compiler.identity();
    compiler::ForkServer server(compiler, session::limits_without_patience());
    const auto judges = [&](const store::Finding& finding) {
        return session::smaller_judges(finding.verdict, server, session::judging_again(finding.verdict));
    };
    const JudgeFor judge_for = [&](const store::Finding& finding) {
        return session::journaled(journals.of(session::judging_again(finding.verdict)), judges(finding).judge);
    };
    Options options = triaging.options;
    options.patient_for = [&](const store::Finding& finding) {
        return session::journaled(journals.patient, judges(finding).patient);
    };
    options.glance_for = [&](const store::Finding& finding) {
        return session::journaled(journals.glanced, judges(finding).at_a_glance);
    };
    options.language = &compiler::language_of(identity);
    options.passes = session::pass_order(server);
    return find_bugs(std::move(groups), known, judge_for, options, triaging.progress);
}

}  // namespace

Result<Triaged> triage_campaign(const Triaging& triaging, const std::vector<Known>& known) {
    std::error_code error;
    const bool is_taken = !triaging.issues.empty() && !triaging.replaces_issues && fs::exists(triaging.issues, error);
    if (is_taken && !has_journals(triaging.campaign)) { return taken(triaging.issues); }
    if (const auto stored = campaign::stored_options(triaging.campaign); stored && *stored) {
        session::become_owner_of((*stored)->compiler);
    }
    auto groups = groups_in(triaging.campaign);
    if (!groups) { return fail(groups.error()); }
    std::map<std::string, std::uint64_t> cases_of_groups;
    for (const Group& group : *groups) { cases_of_groups[group.name] = group.cases; }
    const auto compiler =
        session::compiler_named(groups->empty() ? session::default_compiler() : groups->front().smallest.c.compiler);
    if (!compiler) { return fail(compiler.error()); }
    const auto journals = open_journals(triaging.campaign, (*compiler)->identity());
    if (!journals) { return fail(journals.error()); }
    const auto found = bugs_of(std::move(*groups), known, triaging, **compiler, *journals);
    if (!found) { return fail(found.error()); }
    const Issues issues = issues_of(*found, known, triaging.issues, **compiler);
    if (!triaging.issues.empty()) {
        if (auto written = write_issues(issues, triaging.issues, triaging.replaces_issues); !written) {
            return fail(written.error());
        }
    }
    if (auto listed = list_bugs(triaging.campaign, *found, std::move(cases_of_groups)); !listed) {
        return fail(listed.error());
    }
    if (triaging.listen) {
        if (auto listened = triaging.listen(*found, (*compiler)->identity()); !listened) {
            return fail(listened.error());
        }
    }
    triaging.print(issues.list);
    const auto all = triaging.keeps_journals ? std::vector<const store::Journal*>()
                                             : std::vector<const store::Journal*>{
                                                   &journals->plain, &journals->validated, &journals->refuted,
                                                   &journals->glanced, &journals->patient};
    for (const store::Journal* journal : all) { journal->remove(); }
    Triaged triaged{issues.bugs};
    for (const Bug& bug : *found) {
        if (!bug.known.empty()) { triaged.explained_faults += bug.own_faults; }
        if (!bug.failure.empty()) { ++triaged.failures; }
    }
    return triaged;
}

}  // namespace haruspex::bugs
