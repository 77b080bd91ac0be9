#include "reports/bugs/recheck_all.h"

#include <utility>

#include "harness/compiler/fork_server.h"
#include "oracle/pipeline/judge_case.h"
#include "reports/session/compilers.h"
#include "reports/session/judging.h"
#include "reports/session/refusal.h"

namespace haruspex::bugs {

Result<std::vector<Report>> load_reports(const std::vector<ReportFolder>& folders) {
    std::vector<Report> reports;
    for (const ReportFolder& folder : folders) {
        Report report{folder, std::nullopt};
        if (folder.has_case) {
            session::become_owner_of_finding(folder.path);
            auto finding = store::load_finding(folder.path);
            if (!finding) { return fail(finding.error()); }
            report.finding = std::move(*finding);
        }
        reports.push_back(std::move(report));
    }
    return reports;
}

Recheck recheck_all(const std::vector<Report>& reports, compiler::Compiler& compiler,
                    const std::function<void(const Rechecked&)>& judged) {
    const auto identity = compiler.identity();
    compiler::ForkServer server(compiler, {});
    const JudgeFinding judge = [&](const store::Finding& finding) -> Result<verdict::Verdict> {
        if (finding.c.compiler != identity.name) { return fail("the case is for the compiler " + finding.c.compiler); }
        if (auto error = session::refusal(finding.c, "the case", compiler)) { return fail(std::move(*error)); }
        return pipeline::judge_case(finding.c, server, identity, session::judging_again(finding.verdict)).verdict;
    };
    Recheck result{identity.name, identity.version, compiler.package(), {}};
    for (const auto& [folder, finding] : reports) {
        result.reports.push_back(finding ? recheck(folder, *finding, judge, identity) : not_rechecked(folder));
        judged(result.reports.back());
    }
    return result;
}

}  // namespace haruspex::bugs
