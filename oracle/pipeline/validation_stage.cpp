#include "oracle/pipeline/validation_stage.h"

#include <algorithm>
#include <expected>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "oracle/judge/validated.h"
#include "oracle/pipeline/counterexample.h"
#include "oracle/pipeline/documented_rules.h"
#include "oracle/pipeline/index_fit.h"
#include "oracle/pipeline/other_sizes.h"
#include "oracle/pipeline/parameter_binding.h"
#include "oracle/pipeline/prophecies.h"
#include "oracle/pipeline/validation.h"

namespace haruspex::pipeline {
namespace {

using verdict::Outcome;

// "at W = 3, H = 1"
std::string at(const Sizes& sizes) {
    std::string text = "at";
    for (const auto& [name, size] : sizes) {
        text += (text == "at" ? " " : ", ") + name + " = " + std::to_string(size);
    }
    return text;
}

// Returns what the case shows at sizes at which `proof`, for all sizes, is contradicted: `there` has the class `shown`.
Judged judge_contradiction(const cases::Case& elsewhere, const verdict::Validation& proof, verdict::Class shown,
                           const verdict::Verdict& there, compiler::ForkServer& server,
                           const compiler::Identity& identity, Options options) {
    options.other_sizes = 0;
    options.validate_refuted = true;
    Judged judged;
    const Columns columns = judge_runs(elsewhere, server, identity, options, judged);
    judge_with_validator(elsewhere, columns, server, identity, options, judged);
    if (judged.verdict.cls == verdict::Class::unsound_validator) { return judged; }
    // The validator does not repeat its proof for what the compiler lowers at these sizes. The proof is wrong even so.
    judged.verdict.all_sizes = proof;
    judge::mark_unsound(judged.verdict, proof, shown, there);
    return judged;
}

// Runs a program that is proved for all sizes at other sizes. A lowered program that is wrong there is the fault of the
// proof; otherwise wrong compiled code is the compiler's. Either becomes the finding, at those sizes.
void cross_check_other_sizes(const cases::Case& c, compiler::ForkServer& server, const compiler::Identity& identity,
                             const Options& options, Judged& judged) {
    verdict::Verdict& verdict = judged.verdict;
    const std::vector<Sizes> others = other_sizes(c, size_rules(c, identity), options.other_sizes);
    std::vector<compiler::Observation> observations = server.observe_at(c, others, request_of(options));
    std::optional<verdict::Verdict> found;
    for (std::size_t n = 0; n < others.size(); ++n) {
        const Sizes& sizes = others[n];
        Judged elsewhere;
        judge_observation(cases::at_sizes(c, sizes), std::move(observations[n]), identity, options, elsewhere);
        const verdict::Verdict& there = elsewhere.verdict;
        const verdict::Validation& proof = *verdict.all_sizes;
        const verdict::Class shown = judge::excludes(proof, there.cls) ? there.cls : elsewhere.lowered;
        if (judge::excludes(proof, shown)) {
            Judged contradicted =
                judge_contradiction(cases::at_sizes(c, sizes), proof, shown, there, server, identity, options);
            judged.verdict = std::move(contradicted.verdict);
            judged.lowered = contradicted.lowered;
            judged.passes = std::move(contradicted.passes);
            judged.cross_checks.add(contradicted.cross_checks);
            judged.found_at = sizes;
            return;
        }
        if (!found && judge::is_native_finding(there.cls) && judge::is_replaceable(verdict.cls)) {
            found = there;
            judged.found_at = sizes;
        }
    }
    if (found) { verdict = judge::beside_proof(std::move(*found), verdict); }
}

// A refutation counts only if the program as lowered is wrong at the sizes of the counterexample.
void judge_refutation(const cases::Case& c, validator::Verdict& all, compiler::ForkServer& server,
                      const compiler::Identity& identity, const Options& options, Judged& judged) {
    const cases::Case elsewhere = cases::at_sizes(c, all.counterexample->sizes);
    Judged beyond = judge_counterexample(elsewhere, all, server, identity, options);
    judged.cross_checks.add(beyond.cross_checks);
    const verdict::Verdict& there = beyond.verdict;
    all.refuted_at = elsewhere.sizes;
    const bool is_wrong_there = judge::is_wrong_lowering(there.cls) || there.cls == verdict::Class::refuted_lowering;
    const bool is_contradicted = there.cls == verdict::Class::unsound_validator;
    if (is_contradicted || (is_wrong_there && judge::is_replaceable(judged.verdict.cls))) {
        judged.verdict = judge::refuted_elsewhere(std::move(judged.verdict), at(elsewhere.sizes), there);
        judged.passes = std::move(beyond.passes);
    } else if (!is_wrong_there) {
        const bool is_right = verdict::is_right(there.lowered) || has_outcome(there.own_sizes, Outcome::validated);
        all.outcome = Outcome::undecided;
        all.refuted_at.reset();
        all.cause = is_right ? verdict::Cause::not_confirmed : verdict::Cause::not_run;
    }
}

// Validates the program for all sizes, even if the case's own sizes exhausted the budget: the general proof may be
// cheaper. A proof for all sizes also holds for the case's.
void validate_beyond(const cases::Case& c, compiler::ForkServer& server, const compiler::Identity& identity,
                     const Options& options, Judged& judged) {
    const auto prophesied = lower_with_prophecies(c, server);
    validator::Verdict all =
        prophesied ? validate_for_all_sizes(c, prophesied->program, identity, all_sizes_options(options.solvers))
                   : unsupported(prophesied.error());
    judged.cross_checks.add(all.cross_checks);
    if (all.outcome == Outcome::refuted) { judge_refutation(c, all, server, identity, options, judged); }
    verdict::Verdict& verdict = judged.verdict;
    verdict.all_sizes = all;
    if (judge::mark_if_self_contradictory(verdict, all)) { return; }
    if (all.outcome == Outcome::validated) {
        verdict.indices = index_fit(c.sare, prophesied->program);
        // Nothing is claimed of sizes that break a rule.
        const auto broken = broken_size_rules(c, identity);
        const bool is_claimed = std::ranges::all_of(broken, [](const auto& rule) { return rule.may_be_too_strict; });
        if (!is_claimed || !judge::mark_if_contradicted(verdict, judged.lowered, *verdict.all_sizes)) {
            cross_check_other_sizes(c, server, identity, options, judged);
        }
    } else if (prophesied && has_outcome(verdict.own_sizes, Outcome::validated)) {
        const auto parameters = bind_parameters(prophesied->program, c, prophesied->regions);
        if (parameters) { verdict.indices = index_fit(prophesied->program, *parameters); }
    }
}

}  // namespace

void judge_with_validator(const cases::Case& c, const Columns& columns, compiler::ForkServer& server,
                          const compiler::Identity& identity, const Options& options, Judged& judged) {
    const auto program = last_lowered(columns.observation);
    const auto validated = program ? validate_at_sizes(c, *program, server, own_sizes_options(options.solvers))
                                   : unsupported(program.error());
    judged.cross_checks.add(validated.cross_checks);
    add_validation(c, validated, server, options, judged);
    const bool is_refuted = validated.outcome == Outcome::refuted;
    if (!is_refuted || options.validate_refuted) { validate_beyond(c, server, identity, options, judged); }
}

}  // namespace haruspex::pipeline
