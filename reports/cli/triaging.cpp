#include "reports/cli/triaging.h"

#include <cstdio>
#include <filesystem>

#include "harness/halide/halide_compiler.h"
#include "reports/bugs/page.h"
#include "reports/cli/command.h"
#include "reports/cli/filing.h"
#include "reports/store/files.h"
#include "reports/store/journal.h"

namespace haruspex::cli {

namespace fs = std::filesystem;

Result<std::vector<bugs::Known>> known_in(const std::string& folder) {
    if (folder.empty()) { return std::vector<bugs::Known>(); }
    return bugs::load_known(folder);
}

Result<std::vector<bugs::Bug>> bugs_of(const std::string& campaign, const std::vector<bugs::Known>& known,
                                       bugs::Options options) {
    auto groups = bugs::groups_in(campaign);
    if (!groups) { return fail(groups.error()); }
    const auto compiler = halide::make_halide();
    const auto identity = compiler->identity();
    compiler::ForkServer server(*compiler, {});
    // What was asked before a triage was killed is not asked again.
    const std::string question = store::versions_of(identity.name + " " + identity.version);
    const auto plain = store::Journal::open(fs::path(campaign) / "triage.journal", question);
    if (!plain) { return fail(plain.error()); }
    const auto validated = store::Journal::open(fs::path(campaign) / "triage-validated.journal", question);
    if (!validated) { return fail(validated.error()); }
    const bugs::ExamineFor examine = [&](const store::Finding& finding) -> minimize::Examine {
        return [&, judging = judging_again(finding.verdict)](const cases::Case& c) {
            const store::Journal& journal = judging.validate ? *validated : *plain;
            return journal.answer(c, [&] { return pipeline::judge_case(c, server, identity, judging).verdict; });
        };
    };
    options.vocabulary = {identity.major};
    const std::size_t count = groups->size();
    auto found = bugs::find_bugs(std::move(*groups), known, examine, options,
                                 [count](std::size_t number, const bugs::Group& group) {
                                     std::fprintf(stderr, "%zu of %zu groups: %s\n", number, count, group.name.c_str());
                                 });
    if (found) {
        plain->remove();
        validated->remove();
    }
    return found;
}

Result<std::size_t> show_bugs(const std::vector<bugs::Bug>& found, const std::vector<bugs::Known>& known,
                              const std::string& folder) {
    std::size_t number = 0;
    for (const bugs::Bug& bug : found) {
        if (!bugs::is_reported(bug.life)) { continue; }
        print(bugs::entry(++number, bug));
        if (folder.empty()) { continue; }
        const auto report = report_on(bug.smallest.c, bug.group, judging_again(bug.smallest.verdict));
        if (!report) {
            print("    " + to_string(report.error()) + "\n");
            continue;
        }
        const fs::path issue = fs::path(folder) / bug.group;
        if (auto written = store::write_folder(issue, report->files); !written) { return fail(written.error()); }
        print("    " + issue.string() + "\n");
    }
    print(bugs::remainder(found, known));
    return number;
}

}  // namespace haruspex::cli
