#include "reports/session/judging_again.h"

#include <chrono>

#include "oracle/pipeline/passes.h"

namespace haruspex::session {

pipeline::Options judging_again(const verdict::Verdict& verdict) {
    pipeline::Options options;
    options.validate =
        verdict.cls == verdict::Class::refuted_lowering || verdict.cls == verdict::Class::unsound_validator;
    return options;
}

pipeline::Options judging_smaller(const verdict::Verdict& verdict) {
    pipeline::Options options = judging_again(verdict);
    const bool is_long = verdict.lowered && verdict.lowered->not_run == verdict::NotRun::steps;
    if (is_long) { options.most_steps /= 30; }
    return options;
}

std::optional<compiler::Limits> limits_of_glance(const verdict::Verdict& verdict) {
    if (!verdict::is_hang(verdict.cls)) { return std::nullopt; }
    // About forty times the compile time of a random case.
    compiler::Limits limits;
    limits.cpu = std::chrono::milliseconds(2000);
    limits.wall = std::chrono::milliseconds(10000);
    return limits;
}

triage::PassOrder pass_order(compiler::ForkServer& server) {
    const auto passes = pipeline::common_passes(server);
    return passes ? triage::PassOrder(*passes) : triage::PassOrder::drawn_by_cases();
}

}  // namespace haruspex::session
