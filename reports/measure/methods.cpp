#include "reports/measure/methods.h"

#include <algorithm>

#include "generators/base/ensure.h"
#include "generators/base/enumerators.h"
#include "generators/sare/build.h"
#include "generators/sare/outline.h"
#include "harness/sched/traverse.h"
#include "oracle/conversion/conversion.h"
#include "oracle/pipeline/documented_rules.h"
#include "oracle/pipeline/sizes.h"
#include "oracle/pipeline/validation.h"
#include "oracle/unrolled/unrolled.h"
#include "oracle/validator/validator.h"
#include "reports/measure/equivalence_of_lowered.h"
#include "reports/measure/trials.h"

namespace haruspex::measure {
namespace {

std::string one_line(std::string text) {
    std::ranges::replace(text, '\n', ' ');
    return text;
}

// The validator and the equivalence checker get the same total of isl operations and divide it as they like. Both may
// convert a lowered program in several ways.
validator::Options validator_options(const Budget& budget) {
    validator::Options options = pipeline::all_sizes_options();
    // A proof under a condition on inputs is none here.
    options.may_assume_sums_fit = false;
    options.operations *= budget.effort;
    options.evaluation_operations *= budget.effort;
    options.obligation_operations *= budget.effort;
    return options;
}

equivalence::Options equivalence_options(const Budget& budget, bool exact_reals) {
    equivalence::Options options;
    options.exact_reals = exact_reals;
    options.reorderable = equivalence::parse_reorderable(equivalence::reorderable_names()).value();
    options.operations = pipeline::all_sizes_options().operations * budget.effort;
    return options;
}

Answer answer_of(const validator::Verdict& verdict) {
    switch (verdict.outcome) {
        case validator::Outcome::validated: return {Outcome::proved, one_line(reason(verdict))};
        case validator::Outcome::refuted: return {Outcome::refuted, one_line(reason(verdict))};
        case validator::Outcome::unsupported: return {Outcome::unsupported, one_line(reason(verdict))};
        case validator::Outcome::undecided: break;
    }
    std::string why = one_line(reason(verdict));
    if (verdict.deciding) { why += " [" + one_line(verdict.judgements[*verdict.deciding].reason) + "]"; }
    return {Outcome::undecided, std::move(why)};
}

Answer answer_of(const equivalence::Verdict& verdict) {
    switch (verdict.outcome) {
        case equivalence::Outcome::proved: return {Outcome::proved, one_line(verdict.reason)};
        case equivalence::Outcome::unsupported: return {Outcome::unsupported, one_line(verdict.reason)};
        case equivalence::Outcome::not_proved:
        case equivalence::Outcome::undecided: break;
    }
    return {Outcome::undecided, std::string(name(verdict.outcome)) + ": " + one_line(verdict.reason)};
}

Answer answer_of(const Trial& trial) {
    if (trial.shown == Shown::wrong) { return {Outcome::refuted, one_line(trial.message)}; }
    return {Outcome::undecided, trial.shown == Shown::right ? "agrees" : "not run: " + one_line(trial.message)};
}

// --- Programs over the tensors' coordinates ----------------------------------------------------------------------

Answer validate(const Written& written, Question question, const Sizes& sizes, const Budget& budget) {
    if (question == Question::own_sizes) { return answer_of(unrolled::validate(written.sare, written.program, sizes)); }
    validator::Options options = validator_options(budget);
    if (question == Question::large_sizes) { options.sizes = sizes; }
    return answer_of(validator::validate(written.sare, written.program, options));
}

Answer check(const Written& written, Question question, const Sizes& sizes, const Budget& budget) {
    equivalence::Options options = equivalence_options(budget, false);
    if (question != Question::all_sizes) { options.sizes = sizes; }
    return answer_of(equivalence::check(written.sare, sched::erase_prophecies(written.program), options));
}

Answer interpret(const Written& written, const Sizes& sizes) { return answer_of(try_at(written, sizes, 0)); }

// --- Lowered programs --------------------------------------------------------------------------------------------

// Confirms a refutation of the converted program: whether the original program is wrong at the counterexample's sizes,
// with `sizes` for parameters that it leaves open.
Answer confirmed(const Lowered& lowered, const Sizes& sizes, const validator::Verdict& verdict) {
    Answer answer = answer_of(verdict);
    if (answer.outcome != Outcome::refuted) { return answer; }
    Asked asked;
    asked.sizes = {sizes};
    for (auto& [parameter, size] : asked.sizes[0]) {
        const auto found = verdict.counterexample->sizes.find(parameter);
        if (found != verdict.counterexample->sizes.end()) { size = found->second; }
    }
    const auto compilation = lowered.source->compile(lowered.compiled, asked);
    const bool is_known = compilation && compilation->regions.at(0);
    const Trial trial = is_known ? try_at(lowered, asked.sizes[0], *compilation->regions[0]) : Trial{};
    if (trial.shown == Shown::wrong) {
        return {Outcome::refuted, "at " + text_of(asked.sizes[0]) + ": " + one_line(trial.message)};
    }
    return {Outcome::undecided, "a counterexample that is none: " + answer.reason};
}

Answer validate(const Lowered& lowered, Question question, const Sizes& sizes, const compiler::Identity& identity,
                const Budget& budget) {
    if (question == Question::own_sizes) {
        validator::Verdict verdict = pipeline::validate_at_sizes(lowered.c, lowered.plain);
        if (verdict.outcome == validator::Outcome::undecided && lowered.prophesied) {
            verdict = pipeline::validate_at_sizes(lowered.c, {*lowered.prophesied, lowered.plain.regions});
        }
        return answer_of(verdict);
    }
    if (!lowered.prophesied) { return {Outcome::unsupported, one_line(lowered.prophesied.error())}; }
    const validator::Options options = validator_options(budget);
    return confirmed(lowered, sizes,
                     question == Question::large_sizes
                         ? pipeline::validate_large_sizes(lowered.c, sizes, *lowered.prophesied, identity, options)
                         : pipeline::validate_for_all_sizes(lowered.c, *lowered.prophesied, identity, options));
}

Answer check(const Lowered& lowered, Question question, const Sizes& sizes, const compiler::Identity& identity,
             const Budget& budget) {
    sare::Sare sare = sare::outlined(lowered.c.sare);
    // As for the validator: without strict floats the compiler computes with real numbers.
    const equivalence::Options options = equivalence_options(budget, !lowered.c.strict_float);
    if (question == Question::own_sizes) {
        return answer_of(
            check_lowered(pipeline::at_sizes(sare, sizes), pipeline::at_sizes(lowered.plain.program, sizes), options));
    }
    const auto assume = [&](const sare::Condition& condition) {
        sare.assumptions = {sare::And{sare.assumptions, condition}};
    };
    // Large sizes are assumed instead of being substituted, since the program's strides are recognised by their names.
    if (question == Question::large_sizes) {
        for (const auto& [parameter, size] : sizes) {
            assume(sare::compare(sare::Relation::eq, sare::variable(parameter), sare::constant(size)));
        }
    }
    // The sizes that the validator covers (oracle/pipeline/validation.h).
    assume(conversion::small_sizes(sare));
    for (const auto& rule : pipeline::size_rules(lowered.c, identity)) {
        if (!rule.may_be_too_strict) { assume(rule.condition); }
    }
    return answer_of(check_lowered(sare, lowered.plain.program, options));
}

Answer interpret(const Lowered& lowered, const Sizes& sizes) {
    return answer_of(try_at(lowered, sizes, lowered.plain.regions));
}

Answer run_native(const Lowered& lowered) {
    if (lowered.is_changed) { return {Outcome::unsupported, "changed after lowering: no compiler makes code of it"}; }
    if (lowered.compiled != lowered.c) {
        return {Outcome::unsupported, "judged by another specification than its own"};
    }
    Asked asked;
    asked.native = true;
    const auto compilation = lowered.source->compile(lowered.c, asked);
    if (!compilation) { return {Outcome::failed, one_line(compilation.error().message)}; }
    const auto cls = verdict::parse_class(compilation->native_class);
    ENSURE(cls.has_value(), "a class of verdicts: " + compilation->native_class);
    std::string reason = compilation->native_class;
    if (!compilation->native_message.empty()) { reason += ": " + one_line(compilation->native_message); }
    return {verdict::is_finding(*cls) ? Outcome::refuted : Outcome::undecided, std::move(reason),
            compilation->native_compile_seconds, compilation->native_cpu_seconds};
}

}  // namespace

std::string_view name(Method method) {
    static constexpr std::array<std::string_view, 4> names{"validator", "equivalence", "interpreter", "native"};
    return names.at(static_cast<std::size_t>(method));
}

bool runs_programs(Method method) { return method == Method::interpreter || method == Method::native; }

std::string_view name(Question question) {
    static constexpr std::array<std::string_view, 3> names{"own", "large", "all"};
    return names.at(static_cast<std::size_t>(question));
}

std::string_view name(Outcome outcome) {
    static constexpr std::array<std::string_view, 5> names{"proved", "refuted", "undecided", "unsupported", "failed"};
    return names.at(static_cast<std::size_t>(outcome));
}

std::optional<Method> parse_method(std::string_view text) { return enumerator_named(all_methods, text); }
std::optional<Question> parse_question(std::string_view text) { return enumerator_named(all_questions, text); }
std::optional<Outcome> parse_outcome(std::string_view text) { return enumerator_named(all_outcomes, text); }

Answer ask(Method method, Question question, const Problem& problem, const Sizes& sizes,
           const compiler::Identity& identity, const Budget& budget) {
    const auto* written = std::get_if<Written>(&problem.subject);
    const auto* lowered = std::get_if<Lowered>(&problem.subject);
    switch (method) {
        case Method::validator:
            return written != nullptr ? validate(*written, question, sizes, budget)
                                      : validate(*lowered, question, sizes, identity, budget);
        case Method::equivalence:
            return written != nullptr ? check(*written, question, sizes, budget)
                                      : check(*lowered, question, sizes, identity, budget);
        case Method::interpreter:
            return written != nullptr ? interpret(*written, problem.own) : interpret(*lowered, problem.own);
        case Method::native:
            return written != nullptr ? Answer{Outcome::unsupported, "no compiler made it"} : run_native(*lowered);
    }
    raise_internal_error(__FILE__, __LINE__, "no such method");
}

}  // namespace haruspex::measure
