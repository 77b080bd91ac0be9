#include "oracle/pipeline/validation.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "generators/base/ensure.h"
#include "generators/sare/build.h"
#include "generators/sare/outline.h"
#include "generators/sare/text.h"
#include "oracle/conversion/conversion.h"
#include "oracle/interp/sched_interpreter.h"
#include "oracle/pipeline/assumptions.h"
#include "oracle/pipeline/documented_rules.h"
#include "oracle/pipeline/factored.h"
#include "oracle/pipeline/original.h"
#include "oracle/pipeline/parameter_binding.h"
#include "oracle/pipeline/sizes.h"
#include "oracle/validator/evaluation/interface_check.h"

namespace haruspex::pipeline {
namespace {

validator::Verdict validate_converted(const cases::Case& c, sare::Sare specification, const sched::Program& prophesied,
                                      const conversion::Converted& converted, validator::Options options) {
    std::string premises;
    for (const conversion::Premise& premise : converted.premises) {
        if (premise.condition) {
            if (follows(*premise.condition, specification)) { continue; }
            if (premise.is_needed) { assume(specification, *premise.condition); }
        }
        premises += (premises.empty() ? "" : " and ") + premise.text;
    }
    if (const auto fits = validator::check_interface(specification, converted.program); !fits) {
        return unsupported(Feature{"interface", fits.error().message});
    }
    const Original original(c, prophesied, converted.program);
    options.original = [&](const Sizes& sizes, const validator::Inputs& inputs) {
        return original.replay(specification, sizes, inputs, options.most_steps);
    };
    validator::Verdict verdict = validator::validate(specification, converted.program, options);
    if (verdict.outcome == validator::Outcome::validated && !premises.empty()) { verdict.premise = premises; }
    return verdict;
}

std::optional<Feature> beyond_conventions(const sare::Sare& sare, const Sizes& sizes) {
    for (const auto& [name, size] : sizes) {
        if (size > conversion::most_size) { return Feature{"a size that is too large", name}; }
    }
    for (const sare::Output& output : sare.outputs) {
        constexpr std::int64_t most_bytes = std::numeric_limits<std::int32_t>::max();
        constexpr std::int64_t widest = 8;
        std::int64_t bytes = widest;
        for (const sare::Span& span : output.box) {
            const std::int64_t extent = std::max<std::int64_t>(sare::evaluate(span.extent, sizes), 1);
            if (extent > most_bytes / bytes) { return Feature{"a buffer that is too large", output.tensor}; }
            bytes *= extent;
        }
    }
    return std::nullopt;
}

// Whether all accesses are shown to lie within their dimensions.
bool are_accesses_shown(const validator::Verdict& verdict) {
    return !verdict.judgements.empty() && std::ranges::all_of(verdict.judgements, [](const auto& judgement) {
        return !validator::is_about_bounds(judgement.kind) || judgement.holds();
    });
}

// Whether the violated obligation can explain the run's trouble. Wrong coordinates violate bounds whatever is wrong.
bool is_explained(const validator::Verdict& refuted) {
    using interp::TroubleKind;
    const std::optional<TroubleKind> seen = refuted.counterexample->trouble;
    if (seen == TroubleKind::out_of_bounds_read) { return refuted.obligation == validator::Kind::bounds_read; }
    if (seen == TroubleKind::out_of_bounds_write) { return refuted.obligation == validator::Kind::bounds_write; }
    return !is_about_bounds(*refuted.obligation);
}

// Rounding results are not compared, so no value refutes them.
validator::Verdict as_compared(const cases::Case& c, validator::Verdict verdict) {
    const bool is_refuted_by_value = verdict.outcome == validator::Outcome::refuted && !verdict.counterexample->trouble;
    if (c.comparison != cases::Comparison::not_compared || !is_refuted_by_value) { return verdict; }
    verdict.outcome = validator::Outcome::undecided;
    verdict.cause = verdict::Cause::not_compared;
    verdict.counterexample.reset();
    return verdict;
}

// The best verdict on one program under one budget, each way to convert it giving one verdict.
class Ways {
public:
    Ways(const cases::Case& c, const sare::Sare& specification, const sched::Program& prophesied,
         const validator::Options& options)
        : case_(c), specification_(specification), prophesied_(prophesied), options_(options) {
        options_.ladder.floats = c.strict_float ? validator::Floats::ieee : validator::Floats::real;
    }

    validator::Verdict best() {
        for (const conversion::Way way : conversion::all_ways) {
            options_.begin("conversion");
            auto converted = conversion::convert(specification_, prophesied_, way);
            if (!converted) {
                keep(unsupported(converted.error()), nullptr);
                continue;
            }
            // Most programs have no index that two ways divide differently; one verdict is enough then.
            if (std::ranges::find(seen_, *converted) != seen_.end()) { continue; }
            seen_.push_back(std::move(*converted));
            // Coordinates from a wrong division are mostly beyond their dimensions.
            const validator::Verdict verdict = validate(seen_.back(), true);
            keep(verdict, &seen_.back());
            // A program that costs too much in one way does so in the others.
            if (is_final(verdict) || verdict.is_exhausted || options_.operations == 0) { break; }
        }
        // If no way shows the accesses to be in bounds, another obligation may still refute the program.
        const bool is_ended_early = best_->outcome == Outcome::undecided && !best_->is_exhausted && best_converted_ &&
                                    !are_accesses_shown(*best_);
        if (is_ended_early && options_.operations > 0) {
            const validator::Verdict verdict = validate(*best_converted_, false);
            if (verdict.outcome == Outcome::refuted) { best_ = verdict; }
        }
        best_->operations = operations_;
        best_->cross_checks = cross_checks_;
        return as_compared(case_, *best_);
    }

private:
    using Outcome = validator::Outcome;

    validator::Verdict validate(const conversion::Converted& converted, bool ends_at_bounds) {
        options_.ends_at_bounds = ends_at_bounds;
        validator::Verdict verdict = validate_converted(case_, specification_, prophesied_, converted, options_);
        options_.operations -= std::min(options_.operations, verdict.operations);
        operations_ += verdict.operations;
        cross_checks_.add(verdict.cross_checks);
        return verdict;
    }

    void keep(const validator::Verdict& verdict, const conversion::Converted* converted) {
        if (best_ && !is_more_informative(verdict, *best_)) { return; }
        best_ = verdict;
        best_converted_ = converted == nullptr ? std::nullopt : std::optional(*converted);
    }

    // Whether no other way will say more.
    static bool is_final(const validator::Verdict& verdict) {
        switch (verdict.outcome) {
            case Outcome::validated: return true;
            case Outcome::refuted: return is_explained(verdict);
            case Outcome::undecided: return are_accesses_shown(verdict);
            case Outcome::unsupported: return false;
        }
        raise_internal_error(__FILE__, __LINE__, "no such outcome");
    }

    const cases::Case& case_;
    const sare::Sare& specification_;
    const sched::Program& prophesied_;
    validator::Options options_;
    std::uint64_t operations_ = 0;
    smt::CrossChecks cross_checks_;  // of all ways
    std::vector<conversion::Converted> seen_;
    std::optional<validator::Verdict> best_;
    std::optional<conversion::Converted> best_converted_;  // of the best verdict; nullopt if it could not be converted
};

validator::Verdict undecided(Feature what) {
    return validator::Verdict(
        verdict::obstructed(validator::Outcome::undecided, verdict::Cause::feature, std::move(what)));
}

// Documented rules about sizes. The program asserts the rest for each iteration.
std::vector<sare::Condition> rules_of(const cases::Case& c, const compiler::Identity& identity) {
    std::vector<sare::Condition> rules;
    for (auto& rule : size_rules(c, identity)) {
        if (!rule.may_be_too_strict) { rules.push_back(std::move(rule.condition)); }
    }
    return rules;
}

verdict::Validation stopped(validator::Outcome outcome, const NoProgram& none) {
    return verdict::obstructed(outcome, verdict::Cause::compiler_limit, {{}, none.what.detail});
}

Supported<Implied> usable_specification(const cases::Case& c, const validator::Options& options) {
    auto implied = implied_specification(c);
    if (implied && implied->needs_fitting_sums && !options.may_assume_sums_fit) {
        return not_supported("factoring of a reduction whose order matters", "sums of signed integers may overflow");
    }
    return implied;
}

// The verdict on the case's own specification, from that on the implied one.
validator::Verdict of_implied(const Implied& implied, validator::Verdict verdict) {
    const bool is_proved = verdict.outcome == validator::Outcome::validated;
    verdict.needs_fitting_sums = verdict.needs_fitting_sums || (is_proved && implied.needs_fitting_sums);
    return verdict;
}

// The parameters at the case's sizes of a program whose interface fits the specification.
Supported<Sizes> fitting_parameters(const cases::Case& c, const LoweredProgram& lowered,
                                    const sare::Sare& specification) {
    const auto sizes = bind_parameters(lowered.program, c, lowered.regions);
    if (!sizes) { return not_supported("parameters", sizes.error().message); }
    if (auto fits = validator::check_interface(specification, lowered.program, *sizes); !fits) {
        return not_supported("interface", fits.error().message);
    }
    return *sizes;
}

}  // namespace

bool is_more_informative(const validator::Verdict& a, const validator::Verdict& b) {
    const auto rank = [](const validator::Verdict& verdict) {
        switch (verdict.outcome) {
            // A run has shown it, which outweighs any proof.
            case validator::Outcome::refuted: return is_explained(verdict) ? 5 : 4;
            case validator::Outcome::validated: return 3;
            case validator::Outcome::undecided: return are_accesses_shown(verdict) ? 2 : 1;
            case validator::Outcome::unsupported: return 0;
        }
        raise_internal_error(__FILE__, __LINE__, "no such outcome");
    };
    return rank(a) > rank(b);
}

validator::Verdict unsupported(Feature what) { return validator::Verdict(verdict::unsupported(std::move(what))); }

validator::Verdict unsupported(const NoProgram& none) {
    validator::Verdict verdict = unsupported(none.what);
    if (none.is_compiler_limit) { verdict.say(stopped(validator::Outcome::unsupported, none)); }
    return verdict;
}

validator::Verdict validate_at_sizes(const cases::Case& c, const LoweredProgram& lowered,
                                     const unrolled::Options& options) {
    const sare::Sare specification = sare::outlined(c.sare);
    const auto sizes = fitting_parameters(c, lowered, specification);
    if (!sizes) { return unsupported(sizes.error()); }
    unrolled::Options here = options;
    // Without strict_float the compiler treats floats as real numbers.
    here.floats = c.strict_float ? validator::Floats::ieee : validator::Floats::real;
    return as_compared(c, unrolled::validate(specification, without_merged(lowered.program, c), *sizes, here));
}

Result<validator::Trial> replay_at_sizes(const cases::Case& c, const LoweredProgram& lowered,
                                         const validator::Inputs& inputs, std::uint64_t most_steps) {
    const sare::Sare specification = sare::outlined(c.sare);
    const auto sizes = fitting_parameters(c, lowered, specification);
    if (!sizes) { return fail(to_string(sizes.error())); }
    return validator::replay(specification, lowered.program, *sizes, inputs, most_steps, !c.strict_float);
}

bool is_wrong(const cases::Case& c, const validator::Trial& run) {
    return run.is_wrong && (run.trouble || c.comparison != cases::Comparison::not_compared);
}

validator::Options all_sizes_options(const smt::Solvers& solvers) {
    validator::Options options;
    options.solvers = solvers;
    options.operations = 12'000'000;
    options.evaluation_operations = 6'000'000;
    options.obligation_operations = 6'000'000;
    options.most_exhausted = 1;
    options.most_steps = 100'000;
    // In 200 cases, successful arithmetic proofs took at most a third of it.
    options.ladder.smt_rlimit = 500'000;
    options.ladder.checks_sides = false;
    // Compilers reorder sums of signed integers as if they did not overflow.
    options.may_assume_sums_fit = true;
    return options;
}

unrolled::Options own_sizes_options(const smt::Solvers& solvers) {
    unrolled::Options options;
    options.effort.solvers = solvers;
    return options;
}

std::size_t unbounded_parameters(const cases::Case& c, const compiler::Identity& identity) {
    sare::Sare specification = c.sare;
    for (const sare::Condition& rule : rules_of(c, identity)) { assume(specification, rule); }
    return static_cast<std::size_t>(std::ranges::count_if(c.sare.parameters, [&](const std::string& parameter) {
        const sare::Condition is_large{sare::Comparison{
            sare::Relation::eq, {sare::IndexVariable{parameter}}, {sare::IndexConstant{conversion::most_size}}}};
        return is_possible(is_large, specification);
    }));
}

validator::Verdict validate_for_all_sizes(const cases::Case& c, const sched::Program& prophesied,
                                          const compiler::Identity& identity, const validator::Options& options) {
    auto implied = usable_specification(c, options);
    if (!implied) { return unsupported(implied.error()); }
    assume(implied->sare, conversion::small_sizes(implied->sare));
    for (const sare::Condition& rule : rules_of(c, identity)) { assume(implied->sare, rule); }
    return of_implied(*implied, Ways(c, implied->sare, prophesied, options).best());
}

validator::Verdict validate_large_sizes(const cases::Case& c, const Sizes& sizes, const sched::Program& prophesied,
                                        const compiler::Identity& identity, const validator::Options& options) {
    for (const sare::Condition& rule : rules_of(c, identity)) {
        if (!sare::evaluate(rule, sizes)) {
            return undecided({"sizes that break a documented rule", sare::print(rule)});
        }
    }
    // The conventions that oracle/conversion assumes of other sizes are checked for these.
    if (auto why = beyond_conventions(c.sare, sizes)) { return undecided(std::move(*why)); }
    const auto implied = usable_specification(c, options);
    if (!implied) { return unsupported(implied.error()); }
    cases::Case there = c;
    there.sizes = sizes;
    validator::Verdict verdict =
        of_implied(*implied, Ways(there, at_sizes(implied->sare, sizes), at_sizes(prophesied, sizes), options).best());
    verdict.is_for_all_sizes = false;
    return verdict;
}

validator::Verdict validate_at_sizes(const cases::Case& c, const LoweredProgram& lowered, compiler::ForkServer& server,
                                     const unrolled::Options& options) {
    validator::Verdict verdict = validate_at_sizes(c, lowered, options);
    if (verdict.outcome != validator::Outcome::undecided || verdict.is_exhausted) { return verdict; }
    const auto prophesied = lower_with_prophecies(c, server);
    if (prophesied) {
        validator::Verdict again = validate_at_sizes(c, *prophesied, options);
        again.cross_checks.add(verdict.cross_checks);
        return again;
    }
    if (prophesied.error().is_compiler_limit) {
        verdict.say(stopped(validator::Outcome::undecided, prophesied.error()));
    }
    return verdict;
}

}  // namespace haruspex::pipeline
