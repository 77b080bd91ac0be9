#include "reports/bugs/minimised_fingerprint.h"

#include "harness/compiler/fork_server.h"
#include "reports/minimize/minimizer.h"
#include "reports/session/compilers.h"
#include "reports/session/judging.h"
#include "reports/session/refusal.h"

namespace haruspex::bugs {
namespace {

Result<std::optional<Fingerprint>> fingerprint_with(const cases::Case& c, const verdict::Verdict& verdict,
                                                    std::uint64_t most_runs, int jobs) {
    const auto compiler = session::compiler_named(c.compiler);
    if (!compiler) { return fail(compiler.error()); }
    const auto identity = (*compiler)->identity();
    if (session::refusal(c, "", **compiler)) { return std::nullopt; }
    compiler::ForkServer server(**compiler, session::limits_without_patience());
    const auto judges = session::smaller_judges(verdict, server, session::judging_smaller(verdict));
    minimize::Options options;
    options.glance = judges.at_a_glance;
    options.patient = [&](const minimize::Found& found) { return judges.patient(found.c); };
    if (verdict::is_hang(verdict.cls)) { options.waited_for = verdict; }
    options.keeps_whole_tensors = false;
    options.most_runs = most_runs;
    options.jobs = jobs;
    options.language = &compiler::language_of(identity);
    options.shows = [order = session::pass_order(server)](const auto& found, const auto& sought) {
        return triage::still_shows(found, sought, order);
    };
    const auto result = minimize::minimize(c, judges.judge, options);
    if (!result) { return fail(result.error()); }
    if (!*result) { return std::nullopt; }
    return fingerprint((*result)->best.c, (*result)->best.symptom);
}

}  // namespace

Result<std::optional<Fingerprint>> minimised_fingerprint(const cases::Case& c,
                                                         const std::optional<verdict::Verdict>& verdict,
                                                         std::uint64_t most_runs, int jobs) {
    if (verdict) { return fingerprint_with(c, *verdict, most_runs, jobs); }
    verdict::Verdict any;
    auto fingerprint = fingerprint_with(c, any, most_runs, jobs);
    if (!fingerprint || *fingerprint) { return fingerprint; }
    any.cls = verdict::Class::refuted_lowering;
    return fingerprint_with(c, any, most_runs, jobs);
}

}  // namespace haruspex::bugs
