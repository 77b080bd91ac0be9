#include "reports/session/judging.h"

#include <chrono>
#include <utility>

#include "oracle/pipeline/judge_case.h"
#include "oracle/pipeline/localise.h"
#include "oracle/pipeline/passes.h"
#include "oracle/pipeline/reference.h"
#include "reports/session/compilers.h"
#include "reports/session/refusal.h"

namespace haruspex::session {

Result<std::unique_ptr<compiler::Compiler>> compiler_for(const cases::Case& c, const Origin& origin) {
    auto compiler = compiler_named(c.compiler);
    if (!compiler) { return compiler; }
    if (auto error = refusal(c, origin, **compiler)) { return fail(std::move(*error)); }
    return compiler;
}

Result<pipeline::Judged> judge_with_passes(const cases::Case& c, const Origin& origin,
                                           const pipeline::Options& options) {
    const auto compiler = compiler_for(c, origin);
    if (!compiler) { return fail(compiler.error()); }
    const auto identity = (*compiler)->identity();
    compiler::ForkServer server(**compiler, {});
    return pipeline::judge_case(c, server, identity, options);
}

Result<verdict::Verdict> judge(const cases::Case& c, const Origin& origin, const pipeline::Options& options) {
    auto judged = judge_with_passes(c, origin, options);
    if (!judged) { return fail(judged.error()); }
    return std::move(judged->verdict);
}

Answer answer(const cases::Case& c, const Origin& origin, compiler::ForkServer& server,
              const pipeline::Options& options) {
    const auto identity = server.compiler().identity();
    if (c.compiler != identity.name) {
        return refused("a case for the compiler " + c.compiler + "; expected one for " + identity.name);
    }
    if (const auto error = refusal(c, origin, server.compiler())) { return refused(to_string(*error)); }
    return {pipeline::judge_case(c, server, identity, options).verdict, {}};
}

Result<std::vector<pipeline::PassResult>> trace(const cases::Case& c, const Origin& origin) {
    const auto compiler = compiler_for(c, origin);
    if (!compiler) { return fail(compiler.error()); }
    const auto reference = pipeline::evaluate_reference(c);
    if (!reference) { return fail(origin.name + ": the reference fails: " + reference.error().message); }
    compiler::ForkServer server(**compiler, {});
    const auto regions = server.observe(c).input_regions;
    return pipeline::trace_passes(c, *reference, regions, server, pipeline::Options{}.most_steps);
}

Result<std::vector<compiler::Lowered>> lower(const cases::Case& c, const Origin& origin,
                                             const compiler::Request& request) {
    const auto compiler = compiler_for(c, origin);
    if (!compiler) { return fail(compiler.error()); }
    compiler::ForkServer server(**compiler, {});
    auto observation = server.observe(c, request);
    if (observation.lowered.empty()) {
        return fail(origin.name + ": the compiler lowers nothing: " + observation.message);
    }
    return std::move(observation.lowered);
}

pipeline::Options judging_again(const verdict::Verdict& verdict) {
    pipeline::Options options;
    const bool is_unsound = verdict.cls == verdict::Class::unsound_validator;
    const bool is_contradiction = verdict.cls == verdict::Class::solver_contradiction;
    options.validate = is_unsound || is_contradiction || verdict.cls == verdict::Class::refuted_lowering;
    if (is_contradiction) { options.solvers.solver = smt::Solver::both; }
    // The proof may be one for all sizes that the case's own sizes contradict.
    options.validate_refuted = is_unsound;
    return options;
}

pipeline::Options judging_to_compare(const verdict::Verdict& verdict) {
    pipeline::Options options = judging_again(verdict);
    options.validate |= verdict.own_sizes.has_value();
    return options;
}

pipeline::Options judging_smaller(const verdict::Verdict& verdict) {
    pipeline::Options options = judging_again(verdict);
    const bool is_long = verdict.lowered && verdict.lowered->not_run == verdict::NotRun::steps;
    if (is_long) { options.most_steps /= 30; }
    return options;
}

compiler::Limits limits_without_patience() {
    compiler::Limits limits;
    limits.patience = 1;
    return limits;
}

SmallerJudges smaller_judges(const verdict::Verdict& finding, const compiler::ForkServer& server,
                             const pipeline::Options& options) {
    const auto judge_by = [&](compiler::ForkServer by) -> Judge {
        return [by, identity = server.compiler().identity(), options](const cases::Case& c) mutable {
            return pipeline::judge_case(c, by, identity, options).verdict;
        };
    };
    SmallerJudges judges{judge_by(server), judge_by(server.with_limits({})), {}};
    if (verdict::is_hang(finding.cls)) {
        // About forty times the compile time of a random case.
        compiler::Limits limits = limits_without_patience();
        limits.cpu = std::chrono::milliseconds(2000);
        limits.wall = std::chrono::milliseconds(10000);
        judges.at_a_glance = judge_by(server.with_limits(limits));
    }
    return judges;
}

Judge journaled(const store::Journal& journal, Judge judge) {
    if (!judge) { return {}; }
    return [&journal, judge = std::move(judge)](const cases::Case& c) {
        return journal.answer(c, [&] { return judge(c); });
    };
}

triage::PassOrder pass_order(compiler::ForkServer& server) {
    const auto passes = pipeline::common_passes(server);
    if (!passes) { return triage::PassOrder::drawn_by_cases(); }
    std::vector<std::string> all = server.compiler().passes_of_all_versions();
    if (!all.empty()) { all.emplace_back(verdict::code_generation); }
    return {*passes, all};
}

}  // namespace haruspex::session
