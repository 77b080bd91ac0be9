#include "oracle/pipeline/counterexample.h"

#include "oracle/judge/validated.h"
#include "oracle/pipeline/judge_runs.h"
#include "oracle/pipeline/prophecies.h"
#include "oracle/pipeline/refuted_passes.h"
#include "oracle/pipeline/validation.h"

namespace haruspex::pipeline {
namespace {

using verdict::Outcome;

bool is_validated(const Judged& judged) { return has_outcome(judged.verdict.own_sizes, Outcome::validated); }

}  // namespace

void add_validation(const cases::Case& c, const validator::Verdict& validated, compiler::ForkServer& server,
                    const Options& options, Judged& judged) {
    judged.verdict = judge::with_validator(std::move(judged.verdict), judged.lowered, validated);
    const bool is_refuted = validated.outcome == Outcome::refuted;
    if (!options.localise || !is_refuted || judged.verdict.pass) { return; }
    judged.passes = trace_refuted_passes(c, validated.counterexample->inputs, server);
    judged.verdict.pass = first_wrong_pass(judged.passes);
}

Judged judge_counterexample(const cases::Case& elsewhere, const validator::Verdict& refuted,
                            compiler::ForkServer& server, const compiler::Identity& identity, const Options& options) {
    Options lowered_only = options;
    lowered_only.native = false;
    Judged there;
    judge_runs(elsewhere, server, identity, lowered_only, there);
    if (judge::is_wrong_lowering(there.verdict.cls)) { return there; }
    const validator::Inputs& inputs = refuted.counterexample->inputs;
    if (const auto program = lower_with_prophecies(elsewhere, server)) {
        const auto validated = validate_at_sizes(elsewhere, *program, own_sizes_options(options.solvers));
        there.cross_checks.add(validated.cross_checks);
        add_validation(elsewhere, validated, server, options, there);
        if (is_validated(there)) {
            const auto run = replay_at_sizes(elsewhere, *program, inputs);
            if (run && is_wrong(elsewhere, *run)) { judge::mark_if_contradicted(there.verdict, inputs, *run); }
        }
    }
    // The program ran and is right on its own inputs; nothing is known of other inputs.
    const bool is_open = verdict::is_right(there.verdict.lowered) &&
                         there.verdict.cls != verdict::Class::refuted_lowering && !is_validated(there);
    constexpr std::uint64_t other_inputs = 20;
    for (std::uint64_t n = 1; is_open && n <= other_inputs; ++n) {
        cases::Case tried = elsewhere;
        tried.input_seed += n;
        Judged judged;
        judge_runs(tried, server, identity, lowered_only, judged);
        if (!judge::is_wrong_lowering(judged.verdict.cls)) { continue; }
        judged.verdict.message = "with input seed " + std::to_string(tried.input_seed) + ": " + judged.verdict.message;
        judged.cross_checks = there.cross_checks;
        return judged;
    }
    if (is_open) { add_validation(elsewhere, refuted, server, options, there); }
    return there;
}

}  // namespace haruspex::pipeline
