#include "oracle/pipeline/refuted_passes.h"

#include <algorithm>
#include <ranges>

#include "harness/sched/text.h"
#include "oracle/judge/lowered.h"
#include "oracle/pipeline/parameter_binding.h"
#include "oracle/pipeline/prophecies.h"
#include "oracle/pipeline/validation.h"
#include "oracle/unrolled/unrolled.h"

namespace haruspex::pipeline {
namespace {

using verdict::LoweredOutcome;
using verdict::LoweredState;

LoweredOutcome wrong(bool is_undef, std::string message) {
    return {is_undef ? LoweredState::overflows : LoweredState::differs, {}, {}, std::move(message), {}};
}

LoweredOutcome look_at(const compiler::Lowered& lowered, const cases::Case& c,
                       const std::vector<compiler::InputRegion>& regions, const validator::Inputs& counterexample) {
    const std::string* text = lowered.text();
    if (text == nullptr) { return judge::unknown_lowered(verdict::NotRun::untranslated, why_untranslated(lowered)); }
    auto program = sched::parse_program(*text, "lowered");
    if (!program) { return {LoweredState::malformed, {}, {}, to_string(program.error()), {}}; }
    const LoweredProgram snapshot{std::move(*program), regions};
    const unrolled::Options limits;
    const auto trial = replay_at_sizes(c, snapshot, counterexample, limits.most_steps);
    if (!trial) { return judge::unknown_lowered(verdict::NotRun::parameters, trial.error().message); }
    if (is_wrong(c, *trial)) { return wrong(trial->is_undef, to_string(*trial)); }
    const validator::Verdict verdict = validate_at_sizes(c, snapshot, limits);
    if (verdict.outcome == validator::Outcome::refuted) {
        return wrong(verdict.counterexample->is_undef, verdict.counterexample->message);
    }
    const bool is_right = verdict.outcome == validator::Outcome::validated;
    return {is_right ? LoweredState::equal : LoweredState::unknown, {}, {}, to_string(verdict), {}};
}

}  // namespace

std::vector<PassResult> trace_refuted_passes(const cases::Case& c, const validator::Inputs& counterexample,
                                             compiler::ForkServer& server) {
    const compiler::Observation observation = observe_passes(c, server);
    const ExaminePass look = once_for_each_text([&](const compiler::Lowered& lowered) -> Examined {
        return {look_at(lowered, c, observation.input_regions, counterexample)};
    });
    return find_wrong_pass(observation.lowered, look, 0);
}

}  // namespace haruspex::pipeline
