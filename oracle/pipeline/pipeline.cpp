#include "oracle/pipeline/pipeline.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "generators/base/ensure.h"
#include "generators/random/regions.h"
#include "generators/sare/build.h"
#include "generators/sare/staging.h"
#include "generators/schedule/halide/admission.h"
#include "generators/schedule/halide/size_rules.h"
#include "generators/schedule/text.h"
#include "harness/sched/text.h"
#include "harness/sched/transplant.h"
#include "oracle/interp/sare_interpreter.h"
#include "oracle/judge/judge.h"
#include "oracle/judge/validated.h"
#include "oracle/pipeline/index_fit.h"
#include "oracle/pipeline/lowered.h"
#include "oracle/pipeline/other_sizes.h"
#include "oracle/pipeline/refuted_passes.h"
#include "oracle/pipeline/validation.h"

namespace haruspex::pipeline {
namespace {

using Clock = std::chrono::steady_clock;
using verdict::Outcome;

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

// " W = 3, H = 1"
std::string sizes_text(const std::map<std::string, std::int64_t>& sizes) {
    std::string text;
    for (const auto& [name, size] : sizes) {
        text += (text.empty() ? " " : ", ") + name + " = " + std::to_string(size);
    }
    return text;
}

// As the compiler has them; nothing where it has none.
std::optional<sare::Algorithm> algorithm_of(const cases::Case& c, const compiler::Identity& identity) {
    auto algorithm = sare::unstage(c.sare);
    if (identity.name != "halide" || !algorithm) { return std::nullopt; }
    return std::move(*algorithm);
}

std::vector<schedule::halide::SizeRule> rules_of(const std::optional<sare::Algorithm>& algorithm, const cases::Case& c,
                                                 const compiler::Identity& identity) {
    if (!algorithm) { return {}; }
    return schedule::halide::size_rules(*algorithm, c.schedule, schedule::halide::Vocabulary{identity.major});
}

// None of a schedule that names what does not exist.
schedule::halide::BrokenRules broken_rules_of(const sare::Algorithm& algorithm, const cases::Case& c,
                                              const compiler::Identity& identity) {
    const schedule::halide::Vocabulary vocabulary{identity.major};
    return schedule::halide::broken_rules(algorithm, c.schedule, vocabulary).value_or(schedule::halide::BrokenRules{});
}

std::vector<verdict::Warning> warnings_of(const schedule::halide::BrokenRules& broken, const cases::Case& c) {
    std::vector<verdict::Warning> warnings;
    for (const auto& [rule, directive, words] : broken) {
        warnings.push_back({directive, schedule::print(c.schedule.directives[directive]),
                            std::string(schedule::halide::name(rule)), std::string(schedule::halide::asks(rule))});
    }
    return warnings;
}

// Those that the case's sizes do not meet.
std::vector<schedule::halide::SizeRule> broken(std::vector<schedule::halide::SizeRule> rules, const cases::Case& c) {
    std::erase_if(rules, [&](const auto& rule) { return sare::evaluate(rule.condition, c.sizes); });
    return rules;
}

// What excuses a refusal at run time: broken size rules, rules of the schedule that are checked then, and that a buffer
// of just what is requested of an output is too small for the updates, or for what else reads it.
std::vector<std::string> excuses(const cases::Case& c, const compiler::Identity& identity) {
    const auto algorithm = algorithm_of(c, identity);
    std::vector<std::string> reasons;
    for (const auto& rule : broken(rules_of(algorithm, c, identity), c)) { reasons.push_back(rule.reason); }
    if (!algorithm) { return reasons; }
    for (const auto& rule : broken_rules_of(*algorithm, c, identity)) {
        if (schedule::halide::judgement(rule.rule) != schedule::halide::Judgement::program) { continue; }
        reasons.emplace_back(schedule::halide::asks(rule.rule));
    }
    if (const auto output = random::output_touched_outside(*algorithm, random::intervals_of(c.sizes))) {
        reasons.push_back(*output + " is read or written where none of it is requested");
    }
    return reasons;
}

Seen interpret(const compiler::Lowered& lowered, const cases::Case& c,
               const std::vector<interp::OutputValues>& reference, const std::vector<compiler::InputRegion>& regions,
               const Options& options) {
    using judge::LoweredState;
    const auto unknown = [](std::string why) { return Seen{{LoweredState::unknown, std::move(why), {}}}; };
    const auto too_large = [](std::string what) { return Seen{{LoweredState::too_large, std::move(what), {}}}; };
    if (lowered.unsupported.starts_with(compiler::long_text)) {
        return too_large("unsupported: " + lowered.unsupported);
    }
    if (!lowered.unsupported.empty()) { return unknown("unsupported: " + lowered.unsupported); }
    const auto program = sched::parse_program(lowered.program, "lowered");
    if (!program) { return {{LoweredState::malformed, "malformed: " + to_string(program.error()), {}}}; }
    const auto parameters = bind_parameters(*program, c, regions);
    if (!parameters) { return unknown("not run: " + parameters.error().message); }
    interp::Options limits;
    limits.most_steps = options.most_steps;
    limits.zeros_are_one = !c.strict_float;
    const auto execution = interp::run(*program, *parameters, input_values(c), limits);
    if (!execution) { return too_large("not run: " + execution.error().message); }
    return {judge::judge_lowered(c, reference, *execution), execution->steps};
}

bool is_defined(const Result<std::vector<interp::OutputValues>>& reference) {
    return reference && std::ranges::all_of(*reference, [](const interp::OutputValues& output) {
               return std::ranges::all_of(output.cells, &value::Value::is_defined);
           });
}

verdict::Verdict judge_columns(const cases::Case& c, const compiler::Identity& identity,
                               const Result<std::vector<interp::OutputValues>>& reference,
                               const compiler::Observation& observation,
                               const std::optional<judge::LoweredFinding>& finding, const Options& options) {
    // Only a refusal at run time can be excused by a rule, and taking the SARE apart is not free.
    const auto excuses_for = [&](bool refused) { return refused ? excuses(c, identity) : std::vector<std::string>{}; };
    if (options.native) {
        const bool refused = observation.outcome == compiler::Outcome::run_time_error;
        verdict::Verdict native = judge::judge(c, reference, observation, excuses_for(refused));
        return finding ? judge::combine(std::move(native), *finding) : native;
    }
    if (auto verdict = judge::judge_compilation(c, reference, observation)) {
        return finding ? judge::combine(std::move(*verdict), *finding) : *verdict;
    }
    if (!finding) {
        return judge::without_native(c, {judge::LoweredState::unknown, "not run: nothing lowered", {}}, {});
    }
    return judge::without_native(c, *finding, excuses_for(finding->state == judge::LoweredState::refuses));
}

// Whether generating code came to its limit for a program of which nobody expects anything else. Programs have some
// thousand bytes; those that came to the limit in 10,000 random cases had from 170,000 to more than a million.
bool takes_long_to_compile(const compiler::Observation& observation) {
    constexpr std::size_t long_program = 100'000;
    return observation.outcome == compiler::Outcome::timed_out && observation.phase == compiler::Phase::compile &&
           observation.lowered.back().program.size() > long_program;
}

struct Columns {
    Result<std::vector<interp::OutputValues>> reference;
    std::optional<judge::LoweredFinding> finding;  // of the lowered program; none without one or without a reference
};

// The verdict on a case whose schedule breaks no rule; on another one, the verdict before that is looked at.
Judged judge_as_admitted(const cases::Case& c, compiler::ForkServer& server, const compiler::Identity& identity,
                         const Options& options);

// Evaluates the reference, interprets what was lowered, and judges.
Columns judge_observation(const cases::Case& c, const compiler::Observation& observation,
                          const compiler::Identity& identity, const Options& options, Judged& judged) {
    judged.times.compiler = observation.timings;
    auto reference = [&] {
        const Stopwatch stopwatch(judged.times.reference);
        return evaluate_reference(c);
    }();
    std::optional<judge::LoweredFinding> finding;
    if (!observation.lowered.empty() && is_defined(reference)) {
        const Stopwatch stopwatch(judged.times.interpret);
        const compiler::Lowered& lowered = observation.lowered.back();
        finding = takes_long_to_compile(observation)
                      ? judge::LoweredFinding{judge::LoweredState::too_large, "not run: the program is long", {}}
                      : interpret(lowered, c, *reference, observation.input_regions, options).finding;
        if (finding->state == judge::LoweredState::unknown && lowered.unsupported.empty() &&
            !observation.regions_unknown.empty()) {
            finding->message = "not run: " + observation.regions_unknown;
        }
    }
    const Stopwatch stopwatch(judged.times.judge);
    judged.verdict = judge_columns(c, identity, reference, observation, finding, options);
    if (finding) { judged.lowered = judge::without_native(c, *finding, {}).cls; }
    return {std::move(reference), std::move(finding)};
}

compiler::Request request_of(const Options& options) {
    compiler::Request request;
    request.run = options.native;
    request.lower = options.lowered;
    return request;
}

bool has_failed_to_compile(const compiler::Observation& observation) {
    const bool has_failed =
        observation.outcome == compiler::Outcome::crashed || observation.outcome == compiler::Outcome::internal_error;
    return (has_failed && observation.phase == compiler::Phase::compile) ||
           compiler::is_refused_in_code_generation(observation);
}

bool has_free_variable(const compiler::Lowered& program) {
    return program.unsupported.starts_with(compiler::free_variable);
}

// Whether the compiler, which failed, names the free variable of the program of which it was to generate code.
bool fails_for_free_variable(const compiler::Observation& failed) {
    const compiler::Lowered& program = failed.lowered.back();
    return has_free_variable(program) &&
           failed.message.contains(program.unsupported.substr(compiler::free_variable.size()));
}

// Where the compiler failed, or made the program of which it cannot generate code. What hangs would hang for as long
// again.
std::string locate_failure(const cases::Case& c, const compiler::Observation& failed, compiler::ForkServer& server) {
    const bool is_lowered = !failed.lowered.empty();
    if (is_lowered && !fails_for_free_variable(failed)) { return std::string(generating_code); }
    const std::vector<compiler::Lowered> programs = observe_passes(c, server).lowered;
    if (!is_lowered) { return failing_pass(programs, all_passes(server)); }
    // What has a translation has no free variables.
    const Look look = [](const compiler::Lowered& program) -> Seen {
        using judge::LoweredState;
        const LoweredState otherwise = program.unsupported.empty() ? LoweredState::equal : LoweredState::unknown;
        return {{has_free_variable(program) ? LoweredState::troubled : otherwise, program.unsupported, {}}};
    };
    return first_wrong_pass(look_for_wrong_pass(programs, look, 0));
}

// Where the final program goes wrong, of which `finding` was seen.
void localise(const cases::Case& c, const std::vector<interp::OutputValues>& reference,
              const std::vector<compiler::InputRegion>& regions, const judge::LoweredFinding& finding,
              compiler::ForkServer& server, const Options& options, Judged& judged) {
    const std::vector<compiler::Lowered> programs = observe_passes(c, server).lowered;
    if (programs.empty()) { return; }
    const Look look = once_for_each_text([&](const compiler::Lowered& lowered) -> Seen {
        if (lowered == programs.back()) { return {finding}; }
        return interpret(lowered, c, reference, regions, options);
    });
    judged.passes = look_for_wrong_pass(programs, look, options.most_steps);
    judged.verdict.pass = first_wrong_pass(judged.passes);
    if (options.every_pass) { judged.passes = look_at_all(programs, look); }
}

// The verdict beside what the validator says of the case's sizes; where that alone refutes the program, with the passes
// by which it goes wrong.
void add_validation(const cases::Case& c, const validator::Verdict& validated, compiler::ForkServer& server,
                    const Options& options, Judged& judged) {
    judged.verdict = judge::with_validator(std::move(judged.verdict), judged.lowered, validated);
    const bool is_refuted = validated.outcome == Outcome::refuted;
    if (!options.localise || !is_refuted || !judged.verdict.pass.empty()) { return; }
    judged.passes = trace_refuted_passes(c, validated.counterexample->inputs, server);
    judged.verdict.pass = first_wrong_pass(judged.passes);
}

// What is seen of the lowered program at the sizes of a counterexample: on the case's own inputs or, says the validator
// of given sizes, on others; where it does not say, on some others of their kind, and then on the counterexample's.
// These may contradict what that validator says.
Judged judge_counterexample(const cases::Case& elsewhere, const validator::Verdict& refuted,
                            compiler::ForkServer& server, const compiler::Identity& identity, const Options& options) {
    Options lowered_only = options;
    lowered_only.native = false;
    lowered_only.validate = false;
    Judged there = judge_as_admitted(elsewhere, server, identity, lowered_only);
    if (judge::is_wrong_lowering(there.verdict.cls)) { return there; }
    if (const auto program = lower_with_prophecies(elsewhere, server)) {
        add_validation(elsewhere, validate_at_sizes(elsewhere, *program), server, options, there);
        if (comes_to(there.verdict.validator, Outcome::validated)) {
            const auto run = replay_at_sizes(elsewhere, *program, refuted.counterexample->inputs);
            if (run && is_wrong(elsewhere, *run)) {
                judge::contradicts(there.verdict, refuted.counterexample->inputs, *run);
            }
        }
    }
    // It ran, it is right on its inputs, and nothing is known of others.
    const bool is_open = there.verdict.lowered == "agrees" && there.verdict.cls != verdict::Class::refuted_lowering &&
                         !comes_to(there.verdict.validator, Outcome::validated);
    constexpr std::uint64_t other_inputs = 20;
    for (std::uint64_t n = 1; is_open && n <= other_inputs; ++n) {
        cases::Case tried = elsewhere;
        tried.input_seed += n;
        Judged judged = judge_as_admitted(tried, server, identity, lowered_only);
        if (!judge::is_wrong_lowering(judged.verdict.cls)) { continue; }
        judged.verdict.message = "with input seed " + std::to_string(tried.input_seed) + ": " + judged.verdict.message;
        return judged;
    }
    if (is_open) { add_validation(elsewhere, refuted, server, options, there); }
    return there;
}

// Runs what is proved for all sizes at others. A lowered program that is wrong there is the fault of the proof; where
// only the compiled code is wrong, that is what is found of the case.
void doubt(const cases::Case& c, compiler::ForkServer& server, const compiler::Identity& identity,
           const Options& options, Judged& judged) {
    verdict::Verdict& verdict = judged.verdict;
    const std::vector<Sizes> others = other_sizes(c, size_rules(c, identity), options.other_sizes);
    const std::vector<compiler::Observation> observations = server.observe_at(c, others, request_of(options));
    std::optional<verdict::Verdict> found;
    for (std::size_t n = 0; n < others.size(); ++n) {
        const Sizes& sizes = others[n];
        Judged elsewhere;
        judge_observation(cases::at_sizes(c, sizes), observations[n], identity, options, elsewhere);
        const verdict::Verdict& there = elsewhere.verdict;
        const verdict::Validation& proof = *verdict.all_sizes;
        const verdict::Class shown = judge::excludes(proof, there.cls) ? there.cls : elsewhere.lowered;
        if (judge::excludes(proof, shown)) {
            judge::accuse(verdict, proof, shown, there, "at" + sizes_text(sizes) + " ");
            judged.found_at.reset();
            return;
        }
        if (!found && judge::is_native_finding(there.cls) && judge::gives_way(verdict.cls)) {
            found = there;
            judged.found_at = sizes;
        }
    }
    if (found) { verdict = judge::beside_proof(std::move(*found), verdict); }
}

// What is not refuted at the case's sizes, for all of them: where there is too much to be done at its own, nothing says
// that there is in general. A refutation counts when the program as it was lowered is wrong at the sizes of the
// counterexample; a proof is one for the case's sizes, too.
void validate_beyond(const cases::Case& c, compiler::ForkServer& server, const compiler::Identity& identity,
                     const Options& options, Judged& judged) {
    verdict::Verdict& verdict = judged.verdict;
    const auto foretold = lower_with_prophecies(c, server);
    validator::Verdict all =
        foretold ? validate_for_all_sizes(c, foretold->program, identity) : unsupported(foretold.error());
    if (all.outcome == Outcome::refuted) {
        const cases::Case elsewhere = cases::at_sizes(c, all.counterexample->sizes);
        Judged beyond = judge_counterexample(elsewhere, all, server, identity, options);
        const verdict::Verdict& there = beyond.verdict;
        const bool is_wrong_there =
            judge::is_wrong_lowering(there.cls) || there.cls == verdict::Class::refuted_lowering;
        const bool is_contradicted = there.cls == verdict::Class::unsound_validator;
        if (is_contradicted || (is_wrong_there && judge::gives_way(verdict.cls))) {
            verdict = judge::refuted_elsewhere(std::move(verdict), "at" + sizes_text(elsewhere.sizes), there);
            judged.passes = std::move(beyond.passes);
        } else if (!is_wrong_there) {
            const bool is_right = there.lowered == "agrees" || comes_to(there.validator, Outcome::validated);
            all.outcome = Outcome::undecided;
            all.reason = (is_right ? "refuted, not confirmed: " : "refuted, not run: ") + all.reason;
        }
    }
    verdict.all_sizes = judge::said(all);
    if (judge::contradicts_itself(verdict, all)) { return; }
    if (all.outcome == Outcome::validated) {
        verdict.indices = describe_fit(c.sare, foretold->program);
        // Of sizes that break a rule nothing is claimed.
        const bool is_claimed = std::ranges::all_of(broken(size_rules(c, identity), c),
                                                    [](const auto& rule) { return rule.may_be_too_strict; });
        if (!is_claimed || !judge::contradicts(verdict, judged.lowered, *verdict.all_sizes)) {
            doubt(c, server, identity, options, judged);
        }
    } else if (foretold && comes_to(verdict.validator, Outcome::validated)) {
        const auto parameters = bind_parameters(foretold->program, c, foretold->regions);
        if (parameters) { verdict.indices = describe_fit(foretold->program, *parameters); }
    }
}

Judged judge_as_admitted(const cases::Case& c, compiler::ForkServer& server, const compiler::Identity& identity,
                         const Options& options) {
    Judged judged;
    const auto observation = [&] {
        const Stopwatch stopwatch(judged.times.child);
        return server.observe(c, request_of(options));
    }();
    const auto [reference, finding] = judge_observation(c, observation, identity, options, judged);
    if (options.localise && finding && is_wrong(*finding)) {
        const Stopwatch stopwatch(judged.times.localise);
        localise(c, *reference, observation.input_regions, *finding, server, options, judged);
    } else if (options.localise && has_failed_to_compile(observation)) {
        const Stopwatch stopwatch(judged.times.localise);
        judged.verdict.pass = locate_failure(c, observation, server);
    }
    if (options.validate && finding && finding->state != judge::LoweredState::malformed) {
        const Stopwatch stopwatch(judged.times.validate);
        const auto program = last_lowered(observation);
        const auto validated = program ? validate_at_sizes(c, *program, server) : unsupported(program.error());
        add_validation(c, validated, server, options, judged);
        if (validated.outcome != Outcome::refuted) { validate_beyond(c, server, identity, options, judged); }
    }
    return judged;
}

}  // namespace

schedule::halide::BrokenRules broken_rules(const cases::Case& c, const compiler::Identity& identity) {
    const auto algorithm = algorithm_of(c, identity);
    return algorithm ? broken_rules_of(*algorithm, c, identity) : schedule::halide::BrokenRules{};
}

std::vector<schedule::halide::SizeRule> size_rules(const cases::Case& c, const compiler::Identity& identity) {
    return rules_of(algorithm_of(c, identity), c, identity);
}

Result<std::vector<interp::OutputValues>> evaluate_reference(const cases::Case& c) {
    const auto input = [&c](const std::string& name, const std::vector<std::int64_t>& indices) {
        return cases::input_value(c.input_seed, name, c.inputs.at(name), indices);
    };
    // Where the compilers' overflow, the case is to blame.
    constexpr int compiled_index_bits = 32;
    return interp::evaluate_outputs(c.sare, c.sizes, input, interp::default_most_steps, compiled_index_bits);
}

Judged judge_case(const cases::Case& c, compiler::ForkServer& server, const compiler::Identity& identity,
                  const Options& options) {
    ENSURE(options.native || options.lowered, "something of the case is judged");
    Judged judged = judge_as_admitted(c, server, identity, options);
    const auto rules = broken_rules(c, identity);
    judged.verdict.warnings = warnings_of(rules, c);
    const auto unchecked = std::ranges::find(rules, schedule::halide::Judgement::nobody,
                                             [](const auto& rule) { return schedule::halide::judgement(rule.rule); });
    if (unchecked != rules.end()) {
        const std::string asks(schedule::halide::asks(unchecked->rule));
        judged.verdict = judge::outside_context(std::move(judged.verdict), asks);
    }
    return judged;
}

std::vector<PassResult> trace_passes(const cases::Case& c, const std::vector<interp::OutputValues>& reference,
                                     const std::vector<compiler::InputRegion>& regions, compiler::ForkServer& server,
                                     const Options& options) {
    return look_at_all(observe_passes(c, server).lowered, [&](const compiler::Lowered& lowered) {
        return interpret(lowered, c, reference, regions, options);
    });
}

}  // namespace haruspex::pipeline
