#include "oracle/pipeline/pipeline.h"

#include <utility>

#include "generators/sare/build.h"
#include "generators/sare/staging.h"
#include "generators/schedule/halide/size_rules.h"
#include "oracle/interp/sare_interpreter.h"
#include "oracle/judge/judge.h"

namespace haruspex::pipeline {
namespace {

using Clock = std::chrono::steady_clock;

// Adds the time until its end of scope.
class Stopwatch {
public:
    explicit Stopwatch(std::chrono::nanoseconds& total) : total_(total), start_(Clock::now()) {}
    Stopwatch(const Stopwatch&) = delete;
    Stopwatch& operator=(const Stopwatch&) = delete;
    ~Stopwatch() { total_ += Clock::now() - start_; }

private:
    std::chrono::nanoseconds& total_;
    Clock::time_point start_;
};

Result<std::vector<interp::OutputValues>> evaluate_reference(const cases::Case& c) {
    const auto input = [&c](const std::string& name, const std::vector<std::int64_t>& indices) {
        return cases::input_value(c.input_seed, name, c.inputs.at(name), indices);
    };
    return interp::evaluate_outputs(c.sare, c.sizes, input);
}

// The documented size rules that the case's sizes do not meet. A SARE that is not the image of a Halide algorithm has
// none.
std::vector<schedule::halide::SizeRule> broken_size_rules(const cases::Case& c, const compiler::Identity& identity) {
    std::vector<schedule::halide::SizeRule> broken;
    const auto algorithm = sare::unstage(c.sare);
    if (identity.name != "halide" || !algorithm) { return broken; }
    const schedule::halide::Vocabulary vocabulary{identity.major};
    for (schedule::halide::SizeRule& rule : schedule::halide::size_rules(*algorithm, c.schedule, vocabulary)) {
        if (!sare::evaluate(rule.condition, c.sizes)) { broken.push_back(std::move(rule)); }
    }
    return broken;
}

}  // namespace

Judged judge_case(const cases::Case& c, compiler::ForkServer& server, const compiler::Identity& identity) {
    Judged judged;
    const auto reference = [&] {
        const Stopwatch stopwatch(judged.times.reference);
        return evaluate_reference(c);
    }();
    const auto observation = [&] {
        const Stopwatch stopwatch(judged.times.child);
        return server.observe(c);
    }();
    judged.times.compiler = observation.timings;
    const Stopwatch stopwatch(judged.times.judge);
    // Only a run-time error can be excused by a rule, and taking the SARE apart is not free.
    const bool needs_rules = observation.outcome == compiler::Outcome::run_time_error;
    const auto broken_rules = needs_rules ? broken_size_rules(c, identity) : std::vector<schedule::halide::SizeRule>{};
    judged.verdict = judge::judge(c, reference, observation, broken_rules);
    return judged;
}

}  // namespace haruspex::pipeline
