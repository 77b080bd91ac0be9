#include "oracle/validator/validator.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "generators/affine/context.h"
#include "generators/base/ensure.h"
#include "generators/sare/floats.h"
#include "oracle/validator/discharge/budgets.h"
#include "oracle/validator/discharge/discharger.h"
#include "oracle/validator/equation_cache.h"
#include "oracle/validator/evaluation/coverage.h"
#include "oracle/validator/flow/real_numbers.h"
#include "oracle/validator/garbage_search.h"
#include "oracle/validator/reduction_search.h"
#include "oracle/validator/refutation.h"
#include "oracle/validator/round.h"

namespace haruspex::validator {
namespace {

constexpr int most_rounds = 10;
constexpr std::uint64_t blame_rlimit = 200'000;
constexpr std::size_t most_unshown = 2;  // obligations that arithmetic may fail to show

class OutOfBudget : public std::runtime_error {
public:
    OutOfBudget(const std::string& work, const std::string& how) : runtime_error(work + ": " + how), what_{work, how} {}

    Verdict verdict() const {
        Verdict verdict(verdict::obstructed(Outcome::undecided, verdict::Cause::budget, what_));
        verdict.is_exhausted = true;
        return verdict;
    }

private:
    Feature what_;
};

Ladder ladder_of(const sare::Sare& sare, const sched::Program& program, const Options& options) {
    Ladder ladder = options.ladder;
    // A caller that did not request IEEE's floats also ignores the sign of zero, even if the proof falls back to them.
    ladder.ignores_sign_of_zero = ladder.floats == Floats::real;
    if (ladder.floats == Floats::real && !are_real_numbers(sare, program)) { ladder.floats = Floats::ieee; }
    ladder.regroups_sums = ladder.floats == Floats::abstract && may_regroup_sums(sare, program);
    return ladder;
}

// Whether an obligation is about the cells that are read and written, whatever the values: the first round's judgement
// of it then holds for all rounds.
bool is_of_cells(const Obligation& obligation) { return !obligation.equation && !obligation.depends_on_values; }

// An obligation about cells, with its discharge.
struct JudgedSet {
    Kind kind = Kind::bounds_read;
    std::string statement, rule;
    Discharge discharge;

    bool is_of(const Obligation& o) const { return kind == o.kind && statement == o.statement && rule == o.rule; }
};

// A program as it is evaluated in one round.
struct Evaluated {
    std::unique_ptr<const Accumulations> accumulations;
    std::unique_ptr<Evaluation> evaluation;
    std::vector<Obligation> obligations;
    bool is_vacuous = false;  // no size allows a requested cell

    const isl::set& context() const { return evaluation->scope().context(); }
};

// The verdict if every obligation holds, and a run is wrong all the same.
Verdict contradicted(const std::string& run) {
    Verdict verdict(verdict::obstructed(Outcome::undecided, verdict::Cause::contradiction,
                                        {{}, "every obligation holds, but the interpreters say: " + run}));
    verdict.contradiction = run;
    return verdict;
}

class Validator {
public:
    // Borrows all arguments. `sums_fit`: Arithmetic::sums_fit.
    Validator(const sare::Sare& sare, const sched::Program& program, const Options& options,
              const affine::Context& context, const Specification& specification, bool sums_fit)
        : sare_(sare),
          program_(program),
          options_(options),
          context_(context),
          plain_(specification),
          sums_fit_(sums_fit),
          ladder_(ladder_of(sare, program, options)),
          budgets_(context, options.operations, options.evaluation_operations, options.obligation_operations),
          solvers_(options.solvers),
          refuter_(sare, program, options, sums_fit, budgets_),
          garbage_(program),
          reductions_(sare, program),
          shown_(program) {}

    Verdict run() {
        Verdict verdict = decided();
        verdict.judgements = std::move(round_.judgements);
        verdict.by_rung = std::move(round_.by_rung);
        verdict.is_kept_by_overflow = reductions_.is_kept_by_overflow();
        verdict.cross_checks = solvers_.cross_checks();
        verdict.queries = round_.queries;
        verdict.rlimit = round_.rlimit;
        verdict.rounds = round_.number;
        verdict.operations = budgets_.spent();
        if (options_.explain) { verdict.steps = derivation(); }
        return verdict;
    }

private:
    Verdict decided() {
        Verdict verdict;
        try {
            verdict = decide();
        } catch (const Unsupported& e) {
            verdict.say(verdict::unsupported(e.feature()));
        } catch (const OutOfBudget& e) {
            const auto refutation = refute();
            verdict = refutation ? refuted(*refutation) : e.verdict();
            verdict.is_exhausted = true;
        }
        return verdict;
    }

    // The steps of a validation. Sets are judged before equations, because they are cheap, and a program that violates
    // one is run before anything is compared. Arithmetic is the last resort: a wrong program is refuted sooner by
    // running it.
    Verdict decide() {
        reductions_.mark_unordered(arithmetic());
        reductions_.take_marked();
        std::optional<Evaluated> evaluated = evaluate();
        refuse_endless(*evaluated);
        run_small_sizes(*evaluated);
        choose_floats(*evaluated);
        if (reductions_.drop_ordered(arithmetic())) {
            evaluated.reset();
            evaluated = evaluate();
        }
        const bool goes_on = judge_sets(*evaluated);
        std::optional<Refutation> refutation = refute();
        while (goes_on && !refutation) {
            refutation = judge_equations(*evaluated);
            if (refutation || (!garbage_.has_marked() && !reductions_.has_marked())) { break; }
            evaluated.reset();
            round_ = round_.next();
            evaluated = evaluate();
            record_sets(*evaluated);
            refutation = refute();
        }
        const bool is_vacuous = evaluated->is_vacuous;
        evaluated.reset();
        if (!refutation) { refutation = refute(); }
        if (!refutation && ladder_.highest > Rung::uninterpreted) {
            judge_with_arithmetic();
            refutation = refute();
        }
        if (refutation) { return refuted(*refutation); }
        return round_.failures.empty() ? all_hold(is_vacuous) : not_shown();
    }

    bool are_numbers() const { return ladder_.floats == Floats::numbers || ladder_.floats == Floats::real; }
    Arithmetic arithmetic() const {
        return {ladder_.floats == Floats::real, are_numbers(), ladder_.regroups_sums, sums_fit_};
    }
    Arithmetic without_regrouping() const {
        Arithmetic result = arithmetic();
        result.exact_reals = result.regroups_sums = false;
        return result;
    }
    // Whether what is shown holds only as long as no partial sum of integers overflows.
    bool needs_fitting_sums() const {
        Arithmetic without = arithmetic();
        without.sums_fit = false;
        return reductions_.depends_on_order(without);
    }

    // Whether what is shown holds for sums in any order only; otherwise it holds for IEEE's floats, unless they are real
    // numbers, or numbers.
    bool has_regrouped() const { return round_.regroups_sums || reductions_.depends_on_order(without_regrouping()); }

    const Specification& specification() const { return with_steps_ ? *with_steps_ : plain_; }

    // Whether proofs are about floats that round although the caller requested real numbers: the program may round as
    // it likes.
    bool may_round() const { return options_.ladder.floats == Floats::real && ladder_.floats != Floats::real; }

    Evaluated evaluate() {
        options_.begin("evaluation");
        Evaluated all;
        reductions_.drop(garbage_.found());
        const auto done = budgets_.for_evaluation([&] {
            if (reductions_.has_any() && !with_steps_) {
                with_steps_.emplace(context_.ctx(), with_steps(sare_, reductions_.reductions()), options_.sizes);
                if (discharger_) { make_discharger(); }
            }
            all.accumulations = std::make_unique<const Accumulations>(reductions_.found(specification()));
            all.evaluation = std::make_unique<Evaluation>(context_.ctx(), templates_, specification().signatures(),
                                                          garbage_.found(), *all.accumulations, are_numbers());
            Evaluation& evaluation = *all.evaluation;
            evaluation.enter(program_, specification().assumptions(), options_.sizes);
            all.is_vacuous = is_vacuous(specification(), evaluation.scope().context());
            heap::Memory final_memory(context_.ctx());
            final_memory.leave(evaluation.prophetic(program_.body));
            all.obligations = evaluation.symbolic(program_.body);
            for (Obligation& o : coverage(program_, specification(), evaluation, final_memory, templates_)) {
                all.obligations.push_back(std::move(o));
            }
        });
        if (!done) { throw OutOfBudget("evaluation", done.error().message); }
        return all;
    }

    // A recurrence that does not end has no values that a program could compute.
    void refuse_endless(const Evaluated& evaluated) {
        if (const auto where = refuter_.without_value_in(evaluated.context())) {
            throw Unsupported("a specification without values", *where);
        }
    }

    void run_small_sizes(const Evaluated& evaluated) {
        // Where sums overflow even if inputs are small, it says too little that they fit.
        if (!options_.probes && !sums_fit_) { return; }
        options_.begin("small sizes");
        refuter_.probe(evaluated.context());
    }

    // Values that are equal up to rounding are not the same: where several iterations or lanes write a cell, it would
    // depend on the last writer.
    void choose_floats(const Evaluated& evaluated) {
        if (ladder_.floats == Floats::real) {
            const auto is_shared = budgets_.for_evaluation([&] { return evaluated.evaluation->shares_cells(); });
            if (!is_shared || *is_shared) { ladder_.floats = Floats::numbers; }
        }
        if (ladder_.regroups_sums) {
            const auto is_shared = budgets_.for_evaluation([&] { return evaluated.evaluation->shares_cells(); });
            ladder_.regroups_sums = is_shared && !*is_shared;
        }
        if (reductions_.has_ordered_assignment(arithmetic())) {
            throw Unsupported("reduction", "accumulating assignment of floats, which round");
        }
        make_discharger();
    }

    void make_discharger() {
        discharger_.emplace(specification(), templates_, ladder_.floats == Floats::real || ladder_.regroups_sums,
                            budgets_, solvers_);
    }

    // Returns false if the validation ends with the sets.
    bool judge_sets(const Evaluated& evaluated) {
        round_.list(evaluated.obligations);
        options_.begin("sets");
        for (std::size_t k = 0; k < evaluated.obligations.size(); ++k) {
            const Obligation& obligation = evaluated.obligations[k];
            if (!is_of_cells(obligation)) { continue; }
            sets_.push_back(
                {obligation.kind, obligation.statement, obligation.rule, judge(obligation, before_arithmetic(), k)});
            const bool is_violated = sets_.back().discharge.violations.has_value();
            if (options_.ends_at_bounds && is_about_bounds(obligation.kind) && is_violated) { return false; }
        }
        return true;
    }

    void record_sets(const Evaluated& evaluated) {
        round_.list(evaluated.obligations);
        options_.begin("sets");
        auto set = sets_.begin();
        for (std::size_t k = 0; k < evaluated.obligations.size(); ++k) {
            const Obligation& obligation = evaluated.obligations[k];
            if (!is_of_cells(obligation)) { continue; }
            ENSURE(set != sets_.end() && set->is_of(obligation), "each round has the same sets to judge");
            round_.record(obligation, set++->discharge, k);
        }
        ENSURE(set == sets_.end(), "each round has the same sets to judge");
    }

    // Judges all obligations that depend on values. Ends early with a refutation.
    std::optional<Refutation> judge_equations(const Evaluated& evaluated) {
        shown_.forget(garbage_.take_marked());
        shown_.forget(reductions_.take_marked());
        for (std::size_t k = 0; k < evaluated.obligations.size(); ++k) {
            const Obligation& obligation = evaluated.obligations[k];
            if (is_of_cells(obligation)) { continue; }
            // The other writes of a scope that has just become a reduction are evaluated anew.
            if (reductions_.has_marked() && obligation.write != nullptr && reductions_.is_marked(*obligation.write)) {
                continue;
            }
            if (const Discharge* shown = shown_.find(obligation.write)) {
                round_.record(obligation, *shown, k);
                continue;
            }
            options_.begin("equations");
            const Discharge discharge = judge(obligation, before_arithmetic(), k);
            if (discharge.holds() && obligation.write != nullptr) { shown_.insert(*obligation.write, discharge); }
            const bool may_mark = obligation.write != nullptr && round_.number < most_rounds;
            if (may_mark && garbage_.mark(*obligation.write, discharge.remainders, round_.number)) { continue; }
            const bool may_be_reordered = may_mark && !discharge.holds() && !refuter_.probed();
            if (may_be_reordered && reductions_.mark(*obligation.write, arithmetic(), garbage_.found())) { continue; }
            if (refuter_.probed() && !discharge.holds()) {
                if (auto refutation = refute()) { return refutation; }
            }
        }
        return std::nullopt;
    }

    // Judges what is not shown once more, up to the last rung. For an obligation that exhausted its budget isl's work
    // would be the same again; and once some obligations are not shown, little more is to be found.
    void judge_with_arithmetic() {
        round_.exhausted = 0;
        for (Failure& failure : std::exchange(round_.failures, {})) {
            if (failure.is_exhausted || round_.failures.size() >= most_unshown) {
                round_.failures.push_back(std::move(failure));
            } else {
                options_.begin("arithmetic");
                judge(failure.obligation, ladder_, failure.judgement);
            }
        }
    }

    // The ladder by which each obligation is judged first.
    Ladder before_arithmetic() const {
        Ladder ladder = ladder_;
        if (refuter_.probed()) {
            // The first obligation that is not shown gets the blame for the known counterexample; this is not worth
            // much work.
            ladder.smt_rlimit = std::min(ladder.smt_rlimit, blame_rlimit);
        } else {
            ladder.highest = std::min(ladder.highest, Rung::uninterpreted);
        }
        return ladder;
    }

    Discharge judge(const Obligation& obligation, const Ladder& ladder, std::size_t position) {
        if (round_.exhausted > 0 && round_.exhausted == options_.most_exhausted) {
            const Failure& spent = *std::ranges::find_if(round_.failures, &Failure::is_exhausted);
            throw OutOfBudget("discharge", "isl's budget of operations is spent on " +
                                               std::string(name(spent.obligation.kind)) + ": " +
                                               shortened(spent.obligation.statement));
        }
        if (budgets_.left() == 0) { throw OutOfBudget("discharge", "isl's budget of operations is spent"); }
        Discharge result = discharger_->discharge(obligation, ladder, round_.exhausted > 0);
        round_.record(obligation, result, position);
        return result;
    }

    std::optional<Refutation> refute() { return refuter_.refute(round_.failures, !may_round()); }

    Verdict refuted(const Refutation& refutation) const {
        const Judgement& judgement = round_.judgements[refutation.judgement];
        Verdict verdict(verdict::obstructed(Outcome::refuted, judgement.kind, judgement.statement));
        verdict.deciding = refutation.judgement;
        verdict.counterexample = refutation.counterexample;
        return verdict;
    }

    Verdict not_shown() const {
        const std::size_t deciding = round_.failures.front().judgement;
        const Judgement& first = round_.judgements[deciding];
        const std::string looked = refuter_.tried_sizes();
        Verdict verdict(verdict::obstructed(Outcome::undecided, first.kind,
                                            first.statement + ": " + first.reason +
                                                ", and no counterexample was found" +
                                                (looked.empty() ? "" : " " + looked)));
        verdict.is_exhausted = budgets_.left() == 0;
        verdict.deciding = deciding;
        return verdict;
    }

    // The verdict if every obligation holds.
    Verdict all_hold(bool is_vacuous) const {
        if (is_vacuous) {
            return Verdict(
                verdict::obstructed(Outcome::undecided, Kind::vacuous, "no size allows a requested output cell"));
        }
        if (const auto& probed = refuter_.probed(); probed && sums_fit_ && probed->is_undef) {
            return Verdict(verdict::obstructed(Outcome::undecided, Kind::value,
                                               "sums do not fit where inputs are small: " + probed->message));
        }
        if (const auto& probed = refuter_.probed(); probed && !may_be_rounding(*probed)) {
            return contradicted(probed->message);
        }
        if (program_.has_loose_floats && ladder_.floats != Floats::real) { throw Unsupported(verdict::loose_floats()); }
        Verdict verdict(verdict::proved(options_.sizes.empty()));
        if (sare::has_floats(sare_)) {
            const bool is_exact = ladder_.floats == Floats::abstract && !has_regrouped();
            verdict.floats = is_exact ? Floats::ieee : ladder_.floats;
        }
        verdict.needs_proper_boxes = plain_.has_negative_boxes();
        verdict.needs_fitting_sums = needs_fitting_sums();
        return verdict;
    }

    // Whether a counterexample may be due to rounding: the proof is about real numbers, but interpreters compute with
    // floats.
    bool may_be_rounding(const Counterexample& seen) const {
        const bool may_round =
            ladder_.floats == Floats::real || (ladder_.floats == Floats::abstract && has_regrouped());
        return may_round && !seen.trouble && sare::has_floats(sare_);
    }

    // Derives under a budget of its own, so that asking for a derivation does not change a verdict.
    std::vector<Step> derivation() {
        std::vector<Step> steps;
        Budgets own(context_, options_.evaluation_operations, options_.evaluation_operations, 0);
        try {
            const auto derived = own.for_evaluation([&] {
                // Scopes that were marked, but not evaluated, are still without steps.
                const Accumulations accumulations = with_steps_ ? reductions_.found(*with_steps_) : Accumulations();
                Evaluation evaluation(context_.ctx(), templates_, specification().signatures(), garbage_.found(),
                                      accumulations, are_numbers(), &steps);
                evaluation.enter(program_, specification().assumptions(), options_.sizes);
                evaluation.prophetic(program_.body);
                evaluation.symbolic(program_.body);
            });
            if (!derived) { steps.push_back({0, {}, {"derivation: " + derived.error().message}}); }
        } catch (const Unsupported&) {
            // The verdict says why the derivation ends here.
        }
        return steps;
    }

    const sare::Sare& sare_;
    const sched::Program& program_;
    const Options& options_;
    const affine::Context& context_;
    const Specification& plain_;
    const bool sums_fit_;
    std::optional<const Specification> with_steps_;  // once there are scopes of reductions
    heap::Templates templates_;
    Ladder ladder_;
    Budgets budgets_;
    smt::SolverSession solvers_;
    Refuter refuter_;
    std::optional<Discharger> discharger_;  // set once the kind of floats is chosen

    // Kept from round to round.
    GarbageSearch garbage_;
    ReductionSearch reductions_;
    EquationCache shown_;
    std::vector<JudgedSet> sets_;  // in their order
    Round round_;                  // the latest
};

// The verdict; with abstract floats, after the last refinement: bit by bit, in which literals are folded as they round,
// and sums have their order.
Verdict refined(const sare::Sare& sare, const sched::Program& program, const Options& options,
                const affine::Context& context, const Specification& specification, bool sums_fit) {
    Verdict verdict = Validator(sare, program, options, context, specification, sums_fit).run();
    if (options.ladder.floats != Floats::abstract || verdict.outcome != Outcome::undecided) { return verdict; }
    Options bit_by_bit = options;
    bit_by_bit.ladder.floats = Floats::ieee;
    Verdict exact = Validator(sare, program, bit_by_bit, context, specification, sums_fit).run();
    exact.cross_checks.add(verdict.cross_checks);
    verdict.cross_checks = exact.cross_checks;
    return exact.outcome == Outcome::validated ? exact : verdict;
}

// Whether more may be said of the program if sums fit.
bool depends_on_overflow(const Verdict& verdict) {
    const bool is_refuted_by_undef = verdict.counterexample && verdict.counterexample->is_undef;
    const bool is_decided = verdict.outcome == Outcome::validated || verdict.contradiction;
    return !is_decided && (verdict.is_kept_by_overflow || is_refuted_by_undef);
}

// The verdict after a second attempt, in which sums fit.
Verdict joined(Verdict first, Verdict fitting) {
    // Only an overflow may be wrong with a program that is then proved, and only if the proof needs that there is none.
    const bool is_excused = first.counterexample && first.counterexample->is_undef && fitting.needs_fitting_sums;
    if (fitting.outcome == Outcome::validated && first.counterexample && !is_excused) {
        fitting.say(contradicted(first.counterexample->message));
        fitting.contradiction = first.counterexample->message;
    }
    const bool says_more =
        fitting.outcome == Outcome::validated || fitting.outcome == Outcome::refuted || fitting.contradiction;
    if (says_more) { return fitting; }
    first.cross_checks = fitting.cross_checks;
    first.operations = fitting.operations;
    return first;
}

}  // namespace

Verdict validate(const sare::Sare& sare, const sched::Program& program, const Options& options) {
    Options chosen = options;
    if (!sare::has_floats(sare)) { chosen.ladder.floats = Floats::ieee; }
    const affine::Context context;
    chosen.begin("specification");
    try {
        const auto specification = affine::within(context, options.operations,
                                                  [&] { return Specification(context.ctx(), sare, options.sizes); });
        if (!specification) { throw OutOfBudget("specification", specification.error().message); }
        Verdict verdict = refined(sare, program, chosen, context, *specification, false);
        if (!options.may_assume_sums_fit || !depends_on_overflow(verdict)) { return verdict; }
        chosen.operations -= std::min(chosen.operations, verdict.operations);
        Verdict fitting = refined(sare, program, chosen, context, *specification, true);
        fitting.cross_checks.add(verdict.cross_checks);
        fitting.operations += verdict.operations;
        return joined(std::move(verdict), std::move(fitting));
    } catch (const Unsupported& e) { return Verdict(verdict::unsupported(e.feature())); } catch (const OutOfBudget& e) {
        Verdict verdict = e.verdict();
        verdict.operations = options.operations;
        return verdict;
    }
}

}  // namespace haruspex::validator
