#include "oracle/pipeline/judge_case.h"

#include <algorithm>
#include <string>
#include <utility>

#include "generators/base/ensure.h"
#include "oracle/judge/judge.h"
#include "oracle/judge/validated.h"
#include "oracle/pipeline/documented_rules.h"
#include "oracle/pipeline/judge_runs.h"
#include "oracle/pipeline/validation_stage.h"

namespace haruspex::pipeline {

Judged judge_case(const cases::Case& c, compiler::ForkServer& server, const compiler::Identity& identity,
                  const Options& options) {
    ENSURE(options.native || options.lowered, "something of the case is judged");
    Judged judged;
    const Columns columns = judge_runs(c, server, identity, options, judged);
    const bool is_program = columns.lowered && columns.lowered->state != verdict::LoweredState::malformed;
    if (options.validate && is_program) {
        const Stopwatch stopwatch(judged.times.validate);
        judge_with_validator(c, columns, server, identity, options, judged);
    }
    const cases::Case found = judged.found_at ? cases::at_sizes(c, *judged.found_at) : c;
    const auto rules = broken_rules(found, identity);
    judged.verdict.warnings = warnings_of(rules, found);
    const auto unchecked = std::ranges::find(rules, schedule::Judgement::nobody, &schedule::BrokenRule::judgement);
    if (unchecked != rules.end()) {
        judged.verdict = judge::outside_context(std::move(judged.verdict), std::string(unchecked->asks));
    }
    judge::mark_if_solvers_disagree(judged.verdict, judged.cross_checks);
    return judged;
}

}  // namespace haruspex::pipeline
