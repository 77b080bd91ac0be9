#include "oracle/pipeline/judge_runs.h"

#include <utility>

#include "oracle/judge/judge.h"
#include "oracle/judge/lowered.h"
#include "oracle/pipeline/documented_rules.h"
#include "oracle/pipeline/localise.h"
#include "oracle/pipeline/lowered_run.h"

namespace haruspex::pipeline {
namespace {

verdict::Verdict judge_columns(const cases::Case& c, const compiler::Identity& identity, const Columns& columns,
                               const Options& options) {
    const auto& [observation, reference, lowered] = columns;
    // Only a refusal at run time can be excused by a rule, and finding the algorithm behind a SARE is not free.
    const auto excuses_for = [&](bool refused) { return refused ? excuses(c, identity) : std::vector<std::string>{}; };
    if (options.native) {
        const bool refused = observation.outcome == compiler::Outcome::run_time_error;
        verdict::Verdict native = judge::judge(c, reference, observation, excuses_for(refused));
        return lowered ? judge::combine(std::move(native), *lowered) : native;
    }
    if (auto verdict = judge::judge_compilation(c, reference, observation)) {
        return lowered ? judge::combine(std::move(*verdict), *lowered) : *verdict;
    }
    if (!lowered) {
        const auto none = judge::unknown_lowered(verdict::NotRun::nothing_lowered, "nothing lowered");
        return judge::without_native(c, none, {});
    }
    return judge::without_native(c, *lowered, excuses_for(lowered->state == verdict::LoweredState::refuses));
}

}  // namespace

compiler::Request request_of(const Options& options) {
    compiler::Request request;
    request.run = options.native;
    request.lower = options.lowered;
    return request;
}

Columns judge_observation(const cases::Case& c, compiler::Observation observation, const compiler::Identity& identity,
                          const Options& options, Judged& judged) {
    judged.times.compiler = observation.timings;
    Columns columns{std::move(observation), {}, {}};
    {
        const Stopwatch stopwatch(judged.times.reference);
        columns.reference = evaluate_reference(c);
    }
    if (!columns.observation.lowered.empty() && is_defined(columns.reference)) {
        const Stopwatch stopwatch(judged.times.interpret);
        columns.lowered = interpret_last(columns.observation, c, *columns.reference, options.most_steps).outcome;
    }
    const Stopwatch stopwatch(judged.times.judge);
    judged.verdict = judge_columns(c, identity, columns, options);
    if (columns.lowered) { judged.lowered = judge::without_native(c, *columns.lowered, {}).cls; }
    return columns;
}

Columns judge_runs(const cases::Case& c, compiler::ForkServer& server, const compiler::Identity& identity,
                   const Options& options, Judged& judged) {
    auto observation = [&] {
        const Stopwatch stopwatch(judged.times.child);
        return server.observe(c, request_of(options));
    }();
    Columns columns = judge_observation(c, std::move(observation), identity, options, judged);
    if (!options.localise) { return columns; }
    const Stopwatch stopwatch(judged.times.localise);
    if (columns.lowered && is_wrong(*columns.lowered)) {
        Localised found = localise_wrong_program(c, *columns.reference, columns.observation.input_regions,
                                                 *columns.lowered, server, options.most_steps, options.every_pass);
        judged.verdict.pass = std::move(found.pass);
        judged.passes = std::move(found.passes);
    } else if (has_failed_to_compile(columns.observation)) {
        judged.verdict.pass = locate_failure(c, columns.observation, server);
    }
    return columns;
}

}  // namespace haruspex::pipeline
